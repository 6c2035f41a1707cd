package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/tax/calendar"
	"levy/tax/money"
)

// Return writes n sales of SellInNewYork and their return, UNFILED, and returns its id.
func Return(tb testing.TB, s *store.Store, databaseURL string, scope models.Scope, n int) (filing string) {
	tb.Helper()
	ctx := context.Background()
	conn, err := SQL(tb, databaseURL).Acquire(ctx)
	require.NoError(tb, err)
	defer conn.Release()
	require.NoError(tb, SellInNewYork(ctx, conn.Conn(), scope.OrganizationID, n))
	filing, err = WriteReturn(ctx, s, scope)
	require.NoError(tb, err)
	return filing
}

// WriteReturn writes the return of SellInNewYork, UNFILED, and returns its id.
func WriteReturn(ctx context.Context, s *store.Store, scope models.Scope) (filing string, err error) {
	registration := models.Registration{
		ID: models.NewID(models.PrefixRegistration), CountryCode: "US", StateCode: "NY",
		StateName: "New York", Status: models.RegistrationProcessing,
		FilingFrequency: calendar.FilingMonthly, RegistrationImportType: models.ImportRegular,
		RegistrationsRegime: "STANDARD", AmountFees: "0.00",
	}
	if err := s.Registrations.CreateRegistration(ctx, scope, models.Actor{}, &registration); err != nil {
		return "", err
	}
	f, err := s.Filings.CreateFiling(ctx, scope, models.Actor{}, models.Filing{
		ID: models.NewID(models.PrefixFiling), RegistrationID: registration.ID,
		CountryCode: "US", StateCode: "NY", StateName: new("New York"),
		StartDate: calendar.MustDate("2026-01-01").Time(), EndDate: calendar.MustDate("2026-01-31").Time(),
		Status: models.FilingUnfiled, FilingCategory: calendar.FilingRegular, Currency: "USD",
		AmountAdjusted: total("-1"), AmountDiscounts: total("2"), AmountFees: total("3"), AmountPenalties: total("4"),
	}, func(*models.Filing, models.Registration) error { return nil })
	return f.ID, err
}

// File sets a return to FILING and then to FILED.
func File(tb testing.TB, s *store.Store, scope models.Scope, filing string) models.Filing {
	tb.Helper()
	_, err := Claim(context.Background(), s, scope, filing)
	require.NoError(tb, err)
	f, err := Confirm(context.Background(), s, scope, filing)
	require.NoError(tb, err)
	return f
}

// Claim sets a return to FILING.
func Claim(ctx context.Context, s *store.Store, scope models.Scope, filing string) (models.Filing, error) {
	return s.Filings.UpdateFiling(ctx, scope, models.Actor{}, filing, func(f *models.Filing) error {
		f.Status = models.FilingFiling
		return nil
	})
}

// Confirm sets a FILING return to FILED.
func Confirm(ctx context.Context, s *store.Store, scope models.Scope, filing string) (models.Filing, error) {
	return s.Filings.UpdateFiling(ctx, scope, models.Actor{}, filing, func(f *models.Filing) error {
		now := time.Now().UTC()
		f.Status, f.FiledAt, f.DateFiled, f.ReturnConfirmationID = models.FilingFiled, &now, &now, new("C-1")
		return nil
	})
}

func total(amount string) money.Total {
	t, err := money.ParseTotal(amount)
	if err != nil {
		panic(err)
	}
	return t
}
