package filings

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// connectionField is what a connection is bound to when it is encrypted.
const connectionField = "filing_connections"

// keepConnection replaces the connection of the call that has an authority file a return. A trigger deletes it with the answer.
const keepConnection = `
	INSERT INTO filing_connections (organization_id, filing_id, attempt, connection) VALUES ($1, $2, $3, $4)
	ON CONFLICT (organization_id, filing_id) DO UPDATE SET attempt = excluded.attempt, connection = excluded.connection`

// queueConnection adds the statement that stores the connection of the call, if this change begins an attempt and the
// authority requires it.
func (u *filingUpdate) queueConnection(ctx context.Context, db *pg.DB, batch *pgx.Batch) error {
	c := u.next.Connection
	// guard: connections: a call that begins no attempt is not recorded
	if c == nil || u.next.Status != models.FilingFiling || u.next.Attempt == u.stored.Attempt {
		return nil
	}
	key, err := db.LoadTaxIDKey(ctx)
	if err != nil {
		return err
	}
	plain, err := json.Marshal(c)
	if err != nil {
		return err
	}
	// guard: connections: what is stored of a call is encrypted
	sealed := key.DocumentKey(u.scope.OrganizationID).Seal(connectionField, plain)
	batch.Queue(keepConnection, u.scope.OrganizationID, u.next.ID, u.next.Attempt, sealed)
	return nil
}

// ConnectionOfAttempt returns the connection of the call that began an attempt which is under way. Errors: models.ErrNotFound;
// secret.ErrUnreadable.
func (s *Store) ConnectionOfAttempt(
	ctx context.Context, scope models.Scope, attempt models.Attempt,
) (c models.ClientConnection, err error) {
	var sealed []byte
	err = s.db.QueryRow(ctx, `SELECT connection FROM filing_connections
		WHERE organization_id = $1 AND filing_id = $2 AND attempt = $3`, scope.OrganizationID, attempt.RecordID, attempt.Number).
		Scan(&sealed)
	if err != nil {
		return c, pg.Translate(err)
	}
	key, err := s.db.LoadTaxIDKey(ctx)
	if err != nil {
		return c, err
	}
	plain, err := key.DocumentKey(scope.OrganizationID).Open(connectionField, sealed)
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(plain, &c)
}
