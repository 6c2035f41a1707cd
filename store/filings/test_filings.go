package filings

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

const receiptColumns = `
	s.digest, s.answer, (extract(epoch FROM s.decides_after) * 1000000)::bigint,
	(extract(epoch FROM clock_timestamp() - s.received_at) * 1000000)::bigint, s.contacts`

// Receive records that the simulated authority got a submission, and returns its receipt. For a repeated submission it
// returns the first receipt.
func (s *Store) Receive(ctx context.Context, r models.SandboxReceipt) (models.SandboxReceipt, error) {
	rows, err := s.db.Query(ctx, `
		INSERT INTO sandbox_submissions AS s (organization_id, kind, record_id, attempt, digest, answer, decides_after)
		VALUES ($1, $2, $3, $4, $5, $6, $7 * interval '1 microsecond')
		ON CONFLICT (organization_id, kind, record_id, attempt) DO UPDATE SET contacts = s.contacts + 1,
		  digest = CASE WHEN s.answer->>'outcome' = '' THEN excluded.digest ELSE s.digest END,
		  answer = CASE WHEN s.answer->>'outcome' = '' THEN excluded.answer ELSE s.answer END,
		  decides_after = CASE WHEN s.answer->>'outcome' = '' THEN excluded.decides_after ELSE s.decides_after END
		RETURNING s.attempt, `+receiptColumns,
		r.Key.OrganizationID, r.Key.Kind, r.Key.RecordID, r.Key.Attempt, r.Digest, r.Answer, r.Decides.Microseconds())
	return receipt(r.Key, rows, err)
}

// Receipt returns the receipt of a submission from the simulated authority. Errors: models.ErrNotFound.
func (s *Store) Receipt(ctx context.Context, key models.AuthorityKey) (models.SandboxReceipt, error) {
	rows, err := s.db.Query(ctx, `
		SELECT s.attempt, `+receiptColumns+` FROM sandbox_submissions s
		 WHERE s.organization_id = $1 AND s.kind = $2 AND s.record_id = $3 AND s.attempt = $4`,
		key.OrganizationID, key.Kind, key.RecordID, key.Attempt)
	return receipt(key, rows, err)
}

// AcceptedBefore returns the accepted submission of an earlier attempt. Errors: models.ErrNotFound.
func (s *Store) AcceptedBefore(ctx context.Context, key models.AuthorityKey) (models.SandboxReceipt, error) {
	rows, err := s.db.Query(ctx, `
		SELECT s.attempt, `+receiptColumns+` FROM sandbox_submissions s
		 WHERE s.organization_id = $1 AND s.kind = $2 AND s.record_id = $3 AND s.attempt < $4
		   AND s.answer->>'outcome' = 'ACCEPTED'
		 ORDER BY s.attempt LIMIT 1`,
		key.OrganizationID, key.Kind, key.RecordID, key.Attempt)
	return receipt(key, rows, err)
}

func receipt(key models.AuthorityKey, rows pgx.Rows, err error) (models.SandboxReceipt, error) {
	if err != nil {
		return models.SandboxReceipt{}, pg.Translate(err)
	}
	found, err := pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (models.SandboxReceipt, error) {
		r := models.SandboxReceipt{Key: key}
		var decides, age int64
		err := row.Scan(&r.Key.Attempt, &r.Digest, &r.Answer, &decides, &age, &r.Contacts)
		r.Decides, r.Age = time.Duration(decides)*time.Microsecond, time.Duration(age)*time.Microsecond
		return r, err
	})
	return found, pg.Translate(err)
}
