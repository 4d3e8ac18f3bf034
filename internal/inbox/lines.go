package inbox

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
)

// maxLine bounds what is held of one line. A longer one is no record of ours.
const maxLine = 64 << 20

// lines reads an inbox's whole lines as they stood when it was made: bytes
// that are appended later are not seen. A file that only grows needs no lock
// for that.
type lines struct {
	f    *os.File
	size int64 // of the file
	end  int64 // behind the last newline; size if nothing is torn
}

func openLines(f *os.File) (lines, error) {
	st, err := f.Stat()
	if err != nil {
		return lines{}, err
	}
	l := lines{f: f, size: st.Size(), end: st.Size()}
	buf := make([]byte, 4096)
	for l.end > 0 {
		n := min(int64(len(buf)), l.end)
		if err := l.read(buf[:n], l.end-n); err != nil {
			return lines{}, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			l.end -= n - int64(i) - 1
			break
		}
		l.end -= n
	}
	return l, nil
}

func (l lines) torn() bool { return l.end < l.size }

func (l lines) read(b []byte, at int64) error {
	n, err := l.f.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF // the file was cut while we read it
	}
	return err
}

// at gives the line that begins at off, without its newline; nil if no line
// begins there.
func (l lines) at(off int64) ([]byte, error) {
	if off < 0 || off >= l.end {
		return nil, nil
	}
	lead := min(off, 1) // the newline before it is proof that a line begins there
	off -= lead
	for n := int64(1024); ; n *= 4 {
		n = min(n, l.end-off)
		buf := make([]byte, n)
		if err := l.read(buf, off); err != nil {
			return nil, err
		}
		if lead == 1 && buf[0] != '\n' {
			return nil, nil
		}
		line := buf[lead:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			return line[:i:i], nil
		}
		if n == l.end-off || n > maxLine {
			return nil, nil
		}
	}
}

// forward calls f with each line from off on, where a line must begin, until f
// says false. The line is f's to keep only if it copies it.
func (l lines) forward(off int64, f func(off int64, line []byte) bool) error {
	r := bufio.NewReaderSize(io.NewSectionReader(l.f, off, l.end-off), 256<<10)
	var long []byte
	start := off
	for off < l.end {
		part, err := r.ReadSlice('\n')
		off += int64(len(part))
		if errors.Is(err, bufio.ErrBufferFull) {
			if len(long) < maxLine {
				long = append(long, part...)
			}
			continue
		}
		if err != nil {
			return err
		}
		line := part
		if long != nil {
			line, long = append(long, part...), nil
		}
		if !f(start, line[:len(line)-1]) {
			return nil
		}
		start = off
	}
	return nil
}

// backward calls f with each line that ends at or before end, last one first,
// until f says false. The line stays valid.
func (l lines) backward(end int64, f func(off int64, line []byte) bool) error {
	var held []byte // the bytes from start to the end of the line that is sought
	for start, n := end, int64(16<<10); start > 0; {
		n = min(max(n, int64(len(held))), start)
		start -= n
		buf := make([]byte, n, n+int64(len(held)))
		if err := l.read(buf, start); err != nil {
			return err
		}
		held = append(buf, held...)
		for len(held) > 0 {
			i := bytes.LastIndexByte(held[:len(held)-1], '\n')
			if i < 0 && start > 0 {
				break
			}
			line := held[i+1 : len(held)-1 : len(held)-1]
			if !f(start+int64(i)+1, line) {
				return nil
			}
			held = held[:i+1]
		}
		n = min(2*n, 1<<20)
	}
	return nil
}
