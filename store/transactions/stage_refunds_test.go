package transactions_test

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store/storetest"
	"levy/tax"
	"levy/tax/calendar"
)

// Bulgaria had the lev until the end of 2025. Of two refunds of a sale of December, one is dated in December and one in
// January: euro of the one are no rest that the other could take in lev, whichever of them is calculated last.
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

// toSofia is a seller whose sales are delivered in Sofia.
type toSofia struct {
	*storetest.Bundle
	law *tax.Content
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
		TransactionDraft: *storetest.Draft(b.Scope, "REFUND-"+day), OwnAddresses: true, OwnSource: true,
	}
	d.Currency, d.Date, d.Type, d.RelatedTo = sale.Currency, calendar.MustDate(day).Time(), models.TypePartialCreditNote, &sale.ID
	d.TaxDate, d.TotalAmount, d.TotalTaxAmountImported = d.Date, decimal.MustParse("50.00"), decimal.Zero
	d.Subtotal, d.Items[0].Amount = d.TotalAmount, d.TotalAmount
	_, err := b.Store.Transactions.AcceptRefund(t.Context(), b.Scope, d)
	require.NoError(t, err)
	return d.ID
}

// process takes a transaction through the stages, as their activities do.
func (b *toSofia) process(t *testing.T, id string) {
	t.Helper()
	s, ctx := b.Store.Transactions, t.Context()
	refs := []models.Ref{{OrganizationID: b.Scope.OrganizationID, ID: id, Epoch: 1}}
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
	_, err = s.SaveNexus(ctx, storetest.Run, refs, decided(t, loaded, rules.CountNexus))
	require.NoError(t, err)
	loaded, err = s.LoadForTax(ctx, refs)
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
			outcome, err := rules.DecideRefund(refunds[0], rates)
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
