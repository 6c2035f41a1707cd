package returns

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// channelBought is the channel of rows that entries of purchases make. No figure has it.
const channelBought = "BOUGHT"

// makeRows makes the rows of a return: its figures, then a figure for each purchase that people have entered. A purchase
// that names a line of other entries is on that line alone. One without tax that names a line without entries was a deduction in
// earlier content, so it is on no line. Errors: money.ErrOverflow.
func (m *maker) makeRows() error {
	m.rows = slices.Clone(m.Figures.Figures)
	for i := range m.Entries {
		e := &m.Entries[i]
		if l, named := m.Layout.Line(m.lineOf(e)); !bought(e.Kind) || named && !wantsPurchases(&l) {
			continue
		}
		if e.Line != "" && e.Amount.IsZero() && m.lineOf(e) == "" {
			continue
		}
		x := models.FilingFigure{Taxable: e.Taxable, Tax: e.Amount, Owed: e.Amount}
		x.Channel, x.Level, x.Name = channelBought, e.JurisdictionType, e.JurisdictionName
		if x.Name == "" {
			x.Level, x.Name = m.topLevel(), *cmp.Or(m.Filing.StateName, &m.Filing.StateCode)
		}
		m.rows = append(m.rows, x)
		m.entryOf = append(m.entryOf, i)
	}
	m.taxedPlaces = map[string]bool{}
	for i := range m.rows {
		x := &m.rows[i]
		if own(x) && !m.top(x) && !x.Taxable.IsZero() {
			m.taxedPlaces[x.Place] = true
		}
		if _, err := plus(x.Gross, x.Taxable.Neg(), x.Tax); err != nil {
			return err
		}
		if _, err := plus(x.Gross, x.Tax); err != nil {
			return err
		}
		if _, err := plus(x.Owed, x.Tax.Neg()); err != nil {
			return err
		}
	}
	return nil
}

// entry returns the position of the entry that a row is; false for a figure.
func (m *maker) entry(row int) (int, bool) {
	if n := row - len(m.Figures.Figures); n >= 0 {
		return m.entryOf[n], true
	}
	return 0, false
}

// topLevel returns a level of the authority.
func (m *maker) topLevel() string {
	if f := &m.Filing; f.StateCode != f.CountryCode {
		return string(tax.TypeState)
	}
	return string(tax.TypeCountry)
}

// where is a condition on rows.
type where func(*models.FilingFigure) bool

// all returns the condition that all conditions hold.
func all(conditions ...where) where {
	return func(x *models.FilingFigure) bool {
		for _, is := range conditions {
			if !is(x) {
				return false
			}
		}
		return true
	}
}

func own(x *models.FilingFigure) bool         { return x.Channel == models.ChannelOwn }
func marketplace(x *models.FilingFigure) bool { return x.Channel == models.ChannelMarketplace }
func unobliged(x *models.FilingFigure) bool   { return x.Channel == models.ChannelNoObligation }
func onForms(x *models.FilingFigure) bool     { return own(x) || marketplace(x) }
func below(x *models.FilingFigure) bool       { return x.Sign == models.FigureRefund }
func purchased(x *models.FilingFigure) bool   { return x.Channel == channelBought }

// top is the condition that a figure is of the level of the authority, which has all sales once.
func (m *maker) top(x *models.FilingFigure) bool {
	kind := tax.JurisdictionType(x.Level)
	if f := &m.Filing; (f.CountryCode == models.UnitedStates || f.CountryCode == models.Canada) && f.StateCode != f.CountryCode {
		return kind == tax.TypeState
	}
	return kind == tax.TypeCountry || kind == tax.TypeFederal
}

// conditions are the conditions that formulas name.
var conditions = map[string]func(*maker) where{
	"top":         func(m *maker) where { return m.top },
	"local":       func(m *maker) where { return func(x *models.FilingFigure) bool { return !m.top(x) } },
	"own":         plain(own),
	"bought":      plain(purchased),
	"both":        plain(func(x *models.FilingFigure) bool { return own(x) || purchased(x) }),
	"marketplace": plain(marketplace),
	"unobliged":   plain(unobliged),
	"reported":    plain(onForms),
	"refund":      plain(below),
	// The place of the row has a jurisdiction that taxes.
	"place_taxed": func(m *maker) where { return func(x *models.FilingFigure) bool { return m.taxedPlaces[x.Place] } },
	"place_free":  func(m *maker) where { return func(x *models.FilingFigure) bool { return !m.taxedPlaces[x.Place] } },
	// The row is of another county than that of the certificate, at another rate.
	"other_county": func(m *maker) where {
		home := m.Fields[tax.FieldCounty]
		rates := map[string]bool{}
		for i := range m.rows {
			if x := &m.rows[i]; x.Name == home && !m.top(x) {
				rates[x.Rate] = true
			}
		}
		return func(x *models.FilingFigure) bool { return home != "" && x.Name != home && !rates[x.Rate] }
	},
}

func plain(is where) func(*maker) where { return func(*maker) where { return is } }

// columns are the columns of a row that conditions compare, as in "class=FOOD|CANDY" and "name!=Dallas".
var columns = map[string]func(*models.FilingFigure) string{
	"class":    func(x *models.FilingFigure) string { return x.Class },
	"category": func(x *models.FilingFigure) string { return x.Category },
	"level":    func(x *models.FilingFigure) string { return x.Level },
	"name":     func(x *models.FilingFigure) string { return x.Name },
	"rate":     func(x *models.FilingFigure) string { return x.Rate },
}

// condition reads a condition; nil if the program does not know it.
func (m *maker) condition(text string) where {
	if is, ok := conditions[text]; ok {
		return is(m)
	}
	column, list, compared := strings.Cut(text, "=")
	column, not := strings.CutSuffix(column, "!")
	if column == "place" && compared && !not {
		return func(x *models.FilingFigure) bool { return within(x.Place, list) || purchased(x) && x.Name == list }
	}
	of, ok := columns[column]
	if !ok || !compared {
		return nil
	}
	values := strings.Split(list, "|")
	return func(x *models.FilingFigure) bool { return slices.Contains(values, of(x)) != not }
}

// within reports whether a place has a jurisdiction.
func within(place, name string) bool {
	for part := range strings.SplitSeq(place, ", ") {
		if part == name {
			return true
		}
	}
	return false
}

func gross(x *models.FilingFigure) money.Total   { return x.Gross }
func taxable(x *models.FilingFigure) money.Total { return x.Taxable }
func accrued(x *models.FilingFigure) money.Total { return x.Tax }
func owed(x *models.FilingFigure) money.Total    { return x.Owed }

// untaxed is the part of the gross that is not taxed. A further tax of the authority has none: its sales are in other figures.
func untaxed(x *models.FilingFigure) money.Total {
	if x.Category == models.CategoryAdditional {
		return money.Total{}
	}
	difference, _ := x.Gross.Minus(x.Taxable) // two amounts of a figure differ by less than a total has room for
	return difference
}

// excess is by how much the tax that is owed exceeds the tax of the law, because it was collected. It is below zero where the
// seller owes what it collected, and that was less.
func excess(x *models.FilingFigure) money.Total {
	difference, _ := x.Owed.Minus(x.Tax) // makeRows has refused what is too large
	return difference
}

// amounts are the amounts of a row that formulas add up. makeRows has refused rows whose sums are too large.
var amounts = map[string]func(*maker) amountOf{
	"gross": as(gross), "taxable": as(taxable), "untaxed": as(untaxed), "tax": as(accrued), "owed": as(owed),
	"excess": as(excess),
	// Refunds as a positive amount.
	"refunded": as(func(x *models.FilingFigure) money.Total { return x.Gross.Neg() }),
	// Sales with their tax.
	"receipts": as(func(x *models.FilingFigure) money.Total {
		sum, _ := x.Gross.Plus(x.Tax)
		return sum
	}),
	// The part that is not taxed, and the tax of the rest.
	"deducted": func(m *maker) amountOf {
		return func(x *models.FilingFigure) money.Total {
			if !m.top(x) {
				return x.Tax
			}
			sum, _ := untaxed(x).Plus(x.Tax)
			return sum
		}
	},
	// All sales of a marketplace, and of own sales what is not taxed.
	"exempted": as(func(x *models.FilingFigure) money.Total {
		if marketplace(x) {
			return x.Gross
		}
		return untaxed(x)
	}),
	// By how much the base of the authority exceeds those below it.
	"exceeding": func(m *maker) amountOf {
		return func(x *models.FilingFigure) money.Total {
			if m.top(x) {
				return x.Taxable
			}
			return x.Taxable.Neg()
		}
	},
}

// amountOf is an amount of a row.
type amountOf func(*models.FilingFigure) money.Total

func as(of amountOf) func(*maker) amountOf { return func(*maker) amountOf { return of } }

// part is what one of the lines with "*" is about: a jurisdiction or a place at one rate, or a reason. It has the rows that
// say its sales, its base and its tax. A part of a place whose rates cannot be added up is of one jurisdiction, its taxer.
type part struct {
	number, name, rate string
	place, taxer       string
	sales, base, taxed []int
	less               []int // rows whose base is taken off
}

// rowsOf returns the rows that have an amount of the part, and those whose amount is taken off.
func (p *part) rowsOf(amount string) (rows, less []int) {
	switch amount {
	case "tax", "owed":
		return p.taxed, nil
	case "taxable":
		return p.base, p.less
	}
	return p.sales, nil
}

// divisions make the parts of a line from the rows that its conditions leave.
var divisions = map[string]func(*maker, []int) []part{
	"jurisdictions": (*maker).jurisdictions, "places": (*maker).taxedParts, "all_places": (*maker).allParts,
	"reasons": (*maker).reasons, "entered": (*maker).entered,
}

// number numbers the parts, and adds their rates to their names.
func number(parts []part) []part {
	for i := range parts {
		p := &parts[i]
		if p.number = strconv.Itoa(i + 1); p.rate != "" {
			p.name += " at " + p.rate
		}
	}
	return parts
}

// bearsTax reports whether a row has a base or tax.
func bearsTax(x *models.FilingFigure) bool {
	return !x.Taxable.IsZero() || !x.Tax.IsZero() || !x.Owed.IsZero()
}

// place is a jurisdiction at one rate.
type place struct{ level, name, rate string }

// jurisdictions returns a part for each jurisdiction at each rate. Purchases join the last rate of theirs.
func (m *maker) jurisdictions(rows []int) (parts []part) {
	known := map[place]int{}
	last := map[place]int{}
	for _, i := range rows {
		x := &m.rows[i]
		if !bearsTax(x) {
			continue
		}
		all := place{level: x.Level, name: x.Name}
		n, ok := known[place{x.Level, x.Name, x.Rate}]
		if purchased(x) {
			n, ok = last[all]
		}
		if !ok {
			n = len(parts)
			parts = append(parts, part{name: x.Name, rate: x.Rate})
			known[place{x.Level, x.Name, x.Rate}] = n
		}
		last[all] = n
		p := &parts[n]
		p.sales, p.base, p.taxed = append(p.sales, i), append(p.base, i), append(p.taxed, i)
	}
	return number(parts)
}

// reasons returns a part for each reason why sales are not taxed.
func (m *maker) reasons(rows []int) (parts []part) {
	of := map[string][]int{}
	for _, i := range rows {
		if x := &m.rows[i]; !untaxed(x).IsZero() {
			of[x.Category] = append(of[x.Category], i)
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(of)) {
		p := part{number: reason, name: strings.ToLower(strings.ReplaceAll(reason, "_", " ")), sales: of[reason]}
		if reason == "" {
			p.number, p.name = "OTHER", "tax given back, and no reason known"
		}
		parts = append(parts, p)
	}
	return parts
}

// entered returns a part for each entry of the filing.
func (m *maker) entered([]int) (parts []part) {
	for i := range m.Entries {
		e := &m.Entries[i]
		p := part{number: strconv.Itoa(i + 1), name: strings.ToLower(strings.ReplaceAll(string(e.Kind), "_", " "))}
		if e.JurisdictionName != "" {
			p.name += ", " + e.JurisdictionName
		}
		parts = append(parts, p)
	}
	return parts
}
