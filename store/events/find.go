package events

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

// Place names an event of an organization by the number and the time that it was read with.
type Place struct {
	OrganizationID string
	models.EventPosition
}

// Find reads the events at some places, by their numbers. Those that are kept no longer are missing.
func (s *Store) Find(ctx context.Context, places []Place) (map[int64]models.Event, error) {
	found := make(map[int64]models.Event, len(places))
	if len(places) == 0 {
		return found, nil
	}
	organizations, sequences := make([]string, len(places)), make([]int64, len(places))
	from, to := places[0].At, places[0].At
	for i, p := range places {
		organizations[i], sequences[i] = p.OrganizationID, p.Sequence
		if p.At.Before(from) {
			from = p.At
		}
		if p.At.After(to) {
			to = p.At
		}
	}
	rows, err := s.db.Query(ctx, columns+`
		  FROM unnest($1::text[], $2::bigint[]) AS u (organization_id, sequence)
		  JOIN events e ON e.organization_id = u.organization_id AND e.sequence = u.sequence
		   AND e.created_at >= $3 AND e.created_at <= $4 AND e.created_at >= now() - $5::interval
		  JOIN organizations o ON o.id = e.organization_id`, organizations, sequences, from, to, models.EventsKept)
	events, err := pg.Collect(rows, err, scan)
	for _, e := range events {
		found[e.Sequence] = e
	}
	return found, err
}
