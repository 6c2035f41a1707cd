package rules

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/calendar"
)

// instantOf reads an instant with its offset.
func instantOf(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	return at
}

func TestTheTaxDateIsTheDayOfTheShop(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ why, date, shopDate, zone, want string }{
		{"the day of the shop", "2026-07-01T04:45:00Z", "2026-06-30", "", "2026-06-30"},
		{"it decides before the zone", "2026-07-01T04:45:00Z", "2026-07-01", "America/Chicago", "2026-07-01"},
		{"the zone", "2026-07-01T04:30:00Z", "", "America/Chicago", "2026-06-30"},
		{"the zone after a change of its clock", "2026-11-02T05:30:00Z", "", "America/Chicago", "2026-11-01"},
		{"the zone decides before the offset", "2026-06-30T23:30:00-05:00", "", "Asia/Tokyo", "2026-07-01"},
		{"the offset", "2026-06-30T23:30:00-05:00", "", "", "2026-06-30"},
		{"an offset to the east", "2026-07-01T00:30:00+09:00", "", "", "2026-07-01"},
		{"no offset", "2026-07-01T04:30:00Z", "", "", "2026-07-01"},
		{"an offset of zero", "2026-07-01T04:30:00+00:00", "", "", "2026-07-01"},
	} {
		s := SaleTime{Date: instantOf(t, c.date), Zone: c.zone}
		if c.shopDate != "" {
			s.ShopDate = calendar.MustDate(c.shopDate).Time()
		}
		require.Equal(t, calendar.MustDate(c.want).Time(), s.TaxDate(), c.why)
	}
}

func TestTheTaxDateIsDecidedOnce(t *testing.T) {
	t.Parallel()
	day, zone := "2026-06-30", "America/Chicago"
	stored := func(shopDate, zone *string) *models.Transaction {
		return &models.Transaction{
			Date: instantOf(t, "2026-07-01T04:30:00Z"), TaxDate: calendar.MustDate("2026-06-29").Time(),
			ShopDate: shopDate, ShopDateTZ: zone,
		}
	}
	for _, c := range []struct {
		why, date, shopDate, zone string
		stored                    *models.Transaction
		want                      string
	}{
		{"the same instant, written otherwise", "2026-06-30T23:30:00-05:00", "", "", stored(nil, nil), "2026-06-29"},
		{"the same zone", "2026-07-01T04:30:00Z", "", zone, stored(nil, &zone), "2026-06-29"},
		{"the same day", "2026-07-01T04:30:00Z", day, "", stored(&day, nil), "2026-06-29"},
		{"another instant", "2026-07-01T04:31:00Z", "", zone, stored(nil, &zone), "2026-06-30"},
		{"a new zone", "2026-07-01T04:30:00Z", "", zone, stored(nil, nil), "2026-06-30"},
		{"a new day", "2026-07-01T04:30:00Z", day, "", stored(nil, nil), "2026-06-30"},
		{"the day removed", "2026-07-01T04:30:00Z", "", "", stored(&day, nil), "2026-07-01"},
	} {
		s := SaleTime{Date: instantOf(t, c.date), Zone: c.zone}
		if c.shopDate != "" {
			s.ShopDate = calendar.MustDate(c.shopDate).Time()
		}
		require.Equal(t, calendar.MustDate(c.want).Time(), s.TaxDateAfter(c.stored), c.why)
	}
}
