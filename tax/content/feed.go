package content

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"levy/tax/calendar"
)

// Fault is one thing that is wrong in a file to be imported.
type Fault struct {
	RowRef
	Text string
}

// Error is "file:line: what is wrong".
func (f Fault) Error() string { return f.RowRef.String() + ": " + f.Text }

// maxFaults is how many faults of a file are told; the others are counted.
const maxFaults = 20

// RefusedError lists the faults of a file. Nothing of it was imported.
type RefusedError struct {
	First []Fault
	Total int
}

// Error lists the first faults, one on a line.
func (e *RefusedError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "refused, nothing was imported: %d faults", e.Total)
	for _, f := range e.First {
		b.WriteString("\n  " + f.Error())
	}
	if more := e.Total - len(e.First); more > 0 {
		fmt.Fprintf(&b, "\n  and %d more", more)
	}
	return b.String()
}

func (e *RefusedError) add(f Fault) {
	e.Total++
	if len(e.First) < maxFaults {
		e.First = append(e.First, f)
	}
}

// err is nil when nothing was wrong.
func (e *RefusedError) err() error {
	if e.Total == 0 {
		return nil
	}
	return e
}

// FeedName is what the name of an official file of a member state says.
type FeedName struct {
	State         string
	Kind          byte // R rates, B boundaries
	Year, Quarter int
}

// First is the first day of the quarter.
func (n FeedName) First() calendar.Date { return calendar.DateOn(n.Year, time.Month(3*n.Quarter-2), 1) }

var feedName = regexp.MustCompile(`^([A-Z]{2})([RB])(\d{4})Q([1-4])`)

// ParseFeedName reads a name such as GAR2026Q2FEB19.csv or GAB2026Q2FEB19.zip.
func ParseFeedName(file string) (FeedName, error) {
	m := feedName.FindStringSubmatch(strings.ToUpper(file))
	if m == nil {
		return FeedName{}, fmt.Errorf(
			"%s: the name must begin with state, R or B, year and quarter, as in GAR2026Q2FEB19.csv", file,
		)
	}
	year, _ := strconv.Atoi(m[3]) // digits by the pattern
	return FeedName{State: m[1], Kind: m[2][0], Year: year, Quarter: int(m[4][0] - '0')}, nil
}

// lines reads a file without header line by line into fields. A byte-order mark
// and carriage returns are left out.
type lines struct {
	file   string
	in     *bufio.Reader
	line   int
	fields [][]byte
}

// maxLine bounds the memory that a line can ask for.
const maxLine = 64 << 10

func newLines(file string, r io.Reader) *lines {
	return &lines{file: file, in: withoutMark(r)}
}

// withoutMark leaves a byte-order mark out.
func withoutMark(r io.Reader) *bufio.Reader {
	in := bufio.NewReaderSize(r, maxLine)
	if mark, _ := in.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = in.Discard(3)
	}
	return in
}

var errLongLine = errors.New("the line is longer than 64 KiB")

// next reads the next line that is not empty; its fields hold until the call after.
// ok is false at the end. An error is not about a line but about the file.
func (l *lines) next() (ok bool, err error) {
	for {
		text, err := l.in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return false, Fault{l.at(1), errLongLine.Error()}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return false, fmt.Errorf("%s: %w", l.file, err)
		}
		if len(text) == 0 {
			return false, nil
		}
		l.line++
		if text = bytes.TrimRight(text, "\r\n"); len(text) > 0 {
			return true, l.split(text)
		}
	}
}

func (l *lines) split(text []byte) error {
	l.fields = l.fields[:0]
	if bytes.IndexByte(text, '"') < 0 {
		for {
			i := bytes.IndexByte(text, ',')
			if i < 0 {
				l.fields = append(l.fields, bytes.TrimSpace(text))
				return nil
			}
			l.fields = append(l.fields, bytes.TrimSpace(text[:i]))
			text = text[i+1:]
		}
	}
	values, err := csv.NewReader(bytes.NewReader(text)).Read()
	if err != nil {
		return Fault{l.at(0), "the quotes do not match"}
	}
	for _, v := range values {
		l.fields = append(l.fields, []byte(strings.TrimSpace(v)))
	}
	return nil
}

func (l *lines) at(ahead int) RowRef { return RowRef{File: l.file, Line: l.line + ahead} }

// feedDate reads YYYYMMDD; the usual dates for "open" are no date.
func feedDate(field []byte) (calendar.Date, error) {
	switch string(field) {
	case "29991231", "99991231", "20991231":
		return 0, nil
	}
	n, ok := digits(field, 8)
	if !ok || len(field) != 8 {
		return 0, calendar.ErrDate
	}
	return calendar.NewDate(n/10000, time.Month(n/100%100), n%100)
}

// digits reads up to most digits; empty is not a number.
func digits(field []byte, most int) (n int, ok bool) {
	if len(field) == 0 || len(field) > most {
		return 0, false
	}
	for _, c := range field {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// feedType reads the type of a jurisdiction; some states drop the leading zero.
func feedType(field []byte) (string, bool) {
	if _, ok := digits(field, 2); !ok {
		return "", false
	}
	if len(field) == 1 {
		return "0" + string(field), true
	}
	return string(field), true
}
