package events_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/pg"
	"levy/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

const ping = "INSERT INTO events (organization_id, type, object_id, record) VALUES ($1, 'test.ping', $2, '{}')"

func objects(events []models.Event) []string {
	ids := []string{}
	for _, e := range events {
		ids = append(ids, e.ObjectID)
	}
	return ids
}

// An event can be committed later than one with a higher number. It must not come before a cursor that was returned:
// until it is committed, no reader gets the other event. The snapshot of a reader does not delay writers.
func TestEventsCommittedInTheOtherOrderAreSeenInTheirOrder(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope := storetest.Organization(t, address)
	session := func() *pgx.Conn {
		conn, err := pgx.Connect(t.Context(), address)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close(t.Context()) })
		return conn
	}
	feed := func(after models.EventPosition) ([]models.Event, models.EventPosition) {
		found, _, err := s.Events.After(t.Context(), models.EventQuery{
			Organizations: []string{scope.OrganizationID}, After: after, Types: []string{"test.ping"}, Limit: 100,
		})
		require.NoError(t, err)
		if n := len(found); n > 0 {
			after = found[n-1].Position()
		}
		return found, after
	}
	_, err := s.Exec(t.Context(), ping, scope.OrganizationID, "before")
	require.NoError(t, err)
	reader, err := session().BeginTx(t.Context(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	require.NoError(t, err)
	_, err = reader.Exec(t.Context(), "SELECT count(*) FROM events")
	require.NoError(t, err)

	seen, cursor := feed(models.EventPosition{})
	require.Equal(t, []string{"before"}, objects(seen))

	slow, err := session().Begin(t.Context())
	require.NoError(t, err)
	_, err = slow.Exec(t.Context(), ping, scope.OrganizationID, "slow") // the first write
	require.NoError(t, err)
	fast, err := session().Begin(t.Context())
	require.NoError(t, err)
	_, err = fast.Exec(t.Context(), ping, scope.OrganizationID, "fast")
	require.NoError(t, err)
	require.NoError(t, fast.Commit(t.Context()))

	none, same := feed(cursor)
	require.Empty(t, none)
	require.Equal(t, cursor, same)
	require.NoError(t, slow.Commit(t.Context()))
	seen, cursor = feed(cursor)
	require.Equal(t, []string{"slow", "fast"}, objects(seen))
	require.Less(t, seen[0].Sequence, seen[1].Sequence)
	seen, _ = feed(cursor)
	require.Empty(t, seen)
}

// A cursor that one process returned is valid in another one, which has seen only a transaction that writes for a
// long time.
func TestACursorIsValidInEveryProcess(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope := storetest.Organization(t, address)
	_, err := s.Exec(t.Context(), ping, scope.OrganizationID, "seen")
	require.NoError(t, err)
	seen, _, err := s.Events.After(t.Context(), models.EventQuery{
		Organizations: []string{scope.OrganizationID}, Types: []string{"test.ping"}, Limit: 10,
	})
	require.NoError(t, err)
	require.Equal(t, []string{"seen"}, objects(seen))
	slow, err := pgx.Connect(t.Context(), address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = slow.Close(t.Context()) })
	tx, err := slow.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), ping, scope.OrganizationID, "slow")
	require.NoError(t, err)
	other := storetest.Open(t, store.Options{URL: address})
	found, err := other.Events.Event(t.Context(), scope, seen[0].Position())
	require.NoError(t, err)
	require.Equal(t, "seen", found.ObjectID)
	behind, _, err := other.Events.After(t.Context(), models.EventQuery{
		Organizations: []string{scope.OrganizationID}, After: seen[0].Position(), Limit: 10,
	})
	require.NoError(t, err)
	require.Empty(t, behind)
}

// Appended events are read back unchanged by their organization, by types and in pages, and each by its identifier.
func TestEventsArePagedByCursor(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope, other := storetest.Organization(t, address), storetest.Organization(t, address)
	request := "req_1"
	var events []models.Event
	for n := range 7 {
		events = append(events, models.Event{
			OrganizationID: scope.OrganizationID, Type: []string{"test.ping", "transaction.created"}[n%2],
			ObjectID: fmt.Sprint(n),
			Record:   json.RawMessage(`{"n": 1}`), Previous: json.RawMessage(`{"n": 0}`), RequestID: &request,
		})
	}
	events = append(events, models.Event{OrganizationID: other.OrganizationID, Type: "test.ping", ObjectID: "other",
		Record: json.RawMessage(`{}`)})
	require.NoError(t, s.Events.Append(t.Context(), events...))
	page := func(types []string, organizations ...string) (ids []string, last models.Event) {
		var after models.EventPosition
		for {
			found, more, err := s.Events.After(t.Context(), models.EventQuery{
				Organizations: organizations, After: after, Types: types, Limit: 2,
			})
			require.NoError(t, err)
			ids = append(ids, objects(found)...)
			if !more {
				return ids, last
			}
			last = found[1]
			after, more = models.ParseEventID(last.ID())
			require.True(t, more)
		}
	}
	written := []string{"test.ping", "transaction.created"}
	all, third := page(written, scope.OrganizationID)
	require.Equal(t, []string{"0", "1", "2", "3", "4", "5", "6"}, all)
	pings, _ := page([]string{"test.ping"}, scope.OrganizationID)
	require.Equal(t, []string{"0", "2", "4", "6"}, pings)
	both, _ := page([]string{"test.ping"}, scope.OrganizationID, other.OrganizationID)
	require.Equal(t, []string{"0", "2", "4", "6", "other"}, both)

	found, err := s.Events.Event(t.Context(), scope, third.Position())
	require.NoError(t, err)
	require.Equal(t, third, found)
	require.Equal(t, []any{`{"n": 1}`, `{"n": 0}`, "req_1"},
		[]any{string(found.Record), string(found.Previous), *found.RequestID})
	_, err = s.Events.Event(t.Context(), other, third.Position())
	require.ErrorIs(t, err, models.ErrNotFound)
}

// The newest event of an organization is found among those of the last hour, and among older ones where that has none.
func TestTheNewestEventOfAnOrganization(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope, other := storetest.Organization(t, address), storetest.Organization(t, address)
	newest := func(scope models.Scope) models.EventPosition {
		at, err := s.Events.Last(t.Context(), scope)
		require.NoError(t, err)
		return at
	}
	_, err := s.Exec(t.Context(), "DELETE FROM events")
	require.NoError(t, err)
	require.Zero(t, newest(scope))
	const old = "INSERT INTO events (organization_id, type, object_id, record, created_at) " +
		"VALUES ($1, 'test.ping', $2, '{}', now() - $3::interval)"
	for _, event := range []struct{ object, age string }{{"first", "20 hours"}, {"second", "10 hours"}} {
		_, err = s.Exec(t.Context(), old, scope.OrganizationID, event.object, event.age)
		require.NoError(t, err)
		found, err := s.Events.Event(t.Context(), scope, newest(scope))
		require.NoError(t, err)
		require.Equal(t, event.object, found.ObjectID)
	}
	_, err = s.Exec(t.Context(), ping, scope.OrganizationID, "third")
	require.NoError(t, err)
	found, err := s.Events.Event(t.Context(), scope, newest(scope))
	require.NoError(t, err)
	require.Equal(t, "third", found.ObjectID)
	require.Zero(t, newest(other))
}

// The tables of days are created ahead and dropped with their events when they are too old.
func TestDaysAreMadeAndDropped(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	worker := storetest.Open(t, storeOptions(address))
	_, _, err := worker.Events.KeepDays(t.Context()) // the copied database may be of the day before
	require.NoError(t, err)
	scope := storetest.Organization(t, address)
	for _, age := range []string{"0", "89", "91", "120"} {
		storetest.Execute(t, address, `INSERT INTO events (organization_id, type, object_id, record, created_at)
			VALUES ($1, 'test.ping', $2::text, '{}', now() - $2::text::integer * interval '1 day')`, scope.OrganizationID, age)
	}
	storetest.Execute(t, address, `CREATE TABLE events_20000101 (LIKE events INCLUDING ALL);
		ALTER TABLE events ATTACH PARTITION events_20000101 FOR
		VALUES
		FROM ('2000-01-01') TO ('2000-01-02'); DROP TABLE IF EXISTS events_`+dayIn(t, address, 30))
	made, dropped, err := worker.Events.KeepDays(t.Context())
	require.NoError(t, err)
	require.Equal(t, []int{1, 1}, []int{made, dropped})
	kept, _, err := s.Events.After(t.Context(), models.EventQuery{
		Organizations: []string{scope.OrganizationID}, Types: []string{"test.ping"}, Limit: 100,
	})
	require.NoError(t, err)
	require.Equal(t, []string{"0", "89"}, objects(kept))
	made, dropped, err = worker.Events.KeepDays(t.Context())
	require.NoError(t, err)
	require.Zero(t, made+dropped)
}

func dayIn(t *testing.T, address string, days int) (day string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	require.NoError(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT to_char(now() + $1::integer * interval '1 day', 'YYYYMMDD')",
		days).Scan(&day))
	return day
}

// storeOptions are those of a worker, which does not own the tables.
func storeOptions(address string) store.Options {
	return store.Options{URL: address, Role: pg.RoleWorker}
}

// Many write in database transactions of any length, and some are rolled back. A reader that follows the cursors gets
// every committed event once, in the order of the feed.
func TestAReaderWhoPagesWhileOthersWriteMissesNothing(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope := storetest.Organization(t, address)
	errGivenUp := errors.New("given up")
	var writers sync.WaitGroup
	for w := range 6 {
		random := rand.New(rand.NewPCG(7, uint64(w)))
		writers.Go(func() {
			for n := range 40 {
				err := s.InTx(t.Context(), func(ctx context.Context) error {
					for k := range 1 + random.IntN(4) {
						if _, err := s.Exec(ctx, ping, scope.OrganizationID, fmt.Sprint(w, "-", n, "-", k)); err != nil {
							return err
						}
					}
					if random.IntN(5) == 0 {
						return errGivenUp
					}
					return nil
				})
				if err != nil && !errors.Is(err, errGivenUp) {
					t.Error(err)
				}
			}
		})
	}
	written := make(chan struct{})
	go func() { writers.Wait(); close(written) }()
	var seen []models.Event
	var cursor models.EventPosition
	for ended := false; ; {
		found, more, err := s.Events.After(t.Context(), models.EventQuery{
			Organizations: []string{scope.OrganizationID}, After: cursor, Types: []string{"test.ping"}, Limit: 7,
		})
		require.NoError(t, err)
		seen = append(seen, found...)
		if n := len(found); n > 0 {
			cursor = found[n-1].Position()
		}
		if ended && !more && len(found) == 0 {
			break
		}
		select {
		case <-written:
			ended = true
		default:
		}
	}
	all, more, err := s.Events.After(t.Context(), models.EventQuery{
		Organizations: []string{scope.OrganizationID}, Types: []string{"test.ping"}, Limit: 10_000,
	})
	require.NoError(t, err)
	require.False(t, more)
	require.Greater(t, len(all), 100)
	require.Equal(t, objects(all), objects(seen))
	var committed int
	require.NoError(t, s.QueryRow(t.Context(), "SELECT count(*) FROM events WHERE type = 'test.ping'").Scan(&committed))
	require.Len(t, all, committed)
}
