package dialect

import "strings"

// Remains reports whether what a box shows now is what it showed before with
// its end taken off: the same rows from the first on, or fewer, and the cursor
// behind them. A box that hides its head or its tail says nothing.
func Remains(before, now Reading) bool {
	if before.Composer != Draft || now.Composer != Draft || !now.AtEnd || before.Clipped || now.Clipped {
		return false
	}
	was, is := rowsOf(before.Draft), rowsOf(now.Draft)
	if len(is) == 0 || len(is) > len(was) {
		return false
	}
	for i := range is {
		if is[i] != was[i] {
			return false
		}
	}
	return true
}

// rowsOf are the rows of a draft without those that end it blank.
func rowsOf(draft string) []string {
	rows := strings.Split(draft, "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// Begins reports whether a box holds the beginning of our text alone, so much
// of it that nobody else would have written it: more than the name in front.
func Begins(r Reading, w Wanted, name string) bool {
	if r.Composer != Draft || !r.AtEnd || r.Clipped {
		return false
	}
	got := squeeze(r.Draft)
	return len(got) > len(squeeze(name)) && strings.HasPrefix(squeeze(w.Whole), got)
}
