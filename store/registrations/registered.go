package registrations

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// RegisteredAmong returns those of some states of the United States in which an organization is registered, of all
// organizations.
func (s *Store) RegisteredAmong(ctx context.Context, states []string) ([]string, error) {
	rows, err := s.db.Query(ctx, `
		SELECT s FROM unnest($1::text[]) s
		 WHERE EXISTS (SELECT FROM registrations r
		                WHERE r.country_code = 'US' AND r.state_code = s AND r.status = ANY ($2))
		 ORDER BY s`, states, []models.RegistrationStatus{models.RegistrationRegistered, models.RegistrationDeregistering})
	return pg.Collect(rows, err, pgx.RowTo[string])
}
