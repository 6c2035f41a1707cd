// Package events holds what happened to the records of organizations, in an order that never changes.
//
// Triggers write the events of a change in its database transaction (see the migrations), so that
// everybody who changes a record writes them alike; Append is for what is no change of a record. An
// event has a number. Database transactions end in another order than that in which they drew their
// numbers: readers see only events up to the Horizon, below which nothing can appear any more.
package events

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// Store reads and writes events.
type Store struct {
	db      *pg.DB
	horizon *horizon
}

// New returns the store on a database.
func New(db *pg.DB) *Store { return &Store{db, &horizon{}} }

const appendEvents = `
	INSERT INTO events (organization_id, type, object_id, record, previous, request_id)
	SELECT u.organization_id, u.type, u.object_id, u.record::jsonb, u.previous::jsonb, u.request_id
	  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) WITH ORDINALITY
	    AS u (organization_id, type, object_id, record, previous, request_id, n) ORDER BY u.n`

// Append writes events in the database transaction of the context: of each its organization, type,
// object and record. The number and the time are those of the database.
func (s *Store) Append(ctx context.Context, events ...models.Event) error {
	if len(events) == 0 {
		return nil
	}
	var organizations, types, objects []string
	var records, previous, requests []*string
	for _, e := range events {
		organizations, types = append(organizations, e.OrganizationID), append(types, e.Type)
		objects = append(objects, e.ObjectID)
		records, previous = append(records, pg.Optional(string(e.Record))), append(previous, pg.Optional(string(e.Previous)))
		requests = append(requests, e.RequestID)
	}
	_, err := s.db.Exec(ctx, appendEvents, organizations, types, objects, records, previous, requests)
	return pg.Translate(err)
}

// seldomTypes is the condition of the index events_seldom.
const seldomTypes = " AND x.type NOT IN ('transaction.created', 'transaction.updated', 'transaction.processed', " +
	"'transaction.locked')"

var frequentTypes = map[string]bool{
	"transaction.created": true, "transaction.updated": true, "transaction.processed": true, "transaction.locked": true,
}

// clockStep is by how much the clock of the database may have been set back between two events: the
// days of a table are chosen by time, and its rows by number.
const clockStep = time.Hour

// columns are those of an event e, with the request of the database transaction that wrote it.
const columns = `
	SELECT e.organization_id, e.sequence, e.created_at, e.type, e.object_id, o.is_test, e.record, e.previous,
	       coalesce(e.request_id, (SELECT a.request_id FROM audit a
	         WHERE a.organization_id = e.organization_id AND a.entity_id = e.object_id AND a.written_by = e.written_by
	         ORDER BY a.id LIMIT 1))`

func scan(row pgx.CollectableRow) (e models.Event, err error) {
	err = row.Scan(&e.OrganizationID, &e.Sequence, &e.CreatedAt, &e.Type, &e.ObjectID, &e.IsTest, &e.Record,
		&e.Previous, &e.RequestID)
	e.CreatedAt = e.CreatedAt.UTC()
	return e, err
}

// After returns events in the order of their numbers. more says that there are others behind them.
// Whatever is written later is behind all that it returns.
func (s *Store) After(ctx context.Context, q models.EventQuery) (events []models.Event, more bool, err error) {
	until, err := s.Horizon(ctx)
	if err != nil {
		return nil, false, err
	}
	return s.UpTo(ctx, until, q)
}

// UpTo is After for the events up to a number that Horizon returned.
func (s *Store) UpTo(
	ctx context.Context, until int64, q models.EventQuery,
) (events []models.Event, more bool, err error) {
	events = []models.Event{}
	if until <= q.After.Sequence {
		return events, false, nil
	}
	condition, seldom := "", len(q.Types) > 0
	for _, t := range q.Types {
		seldom = seldom && !frequentTypes[t]
	}
	if seldom {
		condition = seldomTypes
	}
	rows, err := s.db.Query(ctx, columns+`
		  FROM (SELECT f.* FROM unnest($1::text[]) AS u (organization_id)
		         CROSS JOIN LATERAL (
		           SELECT x.* FROM events x
		            WHERE x.organization_id = u.organization_id AND x.sequence > $2 AND x.sequence <= $3
		              AND x.created_at >= $4 AND x.created_at >= now() - $5::interval
		              AND (cardinality($6::text[]) = 0 OR x.type = ANY ($6::text[]))`+condition+`
		            ORDER BY x.sequence LIMIT $7) f
		         ORDER BY f.sequence LIMIT $7) e
		  JOIN organizations o ON o.id = e.organization_id
		 ORDER BY e.sequence`,
		q.Organizations, q.After.Sequence, until, q.After.At.Add(-clockStep), models.EventsKept,
		append([]string{}, q.Types...), q.Limit+1)
	if err != nil {
		return nil, false, pg.Translate(err)
	}
	if events, err = pgx.AppendRows(events, rows, scan); err != nil {
		return nil, false, pg.Translate(err)
	}
	if more = len(events) > q.Limit; more {
		events = events[:q.Limit]
	}
	return events, more, nil
}

// Event reads the event at a place of the feed. Another process may have shown it already that knows of a higher
// horizon, so it does not count whether this one does. Errors: models.ErrNotFound.
func (s *Store) Event(ctx context.Context, scope models.Scope, at models.EventPosition) (models.Event, error) {
	rows, err := s.db.Query(ctx, columns+`
		  FROM events e JOIN organizations o ON o.id = e.organization_id
		 WHERE e.organization_id = $1 AND e.sequence = $2 AND e.created_at >= $3
		   AND e.created_at < $3 + interval '1 millisecond'
		   AND e.created_at >= now() - $4::interval`, scope.OrganizationID, at.Sequence, at.At, models.EventsKept)
	if err != nil {
		return models.Event{}, pg.Translate(err)
	}
	found, err := pgx.CollectExactlyOneRow(rows, scan)
	if errors.Is(err, pgx.ErrNoRows) {
		return models.Event{}, models.ErrNotFound
	}
	return found, pg.Translate(err)
}

// Newest returns the place of the newest event of each organization that has one of the last hour.
func (s *Store) Newest(ctx context.Context, organizations []string) (map[string]models.EventPosition, error) {
	until, err := s.Horizon(ctx)
	if err != nil {
		return nil, err
	}
	return s.newest(ctx, organizations, until, clockStep)
}

// Last returns the place of the newest event of an organization; the zero value where it has none. Most ask after a
// recent change, and one of the last hour is found without a look at the tables of all days.
func (s *Store) Last(ctx context.Context, scope models.Scope) (models.EventPosition, error) {
	until, err := s.Horizon(ctx)
	if err != nil {
		return models.EventPosition{}, err
	}
	for _, within := range []time.Duration{clockStep, models.EventsKept} {
		newest, err := s.newest(ctx, []string{scope.OrganizationID}, until, within)
		if at, found := newest[scope.OrganizationID]; err != nil || found {
			return at, err
		}
	}
	return models.EventPosition{}, nil
}

// newest are the newest events up to a number among those of the time before now, by their organizations.
func (s *Store) newest(
	ctx context.Context, organizations []string, until int64, within time.Duration,
) (map[string]models.EventPosition, error) {
	rows, err := s.db.Query(ctx, `
		SELECT u.organization_id, f.sequence, f.created_at FROM unnest($1::text[]) AS u (organization_id)
		 CROSS JOIN LATERAL (
		   SELECT x.sequence, x.created_at FROM events x
		    WHERE x.organization_id = u.organization_id AND x.sequence <= $2 AND x.created_at >= now() - $3::interval
		    ORDER BY x.sequence DESC LIMIT 1) f`, organizations, until, within)
	newest := map[string]models.EventPosition{}
	var e models.Event
	err = pg.ForEach(rows, err, []any{&e.OrganizationID, &e.Sequence, &e.CreatedAt}, func() error {
		newest[e.OrganizationID] = e.Position()
		return nil
	})
	return newest, err
}

// End is the place behind all events that readers may see by now.
func (s *Store) End(ctx context.Context) (models.EventPosition, error) {
	until, err := s.Horizon(ctx)
	return models.EventPosition{At: s.db.Now(), Sequence: until}, err
}

// daysAhead is for how many days tables are made before they are needed.
const daysAhead = 30

// KeepDays makes the tables of the next days, and drops those of days whose events are kept no longer.
// It may run any number of times and at once. Dropping waits a second for statements on events, and
// fails then: the next run does it.
func (s *Store) KeepDays(ctx context.Context) (made, dropped int, err error) {
	if err = s.db.QueryRow(ctx, "SELECT make_event_days($1)", daysAhead).Scan(&made); err != nil {
		return 0, 0, pg.Translate(err)
	}
	err = s.db.QueryRow(ctx, "SELECT drop_event_days($1)", int(models.EventsKept/(24*time.Hour))).Scan(&dropped)
	return made, dropped, pg.Translate(err)
}
