package store

import (
	"context"

	"levy/models"
)

// SetRateLimit gives an organization a limit of its own, or with nil that of the
// installation again. Every process goes by it within seconds. Errors:
// models.ErrNotFound.
func (s *Store) SetRateLimit(ctx context.Context, scope models.Scope, limit *models.RateLimit) error {
	sql, args := "DELETE FROM rate_limits WHERE organization_id = $1", []any{scope.OrganizationID}
	if limit != nil {
		sql = `
			INSERT INTO rate_limits (organization_id, per_minute, burst) VALUES ($1, $2, $3)
			ON CONFLICT (organization_id) DO UPDATE SET per_minute = excluded.per_minute, burst = excluded.burst`
		args = append(args, limit.PerMinute, limit.Burst)
	}
	_, err := s.pool.Exec(ctx, sql, args...)
	if violates(err, "rate_limits_organization_id_fkey") {
		return models.ErrNotFound
	}
	return translate(err)
}
