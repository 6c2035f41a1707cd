package filings

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// selectEntries reads the entries of a filing, the oldest first.
const selectEntries = `
	SELECT e.organization_id, e.filing_id, e.id, e.kind, e.amount::text, e.taxable::text, coalesce(e.jurisdiction_id, ''),
	       coalesce(e.jurisdiction_type, ''), coalesce(e.jurisdiction_name, ''), coalesce(e.line, ''), e.note, e.created_by,
	       e.created_at
	  FROM filing_entries e
	 WHERE e.organization_id = $1 AND e.filing_id = $2
	 ORDER BY e.id`

const (
	insertEntry = `
	INSERT INTO filing_entries (organization_id, filing_id, id, kind, amount, taxable, jurisdiction_id, jurisdiction_type,
	                            jurisdiction_name, line, note, created_by, created_at)
	VALUES ($1, $2, $3, $4, $5::text::numeric, $6::text::numeric, nullif($7, ''), nullif($8, ''), nullif($9, ''),
	        nullif($10, ''), $11, $12, $13)`
	deleteEntry = "DELETE FROM filing_entries WHERE organization_id = $1 AND filing_id = $2 AND id = $3"
)

func scanEntry(row pgx.CollectableRow) (e models.FilingEntry, err error) {
	return e, row.Scan(&e.OrganizationID, &e.FilingID, &e.ID, &e.Kind, &e.Amount, &e.Taxable, &e.JurisdictionID,
		&e.JurisdictionType, &e.JurisdictionName, &e.Line, &e.Note, &e.CreatedBy, &e.CreatedAt)
}

// FilingEntries lists the entries of a filing, the oldest first.
func (s *Store) FilingEntries(ctx context.Context, scope models.Scope, filingID string) ([]models.FilingEntry, error) {
	rows, err := s.db.Query(ctx, selectEntries, scope.OrganizationID, filingID)
	entries, err := pg.Collect(rows, err, scanEntry)
	return entries, pg.Translate(err)
}

// queueEntry adds the statements of a change of the entries, with its line in the history.
func (u *filingUpdate) queueEntry(batch *pgx.Batch) {
	change := u.next.EntryChange
	if change == nil {
		return
	}
	action, e := models.FilingEntryDeleted, change.Deleted
	if change.Added != nil {
		action, e = models.FilingEntryAdded, change.Added
		batch.Queue(insertEntry, u.scope.OrganizationID, u.next.ID, e.ID, string(e.Kind), e.Amount.String(), e.Taxable.String(),
			e.JurisdictionID, e.JurisdictionType, e.JurisdictionName, e.Line, e.Note, e.CreatedBy, e.CreatedAt).Exec(changedOne)
	} else {
		batch.Queue(deleteEntry, u.scope.OrganizationID, u.next.ID, e.ID).Exec(changedOne)
	}
	u.queueRemark(batch, action, e.Said())
}

// auditOfEntry returns the row of the audit trail of a change of the entries. It is of the filing, so that its actor
// counts among those that have made what the return rests on.
func (u *filingUpdate) auditOfEntry(change *models.FilingEntryChange) *models.AuditEntry {
	action, e := models.AuditDeleteEntry, change.Deleted
	if change.Added != nil {
		action, e = models.AuditAddEntry, change.Added
	}
	return u.actor.Entry(u.scope, action, "filing", u.next.ID).With(map[string]any{
		"entry_id": e.ID, "kind": string(e.Kind), "amount": e.Amount.String(), "taxable": e.Taxable.String(),
	})
}
