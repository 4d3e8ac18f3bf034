package main

import (
	"time"

	"parley"
)

// stamp is a time as the contract prints it: RFC 3339 with three digits of
// milliseconds, also where the last ones are zero.
type stamp time.Time

func (s stamp) MarshalJSON() ([]byte, error) {
	return []byte(time.Time(s).UTC().Format(`"2006-01-02T15:04:05.000Z"`)), nil
}

// receiptLine is a receipt as `send --json` prints it.
type receiptLine struct {
	parley.Receipt
	At stamp `json:"at"`
}
