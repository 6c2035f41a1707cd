package rules

import (
	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// takeRests lets a refund that leaves nothing of the collected tax, or of the liability, of
// its sale leave nothing for each authority that shares it either: it takes what the sale
// and the refunds before it left there. Sharing out each document by itself leaves cents.
func takeRests(totals, before []models.AuthorityTotal) error {
	for _, figure := range []func(*models.AuthorityTotal) *decimal.Decimal{
		func(a *models.AuthorityTotal) *decimal.Decimal { return &a.Collected },
		func(a *models.AuthorityTotal) *decimal.Decimal { return &a.Liability },
	} {
		left := zeros(len(totals))
		whole := nothing
		var err error
		for i := range totals {
			for j := range before {
				if before[j].CountryCode != totals[i].CountryCode || before[j].StateCode != totals[i].StateCode {
					continue
				}
				if left[i], err = money.Add(left[i], *figure(&before[j])); err != nil {
					return err
				}
			}
			for _, amount := range []decimal.Decimal{left[i], *figure(&totals[i])} {
				if whole, err = money.Add(whole, amount); err != nil {
					return err
				}
			}
		}
		for i := range totals {
			if whole.IsZero() && len(totals) > 1 && len(before) > 0 {
				*figure(&totals[i]) = left[i].Neg()
			}
		}
	}
	return nil
}
