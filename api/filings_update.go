package api

import (
	"context"
	"time"

	"github.com/oapi-codegen/nullable"

	"levy/contract"
	"levy/models"
	"levy/tax/calendar"
	"levy/tax/money"
)

// UpdateFiling changes the fields that were sent.
func (s *Server) UpdateFiling(ctx context.Context, r contract.UpdateFilingRequest) (contract.Filing, error) {
	by := callOf(ctx).actor().Name()
	f, err := s.updateFiling(ctx, r.FilingID, func(f *models.Filing) error { return s.changeFiling(f, &r.Body, by) })
	if faultsOf(err) == nil {
		return f, err
	}
	// The amount is checked when the rest is right, with sums that the change does not know before.
	if faults := faultsOf(s.tryFilingUpdate(ctx, s.now(), r.FilingID, &r.Body)); faults != nil {
		err = &models.InvalidError{Faults: faults}
	}
	return f, err
}

// changeFiling applies what was sent. What is wrong in itself is reported before what the
// status forbids.
func (s *Server) changeFiling(f *models.Filing, sent *contract.FilingUpdate, by string) error {
	stored := *f
	if err := changeFilingFields(f, sent); err != nil {
		return err
	}
	if sent.DueDate.IsNull() {
		f.DueDate = s.dueDay(f)
	}
	to := stored.Status
	if sent.Status != "" {
		to = models.FilingStatus(sent.Status)
	}
	if faults := filingUpdateFaults(f, &stored, to); faults != nil {
		return &models.InvalidError{Faults: faults}
	}
	if stored.Status == models.FilingFiled {
		return &models.FilingImmutableError{}
	}
	if err := changeFilingStatus(f, stored.Status, to, by, s.now().UTC()); err != nil {
		return err
	}
	if frozen := frozenFields(&stored, f); frozen != nil {
		return &models.FilingImmutableError{Fields: frozen}
	}
	return nil
}

func changeFilingFields(f *models.Filing, sent *contract.FilingUpdate) error {
	changeDay(&f.DueDate, sent.DueDate)
	changeDay(&f.DateFiled, sent.DateFiled)
	changeDay(&f.PausedUntilDate, sent.PausedUntilDate)
	changeOptional(&f.IsManual, sent.IsManual)
	change(&f.BlockApproval, sent.BlockApproval, false)
	changeOptional(&f.IssueReason, sent.IssueReason)
	changeOptional(&f.SkipReason, sent.SkipReason)
	changeOptional(&f.CancelledReason, sent.CancelledReason)
	changeOptional(&f.InternalNotes, sent.InternalNotes)
	changeOptional(&f.ReturnConfirmationID, sent.ReturnConfirmationID)
	changeOptional(&f.PaymentConfirmationID, sent.PaymentConfirmationID)
	changeOptional(&f.JiraIssueKey, sent.JiraIssueKey)
	for _, amount := range []struct {
		field *money.Total
		sent  nullable.Nullable[string]
	}{
		{&f.AmountAdjusted, sent.AmountAdjusted}, {&f.AmountDiscounts, sent.AmountDiscounts},
		{&f.AmountFees, sent.AmountFees},
		{&f.AmountPenalties, sent.AmountPenalties}, {&f.TaxRemitted, sent.TaxRemitted},
	} {
		text := amount.field.String()
		change(&text, amount.sent, "0.00")
		var err error
		if *amount.field, err = money.ParseTotal(text); err != nil {
			return err // the validator has read it
		}
	}
	return nil
}

// filingUpdateFaults are those that only the stored filing reveals.
func filingUpdateFaults(f, stored *models.Filing, to models.FilingStatus) []models.Fault {
	var faults []models.Fault
	if !sameTime(f.DateFiled, stored.DateFiled) && f.DateFiled != nil && calendar.DateOf(*f.DateFiled) > f.Today {
		faults = append(faults, notInFuture("date_filed"))
	}
	if !sameTime(f.PausedUntilDate, stored.PausedUntilDate) && f.PausedUntilDate != nil {
		switch {
		case to != models.FilingPaused:
			faults = append(faults, models.Fault{
				Code: models.FieldNotAllowed, Path: "paused_until_date",
				Message: "Only a filing that is PAUSED has a day on which the pause ends.", Of: []string{"status"},
			})
		case calendar.DateOf(*f.PausedUntilDate) <= f.Today:
			faults = append(faults, models.Fault{
				Code: models.FieldOutOfRange, Path: "paused_until_date",
				Message: "paused_until_date must be in the future.", Of: []string{"status"},
			})
		}
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

// changeFilingStatus gives a filing the status that was sent. An issue is filed again by a call
// of its own.
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

// frozenFields lists what changed although the status of the stored filing forbids it.
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
	forbid(!sameTime(stored.DueDate, next.DueDate), "due_date")
	forbid(stored.BlockApproval != next.BlockApproval, "block_approval")
	forbid(!sameTime(stored.PausedUntilDate, next.PausedUntilDate), "paused_until_date")
	forbid(stored.AmountAdjusted != next.AmountAdjusted, "amount_adjusted")
	forbid(stored.AmountDiscounts != next.AmountDiscounts, "amount_discounts")
	forbid(stored.AmountFees != next.AmountFees, "amount_fees")
	forbid(stored.AmountPenalties != next.AmountPenalties, "amount_penalties")
	if over {
		forbid(!sameTime(stored.DateFiled, next.DateFiled), "date_filed")
		forbid(valueOf(stored.IsManual) != valueOf(next.IsManual), "is_manual")
		forbid(stored.TaxRemitted != next.TaxRemitted, "tax_remitted")
		forbid(valueOf(stored.ReturnConfirmationID) != valueOf(next.ReturnConfirmationID), "return_confirmation_id")
		forbid(valueOf(stored.PaymentConfirmationID) != valueOf(next.PaymentConfirmationID), "payment_confirmation_id")
		return frozen
	}
	forbid(valueOf(stored.SkipReason) != valueOf(next.SkipReason), "skip_reason")
	forbid(valueOf(stored.CancelledReason) != valueOf(next.CancelledReason), "cancelled_reason")
	return frozen
}

func sameTime(a, b *time.Time) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}
