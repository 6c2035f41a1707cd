package filings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/pg"
	"levy/store/storetest"
)

// The connection of the call that begins an attempt is stored encrypted, for that attempt alone, until the attempt is over. A call
// that begins none leaves nothing. The API writes it with its rights in the database, and the worker reads and deletes it with its own.
func TestTheConnectionOfAnAttemptIsForgottenWithIt(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	api := storetest.Open(t, store.Options{URL: b.URL, Role: pg.RoleAPI})
	worker := storetest.Open(t, store.Options{URL: b.URL, Role: pg.RoleWorker})
	asAPI, asWorker := models.WithReach(t.Context(), b.Scope.OrganizationID), models.AcrossOrganizations(t.Context())
	connection := models.ClientConnection{
		At: time.Date(2026, 2, 2, 9, 0, 0, 0, time.UTC), Browser: true, UserID: "user_canary", Address: "81.2.69.142", Port: 47138,
	}
	change := func(do func(f *models.Filing)) {
		_, err := api.Filings.UpdateFiling(asAPI, b.Scope, models.Actor{}, f.ID, func(f *models.Filing) error {
			f.Connection = &connection
			do(f)
			return nil
		})
		require.NoError(t, err)
	}
	read := func(number int) (models.ClientConnection, error) {
		return worker.Filings.ConnectionOfAttempt(asWorker, b.Scope, models.Attempt{RecordID: f.ID, Number: number})
	}
	stored := func() int { return b.Count(t, "SELECT count(*) FROM filing_connections") }
	begin := func(attempt int) func(f *models.Filing) {
		return func(f *models.Filing) { f.Status, f.Attempt = models.FilingFiling, attempt }
	}
	change(func(f *models.Filing) { f.InternalNotes = new("a note") })
	require.Zero(t, stored(), "nothing is handed over")
	change(begin(1))
	kept, err := read(1)
	require.NoError(t, err)
	require.Equal(t, connection, kept)
	require.Zero(t, b.Count(t, `SELECT count(*) FROM filing_connections c
		WHERE strpos(encode(c.connection, 'escape') || to_jsonb(c)::text, 'canary') > 0`), "it is encrypted")
	require.Zero(t, b.Count(t, `SELECT (SELECT count(*) FROM audit a WHERE to_jsonb(a)::text ~ 'canary|81.2.69')
		+ (SELECT count(*) FROM filing_history h WHERE to_jsonb(h)::text ~ 'canary|81.2.69')
		+ (SELECT count(*) FROM events e WHERE to_jsonb(e)::text ~ 'canary|81.2.69')`), "it is nowhere else")
	_, err = read(2)
	require.ErrorIs(t, err, models.ErrNotFound)

	first := connection
	connection.Address = "81.2.69.143"
	change(begin(1))
	kept, err = read(1)
	require.NoError(t, err)
	require.Equal(t, first, kept, "a repetition begins no attempt")
	settle := func(number int, answer models.AuthorityAnswer) {
		require.NoError(t, worker.Filings.SettleFiling(asWorker, b.Scope, models.Attempt{RecordID: f.ID, Number: number}, answer, time.Now()))
	}
	settle(1, models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: "NO"})
	require.Zero(t, stored())
	change(begin(2))
	kept, err = read(2)
	require.NoError(t, err)
	require.Equal(t, connection, kept)
	settle(2, models.AuthorityAnswer{Outcome: models.AuthorityAccepted, Confirmation: "1"})
	require.Zero(t, stored())
}
