package rules

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// Figures are what a transaction says to the return of an authority, divided by what forms ask for. They follow from its
// explanation and from its total, which says what all of it adds to the return. So those of an earlier release get the
// same figures later. They never change the total: what a conversion or a refund in a return rounds in another way goes
// to the largest figure.

// figureFacts are what figures follow from, apart from the total.
type figureFacts struct {
	explained   *tax.Explanation
	credit      bool
	marketplace bool
	origin      *tax.Place
	rate        decimal.Decimal // of the conversion into the currency of the total
}

// addFigures writes the figures into the totals of a transaction. Errors: money.ErrOverflow.
func (c *calculation) addFigures(t models.Transaction, totals []models.AuthorityTotal) error {
	facts := figureFacts{
		explained: &c.result.Explanation, credit: t.Type.IsCredit(), marketplace: t.Marketplace, origin: t.Origin,
		rate: c.converted.rate(),
	}
	if facts.origin == nil && t.Original != nil {
		facts.origin = t.Original.Origin
	}
	for i := range totals {
		if err := facts.addTo(&totals[i]); err != nil {
			return err
		}
	}
	return nil
}

// FiguresOfEarlier writes the figures of a total of an earlier release, and decides nothing anew. Without an explanation
// one figure has all of it. Errors: a stored explanation that cannot be read; money.ErrOverflow.
func FiguresOfEarlier(t *models.FigureTotal) error {
	facts := figureFacts{
		explained: &tax.Explanation{}, credit: t.Type.IsCredit(), marketplace: t.Marketplace, rate: t.ConversionRate,
	}
	if t.Explanation != nil {
		if err := json.Unmarshal(t.Explanation, facts.explained); err != nil {
			return fmt.Errorf("read the explanation: %w", err)
		}
	}
	if t.Origin != nil {
		facts.origin = &tax.Place{}
		if err := json.Unmarshal(t.Origin, facts.origin); err != nil {
			return fmt.Errorf("read the origin: %w", err)
		}
	}
	return facts.addTo(&t.AuthorityTotal)
}

// figuresOf are the figures of one total while they are made.
type figuresOf struct {
	figureFacts
	*models.AuthorityTotal
	figures []models.Figure
	taxes   placeTaxes // the calculated tax by place, in the currency of the transaction
	whole   placeTax   // the authority itself as a place
}

// addTo writes the figures of one total. Errors: money.ErrOverflow.
func (facts figureFacts) addTo(total *models.AuthorityTotal) (err error) {
	f := figuresOf{figureFacts: facts, AuthorityTotal: total}
	f.whole = wholeOf(f.authority(), f.explained.Jurisdictions)
	for i := range f.explained.Items {
		if err = f.addLine(&f.explained.Items[i]); err != nil {
			return err
		}
	}
	f.taxes.sort()
	f.figures = slices.DeleteFunc(f.figures, func(x models.Figure) bool {
		return x.Gross.IsZero() && x.Taxable.IsZero() && x.Tax.IsZero()
	})
	f.sort()
	if err = f.convert(figureGross); err != nil {
		return err
	}
	if err = f.convertTaxable(); err != nil {
		return err
	}
	// guard: figures: gross adds up to the sales of the return
	if err = f.complete(figureGross, total.Sales); err != nil {
		return err
	}
	if err = f.addOwed(); err != nil {
		return err
	}
	if err = f.convertTax(); err != nil {
		return err
	}
	f.sort()
	total.Figures, total.FigurePlace = f.figures, f.place()
	if total.Figures == nil {
		total.Figures = []models.Figure{}
	}
	return nil
}

func figureGross(x *models.Figure) *decimal.Decimal   { return &x.Gross }
func figureTaxable(x *models.Figure) *decimal.Decimal { return &x.Taxable }
func figureTax(x *models.Figure) *decimal.Decimal     { return &x.Tax }
func figureOwed(x *models.Figure) *decimal.Decimal    { return &x.Owed }

// authority returns the authority of the total as the engine names it. The one-stop shop stands for the country that
// taxes.
func (f *figuresOf) authority() tax.Authority {
	country := cmp.Or(f.MemberCode, f.CountryCode)
	if f.StateCode == f.CountryCode || country != f.CountryCode {
		return tax.Authority{Country: country}
	}
	return tax.Authority{Country: country, State: f.StateCode}
}

// own reports whether a tax line of a level belongs to the authority. In Canada its level tells.
func (f *figuresOf) own(kind string) bool {
	if f.CountryCode != models.Canada {
		return true
	}
	return (tax.JurisdictionType(kind) == tax.TypeState) == (f.authority().State != "")
}

// top reports whether a level is the own one of the authority.
func (f *figuresOf) top(kind string) bool {
	if f.authority().State != "" {
		return tax.JurisdictionType(kind) == tax.TypeState
	}
	return tax.JurisdictionType(kind) == tax.TypeCountry || tax.JurisdictionType(kind) == tax.TypeFederal
}

// at returns the figure of a key, which it adds if it is new.
func (f *figuresOf) at(key models.FigureKey) *models.Figure {
	for i := range f.figures {
		if f.figures[i].FigureKey == key {
			return &f.figures[i]
		}
	}
	f.figures = append(f.figures, models.Figure{FigureKey: key, Gross: nothing, Taxable: nothing, Tax: nothing, Owed: nothing})
	return &f.figures[len(f.figures)-1]
}

// key returns the key of a part of the transaction. negative tells whether a sale has it below zero.
func (f *figuresOf) key(kind, name string, rate decimal.Decimal, negative bool) models.FigureKey {
	k := models.FigureKey{
		Level: kind, Name: name, Rate: rate.Trim(0).String(), Sign: models.FigureSale, Channel: f.channel(),
		Origin: f.originOf(),
	}
	if f.credit || negative {
		k.Sign = models.FigureRefund
	}
	return k
}

// channel returns by whom and whether the tax is owed. A total of an earlier release names no case.
func (f *figuresOf) channel() string {
	switch {
	case f.marketplace || f.Case == int(caseMarketplace):
		return models.ChannelMarketplace
	case f.Case == int(caseNothing),
		f.Case == 0 && !f.Tax.IsZero() && f.Collected.IsZero() && f.Liability.IsZero():
		return models.ChannelNoObligation
	}
	return models.ChannelOwn
}

func (f *figuresOf) originOf() string {
	a := f.authority()
	switch {
	case f.origin == nil || f.origin.Country == "":
		return models.OriginUnknown
	case f.origin.Country == a.Country && (a.State == "" || f.origin.State == a.State):
		return models.OriginInState
	}
	return models.OriginOutOfState
}

// addLine adds a line: all of it once at the level of the authority, and what other levels tax. Errors:
// money.ErrOverflow.
func (f *figuresOf) addLine(line *tax.ExplainedItem) (err error) {
	counted, covered := false, nothing
	for i := range line.Lines {
		part := &line.Lines[i]
		kind := string(part.JurisdictionType)
		if !f.own(kind) {
			continue
		}
		if err = f.taxes.add(kind, part.JurisdictionName, part.Amount); err != nil {
			return err
		}
		gross := nothing
		key := f.key(kind, part.JurisdictionName, part.Rate, line.NetAmount.IsNeg() || part.TaxableAmount.IsNeg())
		key.Class = string(line.TaxClass)
		if f.top(kind) {
			with, tooLarge := money.Add(covered, part.TaxableAmount)
			switch {
			case tooLarge != nil:
				return tooLarge
			case !counted:
				gross, counted, covered = line.NetAmount, true, with
				key.Category = categoryOf(line, part)
			// guard: figures: a further tax of the authority does not count its sales again
			case with.CmpAbs(line.NetAmount) > 0:
				key.Category = models.CategoryAdditional
			default:
				covered = with
			}
		}
		if err = f.at(key).Add(gross, part.TaxableAmount, part.Amount); err != nil {
			return err
		}
	}
	if counted {
		return nil
	}
	key := f.key(f.whole.kind, f.whole.name, nothing, line.NetAmount.IsNeg())
	key.Class, key.Category = string(line.TaxClass), categoryOf(line, nil)
	return f.at(key).Add(line.NetAmount, nothing, nothing)
}

// categoryOf returns why a line is not taxed in full by the authority; "" if it is. part is its tax there, nil without
// one.
func categoryOf(line *tax.ExplainedItem, part *tax.ExplainedTax) string {
	if part == nil {
		return exemptionCategory(line)
	}
	switch part.Reason {
	case tax.ReasonNotTaxable:
		return models.CategoryNotTaxable
	case tax.ReasonZeroRate:
		return models.CategoryZeroRate
	case tax.ReasonBelowThreshold:
		return models.CategoryThreshold
	case tax.ReasonTaxHoliday:
		return models.CategoryHoliday
	case tax.ReasonProductExempt:
		return models.CategoryProduct
	case tax.ReasonCustomerExempt:
		if line.TaxExemption == tax.ExemptionWholesale {
			return cmp.Or(line.ExemptionCategory, models.CategoryResale)
		}
		return cmp.Or(line.ExemptionCategory, models.CategoryCustomer)
	case tax.ReasonTransactionExempt:
		return cmp.Or(line.ExemptionCategory, models.CategoryTransaction)
	case tax.ReasonReverseCharge:
		return models.CategoryReverseCharge
	case tax.ReasonExport:
		return models.CategoryExport
	case tax.ReasonNoRuleFound:
		return models.CategoryNoRule
	case tax.ReasonTaxable:
	}
	if part.TaxableAmount.Cmp(line.NetAmount) != 0 && !line.NetAmount.IsZero() {
		return models.CategoryPartial
	}
	return ""
}

// exemptionCategory returns why a line without a tax line is not taxed. An exemption says it by its category.
func exemptionCategory(line *tax.ExplainedItem) string {
	switch line.TaxExemption {
	case tax.ExemptionWholesale:
		return cmp.Or(line.ExemptionCategory, models.CategoryResale)
	case tax.ExemptionCustomer, tax.ExemptionRegion:
		return cmp.Or(line.ExemptionCategory, models.CategoryCustomer)
	case tax.ExemptionTransaction:
		return cmp.Or(line.ExemptionCategory, models.CategoryTransaction)
	case tax.ExemptionProduct:
		return models.CategoryProduct
	case tax.ExemptionReverseCharge:
		return models.CategoryReverseCharge
	case tax.ExemptionExport, tax.ExemptionHighValue:
		return models.CategoryExport
	case tax.ExemptionZeroRate, tax.ExemptionZeroValue:
		return models.CategoryZeroRate
	case tax.ExemptionNoRuleFound:
	}
	return models.CategoryNoRule
}

// convert converts a column of some figures into the currency of the total; of all without any. Errors:
// money.ErrOverflow.
func (f *figuresOf) convert(of func(*models.Figure) *decimal.Decimal, some ...int) error {
	if f.rate.Cmp(decimal.One) == 0 || len(f.figures) == 0 {
		return nil
	}
	if some == nil {
		for i := range f.figures {
			some = append(some, i)
		}
	}
	parts := make([]decimal.Decimal, len(some))
	for n, i := range some {
		parts[n] = *of(&f.figures[i])
	}
	parts, err := convertSum(parts, f.rate)
	if err != nil {
		return err
	}
	for n, i := range some {
		*of(&f.figures[i]) = parts[n]
	}
	return nil
}

// convertTaxable converts the bases of each place as a whole, as the report does. Errors: money.ErrOverflow.
func (f *figuresOf) convertTaxable() error {
	if f.rate.Cmp(decimal.One) == 0 {
		return nil
	}
	for from := 0; from < len(f.figures); {
		place := []int{from}
		for i := from + 1; i < len(f.figures) && f.figures[i].Level == f.figures[from].Level &&
			f.figures[i].Name == f.figures[from].Name; i++ {
			place = append(place, i)
		}
		if err := f.convert(figureTaxable, place...); err != nil {
			return err
		}
		from += len(place)
	}
	return nil
}

// convertTax makes the tax that of the total: over places as the report shares it, then by the tax in the currency of the
// transaction. Errors: money.ErrOverflow.
func (f *figuresOf) convertTax() error {
	if f.rate.Cmp(decimal.One) != 0 {
		places, err := f.taxes.asTaxed(f.AuthorityTotal.Tax)
		if err != nil {
			return err
		}
		before := slices.Clone(f.figures)
		for i := range f.figures {
			f.figures[i].Tax = nothing
		}
		for _, p := range places {
			if err := f.shareAt(p, before, figureTax); err != nil {
				return err
			}
		}
	}
	// guard: figures: tax adds up to the calculated tax of the return
	return f.complete(figureTax, f.AuthorityTotal.Tax)
}

// complete gives the largest figure what a column lacks of the total. Errors: money.ErrOverflow.
func (f *figuresOf) complete(of func(*models.Figure) *decimal.Decimal, total decimal.Decimal) error {
	missing, most := total, -1
	for i := range f.figures {
		amount := *of(&f.figures[i])
		var err error
		if missing, err = money.Sub(missing, amount); err != nil {
			return err
		}
		if f.top(f.figures[i].Level) && (most < 0 || amount.CmpAbs(*of(&f.figures[most])) > 0) {
			most = i
		}
	}
	if missing.IsZero() {
		return nil
	}
	if most < 0 {
		f.at(f.key(f.whole.kind, f.whole.name, nothing, missing.IsNeg()))
		most = len(f.figures) - 1
	}
	at := of(&f.figures[most])
	sum, err := money.Add(*at, missing)
	*at = sum
	return err
}

// addOwed shares the liability over the figures: first over places, as readers of the total do, then by tax. Errors:
// money.ErrOverflow.
func (f *figuresOf) addOwed() error {
	places, err := f.owedPlaces()
	if err != nil {
		return err
	}
	before := slices.Clone(f.figures)
	for _, p := range places {
		if err := f.shareAt(p, before, figureOwed); err != nil {
			return err
		}
	}
	// guard: figures: owed adds up to the liability of the return
	return f.complete(figureOwed, f.Liability)
}

// owedPlaces returns what is owed by place. Errors: money.ErrOverflow.
func (f *figuresOf) owedPlaces() (placeTaxes, error) {
	if f.Places == nil {
		if f.Liability.IsZero() && !f.AuthorityTotal.Tax.IsZero() {
			return nil, nil
		}
		return f.taxes.asTaxed(f.Liability)
	}
	places := make(placeTaxes, len(f.Places))
	for i, p := range f.Places {
		places[i] = placeTax{kind: p.Type, name: p.Name, amount: p.Amount}
	}
	return places, nil
}

// shareAt shares the amount of a place over its figures by their tax, as it was before. Errors: money.ErrOverflow.
func (f *figuresOf) shareAt(p placeTax, before []models.Figure, to func(*models.Figure) *decimal.Decimal) (err error) {
	if p.amount.IsZero() {
		return nil
	}
	var at []int
	var weights []decimal.Decimal
	sum, weighs := nothing, false
	for i := range before {
		if x := &before[i]; x.Level == p.kind && x.Name == p.name {
			at, weights = append(at, i), append(weights, x.Tax)
			if sum, err = money.Add(sum, x.Tax); err != nil {
				return err
			}
		}
	}
	shares := weights
	if sum.Cmp(p.amount) != 0 {
		for i, w := range weights {
			if w.Sign() == -p.amount.Sign() { // a figure has no part of what it lowers
				weights[i] = nothing
			}
			weighs = weighs || !weights[i].IsZero()
		}
		switch {
		case weighs:
			if shares, err = money.Allocate(p.amount, weights); err != nil {
				return err
			}
		case len(at) == 0: // no tax line names the place
			f.at(f.key(p.kind, p.name, nothing, p.amount.IsNeg()))
			at, shares = []int{len(f.figures) - 1}, []decimal.Decimal{p.amount}
		default:
			shares[0] = p.amount
		}
	}
	for n, i := range at {
		*to(&f.figures[i]) = shares[n]
	}
	return nil
}

// sort sorts the figures from the largest places to the smallest, then by their keys.
func (f *figuresOf) sort() {
	slices.SortStableFunc(f.figures, func(a, b models.Figure) int {
		if a.Level == b.Level && a.Name == b.Name {
			return a.Compare(&b.FigureKey)
		}
		return cmp.Or(
			cmp.Compare(slices.Index(levels, tax.JurisdictionType(a.Level)), slices.Index(levels, tax.JurisdictionType(b.Level))),
			strings.Compare(a.Name, b.Name), strings.Compare(a.Level, b.Level),
		)
	})
}

// place names the jurisdictions below the authority, also those that do not tax.
func (f *figuresOf) place() string {
	var names []string
	for _, j := range f.explained.Jurisdictions {
		if slices.Index(levels, j.JurisdictionType) > slices.Index(levels, tax.JurisdictionType(f.whole.kind)) {
			names = append(names, j.JurisdictionName)
		}
	}
	return strings.Join(names, ", ")
}
