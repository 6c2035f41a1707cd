package filings

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

// sandboxQueue joins the documents d and filings f of the submissions s to a state $1 by a transmitter $2.
const sandboxQueue = `
	  FROM filing_documents d
	  JOIN filings f ON f.organization_id = d.organization_id AND f.id = d.filing_id AND f.country_code = 'US' AND f.state_code = $1
	  JOIN sandbox_submissions s ON s.organization_id = d.organization_id AND s.kind = '` + string(models.AuthorityReturn) + `'
	   AND s.record_id = d.filing_id AND s.attempt = d.attempt
	 WHERE d.transmitter = $2`

// HandOut hands out the next acknowledgement of a sandbox of a state to a transmitter. It returns the receipt that it is of, with how
// many of it were handed out. A submission has one for each contact, and one more. Errors: models.ErrNotFound if there is none.
func (s *Store) HandOut(ctx context.Context, state, transmitter string) (models.SandboxReceipt, error) {
	return s.handed(ctx, state, transmitter, `
		WITH next AS (
		  SELECT s.organization_id, s.kind, s.record_id, s.attempt`+sandboxQueue+`
		     AND s.answer->>'outcome' <> '' AND s.received_at + s.decides_after <= clock_timestamp() AND s.handed_out <= s.contacts
		   ORDER BY s.received_at, s.record_id, s.attempt LIMIT 1 FOR NO KEY UPDATE OF s SKIP LOCKED)
		UPDATE sandbox_submissions s SET handed_out = s.handed_out + 1, handed_out_at = clock_timestamp()
		  FROM next n
		 WHERE s.organization_id = n.organization_id AND s.kind = n.kind AND s.record_id = n.record_id AND s.attempt = n.attempt
		RETURNING `+handedColumns)
}

// HandedOutLast returns what HandOut returned last. Errors: models.ErrNotFound if it has handed out nothing.
func (s *Store) HandedOutLast(ctx context.Context, state, transmitter string) (models.SandboxReceipt, error) {
	return s.handed(ctx, state, transmitter, `
		WITH last AS (SELECT s.*`+sandboxQueue+` AND s.handed_out > 0 ORDER BY s.handed_out_at DESC LIMIT 1)
		SELECT `+handedColumns+` FROM last s`)
}

const handedColumns = "s.organization_id, s.record_id, s.attempt, s.digest, s.answer, s.contacts, s.handed_out"

func (s *Store) handed(ctx context.Context, state, transmitter, sql string) (r models.SandboxReceipt, err error) {
	r.Key.Kind = models.AuthorityReturn
	err = s.db.QueryRow(models.AcrossOrganizations(ctx), sql, state, transmitter).Scan(
		&r.Key.OrganizationID, &r.Key.RecordID, &r.Key.Attempt, &r.Digest, &r.Answer, &r.Contacts, &r.HandedOut)
	return r, pg.Translate(err)
}
