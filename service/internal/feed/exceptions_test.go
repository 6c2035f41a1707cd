package feed

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/deps"
	"levy/tax"
	"levy/tax/calendar"
)

// The message of an overdue return that no one may approve does not state that it waits for approval.
func TestAnOverdueReturnSaysThatItsApprovalIsBlocked(t *testing.T) {
	t.Parallel()
	e := &models.Exception{
		Type: models.ExceptionOverdue, Status: string(models.FilingUnfiled), Since: time.Now().Add(-25 * time.Hour),
	}
	_, reason := inWords(e)
	require.Equal(t, "It is 2 days overdue. It is waiting for approval.", reason)
	e.Unresolved = 2
	_, reason = inWords(e)
	require.Equal(t, "It is 2 days overdue. It is waiting for 2 transactions to be corrected.", reason)
	e.Type, e.Unresolved = models.ExceptionToApprove, 1
	_, reason = inWords(e)
	require.Equal(t, "The period is over and the return is waiting for 1 transaction to be corrected.", reason)
	e.Type, e.Code = models.ExceptionOverdue, models.ApprovalBlocked
	_, reason = inWords(e)
	require.Equal(t, "It is 2 days overdue. Its approval is blocked.", reason)
}

// The message of a record whose authority does not answer states since when, and that Levy calls again.
func TestWhatIsNotAnsweredSaysSinceWhen(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	said := "The authority has not answered since 2 March 2026, 09:30 UTC. Levy tries again automatically."
	for _, e := range []models.Exception{
		{Type: models.ExceptionFilingWaiting}, {Type: models.ExceptionRegistration, Code: models.Unanswered},
		{Type: models.ExceptionOverdue, Status: string(models.FilingFiling)},
	} {
		e.Unanswered = &since
		_, reason := inWords(&e)
		require.Contains(t, reason, said, e.Type)
	}
}

// The message about missing data names each piece and where people enter it, and the actions enter it.
func TestMissingDataIsNamedWithItsPlace(t *testing.T) {
	t.Parallel()
	e := &models.Exception{Type: models.ExceptionRegistration, Code: models.ReturnDataMissing, Status: string(models.RegistrationRegistered),
		Lacking: []string{models.WantedBank, "certificate_county", models.WantedContact, models.WantedEIN, models.WantedNumber,
			models.WantedShared}}
	_, reason := inWords(e)
	require.Equal(t, "Its returns lack the bank account of the organization (bank details); the field certificate_county (enter it in the "+
		"registration, in jurisdiction_specific_fields); the person whom the authority may ask (business contact); the federal tax ID of the "+
		"organization (business details); the number of the authority (enter it in the registration, as its sales tax ID); the Streamlined "+
		"ID of the organization (settings, sst_id).", reason)
	require.Equal(t, []string{"putBankDetails", "updateRegistration", "putBusinessContact", "putBusinessDetails",
		"changeOrganizationSettings"}, resolving(e))
}

// The message of a return without an adapter asks a person to file it.
func TestWhatPeopleHandOverSaysSo(t *testing.T) {
	t.Parallel()
	for said, e := range map[string]models.Exception{
		"It is approved. File it with the authority, and enter the confirmation": {Type: models.ExceptionFilingWaiting},
		" overdue. File it with the authority, and enter the confirmation": {
			Type: models.ExceptionOverdue, Status: string(models.FilingFiling),
		},
		"Register with the authority, and enter what it confirms": {Type: models.ExceptionRegistration},
		"tell the authority, and enter that it has confirmed that": {
			Type: models.ExceptionRegistration, Status: string(models.RegistrationDeregistering),
		},
	} {
		e.Code = models.ToConfirm
		_, reason := inWords(&e)
		require.Contains(t, reason, said)
	}
	_, reason := inWords(&models.Exception{
		Type: models.ExceptionRegistration, Code: string(models.RegistrationDeregistering), Said: "RETURNS_MISSING",
	})
	require.Equal(t, "The authority did not end it: RETURNS_MISSING", reason)
}

// Tax that was collected without nexus must be remitted, but creates no obligation to collect more.
func TestNexusSaysWhetherTaxHasToBeCollected(t *testing.T) {
	t.Parallel()
	e := &models.Exception{Type: models.ExceptionNexus, Name: "Ohio", Obliged: true}
	title, reason := inWords(e)
	require.Equal(t, "Nexus in Ohio", title)
	require.Equal(t, "The organization has to collect tax there but is not registered.", reason)
	e.Obliged = false
	_, reason = inWords(e)
	require.Equal(t, "The organization collected tax there and has to remit it but is not registered.", reason)
}

// Returns of one period have different names by their category.
func TestAReturnIsCalledWhatItIs(t *testing.T) {
	t.Parallel()
	from, to := calendar.MustDate("2026-01-01").Time(), calendar.MustDate("2026-01-31").Time()
	for category, want := range map[string][2]string{
		"REGULAR": {"Return for Nevada, US, 1 January 2026 to 31 January 2026",
			"The period is over and the return is waiting for approval."},
		"AMENDMENT": {"Amendment for Nevada, US, 1 January 2026 to 31 January 2026",
			"It has what came after the return and is waiting for approval."},
		"PREPAYMENT": {"Prepayment for Nevada, US, 1 January 2026 to 31 January 2026",
			"The period is over and the return is waiting for approval."},
	} {
		title, reason := inWords(&models.Exception{
			Type: models.ExceptionToApprove, Category: category, Place: "Nevada", Country: "US", From: &from, To: &to,
		})
		require.Equal(t, want, [2]string{title, reason})
	}
}

func TestWhatARegistrationWaitsForIsSaid(t *testing.T) {
	t.Parallel()
	said := func(e models.Exception) string {
		e.Type = models.ExceptionRegistration
		_, reason := inWords(&e)
		return reason
	}
	from, to := calendar.MustDate("2026-08-20").Time(), calendar.MustDate("2026-11-27").Time()
	require.Equal(t, "Tax is owed from 20 August 2026 on, and the first return begins with 27 November 2026. An earlier "+
		"create_filings_from has it filed, and vda says that it is disclosed voluntarily.",
		said(models.Exception{Code: models.BackTax, From: &from, To: &to}))
	require.Contains(t, said(models.Exception{Code: models.FiscalYearUnknown}), "business_fiscal_year_end")
	require.Equal(t, "The authority asks: Who?", said(models.Exception{Code: "AWAITING_CLARIFICATION", Said: "Who?"}))
	require.Equal(t, "The authority has a question.", said(models.Exception{Code: "AWAITING_CLARIFICATION"}))
}

// brokenWork has the exception txn_1. Others cannot be read.
type brokenWork struct{ deps.Work }

func (brokenWork) NoteException(
	_ context.Context, _ models.Scope, _ models.Actor, ref models.ExceptionRef, _ func(*models.ExceptionNote),
) (e models.Exception, err error) {
	if ref.ObjectID != "txn_1" {
		err = models.ErrChangedMeanwhile
	}
	return e, err
}

// contentInForce is the embedded content.
type contentInForce struct{ deps.Law }

func (contentInForce) Current() *tax.Content {
	content, err := tax.LoadContent()
	if err != nil {
		panic(err)
	}
	return content
}

// A bulk call that ends early says that nothing was written only if no row is done.
func TestABulkCallThatEndsEarlyKnowsWhatItDid(t *testing.T) {
	t.Parallel()
	o := &Operations{deps: &deps.Deps{Work: brokenWork{}, Law: contentInForce{}}}
	for want, ids := range map[error][]string{
		models.ErrOutcomeUnknown: {"txn_1", "txn_2"}, models.ErrChangedMeanwhile: {"txn_2", "txn_1"},
	} {
		body := contract.ExceptionBulk{Action: "ASSIGN"}
		for _, id := range ids {
			body.Exceptions = append(body.Exceptions, contract.ExceptionRef{ObjectID: id})
		}
		_, err := o.ChangeExceptions(call.With(t.Context(), &call.Call{}), contract.ChangeExceptionsRequest{Body: body})
		require.ErrorIs(t, err, want)
		require.False(t, errors.Is(want, models.ErrOutcomeUnknown) && errors.Is(err, models.ErrChangedMeanwhile), "it has another answer")
	}
}

// A notice is late from the day after its last one.
func TestANoticeSaysWhenItIsLate(t *testing.T) {
	t.Parallel()
	due := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	e := &models.Exception{Status: string(models.NoticeOpen), Due: &due}
	require.Equal(t, "It is not answered. The answer is due on 1 July 2026.", noticeReason(e, due.Add(23*time.Hour)))
	require.Equal(t, "It is 1 day overdue. It is not answered.", noticeReason(e, due.Add(24*time.Hour)))
	e.Status = string(models.NoticeInProgress)
	require.Equal(t, "It is 5 days overdue. Its answer is in progress.", noticeReason(e, due.Add(5*24*time.Hour)))
	require.Equal(t, "Its answer is in progress. The letter sets no day.", noticeReason(&models.Exception{Status: e.Status}, due))
}
