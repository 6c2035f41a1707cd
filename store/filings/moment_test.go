package filings

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/calendar"
)

// At 23:30 UTC of the last of November it is the first of December in Sydney. An hour later it is still that day in Honolulu.
func TestTodayIsThatOfTheOrganization(t *testing.T) {
	t.Parallel()
	sydney, honolulu, unknown := "Australia/Sydney", "Pacific/Honolulu", "Mars/Olympus"
	for _, c := range []struct {
		zone  *string
		after time.Duration
		want  calendar.Date
	}{
		{&sydney, 0, 20261201}, {&honolulu, time.Hour, 20261130}, {nil, 0, 20261130}, {nil, time.Hour, 20261201}, {&unknown, 0, 20261130},
	} {
		var f models.Filing
		m := moment{now: time.Date(2026, 11, 30, 23, 30, 0, 0, time.UTC).Add(c.after), zone: c.zone}
		m.set(&f)
		require.Equal(t, c.want, f.Today)
	}
}
