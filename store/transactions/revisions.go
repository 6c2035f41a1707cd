package transactions

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// The update that replaced version n created version n + 1, so the audit trail has it under n + 1.
const (
	revisionColumns = "r.revision, r.replaced_at, a.request_id, a.detail -> 'changed'"
	revisions       = `transaction_revisions r
	  LEFT JOIN audit a ON a.organization_id = r.organization_id AND a.entity_id = r.transaction_id
	    AND a.entity_type = 'transaction'
	       AND a.action = 'update' AND a.revision = r.revision + 1
	 WHERE r.organization_id = $1 AND r.transaction_id = $2`
)

func scanRevision(row pgx.CollectableRow) (r models.TransactionRevision, err error) {
	return r, row.Scan(&r.Revision, &r.ReplacedAt, &r.RequestID, &r.Changed)
}

var revisionsList = pg.PartsList[models.TransactionRevision]{
	Exists: selectTransactionExists,
	Count:  "SELECT count(*) FROM " + revisions,
	Select: "SELECT " + revisionColumns + " FROM " + revisions + " ORDER BY r.revision DESC",
	Scan:   scanRevision,
}

// TransactionRevisions returns a page of the replaced versions of a transaction, the newest first,
// without their content. Errors: models.ErrNotFound.
func (s *Store) TransactionRevisions(
	ctx context.Context, scope models.Scope, id string, page models.Page,
) (models.List[models.TransactionRevision], error) {
	return revisionsList.Read(ctx, s.db, scope, id, page)
}

// replacedVersion puts the rows of a replaced version in place of the tables, so that the statements that read a
// transaction read that version. Columns that were added later are empty.
const replacedVersion = `
	WITH version AS (SELECT body FROM transaction_revisions WHERE organization_id = $1 AND transaction_id = $2
	  AND revision = $3),
	     transactions AS (SELECT t.* FROM version v,
	       jsonb_populate_record(NULL::transactions, v.body -> 'transaction') t),
	     transaction_items AS (SELECT i.* FROM version v,
	       jsonb_populate_recordset(NULL::transaction_items, v.body -> 'items') i),
	     transaction_addresses AS (SELECT a.* FROM version v,
	       jsonb_populate_recordset(NULL::transaction_addresses, v.body -> 'addresses') a),
	     exemptions AS (SELECT e.* FROM version v,
	       jsonb_populate_recordset(NULL::exemptions, v.body -> 'exemptions') e),
	     transaction_exemptions AS (SELECT e.organization_id, $2::text AS transaction_id, e.id AS exemption_id,
	                                       true AS applied
	                                  FROM exemptions e)`

// TransactionRevision returns a replaced version of a transaction, in one round trip. Errors: models.ErrNotFound.
func (s *Store) TransactionRevision(
	ctx context.Context, scope models.Scope, id string, revision int,
) (models.TransactionRevision, error) {
	var versions []models.TransactionRevision
	var found transactionSet
	args := []any{scope.OrganizationID, id, revision}
	err := s.db.Snapshot(ctx, func(conn *pg.Pipeline, begin *pgx.Batch) error {
		begin.Queue("SELECT "+revisionColumns+" FROM "+revisions+
			" AND r.revision = $3", args...).Query(func(rows pgx.Rows) (err error) {
			versions, err = pgx.CollectRows(rows, scanRevision)
			return err
		})
		begin.Queue(replacedVersion+selectTransactions+" WHERE t.organization_id = $1 AND t.id = $2", args...).Query(found.read)
		found.queuePartsOf(begin, replacedVersion, "= $2", args...)
		conn.Commit(begin)
		return conn.Send(ctx, begin)
	})
	if err != nil {
		return models.TransactionRevision{}, err
	}
	if len(versions) == 0 || len(found.transactions) == 0 {
		return models.TransactionRevision{}, models.ErrNotFound
	}
	if err := s.openTaxIDs(ctx, found.transactions); err != nil {
		return models.TransactionRevision{}, err
	}
	versions[0].Transaction = found.transactions[0]
	return versions[0], nil
}
