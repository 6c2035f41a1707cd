package filings_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/filings"
	"levy/store/storetest"
	"levy/tax/calendar"
)

// oneStopShop is an organization in Ireland that is registered with the one-stop shop of the Union.
type oneStopShop struct{ *storetest.FilingBundle }

func setupOneStopShop(t *testing.T) oneStopShop {
	t.Helper()
	b := &storetest.FilingBundle{Bundle: storetest.Setup(t, 1, 8)}
	scheme, home := "UNION", "IE"
	shop := storetest.Registration("ZZ_EU", "ZZ_EU")
	since := calendar.MustDate("2025-01-01").Time()
	shop.RegistrationImportType, shop.OSSType, shop.OSSMemberState, shop.Status, shop.RegistrationDate = models.ImportOSS,
		&scheme, &home, models.RegistrationRegistered, &since
	require.NoError(t, b.Store.Registrations.CreateRegistration(t.Context(), b.Scope, models.Actor{}, &shop))
	b.Registration = shop
	return oneStopShop{b}
}

// sell processes a sale that a member of the Union taxes.
func (b oneStopShop) sell(t *testing.T, day, amount, member, currency string) models.Ref {
	t.Helper()
	ref := b.Sale(t, day, amount)
	b.Process(t, ref)
	_, err := b.SQL.Exec(t.Context(), `UPDATE transaction_totals
		SET country_code = 'ZZ_EU', state_code = 'ZZ_EU', member_code = $2, currency = $3
		WHERE transaction_id = $1`, ref.ID, member, currency)
	require.NoError(t, err)
	return ref
}

// inEuro creates its return of January.
func (b oneStopShop) inEuro(t *testing.T) models.Filing {
	t.Helper()
	draft := storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-01-01", "2026-01-31")
	draft.Currency = "EUR"
	return b.Create(t, draft)
}

// The file of a return is that of the member that identifies the seller, in the scheme of the Union.
func TestTheMemberThatIdentifiesTheFiler(t *testing.T) {
	t.Parallel()
	b := setupOneStopShop(t)
	f := b.inEuro(t)
	facts, err := b.Store.Filings.ReturnFacts(t.Context(), b.Scope, f.ID)
	require.NoError(t, err)
	require.Equal(t, "IE", facts.Filer.Member)
	storetest.Execute(t, b.URL, "UPDATE registrations SET oss_type = 'NON_UNION' WHERE id = $1", b.Registration.ID)
	facts, err = b.Store.Filings.ReturnFacts(t.Context(), b.Scope, f.ID)
	require.NoError(t, err)
	require.Empty(t, facts.Filer.Member)
}

// The return of the one-stop shop has the sales taxed by members of the Union that have no return of their own.
// Its amounts are in euro by the rate of the last day. If that day has no rate, like Saturday 31 January,
// the rate of the next day with one is used. Until it is published, the displayed amounts use the previous rate.
func TestTheOneStopShopReturnsSalesOfMembers(t *testing.T) {
	t.Parallel()
	b := setupOneStopShop(t)
	b.Register(t, "FR", "FR")
	for _, sale := range []struct{ member, currency string }{
		{"DE", "EUR"}, {"SE", "SEK"}, {"FR", "EUR"}, {"IE", "EUR"},
	} {
		b.sell(t, "2026-01-10", "100.00", sale.member, sale.currency)
	}
	f := b.inEuro(t)
	_, err := b.Approve(f.ID)
	var notReady *models.FilingNotReadyError
	require.ErrorAs(t, err, &notReady, "a sale in another currency waits for the rate")
	load := func(rates string) {
		t.Helper()
		_, err := b.SQL.Exec(t.Context(), "INSERT INTO fx_rates (currency, day, rate, source) VALUES "+rates)
		require.NoError(t, err)
	}
	load("('SEK', '2026-01-30', 10, 'test'), ('SEK', '2026-01-10', 12, 'test')")
	waiting := b.Read(t, f.ID)
	require.Equal(t, "2 110.00 11.00", storetest.FilingSums(waiting))
	require.Equal(t, 1, waiting.Pending, "it says that it cannot be approved")
	_, err = b.Approve(f.ID)
	require.ErrorAs(t, err, &notReady, "the rate of the last day is not there yet")
	require.True(t, notReady.WaitsForRate, "and why")
	load("('SEK', '2026-02-03', 13, 'test'), ('SEK', '2026-02-02', 11.1, 'test')")
	require.Zero(t, b.Read(t, f.ID).Pending)
	require.Equal(t, "2 109.01 10.90", storetest.FilingSums(b.Read(t, f.ID)))
	claimed, err := b.Approve(f.ID)
	require.NoError(t, err)
	require.Equal(
		t, "2 109.01 10.90", storetest.FilingSums(claimed),
		"100.00 of Germany and 100.00 of Sweden, of which 11.1 are a euro",
	)
}

// The period of a return that ends with its registration is the calendar quarter or month still: Directive 2006/112/EC,
// articles 369f and 369h.
func TestAReturnThatWasCutShortIsConvertedAtTheEndOfItsPeriod(t *testing.T) {
	t.Parallel()
	b := setupOneStopShop(t)
	_, err := b.SQL.Exec(t.Context(), `INSERT INTO fx_rates (currency, day, rate, source) VALUES
		('SEK', '2026-02-10', 10, 'test'), ('SEK', '2026-03-31', 8, 'test')`)
	require.NoError(t, err)
	b.sell(t, "2026-02-10", "100.00", "SE", "SEK")
	draft := storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-01-01", "2026-02-10")
	draft.Currency, draft.FilingFrequency = "EUR", new("QUARTERLY")
	f := b.Create(t, draft)
	require.Equal(t, "1 12.50 1.25", storetest.FilingSums(b.Read(t, f.ID)))
	claimed, err := b.Approve(f.ID)
	require.NoError(t, err)
	require.Equal(t, "1 12.50 1.25", storetest.FilingSums(claimed))
}

// A registration that was given up has returned its own days, and the one-stop shop returns the days after
// the last of them.
func TestTheOneStopShopReturnsSalesAfterTheLastDayOfAnotherRegistration(t *testing.T) {
	t.Parallel()
	for _, status := range []models.RegistrationStatus{
		models.RegistrationDeregistering, models.RegistrationDeregistered,
	} {
		b := setupOneStopShop(t)
		last := calendar.MustDate("2026-01-15").Time()
		own := b.Register(t, "FR", "FR")
		for _, to := range []models.RegistrationStatus{models.RegistrationDeregistering, status} {
			_, err := b.Store.Registrations.UpdateRegistration(t.Context(), b.Scope, models.Actor{}, own.ID,
				func(r *models.Registration) error {
					r.Status, r.DeregistrationDate = to, &last
					return nil
				})
			require.NoError(t, err)
		}
		for _, sale := range []struct{ day, amount string }{
			{"2026-01-10", "100.00"}, {"2026-01-15", "10.00"}, {"2026-01-16", "1.00"},
		} {
			b.sell(t, sale.day, sale.amount, "FR", "EUR")
		}
		f := b.inEuro(t)
		require.Equal(t, "1 1.00 0.10", storetest.FilingSums(f), status)
		claimed, err := b.Approve(f.ID)
		require.NoError(t, err)
		require.Equal(t, "1 1.00 0.10", storetest.FilingSums(claimed), status)
	}
}

// A skipped return may owe tax without a refund. It is found even if sales of other returns are dated between it and
// the refund.
func TestASkippedReturnOfTheOneStopShopOwesSomethingWithoutItsRefund(t *testing.T) {
	t.Parallel()
	b := setupOneStopShop(t)
	b.Register(t, "FR", "FR")
	skipped := b.inEuro(t)
	b.sell(t, "2026-01-05", "20.00", "DE", "EUR")
	refund := b.sell(t, "2026-01-12", "-20.00", "DE", "EUR")
	for _, day := range []string{"2026-01-11", "2026-01-12", "2026-01-13"} {
		b.sell(t, day, "100.00", "FR", "EUR")
		b.sell(t, day, "100.00", "IE", "EUR")
	}
	_, err := b.Transition(skipped.ID, models.FilingSkipped)
	require.NoError(t, err)
	_, err = b.Store.Transactions.ArchiveTransactions(t.Context(), b.Scope, models.Actor{}, []string{refund.ID})
	require.NoError(t, err)
	_, err = b.Store.Filings.AmendFilings(t.Context())
	require.NoError(t, err)
	found := filingsOf(t, b.Store, b.Scope)
	require.Len(t, found, 2)
	require.Equal(t, "1 20.00 2.00", storetest.FilingSums(found[1]))
}

// A return of the one-stop shop is due by the last day of its whole period. Its amounts are converted with the rate of
// that day. The calendar and the database both calculate this day, with the same result.
func TestTheWholePeriodOfAReturnInEuroIsThatOfTheCalendar(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	rows, err := b.SQL.Query(t.Context(), `SELECT f.filing_frequency, f.end_date, `+filings.PeriodEnd+` FROM (
		SELECT unnest(ARRAY['MONTHLY', 'QUARTERLY']) AS filing_frequency, d::date AS end_date
		  FROM generate_series('2021-07-01'::date, '2060-12-31', interval '1 day') d) f`)
	require.NoError(t, err)
	days := 0
	var frequency calendar.FilingFrequency
	var last, end time.Time
	_, err = pgx.ForEachRow(rows, []any{&frequency, &last, &end}, func() error {
		days++
		period, ok := frequency.PeriodOn(calendar.DateOf(last), calendar.TaxYear{})
		require.True(t, ok)
		require.Equal(t, period.End, calendar.DateOf(end), "%s %s", frequency, calendar.DateOf(last))
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 2*14_429, days)
}
