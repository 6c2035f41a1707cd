package store_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax"
)

// filingsBundle is an organization that is registered in New York.
type filingsBundle struct {
	*intakeBundle
	registration models.Registration
}

func setupFilings(t *testing.T) *filingsBundle {
	t.Helper()
	b := &filingsBundle{intakeBundle: setupIntake(t, 1, 8)}
	b.registration = b.register(t, "US", "NY")
	return b
}

func (b *filingsBundle) register(t *testing.T, country, state string) models.Registration {
	t.Helper()
	r := registration(country, state)
	since := tax.MustDate("2025-01-01").Time()
	r.Status, r.RegistrationDate = models.RegistrationRegistered, &since
	require.NoError(t, b.store.CreateRegistration(t.Context(), b.scope, models.Actor{}, &r))
	return r
}

// sale posts a sale dated on a day and returns its ref.
func (b *filingsBundle) sale(t *testing.T, day, amount string) models.Ref {
	t.Helper()
	d := storetest.Draft(b.scope, models.NewID(models.PrefixTransaction))
	d.Date = tax.MustDate(day).Time()
	d.TaxDate = d.Date
	d.Items[0].Amount = decimal.MustParse(amount)
	require.NoError(t, b.intake.Accept(context.Background(), d))
	return models.Ref{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: 1}
}

// process takes transactions through the stages; each is taxed at a tenth.
func (b *filingsBundle) process(t *testing.T, refs ...models.Ref) {
	t.Helper()
	_, err := b.store.LoadForAddresses(t.Context(), stageRun, refs)
	require.NoError(t, err)
	for _, stage := range stages[:3] {
		_, err := stage.save(b.store, stageRun, refs)
		require.NoError(t, err)
	}
	b.calculate(t, refs...)
}

func (b *filingsBundle) calculate(t *testing.T, refs ...models.Ref) {
	t.Helper()
	require.NoError(t, b.tryCalculate(refs...))
}

func (b *filingsBundle) tryCalculate(refs ...models.Ref) error {
	loaded, err := b.store.LoadForTax(context.Background(), refs)
	if err != nil {
		return err
	}
	outcomes := make([]models.TaxOutcome, len(loaded))
	for i, x := range loaded {
		net := x.Items[0].Amount
		if x.Type.IsCredit() {
			net = net.Abs().Neg()
		}
		tenth := decimal.MustNew(int64(net.Coef())/10, net.Scale())
		if net.IsNeg() {
			tenth = tenth.Neg()
		}
		total := models.AuthorityTotal{CountryCode: "US", StateCode: "NY", MemberCode: "US", Sales: net, Taxable: net, Tax: tenth, Liability: tenth}
		if x.Marketplace {
			total.Liability = decimal.Zero
		}
		outcomes[i] = models.TaxOutcome{
			Ref: models.Ref{OrganizationID: x.OrganizationID, ID: x.ID, Epoch: x.Epoch}, To: models.ProcessingProcessed, Exempt: models.NotExempt,
			TaxableAmount: net, TaxAmount: tenth, LiabilityAmount: tenth, LiabilitySource: models.LiabilityCalculated,
			DestinationCurrency: "USD", ConversionRate: decimal.One, ContentVersion: "test", Totals: []models.AuthorityTotal{total},
		}
	}
	_, err = b.store.SaveTax(context.Background(), stageRun, refs, outcomes)
	return err
}

// filing is a draft for a period of a registration.
func filingOf(r models.Registration, status models.FilingStatus, start, end string) models.Filing {
	return models.Filing{
		ID: models.NewID(models.PrefixFiling), RegistrationID: r.ID, CountryCode: r.CountryCode, StateCode: r.StateCode, StateName: &r.StateName,
		StartDate: tax.MustDate(start).Time(), EndDate: tax.MustDate(end).Time(), Status: status, FilingCategory: tax.FilingRegular, Currency: "USD",
	}
}

var anyFiling = func(f *models.Filing, _ models.Registration) error {
	if f.Status == models.FilingFiled {
		f.File("", "", 0, true, time.Now().UTC())
	}
	return nil
}

func (b *filingsBundle) create(t *testing.T, f models.Filing) models.Filing {
	t.Helper()
	made, err := b.store.CreateFiling(t.Context(), b.scope, models.Actor{}, f, anyFiling)
	require.NoError(t, err)
	return made
}

// january is the regular filing of January 2026.
func (b *filingsBundle) january(t *testing.T, status models.FilingStatus) models.Filing {
	t.Helper()
	return b.create(t, filingOf(b.registration, status, "2026-01-01", "2026-01-31"))
}

func (b *filingsBundle) approve(id string) (models.Filing, error) {
	return b.store.UpdateFiling(context.Background(), b.scope, models.Actor{}, id, func(f *models.Filing) error {
		return f.Approve(models.FilingApproval{By: "akey_1"}, time.Now().UTC())
	})
}

// move changes the status and nothing else, as the rules of the contract allow it.
func (b *filingsBundle) move(id string, to models.FilingStatus) (models.Filing, error) {
	return b.store.UpdateFiling(context.Background(), b.scope, models.Actor{}, id, func(f *models.Filing) error {
		f.Status = to
		if to == models.FilingFiled {
			f.File("CONF-1", "", 0, true, time.Now().UTC())
		}
		return nil
	})
}

func (b *filingsBundle) read(t *testing.T, id string) models.Filing {
	t.Helper()
	f, err := b.store.Filing(t.Context(), b.scope, id)
	require.NoError(t, err)
	return f
}

func (b *filingsBundle) processing(t *testing.T, ref models.Ref) string {
	t.Helper()
	x, err := b.store.Transaction(t.Context(), b.scope, ref.ID)
	require.NoError(t, err)
	text := string(x.ProcessingStatus)
	if x.FilingID != nil {
		text += " " + *x.FilingID
	}
	return text
}

// held is for statements that move filings by hand: they hold the registration, as
// whoever moves one does.
const held = "pg_advisory_xact_lock(10, hashtext(registration_id)) IS NOT NULL"

func sums(f models.Filing) string {
	return strings.Join([]string{fmt.Sprint(f.TransactionCount), f.AmountSales.String(), f.TotalTaxLiability.String()}, " ")
}

func TestALiveFilingAddsUpWhatItWouldClaim(t *testing.T) {
	t.Parallel()
	b := setupFilings(t)
	f := b.january(t, models.FilingUnfiled)
	inside, last := b.sale(t, "2026-01-01", "100.00"), b.sale(t, "2026-01-31", "50.00")
	b.process(t, inside, last, b.sale(t, "2025-12-31", "1.00"), b.sale(t, "2026-02-01", "2.00"))
	require.Equal(t, "2 150.00 15.00", sums(b.read(t, f.ID)))

	_, err := b.update(inside.ID, func(d *models.TransactionDraft) { d.Items[0].Amount = decimal.MustParse("70.00") })
	require.NoError(t, err)
	read := b.read(t, f.ID)
	require.Equal(t, "1 50.00 5.00", sums(read), "what is being processed anew is not in it")
	require.Equal(t, 1, read.Pending)
	require.Equal(t, []string{models.BlockerInProcessing}, read.Blockers())
	inside.Epoch = 2
	b.process(t, inside)
	require.Equal(t, "2 120.00 12.00", sums(b.read(t, f.ID)), "an edit changes the sums")

	_, err = b.store.ArchiveTransactions(t.Context(), b.scope, models.Actor{}, []string{last.ID})
	require.NoError(t, err)
	require.Equal(t, "1 70.00 7.00", sums(b.read(t, f.ID)))
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM transaction_totals WHERE transaction_id = $1", inside.ID), "totals of older versions go away")
}

func TestAClaimHoldsItsMembersFromApprovalToTheEnd(t *testing.T) {
	t.Parallel()
	b := setupFilings(t)
	f := b.january(t, models.FilingUnfiled)
	one, market := b.sale(t, "2026-01-10", "100.00"), b.sale(t, "2026-01-20", "40.00")
	_, err := b.update(market.ID, func(d *models.TransactionDraft) { d.Marketplace, d.Items[0].Amount = true, decimal.MustParse("40.00") })
	require.NoError(t, err)
	market.Epoch = 2
	b.process(t, one, market)

	claimed, err := b.approve(f.ID)
	require.NoError(t, err)
	require.Equal(t, models.FilingFiling, claimed.Status)
	require.Equal(t, "1 140.00 10.00", sums(claimed), "marketplace sales count as sales, and nothing is owed for them")
	require.Equal(t, int64(1), claimed.MarketplaceTransactionCount)
	require.Equal(t, 1, claimed.Attempt)
	require.Equal(t, "FILING_STARTED "+f.ID, b.processing(t, one))
	_, err = b.update(one.ID, func(*models.TransactionDraft) {})
	var locked *models.LockedError
	require.ErrorAs(t, err, &locked)
	require.Equal(t, f.ID, locked.FilingID)

	again, err := b.approve(f.ID)
	require.NoError(t, err, "a repeat is no move")
	require.Equal(t, claimed.ClaimedAt, again.ClaimedAt)
	require.Equal(t, 1, again.Attempt)

	filed, err := b.move(f.ID, models.FilingFiled)
	require.NoError(t, err)
	require.Equal(t, "10.00", filed.TaxRemitted.String(), "what is owed was paid, unless somebody says something else")
	require.Equal(t, "FILING_DONE "+f.ID, b.processing(t, one))
	for _, to := range []models.FilingStatus{models.FilingUnfiled, models.FilingIssue, models.FilingCancelled} {
		_, err = b.move(f.ID, to)
		var transition *models.TransitionError
		require.ErrorAs(t, err, &transition, to)
	}
}

func TestAnIssueIsRetriedOrGivesItsMembersBack(t *testing.T) {
	t.Parallel()
	b := setupFilings(t)
	f := b.january(t, models.FilingUnfiled)
	one := b.sale(t, "2026-01-10", "100.00")
	b.process(t, one)
	_, err := b.approve(f.ID)
	require.NoError(t, err)
	_, err = b.move(f.ID, models.FilingIssue)
	require.NoError(t, err)
	require.Equal(t, "FILING_STARTED "+f.ID, b.processing(t, one), "an issue keeps its members")
	retried, err := b.store.UpdateFiling(t.Context(), b.scope, models.Actor{}, f.ID, func(f *models.Filing) error { return f.Retry() })
	require.NoError(t, err)
	require.Equal(t, 2, retried.Attempt)
	require.Equal(t, "1 100.00 10.00", sums(retried))
	_, err = b.move(f.ID, models.FilingIssue)
	require.NoError(t, err)
	released, err := b.move(f.ID, models.FilingUnfiled)
	require.NoError(t, err)
	require.Nil(t, released.ClaimedAt)
	require.Equal(t, "PROCESSED", b.processing(t, one))
	require.Equal(t, "1 100.00 10.00", sums(released), "they are what it would claim")
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM filing_releases"))
	_, err = b.approve(f.ID)
	require.NoError(t, err, "and are claimed anew")
	history, err := b.store.TransactionHistory(t.Context(), b.scope, one.ID, models.Page{Limit: 100})
	require.NoError(t, err)
	var told []string
	for _, h := range history.Items[len(history.Items)-3:] {
		told = append(told, h.Stage)
		require.Equal(t, f.ID, h.Detail["filing_id"])
	}
	require.Equal(t, []string{"FILING_STARTED", "RELEASED", "FILING_STARTED"}, told)
	require.Equal(t, "FILING_STARTED "+f.ID, b.processing(t, one))
}

// A sale that two registrations report follows the filing that claimed it first, and
// is free only when neither holds it.
func TestASaleOfTwoRegistrations(t *testing.T) {
	t.Parallel()
	b := setupFilings(t)
	federal, provincial := b.register(t, "CA", "CA"), b.register(t, "CA", "BC")
	ref := b.sale(t, "2026-01-10", "100.00")
	b.process(t, ref)
	_, err := b.sql.Exec(t.Context(), `DELETE FROM transaction_totals`)
	require.NoError(t, err)
	_, err = b.sql.Exec(t.Context(), `INSERT INTO transaction_totals SELECT $1, $2, 1, 'CA', s, 'CA', '2026-01-10', false, 'CAD', 100, 100, 5, 0, 5
		FROM unnest(ARRAY['CA', 'BC']) s`, ref.OrganizationID, ref.ID)
	require.NoError(t, err)
	filings := map[string]models.Filing{}
	for _, r := range []models.Registration{federal, provincial} {
		f := filingOf(r, models.FilingUnfiled, "2026-01-01", "2026-01-31")
		f.Currency = "CAD"
		filings[r.ID] = b.create(t, f)
		_, err := b.approve(f.ID)
		require.NoError(t, err)
		require.Equal(t, "1 100.00 5.00", sums(b.read(t, f.ID)))
	}
	first, second := filings[federal.ID].ID, filings[provincial.ID].ID
	require.Equal(t, "FILING_STARTED "+first, b.processing(t, ref))
	_, err = b.move(first, models.FilingIssue)
	require.NoError(t, err)
	_, err = b.move(first, models.FilingCancelled)
	require.NoError(t, err)
	require.Equal(t, "FILING_STARTED "+second, b.processing(t, ref), "it follows the other one now")
	_, err = b.move(second, models.FilingIssue)
	require.NoError(t, err)
	_, err = b.move(second, models.FilingUnfiled)
	require.NoError(t, err)
	require.Equal(t, "PROCESSED", b.processing(t, ref))
}
