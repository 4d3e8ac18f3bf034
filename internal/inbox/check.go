package inbox

import (
	"bytes"
	"fmt"
	"reflect"
)

// Torn is what writes that were cut short have left in an inbox. Nothing of it
// counts, and the message that it was to be was never reported as saved.
type Torn struct {
	Lines int   // closed by a later append
	Last  int64 // the newest one's offset, the tail's if Tail is not 0
	Tail  int64 // bytes at the end that have no newline yet; a write under way looks the same
}

// Torn reports torn writes, from the last record and the tail alone.
func (b *Box) Torn() (t Torn, err error) {
	err = b.reading(func(v *view) error {
		t = Torn{Lines: v.book.Torn, Last: v.book.TornAt, Tail: v.size - v.end}
		if v.torn() {
			t.Last = v.end
		}
		return nil
	})
	return t, err
}

// Report is what Check found.
type Report struct {
	Records  int
	Messages int
	Torn     []int64 // offsets of torn lines, the tail among them
	Bad      []int64 // offsets of other lines that are no records
	Wrong    string  // how the book differs from what a scan says; empty if it does not
}

// Check reads the whole inbox and compares the last record's book with what
// the records say.
func (b *Box) Check() (rep Report, err error) {
	err = b.reading(func(v *view) error {
		if err := v.survey(&rep); err != nil {
			return err
		}
		all, err := v.fold(0)
		if err != nil {
			return err
		}
		rep.Messages = len(all)
		rep.Wrong = v.book.compare(all)
		return nil
	})
	return rep, err
}

func (v *view) survey(rep *Report) error {
	mark := bytes.TrimSuffix([]byte(tornMark), []byte("\n"))
	err := v.forward(0, func(off int64, line []byte) bool {
		_, ok := parse(line)
		switch {
		case ok:
			rep.Records++
		case bytes.HasSuffix(line, mark):
			rep.Torn = append(rep.Torn, off)
		default:
			rep.Bad = append(rep.Bad, off)
		}
		return true
	})
	if v.torn() {
		rep.Torn = append(rep.Torn, v.end)
	}
	return err
}

// summary is a book as a scan can know it.
type summary struct {
	Last, Oldest int64
	Open, Unread int
	Opens        []openMessage // as many as the book lists
	Rest         bool
}

// compare says how a book differs from what all messages together say.
func (b *Book) compare(all []*message) string {
	have := summary{b.Last, b.Oldest, b.Open, b.Unread, b.Opens, b.Rest != 0}
	var want summary
	for _, m := range all {
		want.Last = m.off
		if !m.state.Read {
			want.Unread++
			if want.Oldest == 0 {
				want.Oldest = m.off
			}
		}
		if !m.state.Open() {
			continue
		}
		want.Open++
		if b.Rest == 0 || m.off < b.Rest {
			want.Opens = append(want.Opens, openMessage{m.off, m.last, m.sum.part()})
		}
	}
	want.Rest = have.Rest
	if len(have.Opens) == 0 && len(want.Opens) == 0 {
		have.Opens, want.Opens = nil, nil
	}
	if have.Open > 0 && len(have.Opens) == 0 {
		return "messages are open, but none is listed"
	}
	if !reflect.DeepEqual(have, want) {
		return fmt.Sprintf("the last record says %+v, a scan says %+v", have, want)
	}
	return ""
}
