package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

func TestWhatRegistrationsCover(t *testing.T) {
	t.Parallel()
	covers := models.Covers{
		{Country: "US", State: "NY", From: tax.MustDate("2026-02-01")},
		{Country: "CA", State: "CA", From: tax.MustDate("2026-01-01")},
		{Country: tax.EuropeanUnion, State: tax.EuropeanUnion, Home: "IE", From: tax.MustDate("2026-01-01")},
	}
	for _, c := range []struct {
		name      string
		authority tax.Authority
		day       string
		covered   bool
	}{
		{"the first day", tax.Authority{Country: "US", State: "NY"}, "2026-02-01", true},
		{"the day before", tax.Authority{Country: "US", State: "NY"}, "2026-01-31", false},
		{"another state", tax.Authority{Country: "US", State: "NJ"}, "2026-05-01", false},
		{"the federal tax of Canada", tax.Authority{Country: "CA"}, "2026-05-01", true},
		{"a province's tax needs the province's own", tax.Authority{Country: "CA", State: "BC"}, "2026-05-01", false},
		{"a member state by the one-stop shop", tax.Authority{Country: "DE"}, "2026-05-01", true},
		{"the member state of identification", tax.Authority{Country: "IE"}, "2026-05-01", false},
		{"a country outside the Union", tax.Authority{Country: "CH"}, "2026-05-01", false},
	} {
		require.Equal(t, c.covered, covers.Cover(c.authority, tax.MustDate(c.day)), c.name)
	}
	require.False(t, models.Covers(nil).Cover(tax.Authority{Country: "US", State: "NY"}, tax.MustDate("2026-05-01")))
}
