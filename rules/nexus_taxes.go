package rules

import (
	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// WithoutSales clears the details of a record without sales.
func WithoutSales(r *models.NexusState) {
	r.EarliestTransactionDate, r.MostRecentTransactionDate, r.EarliestCollectedDate = nil, nil, nil
	r.CalculatedTaxLiability, r.ImportedTaxLiability, r.TaxLiability = nothing, nothing, nothing
}

// TaxRates lists the conversions that the taxes of a record need.
func (e *NexusEvaluation) TaxRates(sums []models.NexusTaxSum) (pairs []models.CurrencyPair) {
	for _, s := range sums {
		if s.Day != nil {
			pairs = append(pairs, e.taxRate(s))
		}
	}
	return pairs
}

func (e *NexusEvaluation) taxRate(s models.NexusTaxSum) models.CurrencyPair {
	return models.CurrencyPair{From: s.Currency, To: e.Terms.Currency, Day: s.Day.UTC()}
}

// Detail completes the record with the days of its sales, and adds up the taxes since the obligation began, in the
// currency of the record. Taxes without a rate are left out, and their rates are listed as missing. Errors:
// money.ErrOverflow.
func (e *NexusEvaluation) Detail(r *models.NexusState, found models.NexusDetail, rates Rates) error {
	r.EarliestTransactionDate, r.MostRecentTransactionDate = found.Earliest, found.MostRecent
	r.EarliestCollectedDate = found.EarliestCollected
	total := models.NexusTaxSum{Calculated: nothing, Imported: nothing, Liability: nothing}
	for _, s := range found.Taxes {
		amounts := []struct{ of, add *decimal.Decimal }{
			{&total.Calculated, &s.Calculated}, {&total.Imported, &s.Imported}, {&total.Liability, &s.Liability},
		}
		for _, a := range amounts {
			amount := *a.add
			if s.Day != nil {
				rate, known := rates[e.taxRate(s)]
				if !known {
					e.Missing = append(e.Missing, e.taxRate(s))
					continue
				}
				var err error
				if amount, err = money.MulRateHalfUp(amount, rate.Rate, 2); err != nil {
					return err
				}
			}
			sum, err := money.Add(*a.of, amount)
			if err != nil {
				return err
			}
			*a.of = sum
		}
	}
	r.CalculatedTaxLiability, r.ImportedTaxLiability, r.TaxLiability = total.Calculated, total.Imported, total.Liability
	if r.ObligedFrom == nil {
		r.CalculatedTaxLiability = nothing
	}
	return nil
}
