package returns

import (
	"cmp"
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// taxedParts returns a part for each place at each of its combined rates: the rates of all jurisdictions that tax the same
// sales there. Sales that no jurisdiction taxes join the first part of their place. A purchase joins the first part of a
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
		taxers, known := m.taxersOf(class)
		if len(taxers) == 0 {
			untaxed = append(untaxed, class...)
			continue
		}
		var layers []layer
		if known {
			layers = m.layers(class, taxers)
		}
		for n, l := range layers {
			p := at("", l.rate)
			p.base, p.less = append(p.base, l.base...), append(p.less, l.less...)
			if n == 0 {
				p.taxed, p.sales = append(p.taxed, class...), append(p.sales, m.atTop(class)...)
			}
		}
		if len(layers) > 0 {
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

// taxer is a jurisdiction that taxes a class in a place at one rate. A further tax of the authority is a taxer of its own.
type taxer struct {
	place
	further bool
	share   decimal.Decimal // its rate
	rows    []int
	base    money.Total
}

// taxersOf returns the jurisdictions that tax some rows, each at one rate. known is false if one has several rates, or a base that
// is too large: then no rates can be added.
func (m *maker) taxersOf(rows []int) (taxers []taxer, known bool) {
	for _, i := range rows {
		x := &m.rows[i]
		if !bearsTax(x) {
			continue
		}
		is, further := place{x.Level, x.Name, x.Rate}, x.Category == models.CategoryAdditional
		n := slices.IndexFunc(taxers, func(t taxer) bool { return t.place == is && t.further == further })
		if n < 0 {
			n = len(taxers)
			taxers = append(taxers, taxer{place: is, further: further})
		}
		t := &taxers[n]
		t.rows = append(t.rows, i)
		sum, err := t.base.Plus(x.Taxable)
		if err != nil {
			return taxers, false
		}
		t.base = sum
	}
	var sum decimal.Decimal
	for n := range taxers {
		t := &taxers[n]
		var wrong, tooLarge error
		t.share, wrong = money.ParseDecimal(t.rate)
		sum, tooLarge = money.Add(sum, t.share)
		// guard: returns: a further tax of an authority has a rate beside that of its other tax
		again := func(o taxer) bool { return o.level == t.level && o.name == t.name && o.further == t.further }
		if wrong != nil || tooLarge != nil || slices.ContainsFunc(taxers[:n], again) {
			return taxers, false
		}
	}
	return taxers, true
}

// layer is a base of a place, the rows of base without those of less. Its rate is the sum of all jurisdictions that tax it.
type layer struct {
	rate       string
	base, less []int
}

// layers returns the bases of a class in a place, in which no sale is twice; none if they are not known. Jurisdictions with the same
// base make a layer. Where some tax all that is offered, and others a part, two are made. The first is that part, which all of them
// tax, and the second is the rest.
func (m *maker) layers(class []int, taxers []taxer) []layer {
	whole, sure := m.offered(class)
	var wide []taxer
	var narrow *taxer
	for n := range taxers {
		t := &taxers[n]
		switch {
		case sure && !whole.IsZero() && t.base == whole:
			wide = append(wide, *t)
		case narrow == nil:
			narrow = t
		// guard: returns: bases of which none is known to hold the others have lines of their own
		case t.base != narrow.base:
			return nil
		}
	}
	if len(wide) == 0 || narrow == nil {
		return []layer{{rate: sumOfRates(taxers), base: taxers[0].rows}}
	}
	return []layer{{rate: sumOfRates(taxers), base: narrow.rows}, {rate: sumOfRates(wide), base: wide[0].rows, less: narrow.rows}}
}

// freedByLaw are the categories of sales that the law of one jurisdiction frees, and others may tax.
var freedByLaw = []string{
	models.CategoryNotTaxable, models.CategoryZeroRate, models.CategoryThreshold, models.CategoryHoliday, models.CategoryNoRule,
}

// offered is what jurisdictions may tax of a class: the base of the authority, and what its law frees. Sales that buyers or their use
// free are free everywhere. It is not sure where a sale is taxed in part, or the sum is too large.
func (m *maker) offered(class []int) (sum money.Total, sure bool) {
	for _, i := range m.atTop(class) {
		x := &m.rows[i]
		of := x.Taxable
		if slices.Contains(freedByLaw, x.Category) {
			of = x.Gross
		}
		var err error
		if sum, err = sum.Plus(of); err != nil || x.Category == models.CategoryPartial {
			return sum, false
		}
	}
	return sum, true
}

// sumOfRates returns the sum of the rates of some jurisdictions.
func sumOfRates(taxers []taxer) string {
	var sum decimal.Decimal
	for _, t := range taxers {
		sum, _ = money.Add(sum, t.share) // taxersOf has added all of them
	}
	return sum.Trim(0).String()
}

// bought reports whether entries of a kind are purchases, which have a base and tax like sales.
func bought(kind models.FilingEntryKind) bool {
	return kind == models.EntryPurchase || kind == models.EntryWithdrawal || kind == models.EntryAcquisition
}
