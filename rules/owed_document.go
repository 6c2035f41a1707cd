package rules

import (
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// documentTaxes are the tax lines of a document, or of a sale and its refunds, by authority and place.
type documentTaxes []placeTaxes

// authorityOfLevel returns the position of the authority of a calculated tax, which its level tells in Canada.
func authorityOfLevel(kind string, authorities int) int {
	if authorities > 1 && tax.JurisdictionType(kind) == tax.TypeState {
		return 1
	}
	return 0
}

// addItems adds the calculated tax lines of items. Errors: money.ErrOverflow.
func (d documentTaxes) addItems(items []models.TransactionItem) error {
	for i := range items {
		for j := range items[i].TaxItems {
			part := &items[i].TaxItems[j]
			if part.Type != models.TaxItemCalculated {
				continue
			}
			at := &d[authorityOfLevel(part.JurisdictionType, len(d))]
			if err := at.add(part.JurisdictionType, part.JurisdictionName, part.Amount); err != nil {
				return err
			}
		}
	}
	return nil
}

// addSold adds the tax lines of a sale as its explanation has them. Errors: money.ErrOverflow.
func (d documentTaxes) addSold(sold *tax.Explanation) error {
	for i := range sold.Items {
		for j := range sold.Items[i].Lines {
			part := &sold.Items[i].Lines[j]
			at := &d[authorityOfLevel(string(part.JurisdictionType), len(d))]
			if err := at.add(string(part.JurisdictionType), part.JurisdictionName, part.Amount); err != nil {
				return err
			}
		}
	}
	return nil
}

// addResult adds calculated tax. Errors: money.ErrOverflow.
func (d documentTaxes) addResult(result *tax.Result, authorities []tax.Authority) error {
	for i := range result.Lines {
		for _, item := range result.Lines[i].TaxItems {
			at := &d[authorityAt(authorities, item.Authority)]
			if err := at.add(string(item.JurisdictionType), item.JurisdictionName, item.Amount); err != nil {
				return err
			}
		}
	}
	return nil
}

// sums returns the calculated tax of each authority. Errors: money.ErrOverflow.
func (d documentTaxes) sums() ([]decimal.Decimal, error) {
	sums := make([]decimal.Decimal, len(d))
	for i, places := range d {
		sum, err := sumExactly(places.amounts())
		if err != nil {
			return nil, err
		}
		sums[i] = sum.Pad(2)
	}
	return sums, nil
}

// namedBy adds up the imported tax lines by the authority that each names. A document with one authority needs no
// names. Errors: money.ErrOverflow.
func namedBy(items []models.TransactionItem, authorities []tax.Authority) (named []decimal.Decimal, err error) {
	named = zeros(len(authorities))
	if len(authorities) == 1 {
		return named, nil
	}
	for i := range items {
		for j := range items[i].TaxItems {
			item := &items[i].TaxItems[j]
			if item.Type == models.TaxItemCalculated {
				continue
			}
			at := authorityNamed(item, authorities)
			if at == unnamed {
				continue
			}
			if named[at], err = money.Add(named[at], item.Amount); err != nil {
				return nil, err
			}
		}
	}
	return named, nil
}

// sumsOfRefund returns the taxes that a decided refund took of its sale. Errors: money.ErrOverflow.
func sumsOfRefund(r *models.DecidedRefund, authorities []tax.Authority) (s taxSums, taxes documentTaxes, err error) {
	taxes = make(documentTaxes, len(authorities))
	if err = taxes.addItems(r.Items); err != nil {
		return s, nil, err
	}
	if s.calculated, err = taxes.sums(); err != nil {
		return s, nil, err
	}
	s.collected = r.Collected
	s.named, err = namedBy(r.Items, authorities)
	return s, taxes, err
}

// saidAt is what a sale and its decided refunds say in the returns of one authority, in one currency.
type saidAt struct {
	models.AuthorityTotal
	places placeTaxes
	known  bool // all of them are in the currency of the return
}

// said adds up what documents say in the returns of an authority. Each has its tax lines there. Errors:
// money.ErrOverflow.
func said(at tax.Authority, currency string, documents []decidedDocument, position int) (s saidAt, err error) {
	at = asRegistered(at)
	s.known = true
	for _, d := range documents {
		i := slices.IndexFunc(d.totals, func(t models.AuthorityTotal) bool {
			return t.CountryCode == at.Country && t.StateCode == at.State
		})
		if i < 0 || d.totals[i].Currency != currency {
			s.known = false
			return s, nil
		}
		total := &d.totals[i]
		for _, sum := range []struct{ to, of *decimal.Decimal }{
			{&s.Tax, &total.Tax}, {&s.Collected, &total.Collected}, {&s.Liability, &total.Liability},
			{&s.OverCollected, &total.OverCollected}, {&s.UnderCollected, &total.UnderCollected},
		} {
			if *sum.to, err = money.Add(*sum.to, *sum.of); err != nil {
				return s, err
			}
		}
		if err := s.addPlaces(total, d.taxes[position]); err != nil {
			return s, err
		}
	}
	return s, nil
}

// addPlaces adds the places of a total. Without them its tax lines share the liability. Errors: money.ErrOverflow.
func (s *saidAt) addPlaces(total *models.AuthorityTotal, taxes placeTaxes) error {
	if total.Places != nil {
		for _, p := range total.Places {
			if err := s.places.add(p.Type, p.Name, p.Amount); err != nil {
				return err
			}
			if p.Code != "" {
				s.places.at(p.Type, p.Name).code = p.Code
			}
		}
		return nil
	}
	taxes.sort()
	shares, err := taxes.asTaxed(total.Liability)
	if err != nil {
		return err
	}
	for _, p := range shares {
		if err := s.places.add(p.kind, p.name, p.amount); err != nil {
			return err
		}
	}
	return nil
}

// decidedDocument is a sale or a refund that is decided, with its tax lines by authority.
type decidedDocument struct {
	totals []models.AuthorityTotal
	taxes  documentTaxes
}
