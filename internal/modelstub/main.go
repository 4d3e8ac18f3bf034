package modelstub

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Main runs a stub by itself until SIGINT or SIGTERM: it prints the address, then each
// request of a conversation as a line of JSON. It takes no arguments. It returns the
// exit code.
func Main(args []string) int {
	if len(args) > 0 {
		fmt.Fprintln(os.Stderr, "modelstub: takes no arguments")
		return 2
	}
	s, err := Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer s.Close()
	fmt.Println(s.URL())
	s.Answer(func(p Prompt) Reply {
		line, _ := json.Marshal(map[string]any{"at": p.At, "api": p.API, "side": p.Side, "text": p.Text})
		fmt.Println(string(line))
		return Words(p)
	})
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	<-stop
	return 0
}
