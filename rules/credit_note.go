package rules

import (
	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// AdmitRefund checks a refund against its original, in the order of the contract. It sets the values that follow from
// the original: the refunded lines, the type, the customer, the marketplace and the collected tax.
//
// Errors: models.ErrOriginalIsRefund, *models.OriginalNotCommittedError,
// *models.InvalidError, *models.CreditExceedsError, *models.NotProcessedError.
func AdmitRefund(a *models.CreditAccount, d *models.RefundDraft) error {
	err := admitRefund(a, d)
	// guard: gross prices: a refund has prices as its sale
	if d.GrossAmount = nil; err == nil && a.Sale.PricesIncludeTax() {
		d.GrossAmount = &decimal.Decimal{}
		SumLines(&d.Transaction) // at most those of the sale
		NotePrices(&d.Transaction)
	}
	return err
}

func admitRefund(a *models.CreditAccount, d *models.RefundDraft) error {
	sale := &a.Sale
	switch {
	case sale.Type.IsCredit():
		return models.ErrOriginalIsRefund
	case d.Ended:
		matchLines(a, d)
		takeZone(sale, d)
		inherit(a, d)
		return nil
	case sale.Status != models.StatusCommitted:
		return &models.OriginalNotCommittedError{Status: sale.Status}
	}
	takeZone(sale, d)
	faults, err := compare(a, d)
	if err != nil {
		return err
	}
	if faults != nil {
		return &models.InvalidError{Faults: faults}
	}
	creditable, err := sale.Creditable()
	if err != nil {
		return err
	}
	if d.Type != models.TypeTaxRefund {
		if d.Type, err = typeOfNote(a, d, creditable); err != nil {
			return err
		}
	}
	inherit(a, d)
	if !d.Status.Reserves() {
		return nil
	}
	if err := withinOriginal(a, d, creditable); err != nil {
		return err
	}
	return collectBack(a, d, creditable)
}

// compare returns the faults of a refund that contradicts its original: its currency, its day, its lines, and lines
// that contradict its total. Errors: money.ErrOverflow.
func compare(a *models.CreditAccount, d *models.RefundDraft) (faults []models.Fault, err error) {
	sale := &a.Sale
	if d.Currency != sale.Currency {
		faults = append(faults, models.Fault{
			Code: models.FieldCurrencyMismatch, Path: "currency",
			Message: "Must be " + sale.Currency + ", the currency of the original.",
		})
	}
	if fault := notBeforeSale(sale, d); fault != nil {
		faults = append(faults, *fault)
	}
	if faults = append(faults, matchLines(a, d)...); faults != nil {
		return faults, nil
	}
	if err := limitLines(a, d); err != nil {
		return nil, err
	}
	if err := leaveToSale(a, d); err != nil {
		return nil, err
	}
	if err := addUpDiscounts(d); err != nil {
		return nil, err
	}
	fault, err := agreesWithTotal(a, d)
	if fault != nil {
		faults = append(faults, *fault)
	}
	return faults, err
}

// notBeforeSale refuses a refund whose tax date is before that of its sale. If only the time zone makes it so, the
// refund gets the tax date of the sale.
func notBeforeSale(sale *models.Transaction, d *models.RefundDraft) *models.Fault {
	switch {
	case !d.TaxDate.Before(sale.TaxDate):
		return nil
	// guard: credit note: not before its sale
	case !d.Date.Before(sale.Date):
		d.TaxDate = sale.TaxDate
		return nil
	}
	return &models.Fault{
		Code: models.FieldOutOfRange, Path: "date",
		Message: "Nothing is refunded before it is sold: the original was sold on " +
			sale.TaxDate.Format("2006-01-02") + ".",
	}
}

// inherit copies customer, marketplace, rounding and source from the original.
func inherit(a *models.CreditAccount, d *models.RefundDraft) {
	d.Customer, d.CustomerID, d.Marketplace = a.Sale.Customer, a.Sale.CustomerID, a.Sale.Marketplace
	d.TaxRounding = a.Sale.TaxRounding
	if !d.OwnSource {
		d.Source = a.Sale.Source
	}
}

// netOfRefund returns the lines of a refund before tax, without a sign. Lines against the others, such as a coupon that
// is taken back, lower it. A tax refund refunds no line. Errors: money.ErrOverflow.
func netOfRefund(d *models.RefundDraft) (sum decimal.Decimal, err error) {
	sum = nothing
	if d.Type == models.TypeTaxRefund {
		return sum, nil
	}
	for i := range d.Items {
		net, err := d.Items[i].NetAmount()
		if err != nil {
			return sum, err
		}
		if sum, err = money.Add(sum, net); err != nil {
			return sum, err
		}
	}
	return sum.Abs(), nil
}
