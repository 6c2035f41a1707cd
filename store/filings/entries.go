package filings

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
)

// selectEntries reads entries as e; conditions follow.
const selectEntries = `
	SELECT e.organization_id, e.filing_id, e.id, e.kind, e.amount::text, e.taxable::text, coalesce(e.jurisdiction_id, ''),
	       coalesce(e.jurisdiction_type, ''), coalesce(e.jurisdiction_name, ''), coalesce(e.line, ''), e.note, e.created_by,
	       e.created_at, coalesce(e.external_id, ''), coalesce(e.import_id, ''), coalesce(e.import_line, 0)
	  FROM filing_entries e`

const (
	ofFiling        = " WHERE e.organization_id = $1 AND e.filing_id = $2 ORDER BY e.id"
	entryNamed      = " WHERE e.organization_id = $1 AND e.external_id = $2"
	filingsOfPeriod = ` WHERE f.organization_id = $1 AND f.country_code = $2 AND f.state_code = $3 AND f.start_date = $4::text::date
	   AND f.end_date = $5::text::date ORDER BY f.id`

	insertEntry = `
	INSERT INTO filing_entries (organization_id, filing_id, id, kind, amount, taxable, jurisdiction_id, jurisdiction_type,
	                            jurisdiction_name, line, note, created_by, created_at, external_id, import_id, import_line)
	VALUES ($1, $2, $3, $4, $5::text::numeric, $6::text::numeric, nullif($7, ''), nullif($8, ''), nullif($9, ''),
	        nullif($10, ''), $11, $12, $13, nullif($14, ''), nullif($15, ''), nullif($16, 0))`
	deleteEntry = "DELETE FROM filing_entries WHERE organization_id = $1 AND filing_id = $2 AND id = $3"
)

func scanEntry(row pgx.CollectableRow) (e models.FilingEntry, err error) {
	return e, row.Scan(&e.OrganizationID, &e.FilingID, &e.ID, &e.Kind, &e.Amount, &e.Taxable, &e.JurisdictionID,
		&e.JurisdictionType, &e.JurisdictionName, &e.Line, &e.Note, &e.CreatedBy, &e.CreatedAt, &e.ExternalID, &e.ImportID,
		&e.ImportLine)
}

// FilingEntries lists the entries of a filing, the oldest first.
func (s *Store) FilingEntries(ctx context.Context, scope models.Scope, filingID string) ([]models.FilingEntry, error) {
	rows, err := s.db.Query(ctx, selectEntries+ofFiling, scope.OrganizationID, filingID)
	entries, err := pg.Collect(rows, err, scanEntry)
	return entries, pg.Translate(err)
}

// EntryByExternalID returns the entry of an organization with an external id. Errors: models.ErrNotFound.
func (s *Store) EntryByExternalID(ctx context.Context, scope models.Scope, externalID string) (models.FilingEntry, error) {
	rows, err := s.db.Query(ctx, selectEntries+entryNamed, scope.OrganizationID, externalID)
	entries, err := pg.Collect(rows, err, scanEntry)
	if err != nil {
		return models.FilingEntry{}, pg.Translate(err)
	}
	if len(entries) == 0 {
		return models.FilingEntry{}, models.ErrNotFound
	}
	return entries[0], nil
}

// FilingsOfPeriod lists the filings of an authority with exactly these days, such as a return and its amendments.
func (s *Store) FilingsOfPeriod(
	ctx context.Context, scope models.Scope, country, state string, start, end calendar.Date,
) ([]models.Filing, error) {
	rows, err := s.db.Query(ctx, selectFilings+filingsOfPeriod, scope.OrganizationID, country, state, start.String(), end.String())
	list, err := pg.Collect(rows, err, func(row pgx.CollectableRow) (models.Filing, error) { return scanFiling(row) })
	return list, pg.Translate(err)
}

// nameEntry adds the id of the entry that has the external id of a refused one. Another entry may have got that id
// since.
func (s *Store) nameEntry(ctx context.Context, u *filingUpdate, duplicate *models.DuplicateError) error {
	e, err := s.EntryByExternalID(ctx, u.scope, u.next.EntryChange.Added.ExternalID)
	if errors.Is(err, models.ErrNotFound) { // it was deleted at this moment
		return models.ErrChangedMeanwhile
	}
	if err != nil {
		return err
	}
	duplicate.ExistingID = e.ID
	return duplicate
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
			e.JurisdictionID, e.JurisdictionType, e.JurisdictionName, e.Line, e.Note, e.CreatedBy, e.CreatedAt,
			e.ExternalID, e.ImportID, e.ImportLine).Exec(changedOne)
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
