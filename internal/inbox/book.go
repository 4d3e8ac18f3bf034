package inbox

import (
	"slices"
	"sort"
)

// listed is how many open messages a book names one by one when they are
// posted; those behind them are found from Rest on. A variable for tests.
var listed = 32

// Book is the bookkeeping in every record: what stands open and unread in the
// inbox after it. The doc of the package describes the fields. Offset 0 is the
// first line, which is no message, and so means none.
type Book struct {
	Last   int64         `json:"last,omitempty"`
	Open   int           `json:"open,omitempty"`
	Opens  []openMessage `json:"opens,omitempty"`
	Rest   int64         `json:"rest,omitempty"`
	Same   int64         `json:"same,omitempty"`
	Unread int           `json:"unread,omitempty"`
	Oldest int64         `json:"oldest,omitempty"`
	Keys   int64         `json:"keys,omitempty"`
	Torn   int           `json:"torn,omitempty"`
	TornAt int64         `json:"torn_at,omitempty"`
	Edited bool          `json:"edited,omitempty"`
}

// openMessage is the offset of an open message, of the last record about it,
// and a part of its sum, so that most others need not be read to be told apart.
type openMessage [3]int64

// last gives the offset of the last record about the listed message at msg.
func (b *Book) last(msg int64) (int64, bool) {
	i, ok := b.find(msg)
	if !ok {
		return 0, false
	}
	return b.Opens[i][1], true
}

func (b *Book) find(msg int64) (int, bool) {
	i := sort.Search(len(b.Opens), func(i int) bool { return b.Opens[i][0] >= msg })
	return i, i < len(b.Opens) && b.Opens[i][0] == msg
}

// post notes a new message at off, which is open and unread.
func (b *Book) post(off int64, s sum) {
	b.Last = off
	b.Open++
	b.Unread++
	if b.Oldest == 0 {
		b.Oldest = off
	}
	if b.Rest == 0 && len(b.Opens) < listed {
		b.Opens = append(slices.Clip(b.Opens), openMessage{off, off, s.part()})
	} else if b.Rest == 0 {
		b.Rest = off
	}
}

// openness notes that the message at msg has a new last record at rec, which
// took it from was to is open.
func (b *Book) openness(msg, rec int64, s sum, was, is bool) {
	switch {
	case is && !was:
		b.Open++
	case was && !is:
		b.Open--
	}
	i, ok := b.find(msg)
	b.Opens = slices.Clone(b.Opens)
	switch {
	case ok && is:
		b.Opens[i][1] = rec
	case ok:
		b.Opens = slices.Delete(b.Opens, i, i+1)
	case is && (b.Rest == 0 || msg < b.Rest):
		b.Opens = slices.Insert(b.Opens, i, openMessage{msg, rec, s.part()})
	}
	if b.Open == 0 {
		b.Rest, b.Same = 0, 0
	}
}

// relist fills Opens, which has run empty or is not to be trusted, from the
// messages at or behind Rest, in order.
func (b *Book) relist(all []*message) {
	b.Opens, b.Rest = nil, 0
	for _, m := range all {
		if !m.state.Open() {
			continue
		}
		if len(b.Opens) == listed {
			b.Rest = m.off
			return
		}
		b.Opens = append(b.Opens, openMessage{m.off, m.last, m.sum.part()})
	}
	b.Same = 0
}
