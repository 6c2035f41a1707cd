package filings

import (
	"context"
	"time"

	"github.com/oapi-codegen/nullable"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax/calendar"
	"levy/tax/money"
)

// UpdateFiling changes the submitted fields of a filing.
func (o *Operations) UpdateFiling(ctx context.Context, r contract.UpdateFilingRequest) (contract.Filing, error) {
	c := call.Of(ctx)
	by := c.Actor().Name()
	var refusals []string
	if models.FilingStatus(r.Body.Status) == models.FilingFiling {
		var err error
		if refusals, err = o.refusalsOfID(ctx, r.FilingID); err != nil {
			return contract.Filing{}, err
		}
	}
	f, err := o.updateFiling(ctx, r.FilingID, func(f *models.Filing) error {
		f.ReturnRefusals = refusals
		before := *f
		if err := o.ChangeFiling(f, &r.Body, by); err != nil {
			return err
		}
		// A pause without an end is like skipping the return, which takes an approver.
		if rules.PausesForLong(&before, f) && !c.MayDecide() {
			return models.ErrForbidden
		}
		return nil
	})
	if convert.FaultsOf(err) == nil {
		return f, err
	}
	// The amount is checked last, against sums that the change does not know before.
	if faults := convert.FaultsOf(o.DryRunUpdate(ctx, o.now(), r.FilingID, &r.Body)); faults != nil {
		err = &models.InvalidError{Faults: faults}
	}
	return f, err
}

// ChangeFiling applies the submitted fields. It reports faults of the request before those of the status. Errors:
// *models.InvalidError, *models.FilingImmutableError, *models.TransitionError.
func (o *Operations) ChangeFiling(f *models.Filing, sent *contract.FilingUpdate, by string) error {
	stored := *f
	if err := changeFilingFields(f, sent); err != nil {
		return err
	}
	if sent.DueDate.IsNull() {
		f.DueDate = o.dueDay(f)
	}
	to := stored.Status
	if sent.Status != "" {
		to = models.FilingStatus(sent.Status)
	}
	if faults := filingUpdateFaults(f, &stored, to, calendar.DateOf(o.now().UTC())); faults != nil {
		return &models.InvalidError{Faults: faults}
	}
	if stored.Status == models.FilingFiled {
		return &models.FilingImmutableError{}
	}
	if err := changeFilingStatus(f, stored.Status, to, by, o.now().UTC()); err != nil {
		return err
	}
	if frozen := frozenFields(&stored, f); frozen != nil {
		return &models.FilingImmutableError{Fields: frozen}
	}
	return nil
}

func changeFilingFields(f *models.Filing, sent *contract.FilingUpdate) error {
	convert.ChangeDay(&f.DueDate, sent.DueDate)
	convert.ChangeDay(&f.DateFiled, sent.DateFiled)
	convert.ChangeDay(&f.PausedUntilDate, sent.PausedUntilDate)
	convert.ChangeOptional(&f.IsManual, sent.IsManual)
	convert.Change(&f.BlockApproval, sent.BlockApproval, false)
	convert.ChangeOptional(&f.IssueReason, sent.IssueReason)
	convert.ChangeOptional(&f.SkipReason, sent.SkipReason)
	convert.ChangeOptional(&f.CancelledReason, sent.CancelledReason)
	convert.ChangeOptional(&f.InternalNotes, sent.InternalNotes)
	convert.ChangeOptional(&f.ReturnConfirmationID, sent.ReturnConfirmationID)
	convert.ChangeOptional(&f.PaymentConfirmationID, sent.PaymentConfirmationID)
	convert.ChangeOptional(&f.JiraIssueKey, sent.JiraIssueKey)
	for _, amount := range []struct {
		field *money.Total
		sent  nullable.Nullable[string]
	}{
		{&f.AmountAdjusted, sent.AmountAdjusted}, {&f.AmountDiscounts, sent.AmountDiscounts},
		{&f.AmountFees, sent.AmountFees},
		{&f.AmountPenalties, sent.AmountPenalties}, {&f.TaxRemitted, sent.TaxRemitted},
	} {
		text := amount.field.String()
		convert.Change(&text, amount.sent, "0.00")
		var err error
		if *amount.field, err = money.ParseTotal(text); err != nil {
			return err // the validator has already read it
		}
	}
	return nil
}

// filingUpdateFaults returns the faults that only the stored filing reveals. utc is the day in UTC, by which pauses end.
func filingUpdateFaults(f, stored *models.Filing, to models.FilingStatus, utc calendar.Date) []models.Fault {
	var faults []models.Fault
	if !convert.SameTime(f.DateFiled, stored.DateFiled) && f.DateFiled != nil && calendar.DateOf(*f.DateFiled) > f.Today {
		faults = append(faults, notInFuture("date_filed"))
	}
	if !convert.SameTime(f.PausedUntilDate, stored.PausedUntilDate) && f.PausedUntilDate != nil {
		switch {
		case to != models.FilingPaused:
			faults = append(faults, models.Fault{
				Code: models.FieldNotAllowed, Path: "paused_until_date",
				Message: "Only a filing that is PAUSED has a day on which the pause ends.", Of: []string{"status"},
			})
		case calendar.DateOf(*f.PausedUntilDate) <= max(f.Today, utc):
			faults = append(faults, models.Fault{
				Code: models.FieldOutOfRange, Path: "paused_until_date",
				Message: "paused_until_date must be in the future.", Of: []string{"status"},
			})
		}
	}
	// The sum is accepted: the release before may have stored another amount.
	sum, err := stored.PenalEntries()
	// guard: entries: amount_penalties is the sum of interest and penalties
	if f.AmountPenalties != stored.AmountPenalties && stored.PenaltiesAreEntries() && (err != nil || f.AmountPenalties != sum) {
		faults = append(faults, models.Fault{
			Code: models.FieldNotAllowed, Path: "amount_penalties",
			Message: "It is the sum of the entries of interest and penalties: add or delete one of these.",
		})
	}
	if stored.Status == to {
		return faults
	}
	for _, needed := range []struct {
		to    models.FilingStatus
		field string
		value *string
	}{
		{models.FilingIssue, "issue_reason", f.IssueReason}, {models.FilingSkipped, "skip_reason", f.SkipReason},
		{models.FilingCancelled, "cancelled_reason", f.CancelledReason},
		{models.FilingFiled, "return_confirmation_id", f.ReturnConfirmationID},
	} {
		if to == needed.to && needed.value == nil {
			faults = append(faults, models.Fault{
				Code: models.FieldMissing, Path: needed.field,
				Message: needed.field + " is required for this status.",
			})
		}
	}
	return faults
}

// changeFilingStatus sets the submitted status. RetryFiling, not a change, files an issue again.
func changeFilingStatus(f *models.Filing, from, to models.FilingStatus, by string, now time.Time) error {
	transitions := models.FilingTransitions
	switch {
	case from == to:
		return nil
	case from == models.FilingIssue && to == models.FilingFiling:
		return transitions.Refuse(string(from), string(to))
	case to == models.FilingFiling:
		return f.Approve(models.FilingApproval{By: by}, now)
	}
	if err := transitions.Check(string(from), string(to)); err != nil {
		return err
	}
	if to == models.FilingFiled {
		day := calendar.Date(0)
		if f.DateFiled != nil {
			day = calendar.DateOf(*f.DateFiled)
		}
		manual := f.IsManual == nil || *f.IsManual
		f.File("", "", day, manual, now)
	}
	f.Enter(to)
	return nil
}

// frozenFields lists the changed fields that the status of the stored filing does not allow to change.
func frozenFields(stored, next *models.Filing) []string {
	over := stored.Status == models.FilingSkipped || stored.Status == models.FilingCancelled
	if !over && stored.Status != models.FilingFiling {
		return nil
	}
	var frozen []string
	forbid := func(changed bool, field string) {
		if changed {
			frozen = append(frozen, field)
		}
	}
	forbid(!convert.SameTime(stored.DueDate, next.DueDate), "due_date")
	forbid(stored.BlockApproval != next.BlockApproval, "block_approval")
	forbid(!convert.SameTime(stored.PausedUntilDate, next.PausedUntilDate), "paused_until_date")
	forbid(stored.AmountAdjusted != next.AmountAdjusted, "amount_adjusted")
	forbid(stored.AmountDiscounts != next.AmountDiscounts, "amount_discounts")
	forbid(stored.AmountFees != next.AmountFees, "amount_fees")
	forbid(stored.AmountPenalties != next.AmountPenalties, "amount_penalties")
	if over {
		forbid(!convert.SameTime(stored.DateFiled, next.DateFiled), "date_filed")
		forbid(convert.ValueOf(stored.IsManual) != convert.ValueOf(next.IsManual), "is_manual")
		forbid(stored.TaxRemitted != next.TaxRemitted, "tax_remitted")
		forbid(convert.ValueOf(stored.ReturnConfirmationID) != convert.ValueOf(next.ReturnConfirmationID), "return_confirmation_id")
		forbid(convert.ValueOf(stored.PaymentConfirmationID) != convert.ValueOf(next.PaymentConfirmationID), "payment_confirmation_id")
		return frozen
	}
	forbid(convert.ValueOf(stored.SkipReason) != convert.ValueOf(next.SkipReason), "skip_reason")
	forbid(convert.ValueOf(stored.CancelledReason) != convert.ValueOf(next.CancelledReason), "cancelled_reason")
	return frozen
}

// DryRunUpdate applies the submitted fields to a copy of the filing, as a dry run that also checks the amount.
// Errors: models.ErrNotFound, those of ChangeFiling.
func (o *Operations) DryRunUpdate(ctx context.Context, _ time.Time, id string, b *contract.FilingUpdate) error {
	f, err := o.deps.Filings.Filing(ctx, call.Of(ctx).Scope, id)
	if err != nil {
		return err
	}
	if f.Entries, err = o.deps.Filings.FilingEntries(ctx, call.Of(ctx).Scope, id); err != nil {
		return err
	}
	stored := f
	err = o.ChangeFiling(&f, b, "")
	if _, overflow := f.Amount(); overflow != nil {
		return &models.InvalidError{Faults: append(convert.FaultsOf(err), f.AmountTooLarge(&stored).Faults...)}
	}
	return err
}
