package inbox

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math/bits"
	"strconv"

	"parley"
)

// sum is the first 128 bits of a SHA-256, in hexadecimal.
type sum string

func sumOf(parts ...string) sum {
	h := sha256.New()
	for _, p := range parts {
		h.Write(binary.AppendUvarint(nil, uint64(len(p))))
		h.Write([]byte(p))
	}
	return sum(hex.EncodeToString(h.Sum(nil)[:16]))
}

// part is the sum's first 32 bits.
func (s sum) part() int64 {
	n, _ := strconv.ParseUint(string(s[:min(8, len(s))]), 16, 32)
	return int64(n)
}

// bodySum is equal for messages that say the same thing to one recipient.
func bodySum(m *parley.Message) sum {
	kept := "typed"
	if m.Mailbox {
		kept = "mailbox"
	}
	return sumOf("body", string(m.From), m.Body, kept, string(m.ReplyTo))
}

func keySum(key string) sum { return sumOf("key", key) }

// differ gives the first bit in which two sums differ; 128 if they are equal,
// -1 if one of them is none.
func differ(a, b sum) int {
	x, err := hex.DecodeString(string(a))
	y, err2 := hex.DecodeString(string(b))
	if err != nil || err2 != nil || len(x) != 16 || len(y) != 16 {
		return -1
	}
	for i := range x {
		if d := x[i] ^ y[i]; d != 0 {
			return 8*i + bits.LeadingZeros8(d)
		}
	}
	return 128
}

// errBook says that an offset in the file does not lead where it should:
// somebody has edited the file.
var errBook = errors.New("the inbox's own offsets are wrong")

// walk looks for want in the trie whose newest message stands at head. It
// gives the links that a new message with that sum must carry, and the offset
// of the message that has it already, or 0.
func walk(head int64, want sum, node func(off int64) (sum, []int64, error)) (links []int64, found int64, err error) {
	for i, off := 0, head; off != 0; {
		have, far, err := node(off)
		if err != nil {
			return nil, 0, err
		}
		d := differ(have, want)
		if d < i {
			return nil, 0, errBook // each step must agree in more bits
		}
		for ; i < d && i < len(far); i++ {
			links = append(links, far[i])
		}
		if d == 128 {
			return links, off, nil
		}
		for len(links) < d {
			links = append(links, 0)
		}
		links = append(links, off)
		i, off = d+1, 0
		if d < len(far) {
			off = far[d]
		}
	}
	return links, found, nil
}
