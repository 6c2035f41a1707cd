package content

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/money"
	"levy/tax/nexus"
)

func (r *row) at() RowRef { return RowRef{File: r.table.file, Line: r.line} }

func (r *row) fault(column string, err error) {
	r.faults = append(r.faults, r.table.fault(r.line, fmt.Errorf("%s: %w", strings.TrimSuffix(column, "?"), err)))
}

var errNoColumn = errors.New("the table has no such column")

// column is the number of a column. Without one it is a fault, but for a name that ends in "?": older tables lack that.
func (r *row) column(name string) int {
	name, lacking := strings.CutSuffix(name, "?")
	i := slices.Index(r.table.columns, name)
	if i < 0 && !lacking {
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

// kinds reads the kinds of sales that alone count for a threshold; none in an empty cell, where all count.
func (r *row) kinds(column string) (set nexus.Kinds) {
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
