package models

import (
	"levy/tax/calendar"
	"levy/tax/money"
)

// FilingOffsets are the parts of the amount of a filing that other filings of its registration make, and those that it
// leaves to them. While the status is live they are those of an approval now, later those of the claim.
type FilingOffsets struct {
	// Settled means that the others were decided with the claim. A claim of an earlier release has none of them.
	Settled             bool        `gorm:"<-:false"`
	AmountPrepaid       money.Total `gorm:"type:numeric;<-:false"` // by prepayments inside the period
	AmountCreditApplied money.Total `gorm:"type:numeric;<-:false"` // of what earlier returns left
	AmountCreditCarried money.Total `gorm:"type:numeric;<-:false"` // that the return itself leaves
	// AmountDeferred is what of the liability of a prepayment is not to be paid with it.
	AmountDeferred money.Total `gorm:"type:numeric;<-:false"`
}

// CreditOffered is what a filing could take off now.
type CreditOffered struct {
	Prepaid money.Total // all of it is taken off
	Credit  money.Total // taken off as far as there is something to pay
}

// LeavesCredit reports whether a filing leaves what it takes off beyond what it owes to later returns. A prepayment is no
// return, and leaves it to that of its period.
func (f Filing) LeavesCredit() bool {
	return f.FilingCategory == calendar.FilingRegular || f.FilingCategory == FilingAmendment
}

// Settle sets the offsets of a live filing, as its claim would. It sets none if the amounts are too large to be claimed.
func (f *Filing) Settle(offered CreditOffered) {
	f.FilingOffsets = FilingOffsets{AmountPrepaid: offered.Prepaid}
	rest, err := f.Amount()
	if err != nil {
		return
	}
	switch {
	case !f.LeavesCredit():
		due := rest
		if f.PrepaidShare != nil {
			share, err := sumOf(append(f.entered(), f.TotalTaxLiability.Share(*f.PrepaidShare)))
			if err != nil {
				return
			}
			due = share
		}
		if f.AmountDeferred, err = rest.Minus(money.MaxTotal(due, money.Total{})); err != nil {
			f.AmountDeferred = money.Total{}
		}
	case rest.IsNeg():
		f.AmountCreditCarried = rest.Neg()
	default:
		f.AmountCreditApplied = money.MinTotal(offered.Credit, rest)
	}
}

// sumOf adds up amounts. Errors: money.ErrOverflow.
func sumOf(parts []money.Total) (sum money.Total, err error) {
	for _, part := range parts {
		if sum, err = sum.Plus(part); err != nil {
			return sum, err
		}
	}
	return sum, nil
}
