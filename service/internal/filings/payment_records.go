package filings

import (
	"cmp"
	"context"
	"time"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax/money"
)

// RecordFilingPayment records a payment that was made for a filed return.
func (o *Operations) RecordFilingPayment(
	ctx context.Context, r contract.RecordFilingPaymentRequest,
) (contract.RecordedPayment, error) {
	p, err := o.madePayment(r.FilingID, &r.Body)
	if err != nil {
		return contract.RecordedPayment{}, err
	}
	p.CreatedBy = call.Of(ctx).Actor().Name()
	total, err := o.shopTotalOf(ctx, call.Of(ctx).Scope, r.FilingID) // a filed return keeps it
	if err != nil {
		return contract.RecordedPayment{}, err
	}
	_, err = o.updateFiling(ctx, r.FilingID, func(f *models.Filing) error {
		p.OrganizationID, f.ToPay = f.OrganizationID, total
		if err := f.RecordPayment(p); err != nil {
			return err
		}
		p = *f.MadeChange.Added
		return nil
	})
	return convert.Answered(p, err, newRecordedPayment)
}

// DeleteFilingPayment deletes a recorded payment and returns it.
func (o *Operations) DeleteFilingPayment(
	ctx context.Context, r contract.DeleteFilingPaymentRequest,
) (contract.RecordedPayment, error) {
	var p models.RecordedPayment
	_, err := o.updateFiling(ctx, r.FilingID, func(f *models.Filing) error {
		if err := f.DeletePayment(r.PaymentID); err != nil {
			return err
		}
		p = *f.MadeChange.Deleted
		return nil
	})
	return convert.Answered(p, err, newRecordedPayment)
}

// DryRunPayment finds the faults of a payment by the stored filing. Errors: models.ErrNotFound, those of
// models.Filing.RecordPayment.
func (o *Operations) DryRunPayment(ctx context.Context, _ time.Time, id string, b *contract.RecordedPaymentCreate) error {
	scope := call.Of(ctx).Scope
	f, err := o.deps.Filings.Filing(ctx, scope, id)
	if err != nil {
		return err
	}
	states, err := o.deps.Filings.PaymentStates(ctx, scope, []string{id})
	if err != nil {
		return err
	}
	f.Made = states[id].Made
	if f.ToPay, err = o.shopTotal(ctx, scope, &f); err != nil {
		return err
	}
	p, err := o.madePayment(id, b)
	if err != nil {
		return err
	}
	return f.RecordPayment(p)
}

// madePayment returns the payment of a request. Without an amount it is of all that is open. Errors: *models.InvalidError.
func (o *Operations) madePayment(filingID string, b *contract.RecordedPaymentCreate) (p models.RecordedPayment, err error) {
	p = models.RecordedPayment{
		ID: models.NewID(models.PrefixRecordedPayment), FilingID: filingID, PaidOn: b.PaidOn.Time, Method: string(b.Method),
		Reference: b.Reference, CreatedAt: o.now().UTC(),
	}
	if p.Amount, err = money.ParseTotal(cmp.Or(b.Amount, "0.00")); err != nil {
		return p, err // the validator has already read it
	}
	if b.Amount != "" && p.Amount.IsZero() {
		return p, problem.Invalid(models.FieldOutOfRange, "amount", "amount must be above zero.")
	}
	return p, nil
}
