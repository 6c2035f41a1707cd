package events

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

// Place identifies an event of an organization by the number and the time with which it was read.
type Place struct {
	OrganizationID string
	models.EventPosition
}

var selectAt = pg.Prepare(columns+`
		  FROM {place}
		  JOIN events e ON e.organization_id = place.organization_id AND e.sequence = place.sequence
		   AND e.created_at >= @since AND e.created_at <= @until AND e.created_at >= now() - @kept::interval
		  JOIN organizations o ON o.id = e.organization_id`, pg.Names{"since", "until", "kept"}, placeRows)

var placeRows = pg.RowsOf("place",
	pg.Col("organization_id", "text", func(p *Place) *string { return &p.OrganizationID }),
	pg.Col("sequence", "bigint", func(p *Place) *string { return pg.Integer(int(p.Sequence)) }),
)

// Find returns the events at some places, by their numbers. Expired events are missing.
func (s *Store) Find(ctx context.Context, places []Place) (map[int64]models.Event, error) {
	found := make(map[int64]models.Event, len(places))
	if len(places) == 0 {
		return found, nil
	}
	from, to := places[0].At, places[0].At
	for _, p := range places {
		if p.At.Before(from) {
			from = p.At
		}
		if p.At.After(to) {
			to = p.At
		}
	}
	rows, err := s.db.Query(ctx, selectAt.SQL, selectAt.Values([]any{from, to, models.EventsKept}, placeRows.Of(places))...)
	events, err := pg.Collect(rows, err, scan)
	for _, e := range events {
		found[e.Sequence] = e
	}
	return found, err
}
