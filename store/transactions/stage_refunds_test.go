package transactions_test

import (
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store/storetest"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/nexus"
)

// Bulgaria had the lev until the end of 2025. Of two refunds of a sale of December, one is dated in December and one in
// January. The amount that one leaves in euro must not be taken by the other one in lev, whichever is calculated last.
func TestRefundsOnBothSidesOfAChangeOfCurrencyTakeNoRest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		currency                string
		sold, december, january string
	}{
		"of a sale in lev":              {"BGN", "100.00", "-50.00", "-25.56"},
		"of a sale in euro":             {"EUR", "195.58", "-97.79", "-50.00"},
		"of a sale in another currency": {"USD", "162.98", "-81.49", "-41.67"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := toSofia{Bundle: storetest.Setup(t, 1, 8)}
			b.begin(t)
			sale := storetest.Draft(b.Scope, "SALE")
			sale.Currency, sale.Date = c.currency, calendar.MustDate("2025-12-20").Time()
			sale.TaxDate, sale.TotalAmount, sale.TotalTaxAmountImported = sale.Date, decimal.MustParse("100.00"), decimal.Zero
			require.NoError(t, b.Intake.Accept(t.Context(), sale))
			b.process(t, sale.ID)
			january := b.refund(t, sale, "2026-01-05")
			b.process(t, january)
			december := b.refund(t, sale, "2025-12-30")
			b.process(t, december)
			require.Equal(t, []string{c.sold, c.january, c.december},
				[]string{b.returned(t, sale.ID), b.returned(t, january), b.returned(t, december)})
		})
	}
}

// A sale in another currency is refunded by two notes of other days, at other rates. Then the nexus of the Union,
// in euro, and its taxes there have nothing left of it. This also holds if one of the notes was counted before the days
// of sales were stored.
func TestRefundsLeaveNothingOfASaleInNexus(t *testing.T) {
	t.Parallel()
	b := toSofia{Bundle: storetest.Setup(t, 1, 8)}
	b.begin(t)
	storetest.BeginNexus(t, b.Store)
	_, err := b.SQL.Exec(t.Context(), "UPDATE fx_rates SET rate = rate + (day - '2025-12-01'::date) * 0.01")
	require.NoError(t, err)
	sale := storetest.Draft(b.Scope, "SALE")
	sale.Currency, sale.Date = "USD", calendar.MustDate("2025-12-20").Time()
	sale.TaxDate, sale.TotalAmount, sale.TotalTaxAmountImported = sale.Date, decimal.MustParse("100.00"), decimal.Zero
	require.NoError(t, b.Intake.Accept(t.Context(), sale))
	b.process(t, sale.ID)
	for _, day := range []string{"2025-12-30", "2025-12-30"} {
		b.process(t, b.refund(t, sale, day))
	}
	require.Equal(t, []string{"71.94", "-71.94"}, b.sold(t))
	_, err = b.SQL.Exec(t.Context(), `WITH before AS (
		  UPDATE nexus_contributions SET sold_on = NULL
		   WHERE transaction_id = (SELECT max(transaction_id) FROM nexus_contributions))
		UPDATE nexus_refunds SET amount = amount + 50`)
	require.NoError(t, err)
	require.Equal(t, []string{"71.94", "-69.53"}, b.sold(t))
	recount := func() (differences int) {
		step, err := b.Store.Transactions.RecountContributions(t.Context(), models.NexusRecount{
			OrganizationID: b.Scope.OrganizationID, Repair: true, Run: storetest.Run,
		}, rules.CountNexus)
		require.NoError(t, err)
		counters, err := b.Store.Nexus.RecountCounters(t.Context(), storetest.Run, b.Scope.OrganizationID, true)
		require.NoError(t, err)
		return len(step.Differences) + len(counters)
	}
	require.Zero(t, recount(), "that is no mistake")
	require.Equal(t, []string{"71.94", "-71.94"}, b.sold(t))
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM nexus_refunds WHERE amount = -100 AND sold_on = '2025-12-20'"))

	_, err = b.Store.Nexus.LeaseNexus(t.Context(), 1, time.Minute)
	require.NoError(t, err)
	first := calendar.MustDate("2025-01-01").Time()
	detail, err := b.Store.Nexus.NexusDetail(t.Context(), b.Scope.OrganizationID, models.NexusDetailQuery{
		Country: "BG", AuthorityState: "BG", Countries: []string{"BG"}, Currency: "EUR", First: first, Last: first,
		ObligedFrom: &first,
	})
	require.NoError(t, err)
	require.Len(t, detail.Taxes, 1, "in lev, together, by one rate")
	require.True(t, detail.Taxes[0].Calculated.IsZero())
}

// toSofia is a seller whose sales are delivered in Sofia.
type toSofia struct {
	*storetest.Bundle
	law    *tax.Content
	loaded func() // runs when the stage of nexus has read a transaction
}

func (b *toSofia) begin(t *testing.T) {
	t.Helper()
	var err error
	b.law, err = tax.LoadContent()
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), `INSERT INTO fx_rates (currency, day, rate, source)
		VALUES ('BGN', '2025-12-20', 1.9558, 'ECB'), ('BGN', '2025-12-30', 1.9558, 'ECB'), ('BGN', '2026-01-05', 1.9558, 'ECB'),
		       ('USD', '2025-12-20', 1.2, 'ECB'), ('USD', '2025-12-30', 1.2, 'ECB'), ('USD', '2026-01-05', 1.2, 'ECB')`)
	require.NoError(t, err)
}

// refund refunds a half of a sale.
func (b *toSofia) refund(t *testing.T, sale *models.TransactionDraft, day string) (id string) {
	t.Helper()
	d := &models.RefundDraft{
		TransactionDraft: *storetest.Draft(b.Scope, models.NewID(models.PrefixTransaction)), OwnAddresses: true, OwnSource: true,
	}
	d.Currency, d.Date = sale.Currency, calendar.MustDate(day).Time()
	d.Type, d.RelatedTo = models.TypePartialCreditNote, &sale.ID
	d.TaxDate, d.TotalAmount, d.TotalTaxAmountImported = d.Date, decimal.MustParse("50.00"), decimal.Zero
	d.Subtotal, d.Items[0].Amount = d.TotalAmount, d.TotalAmount
	_, err := b.Store.Transactions.AcceptRefund(t.Context(), b.Scope, d)
	require.NoError(t, err)
	return d.ID
}

// process takes a new transaction through the stages, as their activities do.
func (b *toSofia) process(t *testing.T, id string) {
	t.Helper()
	ref := models.Ref{OrganizationID: b.Scope.OrganizationID, ID: id, Epoch: 1}
	b.count(t, ref)
	b.calculate(t, ref)
}

// count takes a transaction through the stages up to nexus.
func (b *toSofia) count(t *testing.T, ref models.Ref) {
	t.Helper()
	s, ctx, refs := b.Store.Transactions, t.Context(), []models.Ref{ref}
	_, err := s.LoadForAddresses(ctx, storetest.Run, refs)
	require.NoError(t, err)
	sofia := b.law.Resolve(tax.Address{Country: "BG", PostalCode: "1000"})
	_, err = s.SaveAddresses(ctx, storetest.Run, refs, []models.AddressOutcome{
		{Ref: refs[0], To: models.ProcessingAddressDone, Place: sofia},
	})
	require.NoError(t, err)
	loaded, err := s.LoadForExemptions(ctx, refs)
	require.NoError(t, err)
	_, err = s.SaveExemptions(ctx, storetest.Run, refs, decided(t, loaded, rules.DecideExemptions))
	require.NoError(t, err)
	loaded, err = s.LoadForNexus(ctx, refs)
	require.NoError(t, err)
	if b.loaded != nil {
		b.loaded()
	}
	_, err = s.SaveNexus(ctx, storetest.Run, refs, decided(t, loaded, rules.CountNexus))
	require.NoError(t, err)
}

// calculate takes a transaction through the last stage.
func (b *toSofia) calculate(t *testing.T, ref models.Ref) {
	t.Helper()
	s, ctx, refs := b.Store.Transactions, t.Context(), []models.Ref{ref}
	loaded, err := s.LoadForTax(ctx, refs)
	require.NoError(t, err)
	var rates rules.Rates
	if pairs := rules.ConversionPairs(loaded); pairs != nil {
		rates, err = b.Store.Content.ConversionRates(ctx, pairs)
		require.NoError(t, err)
	}
	if loaded[0].Type == models.TypeSale {
		_, err = s.SaveTax(ctx, storetest.Run, refs, decided(t, loaded, func(sale models.Transaction) (models.TaxOutcome, error) {
			return rules.DecideTax(sale, models.OrganizationSettings{}, rates, b.law.Calculate)
		}))
	} else {
		_, err = s.SaveRefunds(ctx, storetest.Run, refs, loaded, func(refunds []models.Transaction) ([]models.TaxOutcome, error) {
			outcome, err := rules.DecideRefund(refunds[0], rates, noLaw)
			if err == nil {
				err = rules.CountRefund(refunds[0], outcome)
			}
			return []models.TaxOutcome{outcome}, err
		})
	}
	require.NoError(t, err)
}

// returned is what a transaction adds to the sales of the return of Bulgaria.
func (b *toSofia) returned(t *testing.T, id string) (sales string) {
	t.Helper()
	require.NoError(t, b.SQL.QueryRow(t.Context(),
		"SELECT sales::text FROM transaction_totals WHERE transaction_id = $1 AND country_code = 'BG'", id).Scan(&sales))
	return sales
}

// sold are the amounts of the days in the record of the Union.
func (b *toSofia) sold(t *testing.T) (amounts []string) {
	t.Helper()
	today := calendar.MustDate("2026-01-10")
	c, err := b.Store.Nexus.LoadNexus(t.Context(), b.Scope.OrganizationID, today, true)
	require.NoError(t, err)
	terms := make([]nexus.Rule, len(c.Records))
	for i := range terms {
		terms[i].Currency = "EUR"
	}
	rates, err := b.Store.Content.ConversionRates(t.Context(), rules.NexusRatesFor(&c, terms, today))
	require.NoError(t, err)
	sold, err := rules.NexusSalesIn(&c, nexus.Place{Country: nexus.EuropeanUnion}, "EUR", today, rates)
	require.NoError(t, err)
	for _, d := range sold.Days {
		amounts = append(amounts, d.Amount.String())
	}
	return amounts
}

// noLaw has no version of the content: a lower price takes its share.
func noLaw(string) (func(tax.Request) (tax.Result, error), error) { return nil, nil }
