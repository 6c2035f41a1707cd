package store

import (
	"context"

	"levy/models"
)

// CreateOperatorKey writes the record of a new operator key and returns its id.
// Operator keys belong to the installation, so there is no scope.
func (s *Store) CreateOperatorKey(ctx context.Context, hash []byte) (string, error) {
	id := models.NewID(models.PrefixOperatorKey)
	_, err := s.pool.Exec(ctx, `INSERT INTO operator_keys (id, hash, created_at) VALUES ($1, $2, now())`, id, hash)
	return id, translate(err)
}

// FindOperatorKey returns the id of a living operator key. hashes are those of
// one key under every master key. Errors: models.ErrNotFound.
func (s *Store) FindOperatorKey(ctx context.Context, hashes [][]byte) (string, error) {
	var id string
	err := s.pool.QueryRow(ctx, `SELECT id FROM operator_keys WHERE hash = ANY($1) AND revoked_at IS NULL`, hashes).Scan(&id)
	return id, translate(err)
}
