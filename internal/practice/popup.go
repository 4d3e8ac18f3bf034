package practice

import "fmt"

// popup is a dialog or menu: from the moment it is open it has the keys, and
// from a moment that may be later it is drawn in the box's place.
type popup struct {
	what  string // "dialog" or "menu"
	turn  int    // the turn that asks; 0: none does
	drawn bool
	pick  int
	late  *alarm
}

var menuItems = []string{"quiet", "plain", "loud"}

// moment counts one occurrence of a moment and opens what waits for it.
func (a *agent) moment(on string) {
	a.counts[on]++
	n := a.counts[on]
	for _, p := range a.q.Popups {
		if p.On == on && (n == p.Nth || p.Every && n > p.Nth) {
			a.after(p.Delay.D(), func() { a.open(&popup{what: p.What}, p.DrawDelay) })
		}
	}
}

// open gives p the keys now and the screen in d. One that comes while another
// is open does not open.
func (a *agent) open(p *popup, d Millis) {
	if a.popup != nil {
		return
	}
	a.popup = p
	a.log.put(Event{Kind: "open", Note: p.what})
	p.late = a.after(d.D(), func() {
		p.drawn = true
		a.log.put(Event{Kind: "drawn", Note: p.what})
	})
}

func (a *agent) popupKey(in input) {
	if in.paste {
		return // as measured: a dialog drops a bracketed paste
	}
	if a.popup.what == "menu" {
		a.menuKey(in.key)
		return
	}
	// Digits and letters act at once on real CLIs too.
	switch in.key {
	case "enter":
		a.answer(a.popup.pick == 0, in.key)
	case "1", "y":
		a.answer(true, in.key)
	case "escape", "n", "2", "ctrl-c":
		a.answer(false, in.key)
	case "up":
		a.popup.pick = 0
	case "down":
		a.popup.pick = 1
	}
}

func (a *agent) menuKey(key string) {
	switch key {
	case "enter":
		a.say("· ", styleDim, "Picked: "+menuItems[a.popup.pick])
		a.shut("picked", key)
	case "escape", "ctrl-c":
		a.shut("left", key)
	case "up":
		a.popup.pick = max(a.popup.pick-1, 0)
	case "down":
		a.popup.pick = min(a.popup.pick+1, len(menuItems)-1)
	}
}

func (a *agent) shut(how, key string) {
	a.cancel(a.popup.late)
	a.popup = nil
	a.log.put(Event{Kind: "close", Note: how, Key: key})
	a.drain()
}

// answer closes the dialog. Only an approved one runs the tool.
func (a *agent) answer(yes bool, key string) {
	p := a.popup
	asks := p.turn != 0 && p.turn == a.turn.number && a.turn.state != idle
	how, said := "rejected", "The tool was rejected."
	if yes {
		how, said = "approved", "The tool ran."
	}
	a.cancel(p.late)
	a.popup = nil
	a.log.put(Event{Kind: "close", Note: how, Key: key})
	if yes {
		text := fmt.Sprintf("practice tool ran in turn %d", a.turn.number)
		a.log.put(Event{Kind: "tool", Text: text})
		a.write(a.turn.number, "tool", text)
	}
	if asks {
		a.finish(said)
		return
	}
	a.say("· ", styleDim, said)
	a.drain()
}
