package models_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestEventIDsHoldTheirPosition(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 23, 1, 2, 3, 456_000_000, time.UTC)
	for _, sequence := range []int64{0, 1, 42, 1<<62 - 1} {
		id := models.EventID(at.Add(999*time.Microsecond), sequence)
		require.True(t, models.IsID(models.PrefixEvent, id), id)
		place, ok := models.ParseEventID(id)
		require.True(t, ok)
		require.Equal(t, models.EventPosition{At: at, Sequence: sequence}, place)
	}
	require.Less(t, models.EventID(at, 5), models.EventID(at, 6))
	for _, other := range []string{"", "evnt_", models.NewID(models.PrefixEvent)[:20],
		models.NewID(models.PrefixFiling), models.NewID("evnt")} {
		if place, ok := models.ParseEventID(other); ok { // a random identifier may be one, of another time and number
			require.Equal(t, other, models.EventID(place.At, place.Sequence))
		}
	}
}
