package screen

import (
	"encoding/binary"
	"errors"
)

// Append adds the cells, row by row, to b: for programs that hand a picture to
// each other. Size, cursor and title are not in it.
//
// A cell is the number of bytes of its text and its width (both in one byte of
// 6 and 2 bits, 63 for a length that follows as a uvarint), the text, and where
// its looks are not those of the cell before, a 1 and the looks, else a 0.
func (s Screen) Append(b []byte) []byte {
	var looks Cell
	for _, row := range s.Cells {
		for _, c := range row {
			if n := len(c.Text); n < 63 {
				b = append(b, byte(n)<<2|byte(c.Width))
			} else {
				b = append(b, 63<<2|byte(c.Width))
				b = binary.AppendUvarint(b, uint64(n))
			}
			b = append(b, c.Text...)
			if c.Attr == looks.Attr && c.FG == looks.FG && c.BG == looks.BG {
				b = append(b, 0)
				continue
			}
			b = append(b, 1)
			b = binary.BigEndian.AppendUint16(b, uint16(c.Attr))
			b = append(b, byte(c.FG.Kind), c.FG.R, c.FG.G, c.FG.B, byte(c.BG.Kind), c.BG.R, c.BG.G, c.BG.B)
			looks = c
		}
	}
	return b
}

var errWire = errors.New("a picture is cut off, or none")

// Cells reads what Append has written of a screen of this size.
func Cells(b []byte, cols, rows int) ([][]Cell, error) {
	// A cell takes two bytes at least: what cannot be there is not allocated.
	if cols < 1 || rows < 1 || cols > len(b) || rows > len(b) || cols*rows > len(b)/2 {
		return nil, errWire
	}
	all := make([]Cell, cols*rows)
	out := make([][]Cell, rows)
	var looks Cell
	text := string(b) // one copy, of which every cell's text is a part
	at := 0
	for i := range all {
		if len(b)-at < 2 {
			return nil, errWire
		}
		n, width := int(b[at]>>2), int(b[at]&3)
		at++
		if n == 63 {
			long, used := binary.Uvarint(b[at:])
			if used <= 0 || long > uint64(len(b)) {
				return nil, errWire
			}
			n, at = int(long), at+used
		}
		if len(b)-at < n+1 {
			return nil, errWire
		}
		looks.Text, looks.Width = text[at:at+n], width
		if at += n + 1; b[at-1] != 0 {
			if len(b)-at < 10 {
				return nil, errWire
			}
			looks.readLooks(b[at : at+10])
			at += 10
		}
		all[i] = looks
	}
	for y := range out {
		out[y] = all[y*cols : (y+1)*cols : (y+1)*cols]
	}
	if at != len(b) {
		return nil, errWire
	}
	return out, nil
}

func (c *Cell) readLooks(b []byte) {
	c.Attr = Attr(binary.BigEndian.Uint16(b))
	c.FG = Color{ColorKind(b[2]), b[3], b[4], b[5]}
	c.BG = Color{ColorKind(b[6]), b[7], b[8], b[9]}
}
