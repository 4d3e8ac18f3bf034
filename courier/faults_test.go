package courier

import (
	"parley/internal/term/termtest"
)

// refuse runs do as the n-th call of a verb begins.
func refuse(w *world, verb string, n int, do func()) func(*termtest.Fake, termtest.Call) termtest.Fault {
	return func(_ *termtest.Fake, c termtest.Call) termtest.Fault {
		if c.Verb == verb && c.N == n {
			do()
		}
		return termtest.NoFault
	}
}
