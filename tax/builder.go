package tax

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/content"
	"levy/tax/money"
)

type builder struct {
	c      *Content
	levies map[string]*levy // by rule id
	faults []error
}

func (b *builder) fault(at fmt.Stringer, format string, args ...any) {
	b.faults = append(b.faults, fmt.Errorf("%w: %s: %s", content.ErrContent, at, fmt.Sprintf(format, args...)))
}

const (
	maxRuleID   = 50
	longestSlug = "software-download"
)

func cite(document, version string, s calendar.Span) ExplainedSource {
	e := ExplainedSource{Document: document, Version: version}
	if s.From != 0 {
		e.EffectiveFrom = &s.From
	}
	if s.To != 0 {
		e.EffectiveTo = &s.To
	}
	return e
}

// byStart returns rows in the order of their first days.
func byStart[Row any](rows []Row, from func(*Row) calendar.Date) []*Row {
	ordered := make([]*Row, len(rows))
	for i := range rows {
		ordered[i] = &rows[i]
	}
	slices.SortStableFunc(ordered, func(x, y *Row) int { return cmp.Compare(from(x), from(y)) })
	return ordered
}

func (b *builder) checkSpan(at content.RowRef, s calendar.Span) {
	if s.To != 0 && s.To < s.From {
		b.fault(at, "ends on %s before it starts on %s", s.To, s.From)
	}
}

// fraction reads a rate between 0 and 1 with at most 9 decimals.
func (b *builder) fraction(at content.RowRef, d decimal.Decimal) int64 {
	n, err := money.Scaled(d, money.RateScale)
	if err != nil || n < 0 || n > 1_000_000_000 {
		b.fault(at, "rate %s is not a fraction with at most 9 decimals", d)
	}
	return n
}

// percent reads a percentage out of a rule such as "FIXED:1.25".
func (b *builder) percent(at content.RowRef, s string) int64 {
	d, err := money.ParseDecimal(s)
	if err == nil {
		if n, err := money.Scaled(d, money.RateScale-money.Scale); err == nil && n >= 0 && n <= 1_000_000_000 {
			return n
		}
	}
	b.fault(at, "%q is not a percentage", s)
	return 0
}

func (b *builder) dollars(at content.RowRef, d decimal.Decimal) int64 {
	n, err := money.Cents(d)
	if err != nil || n < 0 {
		b.fault(at, "%s is not an amount of money", d)
	}
	return n
}

func (b *builder) checkApart(at content.RowRef, x, y calendar.Span) {
	if (x.To == 0 || y.From <= x.To) && (y.To == 0 || x.From <= y.To) {
		b.fault(at, "overlaps another row of the same key")
	}
}

// classSet marks classes; none given means all.
func (b *builder) classSet(at content.RowRef, list []string) (set [numClasses]bool) {
	for i := range set {
		set[i] = len(list) == 0
	}
	for _, c := range list {
		k, ok := TaxClass(c).key()
		if !ok {
			b.fault(at, "unknown class %q", c)
		}
		for class := range numClasses { // goods of finer classes are goods, beer is an alcoholic drink
			set[class] = set[class] || class == k || k == keyPhysical && classParents[class] == k ||
				class > keyHandling && class.isKindOf(k)
		}
	}
	return set
}
