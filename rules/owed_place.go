package rules

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// placeTax is the calculated tax of a place, or the part of a liability that is owed there.
type placeTax struct {
	kind, name, code string
	amount           decimal.Decimal
}

// placeTaxes are taxes by place, from the largest places to the smallest, then by name. Thus the earlier ones get the
// cents that equal remainders leave.
type placeTaxes []placeTax

// at returns the tax of a place, which it adds if it is new.
func (p *placeTaxes) at(kind, name string) *placeTax {
	for i := range *p {
		if (*p)[i].name == name && (*p)[i].kind == kind {
			return &(*p)[i]
		}
	}
	*p = append(*p, placeTax{kind: kind, name: name, amount: nothing})
	return &(*p)[len(*p)-1]
}

// add adds tax to that of a place. Errors: money.ErrOverflow.
func (p *placeTaxes) add(kind, name string, amount decimal.Decimal) (err error) {
	at := p.at(kind, name)
	at.amount, err = money.Add(at.amount, amount)
	return err
}

// levels are the types of places from the largest to the smallest.
var levels = []tax.JurisdictionType{
	tax.TypeCountry, tax.TypeFederal, tax.TypeState, tax.TypeCounty, tax.TypeCity, tax.TypeSpecial, tax.TypeOther,
}

func (p placeTaxes) sort() {
	slices.SortFunc(p, func(a, b placeTax) int {
		return cmp.Or(
			cmp.Compare(slices.Index(levels, tax.JurisdictionType(a.kind)), slices.Index(levels, tax.JurisdictionType(b.kind))),
			cmp.Compare(a.name, b.name),
		)
	})
}

func (p placeTaxes) amounts() []decimal.Decimal {
	amounts := make([]decimal.Decimal, len(p))
	for i := range p {
		amounts[i] = p[i].amount
	}
	return amounts
}

// with returns the places with other amounts.
func (p placeTaxes) with(amounts []decimal.Decimal) placeTaxes {
	owed := slices.Clone(p)
	for i := range owed {
		owed[i].amount = amounts[i]
	}
	return owed
}

// asTaxed shares a liability by the calculated taxes, as readers of a total without places do. Each place gets the
// difference of two rounded running sums. Taxes that add up to zero stay as they are. Errors: money.ErrOverflow.
func (p placeTaxes) asTaxed(liability decimal.Decimal) (placeTaxes, error) {
	sum, err := sumExactly(p.amounts())
	if err != nil || sum.IsZero() {
		return p, err
	}
	shares := slices.Clone(p)
	from := nothing
	for i := range p {
		to, err := money.Add(from, p[i].amount)
		if err != nil {
			return nil, err
		}
		if shares[i].amount, err = money.ShareBetween(liability, from, to, sum); err != nil {
			return nil, err
		}
		from = to
	}
	return shares, nil
}

// shareOver shares a liability over places: by the calculated taxes, else by the imported ones, else all of it to the
// whole state or country. Missing cents go to the largest remainders. Errors: money.ErrOverflow.
func shareOver(liability decimal.Decimal, calculated, imported placeTaxes, whole placeTax) (placeTaxes, error) {
	for _, taxes := range []placeTaxes{calculated, imported} {
		weights := taxes.amounts()
		for i, w := range weights {
			if w.Sign() == -liability.Sign() { // a place has no part of what it lowers
				weights[i] = nothing
			}
		}
		if !slices.ContainsFunc(weights, func(w decimal.Decimal) bool { return !w.IsZero() }) {
			continue
		}
		shares, err := money.Allocate(liability, weights)
		if err != nil {
			return nil, err
		}
		return taxes.with(shares), nil
	}
	whole.amount = liability
	return placeTaxes{whole}, nil
}

// amountAt returns the tax of a place, zero if it has none.
func (p placeTaxes) amountAt(kind, name string) decimal.Decimal {
	for i := range p {
		if p[i].name == name && p[i].kind == kind {
			return p[i].amount
		}
	}
	return nothing
}

// equal reports whether two lists have the same amounts for the same places. A place without an amount may be missing.
func (p placeTaxes) equal(q placeTaxes) bool {
	differs := func(t placeTax) bool { return p.amountAt(t.kind, t.name).Cmp(q.amountAt(t.kind, t.name)) != 0 }
	return !slices.ContainsFunc(p, differs) && !slices.ContainsFunc(q, differs)
}

// stored returns the places as a total stores them. They are nil if readers share the liability in the same way.
func (p placeTaxes) stored(asRead placeTaxes) []models.OwedPlace {
	if p.equal(asRead) {
		return nil
	}
	places := make([]models.OwedPlace, 0, len(p))
	for _, t := range p {
		if !t.amount.IsZero() {
			places = append(places, models.OwedPlace{Type: t.kind, Name: t.name, Code: t.code, Amount: t.amount})
		}
	}
	return places
}

// authorityAt returns the position of the authority of a tax among those of a document. Tax without a known authority
// belongs to the first.
func authorityAt(authorities []tax.Authority, a tax.Authority) int {
	return max(0, slices.Index(authorities, a))
}

// calculatedAt adds up the calculated tax of an authority by place. Errors: money.ErrOverflow.
func calculatedAt(result tax.Result, authorities []tax.Authority, at int) (taxes placeTaxes, err error) {
	for i := range result.Lines {
		for _, item := range result.Lines[i].TaxItems {
			if authorityAt(authorities, item.Authority) != at {
				continue
			}
			if err = taxes.add(string(item.JurisdictionType), item.JurisdictionName, item.Amount); err != nil {
				return nil, err
			}
		}
	}
	taxes.sort()
	return taxes, nil
}

// importedAt adds up the imported tax lines of an authority by the place that each names. Errors: money.ErrOverflow.
func importedAt(items []models.TransactionItem, authorities []tax.Authority, at int) (taxes placeTaxes, err error) {
	for i := range items {
		for j := range items[i].TaxItems {
			item := &items[i].TaxItems[j]
			if item.Type == models.TaxItemCalculated || item.JurisdictionType == "" || item.JurisdictionName == "" ||
				authorityNamed(item, authorities) != at {
				continue
			}
			if err = taxes.add(item.JurisdictionType, item.JurisdictionName, item.Amount); err != nil {
				return nil, err
			}
		}
	}
	taxes.sort()
	return taxes, nil
}

// wholeOf returns the whole state, province or country of an authority as a place. Its code is that of the content.
func wholeOf(a tax.Authority, jurisdictions []tax.JurisdictionRef) placeTax {
	kind := tax.TypeCountry
	if a.State != "" {
		kind = tax.TypeState
	}
	for _, j := range jurisdictions {
		if j.JurisdictionType == kind {
			return placeTax{kind: string(kind), name: j.JurisdictionName, code: j.Code}
		}
	}
	return placeTax{kind: string(kind), name: cmp.Or(a.State, a.Country)}
}

// unnamed is the position of the authority of a tax line that names none.
const unnamed = -1

// authorityNamed returns the position of the authority that an imported tax line names. In Canada its jurisdiction tells
// the country from the province, else the name of the tax does.
func authorityNamed(item *models.TaxItem, authorities []tax.Authority) int {
	if len(authorities) == 1 {
		return 0
	}
	switch tax.JurisdictionType(item.JurisdictionType) {
	case tax.TypeCountry, tax.TypeFederal:
		return 0
	case tax.TypeState:
		return 1
	case tax.TypeCounty, tax.TypeCity, tax.TypeSpecial, tax.TypeOther:
	}
	federal, provincial := false, false
	for _, word := range strings.FieldsFunc(strings.ToUpper(item.Name), func(r rune) bool { return !unicode.IsLetter(r) }) {
		federal = federal || slices.Contains(federalTaxes, word)
		provincial = provincial || slices.Contains(provincialTaxes, word)
	}
	switch {
	case federal == provincial:
		return unnamed
	case federal:
		return 0
	}
	return 1
}

// The names of Canadian taxes by authority, in English and French.
var (
	federalTaxes    = []string{"GST", "HST", "TPS", "TVH"}
	provincialTaxes = []string{"PST", "RST", "QST", "TVP", "TVD", "TVQ"}
)

// placesOf returns what the total of an authority stores about the places of its liability, if the transaction is the
// whole document. An ordinary one owes its calculated tax: nothing is stored, and nothing is added up. Errors:
// money.ErrOverflow.
func (c *calculation) placesOf(t models.Transaction, i int, liability decimal.Decimal) ([]models.OwedPlace, error) {
	w := c.document
	if liability.IsZero() || w.change.owed[i].Cmp(w.change.calculated[i]) == 0 {
		return nil, nil
	}
	taxes, err := calculatedAt(c.result, w.terms.authorities, i)
	if err != nil {
		return nil, err
	}
	shares, err := c.shareOf(taxes, t.Items, i, liability)
	if err != nil {
		return nil, err
	}
	asRead, err := taxes.asTaxed(liability)
	if err != nil {
		return nil, err
	}
	return shares.stored(asRead), nil
}

// placesLeft is placesOf for a transaction whose document has others. Its places are those of the whole document, less
// what the others say. Errors: money.ErrOverflow.
func (c *calculation) placesLeft(i int, liability, owed decimal.Decimal, before *saidAt) ([]models.OwedPlace, error) {
	w := c.document
	net := w.net[i]
	net.sort()
	var left placeTaxes
	var err error
	switch {
	case owed.IsZero():
	case w.after.owed[i].Cmp(w.after.calculated[i]) == 0:
		left, err = net.asTaxed(owed)
	default:
		left, err = c.shareOf(net, w.imported, i, owed)
	}
	if err != nil {
		return nil, err
	}
	left = slices.Clone(left)
	for _, p := range before.places {
		if err := left.add(p.kind, p.name, p.amount.Neg()); err != nil {
			return nil, err
		}
		if at := left.at(p.kind, p.name); at.code == "" {
			at.code = p.code
		}
	}
	own, err := calculatedAt(c.result, w.terms.authorities, i)
	if err != nil {
		return nil, err
	}
	asRead, err := own.asTaxed(liability)
	if err != nil {
		return nil, err
	}
	left.sort()
	return left.stored(asRead), nil
}

// shareOf shares what is owed to an authority over places. Errors: money.ErrOverflow.
func (c *calculation) shareOf(
	taxes placeTaxes, items []models.TransactionItem, i int, owed decimal.Decimal,
) (placeTaxes, error) {
	authorities := c.document.terms.authorities
	imported, err := importedAt(items, authorities, i)
	if err != nil {
		return nil, err
	}
	return shareOver(owed, taxes, imported, wholeOf(authorities[i], c.result.Explanation.Jurisdictions))
}
