package filings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/calendar"
	"levy/tax/money"
)

// refusedReturn files the return of January with 10.00 of tax, whose debit the authority refused.
func refusedReturn(t *testing.T) (*storetest.FilingBundle, models.Filing) {
	t.Helper()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
	f := b.January(t, models.FilingUnfiled)
	_, err := b.Approve(f.ID)
	require.NoError(t, err)
	answer := models.AuthorityAnswer{Outcome: models.AuthorityAccepted, Confirmation: "C-1", Reason: models.PaymentRefused}
	require.NoError(t, b.Store.Filings.SettleFiling(t.Context(), b.Scope, attemptOf(f.ID, 1), answer, time.Now()))
	require.NoError(t, b.Store.Filings.LockFiling(t.Context(), b.Scope, f.ID))
	return b, b.Read(t, f.ID)
}

// paid returns a payment of the return; "" is all that is open.
func paid(t *testing.T, f models.Filing, amount, reference string) models.RecordedPayment {
	t.Helper()
	p := models.RecordedPayment{OrganizationID: f.OrganizationID, FilingID: f.ID, ID: models.NewID(models.PrefixRecordedPayment),
		Method: "WIRE", Reference: reference, PaidOn: calendar.MustDate("2026-02-20").Time(), CreatedBy: "Ada",
		CreatedAt: time.Date(2026, 2, 21, 0, 0, 0, 0, time.UTC)}
	if amount != "" {
		var err error
		p.Amount, err = money.ParseTotal(amount)
		require.NoError(t, err)
	}
	return p
}

// A payment that is made later counts as paid, with history and audit, and never twice. Report and hash of the return stay.
func TestAPaymentIsRecordedAfterTheReturnWasFiled(t *testing.T) {
	t.Parallel()
	b, f := refusedReturn(t)
	require.Equal(t, "0.00", f.TaxRemitted.String())
	_, asFiled, err := b.Store.Filings.VerifyReport(t.Context(), b.Scope, f.ID)
	require.NoError(t, err)
	change := func(change func(*models.Filing) error) error {
		_, err := b.Store.Filings.UpdateFiling(t.Context(), b.Scope, ada, f.ID, change)
		return err
	}
	record := func(amount, reference string) error {
		p := paid(t, f, amount, reference)
		return change(func(f *models.Filing) error { return f.RecordPayment(p) })
	}
	require.NoError(t, record("4.00", "R-1"))
	var invalid *models.InvalidError
	require.ErrorAs(t, record("1.00", "R-1"), &invalid)
	require.Equal(t, "reference", invalid.Faults[0].Path)
	require.ErrorAs(t, record("6.01", "R-2"), &invalid)
	require.Equal(t, "amount", invalid.Faults[0].Path)
	require.Contains(t, invalid.Faults[0].Message, "Only 6.00 is open")
	require.NoError(t, record("", "R-2"))
	require.ErrorAs(t, record("", "R-3"), &invalid)
	require.Contains(t, invalid.Faults[0].Message, "the return is paid")

	now := b.Read(t, f.ID)
	require.Equal(t, "10.00", now.TaxRemitted.String())
	require.Equal(t, f.NextCheckAt, now.NextCheckAt, "its workflow is over")
	states, err := b.Store.Filings.PaymentStates(t.Context(), b.Scope, []string{f.ID, "file_other"})
	require.NoError(t, err)
	require.Len(t, states, 1)
	made := states[f.ID].Made
	require.Equal(t, []string{"4.00 on 2026-02-20, WIRE R-1", "6.00 on 2026-02-20, WIRE R-2"}, []string{made[0].Said(), made[1].Said()})

	head, result, err := b.Store.Filings.VerifyReport(t.Context(), b.Scope, f.ID)
	require.NoError(t, err)
	require.Equal(t, asFiled, result, "the report is as it was filed")
	require.Equal(t, "0.00", head.Totals.TaxRemitted)
	require.Equal(t, f.ReportHash, head.Hash)

	require.NoError(t, change(func(f *models.Filing) error { return f.DeletePayment(made[0].ID) }))
	require.ErrorIs(t, change(func(f *models.Filing) error { return f.DeletePayment(made[0].ID) }), models.ErrNotFound)
	require.Equal(t, "6.00", b.Read(t, f.ID).TaxRemitted.String())
	events := historyLines(history(t, b, f.ID))
	require.Equal(t, []string{"PAYMENT_RECORDED USER Ada: FILED>FILED 4.00 on 2026-02-20, WIRE R-1",
		"PAYMENT_RECORDED USER Ada: FILED>FILED 6.00 on 2026-02-20, WIRE R-2",
		"PAYMENT_DELETED USER Ada: FILED>FILED 4.00 on 2026-02-20, WIRE R-1"}, events[len(events)-3:])
	var actions []string
	require.NoError(t, b.SQL.QueryRow(t.Context(), `SELECT array_agg(action ORDER BY id) FROM audit
		WHERE entity_id = $1 AND action LIKE '%payment'`, f.ID).Scan(&actions))
	require.Equal(t, []string{"record_payment", "record_payment", "delete_payment"}, actions)
}

// A prepayment that is paid later becomes credit of the next return. The part that it has taken off is not taken back.
func TestAPaymentThatAReturnHasTakenOffStays(t *testing.T) {
	t.Parallel()
	b, f := refusedReturn(t)
	p := paid(t, f, "4.00", "R-1")
	change := func(change func(*models.Filing) error) error {
		_, err := b.Store.Filings.UpdateFiling(t.Context(), b.Scope, ada, f.ID, change)
		return err
	}
	require.NoError(t, change(func(f *models.Filing) error { return f.RecordPayment(p) }))
	_, err := b.SQL.Exec(t.Context(), "UPDATE filings SET filing_category = 'PREPAYMENT', credit_used = 4.00 WHERE id = $1", f.ID)
	require.NoError(t, err)
	var immutable *models.FilingImmutableError
	require.ErrorAs(t, change(func(f *models.Filing) error { return f.DeletePayment(p.ID) }), &immutable)
	require.Equal(t, []string{"payments"}, immutable.Fields)
	require.Equal(t, "4.00", b.Read(t, f.ID).TaxRemitted.String())
}

// Only a filed return has payments of its own: what is paid with a return is entered when it is filed.
func TestAnOpenReturnHasNoPayments(t *testing.T) {
	t.Parallel()
	var refused *models.TransitionError
	for _, status := range []models.FilingStatus{models.FilingUnfiled, models.FilingFiling, models.FilingIssue, models.FilingSkipped} {
		f := models.Filing{Status: status}
		require.ErrorAs(t, f.RecordPayment(paid(t, f, "1.00", "R-1")), &refused, status)
	}
}
