package returns

import (
	"cmp"
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// taxedParts returns a part for each place at each of its combined rates: the rates of all jurisdictions that tax the same
// base there. Sales that no jurisdiction taxes join the first part of their place. A purchase joins the first part of a
// place that has its jurisdiction; where each jurisdiction has a part, its own.
func (m *maker) taxedParts(rows []int) []part { return m.placeParts(rows, false) }

// allParts also returns a part for each place that has sales and no tax.
func (m *maker) allParts(rows []int) []part { return m.placeParts(rows, true) }

func (m *maker) placeParts(rows []int, untaxed bool) (parts []part) {
	var names []string
	of := map[string][]int{}
	for _, i := range rows {
		if x := &m.rows[i]; !purchased(x) {
			if of[x.Place] == nil {
				names = append(names, x.Place)
			}
			of[x.Place] = append(of[x.Place], i)
		}
	}
	for _, place := range names {
		parts = append(parts, m.partsOf(place, of[place], untaxed)...)
	}
	sold := len(parts) // the parts that figures have made
	for _, i := range rows {
		x := &m.rows[i]
		if !purchased(x) || m.top(x) {
			continue
		}
		n := slices.IndexFunc(parts[:sold], func(p part) bool {
			return within(p.place, x.Name) && (p.taxer == "" || p.taxer == x.Name)
		})
		if n < 0 {
			n = slices.IndexFunc(parts[sold:], func(p part) bool { return p.name == x.Name })
			if n += sold; n < sold {
				n = len(parts)
				parts = append(parts, part{name: x.Name})
			}
		}
		parts[n].base, parts[n].taxed = append(parts[n].base, i), append(parts[n].taxed, i)
	}
	return number(parts)
}

// partsOf returns the parts of one place; also one for sales without tax if no other has them.
func (m *maker) partsOf(place string, rows []int, also bool) (parts []part) {
	name := cmp.Or(place, "elsewhere")
	at := func(taxer, rate string) *part {
		n := slices.IndexFunc(parts, func(p part) bool { return p.taxer == taxer && p.rate == rate })
		if n < 0 {
			n = len(parts)
			parts = append(parts, part{name: name, rate: rate, place: place, taxer: taxer})
			if taxer != "" {
				parts[n].name += ": " + taxer
			}
		}
		return &parts[n]
	}
	var untaxed []int
	for _, class := range m.classes(rows) {
		taxers, rate, same := m.combine(class)
		switch {
		case len(taxers) == 0:
			untaxed = append(untaxed, class...)
			continue
		case same:
			p := at("", rate)
			p.base = append(p.base, taxers[0].rows...)
			p.taxed = append(p.taxed, class...)
			p.sales = append(p.sales, m.atTop(class)...)
			continue
		}
		m.unclear += int64(len(taxers))
		for n, t := range taxers {
			p := at(t.name, t.rate)
			p.base, p.taxed = append(p.base, t.rows...), append(p.taxed, t.rows...)
			if n == 0 {
				p.sales = append(p.sales, m.atTop(class)...)
			}
		}
	}
	if len(untaxed) > 0 && len(parts) == 0 && also {
		parts = []part{{name: name, rate: "0", place: place}}
	}
	if len(untaxed) > 0 && len(parts) > 0 {
		parts[0].sales = append(parts[0].sales, m.atTop(untaxed)...)
	}
	return parts
}

// classes divides rows by their tax class, in the order of the rows.
func (m *maker) classes(rows []int) (classes [][]int) {
	known := map[string]int{}
	for _, i := range rows {
		n, ok := known[m.rows[i].Class]
		if !ok {
			n = len(classes)
			known[m.rows[i].Class] = n
			classes = append(classes, nil)
		}
		classes[n] = append(classes[n], i)
	}
	return classes
}

// atTop returns those of the rows that have the sales.
func (m *maker) atTop(rows []int) (top []int) {
	for _, i := range rows {
		if m.top(&m.rows[i]) {
			top = append(top, i)
		}
	}
	return top
}

// taxer is a jurisdiction that taxes a class in a place at one rate.
type taxer struct {
	place
	rows []int
	base money.Total
}

// combine returns the jurisdictions that tax some rows, and the sum of their rates. same tells whether each has one rate
// and all have the same base: otherwise their rates cannot be added.
func (m *maker) combine(rows []int) (taxers []taxer, rate string, same bool) {
	for _, i := range rows {
		x := &m.rows[i]
		if !bearsTax(x) {
			continue
		}
		n := slices.IndexFunc(taxers, func(t taxer) bool { return t.place == place{x.Level, x.Name, x.Rate} })
		if n < 0 {
			n = len(taxers)
			taxers = append(taxers, taxer{place: place{x.Level, x.Name, x.Rate}})
		}
		t := &taxers[n]
		t.rows = append(t.rows, i)
		sum, err := t.base.Plus(x.Taxable)
		if err != nil {
			return taxers, "", false
		}
		t.base = sum
	}
	var combined decimal.Decimal
	for n, t := range taxers {
		part, err := money.ParseDecimal(t.rate)
		if err != nil || t.base != taxers[0].base ||
			slices.ContainsFunc(taxers[:n], func(o taxer) bool { return o.level == t.level && o.name == t.name }) {
			return taxers, "", false
		}
		if combined, err = money.Add(combined, part); err != nil {
			return taxers, "", false
		}
	}
	return taxers, combined.Trim(0).String(), true
}

// bought reports whether entries of a kind are purchases, which have a base and tax like sales.
func bought(kind models.FilingEntryKind) bool {
	return kind == models.EntryPurchase || kind == models.EntryWithdrawal || kind == models.EntryAcquisition
}
