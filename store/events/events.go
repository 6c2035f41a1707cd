// Package events stores events about the records of organizations, in an order that never changes.
//
// Triggers write the events of a change in its database transaction (see the migrations), so that all writers of a
// record write them alike. Append is for events that are no change of a record. An event has a number.
// Database transactions end in another order than that in which they drew their numbers. So readers see only events up
// to the Horizon, below which no event can appear any more.
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

var appendEvents = pg.Prepare(`
	INSERT INTO events (organization_id, type, object_id, record, previous, request_id)
	SELECT organization_id, type, object_id, record, previous, request_id FROM {event} ORDER BY n`, nil, eventRows)

var eventRows = pg.RowsOf("event",
	pg.Col("organization_id", "text", func(e *models.Event) *string { return &e.OrganizationID }),
	pg.Col("type", "text", func(e *models.Event) *string { return &e.Type }),
	pg.Col("object_id", "text", func(e *models.Event) *string { return &e.ObjectID }),
	pg.Col("record", "jsonb", func(e *models.Event) *string { return pg.Optional(string(e.Record)) }),
	pg.Col("previous", "jsonb", func(e *models.Event) *string { return pg.Optional(string(e.Previous)) }),
	pg.Col("request_id", "text", func(e *models.Event) *string { return e.RequestID }),
).Numbered("n")

// organizationRows are the ids of organizations as rows of a statement.
var organizationRows = pg.RowsOf("organization", pg.Col("id", "text", func(id *string) *string { return id }))

// Append writes events in the database transaction of the context, with their organization, type, object and record.
// The database sets the number and the time.
func (s *Store) Append(ctx context.Context, events ...models.Event) error {
	if len(events) == 0 {
		return nil
	}
	_, err := s.db.Exec(ctx, appendEvents.SQL, appendEvents.Values(nil, eventRows.Of(events))...)
	return pg.Translate(err)
}

// seldomTypes is the condition of the index events_seldom.
const seldomTypes = " AND x.type NOT IN ('transaction.created', 'transaction.updated', 'transaction.processed', " +
	"'transaction.locked')"

var frequentTypes = map[string]bool{
	"transaction.created": true, "transaction.updated": true, "transaction.processed": true, "transaction.locked": true,
}

// clockStep is how far the clock of the database may have been set back between two events. The tables of days are
// selected by time, and their rows by number.
const clockStep = time.Hour

// columns are the columns of an event e, with the request of the database transaction that wrote it.
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

var eventsAfter, seldomEventsAfter = selectAfter(""), selectAfter(seldomTypes)

func selectAfter(condition string) pg.Statement {
	return pg.Prepare(columns+`
		  FROM (SELECT f.* FROM {organization}
		         CROSS JOIN LATERAL (
		           SELECT x.* FROM events x
		            WHERE x.organization_id = organization.id AND x.sequence > @after AND x.sequence <= @until
		              AND x.created_at >= @since AND x.created_at >= now() - @kept::interval
		              AND (cardinality(@types::text[]) = 0 OR x.type = ANY (@types::text[]))`+condition+`
		            ORDER BY x.sequence LIMIT @at_most) f
		         ORDER BY f.sequence LIMIT @at_most) e
		  JOIN organizations o ON o.id = e.organization_id
		 ORDER BY e.sequence`, pg.Names{"after", "until", "since", "kept", "types", "at_most"}, organizationRows)
}

// After returns events in the order of their numbers. more reports that others follow. Later events have higher numbers
// than all that it returns.
func (s *Store) After(ctx context.Context, q models.EventQuery) (events []models.Event, more bool, err error) {
	until, err := s.Horizon(ctx)
	if err != nil {
		return nil, false, err
	}
	return s.UpTo(ctx, until, q)
}

// UpTo is After for events up to a number that Horizon returned.
func (s *Store) UpTo(
	ctx context.Context, until int64, q models.EventQuery,
) (events []models.Event, more bool, err error) {
	events = []models.Event{}
	if until <= q.After.Sequence {
		return events, false, nil
	}
	statement, seldom := eventsAfter, len(q.Types) > 0
	for _, t := range q.Types {
		seldom = seldom && !frequentTypes[t]
	}
	if seldom {
		statement = seldomEventsAfter
	}
	rows, err := s.db.Query(ctx, statement.SQL, statement.Values([]any{
		q.After.Sequence, until, q.After.At.Add(-clockStep), models.EventsKept, append([]string{}, q.Types...), q.Limit + 1,
	}, organizationRows.Of(q.Organizations))...)
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

// Event returns the event at a position of the feed. It ignores the horizon of this process, because another process
// with a higher horizon may have returned the event before. Errors: models.ErrNotFound.
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

// Newest returns the position of the newest event of each organization with an event in the last hour.
func (s *Store) Newest(ctx context.Context, organizations []string) (map[string]models.EventPosition, error) {
	until, err := s.Horizon(ctx)
	if err != nil {
		return nil, err
	}
	return s.newest(ctx, organizations, until, clockStep)
}

// Last returns the position of the newest event of an organization; the zero value if it has none.
// Most callers ask after a recent change, and an event of the last hour is found without reading the tables of all
// days.
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

var selectNewest = pg.Prepare(`
	SELECT organization.id, f.sequence, f.created_at FROM {organization}
	 CROSS JOIN LATERAL (
	   SELECT x.sequence, x.created_at FROM events x
	    WHERE x.organization_id = organization.id AND x.sequence <= @until AND x.created_at >= now() - @within::interval
	    ORDER BY x.sequence DESC LIMIT 1) f`, pg.Names{"until", "within"}, organizationRows)

// newest returns the newest events up to a number within the time before now, by organization.
func (s *Store) newest(
	ctx context.Context, organizations []string, until int64, within time.Duration,
) (map[string]models.EventPosition, error) {
	rows, err := s.db.Query(ctx, selectNewest.SQL,
		selectNewest.Values([]any{until, within}, organizationRows.Of(organizations))...)
	newest := map[string]models.EventPosition{}
	var e models.Event
	err = pg.ForEach(rows, err, []any{&e.OrganizationID, &e.Sequence, &e.CreatedAt}, func() error {
		newest[e.OrganizationID] = e.Position()
		return nil
	})
	return newest, err
}

// End returns the position after all events that readers may see now.
func (s *Store) End(ctx context.Context) (models.EventPosition, error) {
	until, err := s.Horizon(ctx)
	return models.EventPosition{At: s.db.Now(), Sequence: until}, err
}

// daysAhead is for how many days tables are created in advance.
const daysAhead = 30

// KeepDays creates the tables of the next days, and drops those of expired events. It may run any number of times and
// concurrently. A drop waits a second for statements on events, and then fails: the next run repeats it.
func (s *Store) KeepDays(ctx context.Context) (made, dropped int, err error) {
	if err = s.db.QueryRow(ctx, "SELECT make_event_days($1)", daysAhead).Scan(&made); err != nil {
		return 0, 0, pg.Translate(err)
	}
	err = s.db.QueryRow(ctx, "SELECT drop_event_days($1)", int(models.EventsKept/(24*time.Hour))).Scan(&dropped)
	return made, dropped, pg.Translate(err)
}
