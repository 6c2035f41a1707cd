package content

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// ends is until when the table of Minnesota is confirmed, and when its next edition is expected.
func ends(t *testing.T, tables Tables) string {
	t.Helper()
	d, err := Read(folder(tables))
	require.NoError(t, err)
	return d.Publications[0].Until.String() + " " + d.Publications[0].Next.String()
}

// A table is confirmed by the day, and never for less than before or for years.
func TestATableIsConfirmedUntilADay(t *testing.T) {
	t.Parallel()
	tables := few()
	require.NoError(t, tables.ConfirmUntil("MN", 20270331))
	require.Equal(t, "2027-03-31 2027-03-01", ends(t, tables), "90 days later, both")
	require.ErrorIs(t, tables.ConfirmUntil("MN", 20270331), ErrConfirmed)
	require.ErrorIs(t, tables.ConfirmUntil("MN", 20261231), ErrConfirmed)
	require.ErrorIs(t, tables.ConfirmUntil("MN", 20290331), ErrConfirmed)
	require.ErrorIs(t, tables.ConfirmUntil("NJ", 20270331), ErrNoPublication)
	require.Equal(t, "2027-03-31 2027-03-01", ends(t, tables))
}

// The rate file of a quarter confirms the rates of its state until the quarter ends; an older one does not.
func TestARateFileConfirmsItsQuarter(t *testing.T) {
	t.Parallel()
	tables := few()
	for _, test := range []struct {
		quarter int
		year    int
		want    string
	}{
		{3, 2026, "2026-12-31 2026-12-01"}, {4, 2026, "2026-12-31 2026-12-01"}, {1, 2027, "2027-03-31 2027-03-01"},
		{4, 2028, "2028-12-31 2028-12-01"}, // after years without an import
	} {
		_, err := tables.ImportRates(generalRates{}, FeedName{"MN", 'R', test.year, test.quarter}, "MNR.csv", nil)
		require.NoError(t, err)
		require.Equal(t, test.want, ends(t, tables))
	}
}
