package main

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax"
	"levy/tax/calendar"
)

// The operator confirms the edition that was compared with the content, and the answers about that quarter are sure again.
func TestAnOperatorConfirmsATable(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	newYear := calendar.MustDate("2027-01-01")
	ended := func() (states []string) {
		cache, err := o.store.Content.OpenCache(t.Context())
		require.NoError(t, err)
		for _, table := range cache.Current().EndedTables(newYear) {
			states = append(states, table.State)
		}
		return states
	}
	o.must("list")
	require.Contains(t, ended(), "NY")
	for args, fault := range map[string]string{
		"NJ=2027-02-28": "NJ: no table of rates that ends", "NY=2026-11-30": "not later than what is confirmed already",
		"NY=soon": "not a calendar day", "NY=2031-01-01": "by more than a year",
	} {
		_, err := o.levy("confirm", "GA=2027-03-31", args)
		require.ErrorContains(t, err, fault)
	}
	said := o.must("confirm", "NY=2027-02-28", "GA=2027-03-31")
	taxes, err := tax.LoadContent()
	require.NoError(t, err)
	require.Contains(t, said, ", made from "+taxes.Version()+".")
	o.must("activate", o.recorded(said))
	require.NotContains(t, ended(), "NY")
	require.NotContains(t, ended(), "GA")
	require.Contains(t, o.must("list"), "Confirmed by the operator: GA until 2027-03-31, NY until 2027-02-28.")
}

// A process that starts, the status and the metrics name the states whose tables have ended; only those matter in which an
// organization is registered.
func TestEndedTablesAreNamed(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	taxes, err := tax.LoadContent()
	require.NoError(t, err)
	state := b.Registration.StateCode
	var last calendar.Date
	for _, table := range taxes.RateTables() {
		if table.State == state {
			last = table.Until
		}
	}
	require.NotZero(t, last)
	ctx := models.AcrossOrganizations(t.Context())
	tables, err := endedTables(ctx, b.Store, last)
	require.NoError(t, err)
	for _, table := range tables {
		require.False(t, table.Registered, table.State)
	}
	tables, err = endedTables(ctx, b.Store, last.AddDays(1))
	require.NoError(t, err)
	var said advice
	for _, table := range tables {
		require.Equal(t, table.State == state, table.Registered, table.State)
		require.Equal(t, table.State == state, table.age == 24*time.Hour && table.Registered)
		said.say(table.Registered, "%s", table.inWords())
	}
	require.Len(t, said, 1)
	require.Contains(t, said[0], "The rates of "+state+" are confirmed until "+last.String()+" only: import its next edition (")

	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	sayEnded(t.Context(), log, taxes, calendar.MustDate("2026-11-30"))
	require.Empty(t, out.String())
	sayEnded(t.Context(), log, taxes, calendar.MustDate("2026-12-01"))
	require.Contains(t, out.String(), `states="AL AZ NY"`)
}
