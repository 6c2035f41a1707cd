package content

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/money"
	"levy/tax/nexus"
)

// table reads one CSV file whose first line names the columns. Every start of a process reads all tables, so rows are
// cut out of large blocks of text, at their commas where they have no quotes, and only places in the text are kept:
// this takes a fifth of the time of encoding/csv.
type table struct {
	file    string
	in      io.Reader
	block   []byte // what in is read into
	text    string // read and not yet cut into lines
	ended   bool
	err     error // of reading
	line    int   // the number of the line that was cut off last
	columns []string
	row     strings.Reader // one row with quotes
	quoted  *csv.Reader    // of row
}

func openTable(folder fs.FS, file string) (*table, io.Closer, error) {
	f, err := folder.Open(file)
	if err != nil {
		return nil, nil, err
	}
	t := &table{file: file, in: f, block: make([]byte, maxLine)}
	t.quoted = csv.NewReader(&t.row)
	t.quoted.FieldsPerRecord = -1
	header := row{table: t}
	if ok, err := header.next(); err != nil || !ok {
		f.Close()
		return nil, nil, cmp.Or(err, fmt.Errorf("%s: %w", file, io.EOF))
	}
	for i := range header.ends {
		t.columns = append(t.columns, header.value(i))
	}
	return t, f, nil
}

// nextLine cuts off the next line; ok is false at the end and after an error of reading.
func (t *table) nextLine() (line string, ok bool) {
	for t.err == nil && (t.text != "" || !t.ended) {
		line, rest, whole := strings.Cut(t.text, "\n")
		if whole || t.ended {
			t.text = rest
			t.line++
			return strings.TrimSuffix(line, "\r"), true
		}
		kept := copy(t.block, t.text)
		if kept == len(t.block) {
			t.err = errLongLine
			break
		}
		n, err := t.in.Read(t.block[kept:])
		t.text = string(t.block[:kept+n])
		if t.ended = errors.Is(err, io.EOF); !t.ended {
			t.err = err
		}
	}
	return "", false
}

func readTable(folder fs.FS, file string, add func(*row)) error {
	t, f, err := openTable(folder, file)
	if err != nil {
		return err
	}
	defer f.Close()
	r := row{table: t}
	for {
		ok, err := r.next()
		if err != nil {
			return err
		}
		if !ok {
			return errors.Join(r.faults...)
		}
		add(&r)
	}
}

// row is a row of a table; the readers of its columns collect what is wrong with it.
type row struct {
	table  *table
	line   int
	values string // with a comma after each but the last
	ends   []int  // of each value in values
	faults []error
}

// next reads the next row; ok is false at the end of the file. Empty lines are no rows.
func (r *row) next() (ok bool, err error) {
	t := r.table
	text, more := t.nextLine()
	for more && text == "" {
		text, more = t.nextLine()
	}
	r.line = t.line
	for more && strings.Count(text, `"`)%2 != 0 && len(text) <= maxLine { // a line break in quotes
		var line string
		line, more = t.nextLine()
		text += "\n" + line
	}
	if t.err != nil || text == "" {
		return false, t.fault(t.line+1, t.err)
	}
	err = r.cut(text)
	return err == nil, t.fault(r.line, err)
}

// cut finds the values in the text of a row.
func (r *row) cut(text string) error {
	r.values, r.ends = text, r.ends[:0]
	if strings.Contains(text, `"`) {
		r.table.row.Reset(text)
		values, err := r.table.quoted.Read()
		if broken := new(csv.ParseError); errors.As(err, &broken) {
			return broken.Err // its line is that of the row
		} else if err != nil {
			return err
		}
		r.values = strings.Join(values, ",")
		end := -1
		for _, v := range values {
			end += 1 + len(v)
			r.ends = append(r.ends, end)
		}
	} else {
		for i := range len(text) {
			if text[i] == ',' {
				r.ends = append(r.ends, i)
			}
		}
		r.ends = append(r.ends, len(text))
	}
	if columns := r.table.columns; columns != nil && len(r.ends) != len(columns) {
		return csv.ErrFieldCount
	}
	return nil
}

func (r *row) value(column int) string {
	if column == 0 {
		return r.values[:r.ends[0]]
	}
	return r.values[r.ends[column-1]+1 : r.ends[column]]
}

// fault says where an error is, if there is one.
func (t *table) fault(line int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %s: %w", ErrContent, RowRef{t.file, line}, err)
}

func (r *row) at() RowRef { return RowRef{File: r.table.file, Line: r.line} }

func (r *row) fault(column string, err error) {
	r.faults = append(r.faults, r.table.fault(r.line, fmt.Errorf("%s: %w", column, err)))
}

var errNoColumn = errors.New("the table has no such column")

// column is the number of a column; without one it is a fault.
func (r *row) column(name string) int {
	i := slices.Index(r.table.columns, name)
	if i < 0 {
		r.fault(name, errNoColumn)
	}
	return i
}

func (r *row) text(column string) string {
	i := r.column(column)
	if i < 0 {
		return ""
	}
	return r.value(i)
}

func (r *row) has(column string) bool { return slices.Contains(r.table.columns, column) }

// textOrNone is the text of a column that a table may lack.
func (r *row) textOrNone(column string) string {
	if !r.has(column) {
		return ""
	}
	return r.text(column)
}

func (r *row) list(column string) []string {
	s := r.text(column)
	if s == "" {
		return nil
	}
	return strings.Split(s, "|")
}

// date reads an ISO date; empty is no date.
func (r *row) date(column string) calendar.Date {
	s := r.text(column)
	if s == "" {
		return 0
	}
	d, err := calendar.ParseDate(s)
	if err != nil {
		r.fault(column, err)
	}
	return d
}

// dateOrNone is the date of a column that a table may lack.
func (r *row) dateOrNone(column string) calendar.Date {
	if !r.has(column) {
		return 0
	}
	return r.date(column)
}

// integerOrNone is the number of a column that a table may lack; none is 0.
func (r *row) integerOrNone(column string) int {
	if !r.has(column) {
		return 0
	}
	return r.integer(column)
}

// numberOrNone is the number of a column that a table may lack.
func (r *row) numberOrNone(column string) decimal.Decimal {
	if !r.has(column) {
		return decimal.Decimal{}
	}
	return r.number(column)
}

// number reads a decimal; empty is zero.
func (r *row) number(column string) decimal.Decimal {
	s := r.text(column)
	if s == "" {
		return decimal.Decimal{}
	}
	d, err := money.ParseDecimal(s)
	if err != nil {
		r.fault(column, err)
	}
	return d
}

// integer reads a whole number; empty is zero.
func (r *row) integer(column string) int {
	s := r.text(column)
	if s == "" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		r.fault(column, err)
	}
	return n
}

// exceeded reads whether a threshold must be EXCEEDED or only REACHED; empty where
// there is none.
func (r *row) exceeded(column string) bool {
	switch r.text(column) {
	case "EXCEEDED":
		return true
	case "REACHED", "":
	default:
		r.fault(column, errNotAValue)
	}
	return false
}

// kinds reads the kinds of sales that alone count for a threshold; none in an empty cell, and in a table
// without the column, where all count.
func (r *row) kinds(column string) (set nexus.Kinds) {
	if r.textOrNone(column) == "" {
		return 0
	}
	for _, name := range r.list(column) {
		kind, ok := nexus.KindNamed(name)
		if !ok {
			r.fault(column, errNotAValue)
		}
		set |= kind
	}
	return set
}

// percentage reads a percentage as a fraction, nil when the cell is empty.
func (r *row) percentage(column string) *decimal.Decimal {
	if r.text(column) == "" {
		return nil
	}
	d, err := money.MulRateHalfUp(r.number(column), percent, 9)
	if err != nil {
		r.fault(column, err)
	}
	return &d
}

var percent = decimal.MustNew(1, 2)

var errNotYesNo = errors.New("want Y or N")

func (r *row) flag(column string) bool {
	switch r.text(column) {
	case "Y":
		return true
	case "N":
	default:
		r.fault(column, errNotYesNo)
	}
	return false
}

var errNotAValue = errors.New("not one of the allowed values")

func (r *row) confidence() string {
	c := r.text("confidence")
	switch c {
	case "HIGH", "MED", "LOW":
	default:
		r.fault("confidence", errNotAValue)
	}
	return c
}
