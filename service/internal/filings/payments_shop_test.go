package filings

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/deps"
	"levy/tax/calendar"
	"levy/tax/money"
)

// shopSeller is a seller with returns of the one-stop shop.
type shopSeller struct {
	deps.Reports
	*seller
	figures models.FilingFigures
}

func (s *shopSeller) FilingWithFigures(context.Context, models.Scope, string) (models.Filing, models.FilingFigures, error) {
	return s.filing, s.figures, nil
}

func (s *shopSeller) Corrections(context.Context, models.Scope, models.Filing) (models.ShopCorrections, error) {
	return models.ShopCorrections{}, nil
}

func (s *shopSeller) UpdateFiling(
	_ context.Context, _ models.Scope, _ models.Actor, _ string, change func(*models.Filing) error,
) (models.Filing, error) {
	f := s.filing
	err := change(&f)
	return f, err
}

func sum(t *testing.T, text string) money.Total {
	t.Helper()
	amount, err := money.ParseTotal(text)
	require.NoError(t, err)
	return amount
}

// aShopSeller has a filed return of 40.00 to Austria and -6.00 to Greece. 34.00 counts as paid with it.
func aShopSeller(t *testing.T) (*Operations, *shopSeller) {
	t.Helper()
	o, s := aSeller(t)
	s.filing.CountryCode, s.filing.StateCode, s.filing.Currency = models.EuropeanUnion, models.EuropeanUnion, "EUR"
	s.filing.FilingCategory = calendar.FilingRegular
	s.filing.StartDate, s.filing.EndDate = calendar.MustDate("2026-07-01").Time(), calendar.MustDate("2026-09-30").Time()
	s.filing.TotalTaxLiability, s.filing.TaxRemitted, s.fields = sum(t, "34.00"), sum(t, "34.00"), nil
	figure := func(name, rate, taxable, owed string) models.FilingFigure {
		return models.FilingFigure{
			FigureKey: models.FigureKey{Level: "COUNTRY", Rate: rate, Sign: models.FigureSale, Channel: models.ChannelOwn, Class: "PHYSICAL",
				Name: name},
			Transactions: 1, Gross: sum(t, taxable), Taxable: sum(t, taxable), Tax: sum(t, owed), Owed: sum(t, owed),
		}
	}
	shop := &shopSeller{seller: s, figures: models.FilingFigures{Frozen: true, Registered: true, Figures: []models.FilingFigure{
		figure("Austria", "0.2", "200.00", "40.00"), figure("Greece", "0.24", "-25.00", "-6.00"),
	}}}
	o.deps.Reports, o.deps.Filings = shop, shop
	return o, shop
}

func payment(t *testing.T, o *Operations) contract.FilingPayment {
	t.Helper()
	p, err := o.GetFilingPayment(call.With(t.Context(), &call.Call{}), contract.GetFilingPaymentRequest{FilingID: "file_1"})
	require.NoError(t, err)
	return p
}

func codes(p *contract.FilingPayment) (found []string) {
	for _, f := range p.Findings {
		found = append(found, f.Severity+" "+f.Code)
	}
	return found
}

// The one-stop shop takes the total of the worksheet: no balance below zero is taken off another one.
func TestTheShopIsPaidTheTotalOfItsWorksheet(t *testing.T) {
	t.Parallel()
	o, s := aShopSeller(t)
	s.filing.Status, s.filing.TaxRemitted = models.FilingFiling, money.Total{}
	p := payment(t, o)
	require.Equal(t, "40.00", p.Amount)
	require.Equal(t, []string{"INFO PAYMENT_TOTAL", "INFO PAYMENT_BY_HAND"}, codes(&p))
	require.Contains(t, p.Findings[0].Message, "40.00 EUR")
	require.Contains(t, p.Findings[0].Message, "34.00 EUR")

	s.figures.Missing = 1
	p = payment(t, o)
	require.Equal(t, "34.00", p.Amount, "a total that lacks something is not paid")
	require.Equal(t, []string{"WARNING PAYMENT_TOTAL_UNKNOWN", "INFO PAYMENT_BY_HAND"}, codes(&p))

	s.figures.Missing, s.figures.Figures, s.filing.TotalTaxLiability = 0, s.figures.Figures[:1], sum(t, "40.00")
	p = payment(t, o)
	require.Equal(t, "40.00", p.Amount)
	require.Equal(t, []string{"INFO PAYMENT_BY_HAND"}, codes(&p))
}

// A payment of the total can be recorded: the limit is what is to be paid, not the amount of the filing.
func TestTheTotalOfTheShopIsRecorded(t *testing.T) {
	t.Parallel()
	o, s := aShopSeller(t)
	s.filing.Today = calendar.MustDate("2026-10-30")
	p := payment(t, o)
	require.Equal(t, []string{"6.00", "6.00", "34.00"}, []string{p.Amount, p.Open, p.Paid})
	require.Equal(t, []string{"INFO PAYMENT_TOTAL", "WARNING PAYMENT_OPEN", "INFO PAYMENT_BY_HAND"}, codes(&p))
	ctx := call.With(t.Context(), &call.Call{})
	record := func(amount string) error {
		body := contract.RecordedPaymentCreate{Amount: amount, Method: "WIRE", Reference: "R-1"}
		body.PaidOn.Time = calendar.MustDate("2026-10-20").Time()
		_, err := o.RecordFilingPayment(ctx, contract.RecordFilingPaymentRequest{FilingID: "file_1", Body: body})
		require.Equal(t, err, o.DryRunPayment(ctx, time.Time{}, "file_1", &body))
		return err
	}
	require.NoError(t, record("6.00"))
	var invalid *models.InvalidError
	require.ErrorAs(t, record("6.01"), &invalid)
	require.Contains(t, invalid.Faults[0].Message, "Only 6.00 is open")
}

// Nothing is paid for an amendment of the one-stop shop: the next return has its difference.
func TestNothingIsPaidForAnAmendmentOfTheShop(t *testing.T) {
	t.Parallel()
	o, s := aShopSeller(t)
	s.filing.FilingCategory = models.FilingAmendment
	for _, status := range []models.FilingStatus{models.FilingFiling, models.FilingFiled} {
		s.filing.Status = status
		p := payment(t, o)
		require.Equal(t, []string{"0.00", "0.00"}, []string{p.Amount, p.Open})
		require.Equal(t, []string{"INFO PAYMENT_NONE"}, codes(&p))
		require.Contains(t, p.Findings[0].Message, "the next return")
	}
	s.filing.CountryCode = "US"
	p := payment(t, o)
	require.Equal(t, "34.00", p.Amount)
}
