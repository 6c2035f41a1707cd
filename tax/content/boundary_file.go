package content

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"levy/tax/calendar"
	"levy/tax/postal"
)

// BoundaryRecord is one record of a boundary file.
type BoundaryRecord struct {
	Type     byte // A address range, 4 ZIP+4 range, Z ZIP range
	From, To calendar.Date

	Low, High int64 // house numbers of an address range
	Side      byte  // O odd, E even, B both
	Street    postal.StreetAddress
	ZIP       string

	ZIPLow, ZIPHigh     int // of a ZIP or ZIP+4 range
	Plus4Low, Plus4High int
	Codes               []byte // the set of jurisdictions, as in tax.BoundaryMatch; holds until the next record
}

// BoundaryReader reads a boundary file of a member state.
type BoundaryReader struct {
	lines   *lines
	fips    string
	record  BoundaryRecord
	streets map[string]postal.StreetAddress // a file repeats each street many times
	codes   []byte
}

// NewBoundaryReader reads the records of a state with that FIPS code.
func NewBoundaryReader(file string, r io.Reader, fips string) *BoundaryReader {
	return &BoundaryReader{lines: newLines(file, r), fips: fips, streets: map[string]postal.StreetAddress{}}
}

// The columns of a boundary record, from 0.
const (
	colType, colFrom, colTo                      = 0, 1, 2
	colLow, colHigh, colSide                     = 3, 4, 5
	colBefore, colStreet, colKind, colAfter      = 6, 7, 8, 9
	colZIP                                       = 15
	colZIPLow, colExtLow, colZIPHigh, colExtHigh = 17, 18, 19, 20
	colState, colCounty, colPlace, colTriplets   = 22, 24, 25, 29
	maxTriplets                                  = 20
)

// Next reads a record. At the end it returns io.EOF. A Fault is about one line:
// reading can go on, to find the others.
func (b *BoundaryReader) Next() (*BoundaryRecord, error) {
	ok, err := b.lines.next()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, io.EOF
	}
	if err := b.parse(b.lines.fields); err != nil {
		return nil, Fault{b.lines.at(0), err.Error()}
	}
	return &b.record, nil
}

func (b *BoundaryReader) parse(f [][]byte) error {
	if len(f) < colTriplets {
		return fmt.Errorf("%d columns instead of at least %d", len(f), colTriplets)
	}
	r := &b.record
	*r = BoundaryRecord{}
	var err error
	if r.From, err = feedDate(f[colFrom]); err != nil || r.From == 0 {
		return fmt.Errorf("begin %q is not a date YYYYMMDD", f[colFrom])
	}
	if r.To, err = feedDate(f[colTo]); err != nil {
		return fmt.Errorf("end %q is not a date YYYYMMDD", f[colTo])
	}
	if r.To != 0 && r.To < r.From {
		return fmt.Errorf("ends on %s before it begins on %s", r.To, r.From)
	}
	if string(f[colState]) != b.fips {
		return fmt.Errorf("state %q instead of %q", f[colState], b.fips)
	}
	switch string(f[colType]) {
	case "A", "a":
		r.Type = 'A'
		err = b.parseAddress(f)
	case "4":
		r.Type = '4'
		err = r.parseZIPs(f)
	case "Z", "z":
		r.Type = 'Z'
		err = r.parseZIPs(f)
		r.Plus4Low, r.Plus4High = 0, 9999
	default:
		err = fmt.Errorf("record type %q is none of A, 4 and Z", f[colType])
	}
	if err != nil {
		return err
	}
	return b.parseCodes(f)
}

func (b *BoundaryReader) parseAddress(f [][]byte) error {
	r := &b.record
	low, lowOK := digits(f[colLow], 10)
	high, highOK := digits(f[colHigh], 10)
	if !lowOK || !highOK || low > high {
		return fmt.Errorf("house numbers %q to %q are no range", f[colLow], f[colHigh])
	}
	r.Low, r.High = int64(low), int64(high)
	switch string(f[colSide]) {
	case "O", "o":
		r.Side = 'O'
	case "E", "e":
		r.Side = 'E'
	case "B", "b", "":
		r.Side = 'B'
	default:
		return fmt.Errorf("side %q is none of O, E and B", f[colSide])
	}
	if _, ok := digits(f[colZIP], 5); !ok || len(f[colZIP]) != 5 {
		return fmt.Errorf("ZIP %q is not five digits", f[colZIP])
	}
	r.ZIP = string(f[colZIP])
	r.Street = b.street(f)
	if r.Street.Name == "" {
		return errors.New("the street has no name")
	}
	return nil
}

// maxStreets bounds the memory for names of streets.
const maxStreets = 100_000

func (b *BoundaryReader) street(f [][]byte) postal.StreetAddress {
	var buf [128]byte
	key := buf[:0]
	for _, part := range f[colBefore : colAfter+1] {
		key = append(append(key, part...), 0)
	}
	if s, ok := b.streets[string(key)]; ok {
		return s
	}
	if len(b.streets) >= maxStreets {
		clear(b.streets)
	}
	s := postal.NewStreetAddress(string(f[colBefore]), string(f[colStreet]), string(f[colKind]), string(f[colAfter]))
	b.streets[string(key)] = s
	return s
}

func (r *BoundaryRecord) parseZIPs(f [][]byte) error {
	var ok bool
	if r.ZIPLow, ok = digits(f[colZIPLow], 5); !ok {
		return fmt.Errorf("low ZIP %q is not a ZIP", f[colZIPLow])
	}
	r.ZIPHigh = r.ZIPLow
	if len(f[colZIPHigh]) > 0 {
		if r.ZIPHigh, ok = digits(f[colZIPHigh], 5); !ok {
			return fmt.Errorf("high ZIP %q is not a ZIP", f[colZIPHigh])
		}
	}
	r.Plus4Low, r.Plus4High = 0, 9999
	if r.Type == '4' && len(f[colExtLow]) > 0 {
		if r.Plus4Low, ok = digits(f[colExtLow], 4); !ok {
			return fmt.Errorf("low +4 %q is not up to four digits", f[colExtLow])
		}
	}
	if r.Type == '4' && len(f[colExtHigh]) > 0 {
		if r.Plus4High, ok = digits(f[colExtHigh], 4); !ok {
			return fmt.Errorf("high +4 %q is not up to four digits", f[colExtHigh])
		}
	}
	if r.ZIPLow > r.ZIPHigh || r.ZIPLow == r.ZIPHigh && r.Plus4Low > r.Plus4High {
		return fmt.Errorf("ZIPs %05d-%04d to %05d-%04d are no range", r.ZIPLow, r.Plus4Low, r.ZIPHigh, r.Plus4High)
	}
	return nil
}

func (b *BoundaryReader) parseCodes(f [][]byte) error {
	codes := append(append(b.codes[:0], BoundaryState+":"...), b.fips...)
	add := func(kind string, code []byte) {
		codes = append(append(append(append(codes, '|'), kind...), ':'), code...)
	}
	for _, one := range [...]struct {
		column, length int
		kind           string
	}{{colCounty, 3, BoundaryCounty}, {colPlace, 5, BoundaryPlace}} {
		code := f[one.column]
		n, ok := digits(code, one.length)
		if len(code) > 0 && !ok {
			return fmt.Errorf("code %q is not up to %d digits", code, one.length)
		}
		if n > 0 {
			add(one.kind, fmt.Appendf(nil, "%0*d", one.length, n))
		}
	}
	for i := colTriplets; i+2 < len(f) && i < colTriplets+3*maxTriplets; i += 3 {
		code := f[i+1]
		if len(code) == 0 {
			continue
		}
		kind, ok := feedType(f[i+2])
		if !ok || len(code) > maxCode || strings.ContainsAny(string(code), ":|") {
			return fmt.Errorf("jurisdiction %q of type %q", code, f[i+2])
		}
		if kind != BoundaryState {
			add(kind, code)
		}
	}
	b.codes, b.record.Codes = codes, codes
	return nil
}

// maxCode bounds the code of a jurisdiction.
const maxCode = 20

// CheckBoundaries reads a whole file and returns how many records it has. Errors:
// *RefusedError with what is wrong.
func CheckBoundaries(b *BoundaryReader) (records int, err error) {
	var refused RefusedError
	for {
		_, err := b.Next()
		var fault Fault
		switch {
		case err == nil:
			records++
		case errors.Is(err, io.EOF):
			if records == 0 && refused.Total == 0 {
				refused.add(Fault{RowRef{File: b.lines.file, Line: 1}, "the file is empty"})
			}
			return records, refused.err()
		case errors.As(err, &fault):
			refused.add(fault)
			if fault.Text == errLongLine.Error() {
				return records, refused.err()
			}
		default:
			return records, err
		}
	}
}
