package csvfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	// MaxRow is the largest row in bytes. A valid transaction needs far less.
	MaxRow = 128 << 10
	// MaxCells is the largest number of cells of a row.
	MaxCells = 256
	// piece is how much is asked for at a time, in bytes.
	piece = 64 << 10
)

// Position is a place between two rows.
type Position struct {
	Offset int64 // in bytes from the beginning of the file
	Line   int64 // of the row that begins here, from 1
}

// Row is one row of a file.
type Row struct {
	At    Position
	Cells []string // of a row that cannot be read those that can
	Fault *Fault   // nil for a row that can be read
}

// Fault says why a row cannot be read.
type Fault struct {
	Column int    // of the cell from 1; 0 when the row as a whole is meant
	Code   string // one of the Fault… constants
	Text   string // a sentence, without any value
}

// Codes of faults.
const (
	FaultTooLong  = "too_long"       // a row without an end in sight
	FaultTooMany  = "too_many"       // cells
	FaultQuotes   = "invalid_format" // quotes that do not pair
	FaultEncoding = "invalid_format" // bytes that are no text
)

// Reader reads rows. It holds little more than one of them.
type Reader struct {
	from      io.Reader
	separator byte
	at        Position
	buffer    []byte // bytes that were read but not used yet
	ended     bool   // nothing comes after the buffer
	skipping  bool   // the rest of this line belongs to a row that was given up
}

// NewReader reads on from a position, where from has to begin. At the beginning of a
// file a byte order mark is passed over.
func NewReader(from io.Reader, at Position, separator byte) *Reader {
	return &Reader{from: from, at: at, separator: separator}
}

// Position is where the next row begins.
func (r *Reader) Position() Position { return r.at }

// byteOrderMark stands at the beginning of many files that spreadsheets write.
var byteOrderMark = []byte("\xef\xbb\xbf")

// Next reads a row. Errors: io.EOF behind the last one; those of the reader beneath.
func (r *Reader) Next() (Row, error) {
	if r.at.Offset == 0 {
		if err := r.fill(len(byteOrderMark)); err != nil {
			return Row{}, err
		}
		if bytes.HasPrefix(r.buffer, byteOrderMark) {
			r.use(len(byteOrderMark), 0)
		}
	}
	for {
		if err := r.fill(1); err != nil {
			return Row{}, err
		}
		if len(r.buffer) == 0 {
			return Row{}, io.EOF
		}
		if !r.skipping {
			row, found, err := r.row()
			if err != nil || found {
				return row, err
			}
			continue
		}
		if err := r.skip(); err != nil {
			return Row{}, err
		}
	}
}

// row reads the row at the beginning of the buffer; found is false for an empty line.
func (r *Reader) row() (row Row, found bool, err error) {
	for {
		// However much is there already, what a row may hold decides.
		s := scan(r.buffer[:min(len(r.buffer), MaxRow)], r.separator, r.ended && len(r.buffer) <= MaxRow)
		switch {
		case s.fault != nil || !s.open:
		case len(r.buffer) > MaxRow:
			s.fault = s.unfinished()
		case r.ended:
			s.fault = &Fault{s.quoted, FaultQuotes, "The quotes are never closed."}
		default:
			if err := r.fill(len(r.buffer) + 1); err != nil {
				return Row{}, false, err
			}
			continue
		}
		row := Row{At: r.at, Cells: s.cells, Fault: s.fault}
		if s.fault != nil {
			r.skipping = true
			return row, true, r.skip()
		}
		r.use(s.size, s.lines)
		if len(s.cells) == 1 && s.cells[0] == "" && !s.inQuotes {
			return Row{}, false, nil
		}
		row.Fault = unreadable(row.Cells)
		return row, true, nil
	}
}

// skip goes on behind the next line break, as far as the buffer reaches.
func (r *Reader) skip() error {
	for i, b := range r.buffer {
		if b != '\n' && b != '\r' {
			continue
		}
		if b == '\r' && i+1 == len(r.buffer) && !r.ended {
			r.use(i, 0) // the next byte decides
			return r.fill(2)
		}
		size := i + 1
		if b == '\r' && size < len(r.buffer) && r.buffer[size] == '\n' {
			size++
		}
		r.use(size, 1)
		r.skipping = false
		return nil
	}
	r.use(len(r.buffer), 0)
	return nil
}

// use takes the bytes that were read out of the buffer.
func (r *Reader) use(size, lines int) {
	r.buffer = r.buffer[size:]
	r.at.Offset += int64(size)
	r.at.Line += int64(lines)
}

// fill reads until the buffer holds n bytes or nothing more comes.
func (r *Reader) fill(n int) error {
	for len(r.buffer) < n && !r.ended {
		if len(r.buffer) == cap(r.buffer) {
			r.buffer = append(make([]byte, 0, len(r.buffer)+piece), r.buffer...)
		}
		got, err := r.from.Read(r.buffer[len(r.buffer):cap(r.buffer)])
		r.buffer = r.buffer[:len(r.buffer)+got]
		if errors.Is(err, io.EOF) {
			r.ended = true
		} else if err != nil {
			return fmt.Errorf("read rows: %w", err)
		}
	}
	return nil
}
