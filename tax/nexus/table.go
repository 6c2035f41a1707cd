package nexus

import (
	"cmp"
	"fmt"
	"slices"

	"levy/tax/calendar"
)

// Row is one dated nexus threshold as it stands in its table.
type Row struct {
	At fmt.Stringer // where the row was read
	Rule
}

var types = []Type{TypeState, TypeCanadaFederal, TypeEUAggregator, TypeEUMemberState, TypeCountry}

// Table holds the thresholds of all jurisdictions. It is safe for concurrent use.
type Table struct {
	rules []Rule // by country, state and start
	// byKind are the rules of the states of which one counts some kinds of sales alone.
	byKind []Rule
	name   func(jurisdiction string) string
}

// NewTable sorts and checks the rows: those of one jurisdiction must follow each
// other without a gap. name gives the name of a jurisdiction by its id, or nothing.
// fault is told of each row that is wrong.
func NewTable(rows []Row, name func(jurisdiction string) string,
	fault func(at fmt.Stringer, format string, args ...any)) *Table {
	t := &Table{name: name}
	slices.SortStableFunc(rows, func(x, y Row) int {
		return cmp.Or(
			cmp.Compare(x.Country, y.Country), cmp.Compare(x.State, y.State), cmp.Compare(x.Seller, y.Seller),
			cmp.Compare(x.From, y.From),
		)
	})
	for i := range rows {
		row := &rows[i]
		row.check(fault)
		t.rules = append(t.rules, row.Rule)
		if i == 0 {
			continue
		}
		before := &rows[i-1]
		if before.Country != row.Country || before.State != row.State || before.Seller != row.Seller {
			continue
		}
		switch {
		case before.To == 0 || before.To >= row.From:
			fault(row.At, "overlaps with %s", before.At)
		case before.To.AddDays(1) != row.From:
			fault(row.At, "leaves a gap after %s", before.At)
		}
	}
	for _, r := range t.rules {
		if slices.ContainsFunc(t.rules, func(o Rule) bool {
			return o.Only != 0 && o.Country == r.Country && o.State == r.State
		}) {
			t.byKind = append(t.byKind, r)
		}
	}
	return t
}

func (row *Row) check(fault func(at fmt.Stringer, format string, args ...any)) {
	known := func(is bool, column, value string) {
		if !is {
			fault(row.At, "unknown %s %q", column, value)
		}
	}
	_, _, model := PeriodsOn(row.Period, 20260101)
	_, trigger := row.Trigger.Start(20260101)
	known(model, "period_model", string(row.Period))
	known(trigger, "trigger", string(row.Trigger))
	known(slices.Contains(types, row.Type), "type", string(row.Type))
	known(slices.Contains([]Seller{SellerAny, SellerDomestic, SellerForeign}, row.Seller), "seller", string(row.Seller))
	known(slices.Contains([]Test{
		TestSales, TestTransactions, TestEither, TestBoth,
	}, row.Test), "test", string(row.Test))
	known(slices.Contains([]ExemptTreatment{
		ExemptIncluded, ExemptExcluded, ExemptDepends, ExemptIncludeIfPresence, ExemptSalesOnly,
	}, row.Exempt),
		"exempt_sales", string(row.Exempt))
	if row.From == 0 {
		fault(row.At, "no start")
	}
	if row.To != 0 && row.To < row.From {
		fault(row.At, "ends before it starts")
	}
	if row.Amount.IsNeg() || row.Count < 0 || row.HasCount() && row.Count == 0 {
		fault(row.At, "threshold out of range")
	}
}

// Rule finds the rule of a jurisdiction in force on a day. domestic tells
// whether the business is established in the country. ok is false where there is
// none: no sales tax, no rule yet on that day, or no content.
func (t *Table) Rule(country, state string, domestic bool, day calendar.Date) (rule Rule, ok bool) {
	i := slices.IndexFunc(t.rules, func(r Rule) bool { return r.of(country, state, domestic) && r.Holds(day) })
	if i < 0 {
		return Rule{}, false
	}
	return t.rules[i], true
}

// Only is what alone counts among the sales of a day to a state, and empty where everything does. A
// sale from before the first rule can still count when that begins, so it is measured by that one.
func (t *Table) Only(country, state string, day calendar.Date) Kinds {
	var in *Rule
	for i := range t.byKind {
		if r := &t.byKind[i]; r.Country == country && r.State == state && (in == nil || r.From <= day) {
			in = r
		}
	}
	if in == nil {
		return 0
	}
	return in.Only
}

// Rules lists all rules that a jurisdiction ever had, oldest first.
func (t *Table) Rules(country, state string, domestic bool) []Rule {
	var rules []Rule
	for _, r := range t.rules {
		if r.of(country, state, domestic) {
			rules = append(rules, r)
		}
	}
	return rules
}
