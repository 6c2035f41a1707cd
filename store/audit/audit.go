// Package audit reads the audit trail, seals it and verifies it.
//
// Every change writes its row of the trail in its own database transaction, by pg.Audit or pg.QueueAudit.
// It writes one row for each record, so that the rows of a transaction are its history. The database puts the rows of a
// statement into a queue (audit_unsealed). A chain link for each row would make the writers of an organization wait for
// each other. So one process at a time creates the links moments later, for the whole queue (Seal).
// A link names its rows and has a digest of each. Its seal is an HMAC of that and of the previous seal,
// under a key that the database does not have.
package audit

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// Store reads, seals and verifies the audit trail.
type Store struct {
	db         *pg.DB
	sliceRows  int64
	sliceSeals int
	resealRows int64
}

// New returns the store on a database.
func New(db *pg.DB) *Store { return &Store{db, sliceRows, sliceSeals, resealRows} }

// skew is the possible difference of the clocks of two machines. Ids have the time of the machine that created them,
// rows the time of the database. So the range of ids is wider, and the rows decide.
const skew = 24 * time.Hour

// NoteRead records in one statement that a person read personal data, or complete exports.
func (s *Store) NoteRead(ctx context.Context, reads ...*models.AuditEntry) error {
	batch := &pgx.Batch{}
	pg.QueueAudit(batch, reads...)
	return pg.Translate(s.db.SendBatch(ctx, batch).Close())
}

// ListAudit returns a page of entries of the trail with the names of their records, the newest first.
func (s *Store) ListAudit(
	ctx context.Context, scope models.Scope, f models.AuditFilter, page models.Page,
) (models.List[models.AuditEntry], error) {
	q := s.db.GORM(ctx).Where("organization_id = ?", scope.OrganizationID)
	if f.ObjectID != "" {
		q = q.Where("entity_id = ?", f.ObjectID)
	}
	if f.ActorID != "" {
		q = q.Where("(api_key_id = ? OR user_id = ? OR staff = ?)", f.ActorID, f.ActorID, f.ActorID)
	}
	q = pg.OneOf(q, "action IN ?", f.Actions)
	q = pg.OneOf(q, "entity_type IN ?", f.ObjectTypes)
	if !f.Since.IsZero() {
		q = q.Where("at >= ? AND id >= ?", f.Since, models.FirstID(models.PrefixAudit, f.Since.Add(-skew)))
	}
	if !f.Until.IsZero() {
		q = q.Where("at <= ? AND id < ?", f.Until, models.FirstID(models.PrefixAudit, f.Until.Add(skew)))
	}
	list, err := pg.ReadPage[models.AuditEntry](q, pg.Sortable{"id": false}, []models.Order{{Column: "id", Desc: true}}, page)
	if err == nil {
		err = s.complete(ctx, scope.OrganizationID, list.Items)
	}
	return list, err
}
