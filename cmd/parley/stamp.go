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

// failed is what `send --json` prints of a message that has no receipt.
type failed struct {
	ID    parley.ID   `json:"id"`
	To    parley.Name `json:"to"`
	Error string      `json:"error"`
}
