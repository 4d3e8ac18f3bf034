package proc

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// OpenTTY opens a terminal device to ask about it or to lock it. It neither
// becomes this process's terminal nor waits for one, and nothing can be
// written through it.
func OpenTTY(path string) (*os.File, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open terminal: %w", &os.PathError{Op: "open", Path: path, Err: err})
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFCHR {
		unix.Close(fd)
		return nil, fmt.Errorf("open terminal: %s is no device", path)
	}
	return os.NewFile(uintptr(fd), path), nil
}

// Canonical reports whether a terminal collects lines before its program sees
// them (termios ICANON). A program with an input box of its own never reads
// that way; a line of more than 4,095 bytes would vanish there (termios(3)).
func Canonical(tty string) (bool, error) {
	f, err := OpenTTY(tty)
	if err != nil {
		return false, err
	}
	defer f.Close()
	t, err := unix.IoctlGetTermios(int(f.Fd()), getTermios)
	if err != nil {
		return false, fmt.Errorf("read terminal mode of %s: %w", tty, err)
	}
	return t.Lflag&unix.ICANON != 0, nil
}

// Unread is how many bytes a terminal or a pipe holds that nobody has read yet.
func Unread(f *os.File) (int, error) {
	n, err := unix.IoctlGetInt(int(f.Fd()), getUnread)
	if err != nil {
		return 0, fmt.Errorf("read queue of %s: %w", f.Name(), err)
	}
	return n, nil
}
