package calendar

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestZonesOfPlaces(t *testing.T) {
	t.Parallel()
	for place, zone := range zones {
		_, err := time.LoadLocation(zone)
		require.NoError(t, err, place)
	}
	for _, test := range [][3]string{
		{"US", "NY", "America/New_York"}, {"US", "HI", "Pacific/Honolulu"}, {"CA", "QC", "America/Toronto"},
		{"CA", "CA", "America/Toronto"},
		{"CA", "BC", "America/Vancouver"}, {"DE", "DE", "Europe/Berlin"}, {"ZZ_EU", "ZZ_EU", "Europe/Brussels"},
		{"JP", "JP", "Asia/Tokyo"}, {"EG", "EG", "UTC"},
	} {
		require.Equal(t, test[2], ZoneOf(test[0], test[1]))
	}
}
