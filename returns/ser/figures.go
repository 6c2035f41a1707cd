package ser

import (
	"cmp"
	"strings"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// The kinds of exemptions, in the order of the schema.
const (
	exemptAgriculture = iota
	exemptDirectPay
	exemptGovernment
	exemptManufacturing
	exemptResale
	exemptOther
)

// exemptionTypes are the kinds of exemptions as documents name them.
var exemptionTypes = [...]string{"Agriculture", "DirectPay", "GovernmentExemptOrg", "Manufacturing", "Resale", "Other"}

// exemptionOf are the kinds of exemptions by the category of a figure. All other categories are Other.
var exemptionOf = map[string]int{
	"AGRICULTURE": exemptAgriculture, "DIRECT_PAY": exemptDirectPay, "GOVERNMENT": exemptGovernment, "NONPROFIT": exemptGovernment,
	"MANUFACTURING": exemptManufacturing, models.CategoryResale: exemptResale,
}

func exemptionIn(category string) int {
	if kind, ok := exemptionOf[category]; ok {
		return kind
	}
	return exemptOther
}

// counted is a number of transactions and an amount, for a finding.
type counted struct {
	transactions int64
	amount
}

func (m *maker) count(c *counted, x *models.FilingFigure, sum money.Total) {
	c.transactions += x.Transactions
	m.add(&c.amount, sum)
}

// doubts are what findings say of figures.
type doubts struct {
	facilitated, localOnly, uncategorised, origin counted
	coded                                         map[string]*counted // by the name of the jurisdiction without a code
	names                                         []string            // of coded, in their order
}

// addFigures adds the figures of the filing and of what it amends.
func (m *maker) addFigures() {
	d := &doubts{coded: map[string]*counted{}}
	add := func(figures []models.FilingFigure) {
		for i := range figures {
			m.addFigure(d, &figures[i], m.offered)
			m.offered++
		}
	}
	add(m.Figures.Figures)
	for i := range m.Before {
		add(m.Before[i].Figures.Figures)
	}
	m.noteDoubts(d)
}

func (m *maker) addFigure(d *doubts, x *models.FilingFigure, at int) {
	kind := tax.JurisdictionType(x.Level)
	switch {
	case x.Channel == models.ChannelNoObligation:
	case kind != tax.TypeState:
		m.addLocal(d, x, at)
	case x.Channel == models.ChannelMarketplace:
		m.addFacilitated(d, x, at)
	default:
		m.addOwn(d, x, at)
	}
}

// addFacilitated adds a sale of which a marketplace remits the tax: all of it is deducted, or it is not in the return.
func (m *maker) addFacilitated(d *doubts, x *models.FilingFigure, at int) {
	if !x.Gross.IsZero() {
		m.count(&d.facilitated, x, x.Gross)
	}
	if rule := m.Layout.Rule(tax.SimplifiedFacilitated); rule.Has("OMITTED") {
		return
	}
	m.add(&m.sales, x.Gross, at)
	m.add(&m.exempt, x.Gross, at)
	m.add(&m.breakout[exemptOther], x.Gross, at)
}

// addOwn adds a figure of the state, which has each sale once.
func (m *maker) addOwn(d *doubts, x *models.FilingFigure, at int) {
	base := x.Taxable
	// guard: simplified: a further tax of the state does not count its sales again
	if x.Category == models.CategoryAdditional {
		base = x.Gross
	}
	local, ownRate := m.Layout.Rule(tax.SimplifiedLocalOnly), m.Layout.Rule(tax.SimplifiedOwnRate)
	if local.Has(x.Class) && (x.Category == models.CategoryNotTaxable || x.Category == models.CategoryZeroRate) {
		base = x.Gross // localities tax it in full
		if !base.IsZero() {
			m.count(&d.localOnly, x, base)
		}
	}
	untaxed, err := x.Gross.Minus(base)
	if err != nil {
		m.noteTooLarge("")
	}
	m.add(&m.sales, x.Gross, at)
	m.add(&m.exempt, untaxed, at)
	m.add(&m.breakout[exemptionIn(x.Category)], untaxed, at)
	if !untaxed.IsZero() && (x.Category == models.CategoryCustomer || x.Category == models.CategoryTransaction) {
		m.count(&d.uncategorised, x, untaxed)
	}
	switch {
	case ownRate.Has(x.Class):
		m.add(&m.food, x.Owed, at)
	default:
		m.add(m.byOrigin(d, x, &m.inState, &m.outside), x.Owed, at)
	}
}

// byOrigin returns the amount of the origin of a figure. An unknown origin is outside where the seller has no place.
func (m *maker) byOrigin(d *doubts, x *models.FilingFigure, inState, outside *amount) *amount {
	switch {
	case x.Origin == models.OriginInState:
		return inState
	case x.Origin == models.OriginUnknown && m.Located && !x.Owed.IsZero():
		m.count(&d.origin, x, x.Owed)
	}
	return outside
}

// addLocal adds the tax of a jurisdiction below the state to its code.
func (m *maker) addLocal(d *doubts, x *models.FilingFigure, at int) {
	if x.Owed.IsZero() {
		return
	}
	code := m.codeOf(x)
	if code == "" {
		c := d.coded[x.Name]
		if c == nil {
			c = &counted{}
			d.coded[x.Name], d.names = c, append(d.names, x.Name)
		}
		m.count(c, x, x.Owed)
		code = x.Name // the lines for people have it nevertheless
	}
	l := m.localOf(code, x.Name)
	m.add(m.byOrigin(d, x, &l.inState, &l.outside), x.Owed, at)
}

func (m *maker) localOf(code, name string) *local {
	l := m.locals[code]
	if l == nil {
		l = &local{name: name}
		m.locals[code] = l
	}
	return l
}

// codeOf returns the code under which a local tax is reported; "" for none. A tax of the whole state is reported under the
// county of the sale.
func (m *maker) codeOf(x *models.FilingFigure) string {
	code, statewide := m.Layout.Codes.Of(tax.JurisdictionType(x.Level), x.Name)
	if !statewide {
		return code
	}
	for _, name := range strings.Split(x.Place, ", ") {
		if county, _ := m.Layout.Codes.Of(tax.TypeCounty, name); county != "" {
			return county
		}
	}
	return ""
}

// noteDoubts tells what figures leave open.
func (m *maker) noteDoubts(d *doubts) {
	if d.facilitated.transactions > 0 {
		m.restOn(tax.SimplifiedFacilitated, "ExemptionsDeductions", "Whether sales through marketplaces belong to this return was not read "+
			"for the state: enter the return yourself, or have your operator add what the state says.", &d.facilitated)
	}
	if d.localOnly.transactions > 0 {
		m.restOn(tax.SimplifiedLocalOnly, "TaxableSales", "Whether sales that only localities tax count as taxable was not read for the "+
			"state: enter the return yourself, or have your operator add what the state says.", &d.localOnly)
	}
	if d.origin.transactions > 0 {
		m.note(models.SeverityError, "ORIGIN_UNKNOWN", "StateTaxDueSalesInState", "It is not known from where these transactions ship, and "+
			"the return divides the tax by that: send their SHIP_FROM address.", d.origin.transactions, d.origin.Total)
	}
	if d.uncategorised.transactions > 0 {
		m.note(models.SeverityWarning, "CATEGORY_MISSING", "ExemptionType", "It is not known of which kind the exemption of these sales is: "+
			"they count as Other. Enter exemption_category of their exemptions, and process them again.",
			d.uncategorised.transactions, d.uncategorised.Total)
	}
	for _, name := range d.names {
		c := d.coded[name]
		m.noteCode(name, c.transactions, c.Total)
	}
}

func (m *maker) noteCode(name string, transactions int64, sum money.Total) {
	m.note(models.SeverityError, "CODE_MISSING", "JurisdictionCode", "The content has no code of "+cmp.Or(name, "a jurisdiction")+
		": have your operator import the rate and boundary files of the state.", transactions, sum)
}

// restOn notes that the return rests on a rule of the state. Levy gives no bytes that rest on a rule that was not read.
func (m *maker) restOn(part, line, message string, c *counted) {
	rule := m.Layout.Rule(part)
	m.rest(rule.Confidence)
	// guard: simplified: what was not read gives no document
	if rule.Confidence == tax.ConfidenceLow {
		m.note(models.SeverityError, "LAYOUT_LOW", line, message, c.transactions, c.Total)
	}
}
