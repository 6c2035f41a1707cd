package content

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/money"
	"levy/tax/nexus"
)

// table reads one CSV file whose first line names the columns.
type table struct {
	file    string
	csv     *csv.Reader
	columns map[string]int
}

func openTable(folder fs.FS, file string) (*table, io.Closer, error) {
	f, err := folder.Open(file)
	if err != nil {
		return nil, nil, err
	}
	t := &table{file: file, csv: csv.NewReader(f), columns: map[string]int{}}
	t.csv.ReuseRecord = true
	header, err := t.csv.Read()
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	for i, name := range header {
		t.columns[strings.Clone(name)] = i
	}
	return t, f, nil
}

// next fills r with the next line; ok is false at the end of the file.
func (t *table) next(r *row) (ok bool, err error) {
	r.table = t
	if r.values, err = t.csv.Read(); err != nil {
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		return false, fmt.Errorf("%s: %w", t.file, err)
	}
	return true, nil
}

func readTable(folder fs.FS, file string, add func(*row)) error {
	t, f, err := openTable(folder, file)
	if err != nil {
		return err
	}
	defer f.Close()
	var r row
	for {
		ok, err := t.next(&r)
		if err != nil {
			return err
		}
		if !ok {
			return errors.Join(r.faults...)
		}
		add(&r)
	}
}

// row is one line; the readers of its columns collect what is wrong with it.
type row struct {
	table  *table
	values []string
	faults []error
}

func (r *row) at() RowRef {
	line, _ := r.table.csv.FieldPos(0)
	return RowRef{File: r.table.file, Line: line}
}

func (r *row) fault(column string, err error) {
	r.faults = append(r.faults, fmt.Errorf("%w: %s: %s: %w", ErrContent, r.at(), column, err))
}

var errNoColumn = errors.New("the table has no such column")

func (r *row) text(column string) string {
	i, ok := r.table.columns[column]
	if !ok {
		r.fault(column, errNoColumn)
		return ""
	}
	return r.values[i]
}

// textOrNone is the text of a column that a table may lack.
func (r *row) textOrNone(column string) string {
	if _, ok := r.table.columns[column]; !ok {
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
func (r *row) date(column string) (d calendar.Date) {
	if err := d.UnmarshalText([]byte(r.text(column))); err != nil {
		r.fault(column, err)
	}
	return d
}

// dateOrNone is the date of a column that a table may lack.
func (r *row) dateOrNone(column string) calendar.Date {
	if _, ok := r.table.columns[column]; !ok {
		return 0
	}
	return r.date(column)
}

// integerOrNone is the number of a column that a table may lack; none is 0.
func (r *row) integerOrNone(column string) int {
	if _, ok := r.table.columns[column]; !ok {
		return 0
	}
	return r.integer(column)
}

// numberOrNone is the number of a column that a table may lack.
func (r *row) numberOrNone(column string) decimal.Decimal {
	if _, ok := r.table.columns[column]; !ok {
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
