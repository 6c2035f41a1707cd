package filings_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/calendar"
	"levy/tax/money"
)

// creditOf has the amounts of a return that others make, and what is to be paid.
func creditOf(t *testing.T, f models.Filing) string {
	t.Helper()
	amount, err := f.Amount()
	require.NoError(t, err)
	return strings.Join([]string{
		f.TotalTaxLiability.String(), "prepaid", f.AmountPrepaid.String(), "applied", f.AmountCreditApplied.String(), "carried",
		f.AmountCreditCarried.String(), "pays", amount.String(),
	}, " ")
}

// credited is a registration whose sales are taxed at a tenth.
type credited struct{ *storetest.FilingBundle }

func (b credited) period(t *testing.T, start, end string) models.Filing {
	t.Helper()
	return b.Create(t, storetest.FilingOf(b.Registration, models.FilingUnfiled, start, end))
}

func (b credited) prepayment(t *testing.T, start, end, paid string) models.Filing {
	t.Helper()
	f := storetest.FilingOf(b.Registration, models.FilingUnfiled, start, end)
	f.FilingCategory = calendar.FilingPrepayment
	made := b.Create(t, f)
	_, err := b.Approve(made.ID)
	require.NoError(t, err)
	made, err = b.Store.Filings.UpdateFiling(t.Context(), b.Scope, models.Actor{}, made.ID, func(f *models.Filing) error {
		var err error
		f.TaxRemitted, err = money.ParseTotal(paid)
		f.File("CONF-1", "", 0, true, f.UpdatedAt)
		return err
	})
	require.NoError(t, err)
	return made
}

// file approves and files a return.
func (b credited) file(t *testing.T, id string) models.Filing {
	t.Helper()
	_, err := b.Approve(id)
	require.NoError(t, err)
	filed, err := b.Transition(id, models.FilingFiled)
	require.NoError(t, err)
	return filed
}

// available is the credit of the registration as it says.
func (b credited) available(t *testing.T) string {
	t.Helper()
	r, err := b.Store.Registrations.Registration(t.Context(), b.Scope, b.Registration.ID)
	require.NoError(t, err)
	return r.CreditsTotalAvailable
}

func TestAReturnCarriesWhatItDoesNotOwe(t *testing.T) {
	t.Parallel()
	b := credited{storetest.SetupFilings(t)}
	january, february := b.period(t, "2026-01-01", "2026-01-31"), b.period(t, "2026-02-01", "2026-02-28")
	march := b.period(t, "2026-03-01", "2026-03-31")
	b.Process(t, b.Sale(t, "2026-01-10", "-742.50"), b.Sale(t, "2026-02-10", "200.00"), b.Sale(t, "2026-03-10", "1650.00"))

	require.Equal(t, "-74.25 prepaid 0.00 applied 0.00 carried 74.25 pays 0.00", creditOf(t, b.Read(t, january.ID)))
	filed := b.file(t, january.ID)
	require.Equal(t, "-74.25 prepaid 0.00 applied 0.00 carried 74.25 pays 0.00", creditOf(t, filed))
	require.Equal(t, "0.00", filed.TaxRemitted.String())
	require.Equal(t, "74.25", b.available(t))

	require.Equal(t, "20.00 prepaid 0.00 applied 20.00 carried 0.00 pays 0.00", creditOf(t, b.Read(t, february.ID)))
	require.Equal(t, "165.00 prepaid 0.00 applied 74.25 carried 0.00 pays 90.75", creditOf(t, b.Read(t, march.ID)))
	approved, err := b.Approve(february.ID)
	require.NoError(t, err)
	require.Equal(t, "20.00 prepaid 0.00 applied 20.00 carried 0.00 pays 0.00", creditOf(t, approved))
	require.Equal(t, "54.25", b.available(t))
	require.Equal(t, "165.00 prepaid 0.00 applied 54.25 carried 0.00 pays 110.75", creditOf(t, b.Read(t, march.ID)))

	_, err = b.Transition(february.ID, models.FilingIssue)
	require.NoError(t, err)
	changed, err := b.Store.Filings.UpdateFiling(t.Context(), b.Scope, models.Actor{}, february.ID,
		func(f *models.Filing) error {
			var err error
			f.AmountPenalties, err = money.ParseTotal("10.00")
			return err
		})
	require.NoError(t, err)
	require.Equal(t, "20.00 prepaid 0.00 applied 30.00 carried 0.00 pays 0.00", creditOf(t, changed), "a penalty is to be paid too")
	_, err = b.Transition(february.ID, models.FilingUnfiled)
	require.NoError(t, err)
	require.Equal(t, "74.25", b.available(t), "a release frees the credit")
	require.Equal(t, "165.00 prepaid 0.00 applied 74.25 carried 0.00 pays 90.75", creditOf(t, b.file(t, march.ID)))
	require.Equal(t, "0.00", b.available(t))
	require.Equal(t, "20.00 prepaid 0.00 applied 0.00 carried 0.00 pays 30.00", creditOf(t, b.Read(t, february.ID)))
}

// The credit of an earlier period is taken off first, and none goes to a period before it.
func TestTheOldestCreditIsTakenFirst(t *testing.T) {
	t.Parallel()
	b := credited{storetest.SetupFilings(t)}
	january, february := b.period(t, "2026-01-01", "2026-01-31"), b.period(t, "2026-02-01", "2026-02-28")
	march := b.period(t, "2026-03-01", "2026-03-31")
	before := b.period(t, "2025-12-01", "2025-12-31")
	b.Process(t, b.Sale(t, "2025-12-10", "50.00"), b.Sale(t, "2026-01-10", "-100.00"),
		b.Sale(t, "2026-02-10", "-200.00"), b.Sale(t, "2026-03-10", "150.00"))
	b.file(t, february.ID)
	require.Equal(t, "-10.00 prepaid 0.00 applied 0.00 carried 10.00 pays 0.00", creditOf(t, b.Read(t, january.ID)))
	require.Equal(t, "5.00 prepaid 0.00 applied 0.00 carried 0.00 pays 5.00", creditOf(t, b.Read(t, before.ID)))
	b.file(t, january.ID)
	require.Equal(t, "15.00 prepaid 0.00 applied 15.00 carried 0.00 pays 0.00", creditOf(t, b.file(t, march.ID)))
	used := func(id string) int {
		return b.Count(t, "SELECT (credit_used * 100)::bigint FROM filings WHERE id = $1", id)
	}
	require.Equal(t, []int{1000, 500}, []int{used(january.ID), used(february.ID)})
}

func TestPrepaymentsAreTakenOffTheReturnOfTheirPeriod(t *testing.T) {
	t.Parallel()
	b := credited{storetest.SetupFilings(t)}
	b.Process(t, b.Sale(t, "2026-01-10", "1000.00"), b.Sale(t, "2026-03-10", "500.00"))
	quarter, april := b.period(t, "2026-01-01", "2026-03-31"), b.period(t, "2026-04-01", "2026-04-30")
	first := b.prepayment(t, "2026-01-01", "2026-01-31", "0.00")
	require.Equal(t, "100.00 prepaid 0.00 applied 0.00 carried 0.00 pays 100.00", creditOf(t, first))
	require.Equal(t, "100.00", first.TaxRemitted.String())
	require.Equal(t, 0, b.Count(t, "SELECT count(*) FROM filing_transactions"), "a prepayment claims and locks nothing")
	require.Equal(t, "0.00", b.available(t), "it is for the return of its period")
	require.Equal(t, "150.00 prepaid 100.00 applied 0.00 carried 0.00 pays 50.00", creditOf(t, b.Read(t, quarter.ID)))
	b.prepayment(t, "2026-02-01", "2026-02-28", "70.00")
	require.Equal(t, "150.00 prepaid 170.00 applied 0.00 carried 20.00 pays 0.00", creditOf(t, b.file(t, quarter.ID)))
	require.Equal(t, "20.00", b.available(t), "what is above the tax is credit")

	b.prepayment(t, "2026-03-01", "2026-03-31", "5.00")
	require.Equal(t, "25.00", b.available(t), "so is a prepayment that comes after its return")
	b.Process(t, b.Sale(t, "2026-04-10", "300.00"))
	require.Equal(t, "30.00 prepaid 0.00 applied 25.00 carried 0.00 pays 5.00", creditOf(t, b.file(t, april.ID)))
}

// A registration that has ended may have a return left to file, which takes credit off. The rest is to be
// claimed.
func TestTheLastReturnTakesCreditOff(t *testing.T) {
	t.Parallel()
	b := credited{storetest.SetupFilings(t)}
	january, february := b.period(t, "2026-01-01", "2026-01-31"), b.period(t, "2026-02-01", "2026-02-28")
	b.Process(t, b.Sale(t, "2026-01-10", "-100.00"), b.Sale(t, "2026-02-10", "40.00"))
	b.file(t, january.ID)
	for _, status := range []string{"DEREGISTERING", "DEREGISTERED"} {
		_, err := b.SQL.Exec(t.Context(), "UPDATE registrations SET status = $2, deregistration_date = '2026-02-28' WHERE id = $1",
			b.Registration.ID, status)
		require.NoError(t, err)
		require.Equal(t, "10.00", b.available(t), status)
	}
	b.file(t, february.ID)
	require.Equal(t, "0.00", b.available(t), "6.00 are to be claimed")
}

// Days of two periods are no return's, so what was paid for them is credit for later ones.
func TestAPrepaymentForTwoPeriodsIsCredit(t *testing.T) {
	t.Parallel()
	b := credited{storetest.SetupFilings(t)}
	b.period(t, "2026-01-01", "2026-01-31")
	b.period(t, "2026-02-01", "2026-02-28")
	march := b.period(t, "2026-03-01", "2026-03-31")
	b.Process(t, b.Sale(t, "2026-03-10", "400.00"))
	b.prepayment(t, "2026-01-16", "2026-02-15", "12.00")
	require.Equal(t, "12.00", b.available(t))
	require.Equal(t, "40.00 prepaid 0.00 applied 12.00 carried 0.00 pays 28.00", creditOf(t, b.Read(t, march.ID)))
}

// Of the law that was read comes how much is paid on account, and what becomes of credit. Where none was, it is doubtful.
func TestFindingsNameLawsThatWereNotRead(t *testing.T) {
	t.Parallel()
	owes, err := money.ParseTotal("-10")
	require.NoError(t, err)
	codes := func(state string, ends bool) (all []string) {
		f := models.Filing{CountryCode: "US", StateCode: state, FilingCategory: calendar.FilingRegular, Status: models.FilingUnfiled,
			FilingFrequency: new(string(calendar.FilingQuarterlyPrepayment)), EndDate: calendar.MustDate("2026-06-30").Time()}
		f.TotalTaxLiability, f.Around.Ends = owes, ends
		f.Settle(models.CreditOffered{})
		for _, x := range f.Findings() {
			all = append(all, x.Code+" "+x.Severity+" "+x.Amount)
		}
		return all
	}
	require.Equal(t, []string{"CREDIT_CARRIED INFO 10.00"}, codes("NY", false))
	require.Equal(t, []string{"CREDIT_CARRIED WARNING 10.00"}, codes("CA", false))
	require.Equal(t, []string{"PREPAYMENTS_NOT_PLANNED WARNING 0.00", "CREDIT_CARRIED INFO 10.00"}, codes("TX", false))
	require.Equal(t, []string{"PREPAYMENTS_NOT_PLANNED WARNING 0.00", "CREDIT_TO_CLAIM WARNING 10.00"}, codes("TX", true))
	require.Equal(t, []string{"PREPAYMENTS_NOT_PLANNED WARNING 0.00", "CREDIT_TO_CLAIM WARNING 10.00"}, codes("IL", false))
}

// The constraint refuses what the locks of a registration prevent.
func TestNoCreditIsUsedTwice(t *testing.T) {
	t.Parallel()
	b := credited{storetest.SetupFilings(t)}
	january, march := b.period(t, "2026-01-01", "2026-01-31"), b.period(t, "2026-03-01", "2026-03-31")
	b.Process(t, b.Sale(t, "2026-01-10", "-100.00"))
	use := func(amount string) error {
		_, err := b.SQL.Exec(context.Background(), `
			INSERT INTO filing_credits (organization_id, used_by, credit_of, prepaid, amount)
			VALUES ($1, $2, $3, false, $4::text::numeric)`, b.Scope.OrganizationID, march.ID, january.ID, amount)
		return err
	}
	require.ErrorContains(t, use("1.00"), "a credit is of a return that is not filed")
	b.file(t, january.ID)
	require.ErrorContains(t, use("10.01"), "filings_credit_used")
	require.NoError(t, use("10.00"))
	_, err := b.SQL.Exec(t.Context(), "UPDATE filings SET settled = true, amount_credit_applied = 0.01 WHERE id = $1", march.ID)
	require.ErrorContains(t, err, "filings_amount", "no amount to pay is below zero")
}

// previous has the totals of a return as an amendment makes them, and what was filed and paid before.
func previous(f models.Filing) string {
	a := f.AmendedTotals
	return strings.Join([]string{
		a.AmountSales.String(), a.TotalTaxLiability.String(), "reported", a.PreviouslyReportedLiability.String(), "paid",
		a.PreviouslyPaid.String(),
	}, " ")
}

func (b credited) late(t *testing.T, day, amount string) {
	t.Helper()
	b.Process(t, b.Sale(t, day, amount))
	_, err := b.Store.Filings.AmendFilings(t.Context())
	require.NoError(t, err)
}

func TestAnAmendmentSaysWhatTheReturnShouldHaveBeen(t *testing.T) {
	t.Parallel()
	b := credited{storetest.SetupFilings(t)}
	june, july := b.period(t, "2026-06-01", "2026-06-30"), b.period(t, "2026-07-01", "2026-07-31")
	b.Process(t, b.Sale(t, "2026-06-10", "-742.50"), b.Sale(t, "2026-07-10", "1650.00"))
	b.file(t, june.ID)
	b.late(t, "2026-06-12", "825.00")
	amendment := b.Amendments(t, june.ID)[0]
	require.Equal(t, "82.50 prepaid 0.00 applied 74.25 carried 0.00 pays 8.25", creditOf(t, amendment),
		"the credit of its own period is unused")
	require.Equal(t, "82.50 8.25 reported -74.25 paid 0.00", previous(amendment))

	require.Equal(t, "165.00 prepaid 0.00 applied 74.25 carried 0.00 pays 90.75", creditOf(t, b.file(t, july.ID)))
	amendment = b.Read(t, amendment.ID)
	require.Equal(t, "82.50 prepaid 0.00 applied 0.00 carried 0.00 pays 82.50", creditOf(t, amendment))
	require.Equal(t, "82.50 8.25 reported -74.25 paid -74.25", previous(amendment))
	amendment = b.file(t, amendment.ID)
	require.Equal(t, "82.50 8.25 reported -74.25 paid -74.25", previous(amendment))

	b.late(t, "2026-06-13", "-10.00")
	second := b.Amendments(t, june.ID)[1]
	require.Equal(t, june.ID, *second.AmendsFilingID)
	require.Equal(t, "72.50 7.25 reported 8.25 paid 8.25", previous(second))
	require.Equal(t, "-1.00 prepaid 0.00 applied 0.00 carried 1.00 pays 0.00", creditOf(t, b.file(t, second.ID)))
	require.Equal(t, "1.00", b.available(t))
}

func TestAFiledReturnIsAmendedOnDemand(t *testing.T) {
	t.Parallel()
	b := credited{storetest.SetupFilings(t)}
	june := b.period(t, "2026-06-01", "2026-06-30")
	b.Process(t, b.Sale(t, "2026-06-10", "100.00"))
	penalty, err := money.ParseTotal("2.50")
	require.NoError(t, err)
	amend := func(id string) (models.Filing, error) {
		return b.Store.Filings.AmendFiling(t.Context(), b.Scope, models.Actor{}, id, "A letter", models.EnteredAmounts{
			Penalties: penalty,
		})
	}
	var refused *models.TransitionError
	_, err = amend(june.ID)
	require.ErrorAs(t, err, &refused, "it is not filed yet")
	b.file(t, june.ID)
	first, err := amend(june.ID)
	require.NoError(t, err)
	require.Equal(t, "0.00 prepaid 0.00 applied 0.00 carried 0.00 pays 2.50", creditOf(t, first))
	var duplicate *models.DuplicateError
	_, err = amend(june.ID)
	require.ErrorAs(t, err, &duplicate)
	require.Equal(t, first.ID, duplicate.ExistingID)
	_, err = b.Approve(first.ID)
	require.NoError(t, err)
	_, err = amend(june.ID)
	require.ErrorAs(t, err, &duplicate, "one that is handed over is open too")
	_, err = b.Transition(first.ID, models.FilingFiled)
	require.NoError(t, err)
	second, err := amend(first.ID)
	require.NoError(t, err)
	require.Equal(t, june.ID, *second.AmendsFilingID, "an amendment of an amendment is of the return")
	require.Equal(t, "100.00 10.00 reported 10.00 paid 10.00", previous(second), "penalties are no tax")
	history, err := b.Store.Filings.FilingHistory(t.Context(), b.Scope, second.ID, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, "A letter", history.Items[0].Reason)
}

func TestFindingsSayWhatAPersonShouldKnow(t *testing.T) {
	t.Parallel()
	b := credited{storetest.SetupFilings(t)}
	june, july := b.period(t, "2026-06-01", "2026-06-30"), b.period(t, "2026-07-01", "2026-07-31")
	over, away := b.Sale(t, "2026-07-10", "1650.00"), b.Sale(t, "2026-07-11", "50.00")
	b.Process(t, b.Sale(t, "2026-06-10", "-100.00"), over, away)
	for id, set := range map[string]string{
		over.ID: "over_collected = 0.55, collected = 165.55", away.ID: "liability_case = 3, liability = 0",
	} {
		_, err := b.SQL.Exec(t.Context(), "UPDATE transaction_totals SET "+set+" WHERE transaction_id = $1", id)
		require.NoError(t, err)
	}
	codes := func(f models.Filing) (all []string) {
		for _, x := range f.Findings() {
			all = append(all, x.Code+" "+x.Severity+" "+x.Amount)
		}
		return all
	}
	require.Equal(t, []string{"CREDIT_CARRIED INFO 10.00"}, codes(b.Read(t, june.ID)))
	b.file(t, june.ID)
	want := []string{"OVER_COLLECTED WARNING 0.55", "CREDIT_APPLIED INFO 10.00", "NO_OBLIGATION INFO 50.00"}
	require.Equal(t, want, codes(b.Read(t, july.ID)))
	require.Equal(t, want, codes(b.file(t, july.ID)), "the claim keeps them")
	b.late(t, "2026-06-11", "20.00")
	require.Equal(t, []string{"CREDIT_TAKEN WARNING 10.00"}, codes(b.Amendments(t, june.ID)[0]))
}
