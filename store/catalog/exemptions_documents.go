package catalog

import (
	"context"
	"time"

	"levy/models"
	"levy/store/pg"
)

// Documents returns the documents of the organization with these ids, the oldest first. It omits unknown ids.
func (s *Store) Documents(ctx context.Context, scope models.Scope, ids []string) (list []models.Attachment, err error) {
	err = s.db.GORM(ctx).Where("organization_id = ? AND id IN ?", scope.OrganizationID,
		ids).Order("created_at, id").Find(&list).Error
	return list, pg.Translate(err)
}

// EndedDocuments returns the documents of exemptions that expired, or were archived, before a day, the oldest first.
func (s *Store) EndedDocuments(
	ctx context.Context, scope models.Scope, before time.Time,
) (list []models.Attachment, err error) {
	err = s.db.GORM(ctx).Where(`organization_id = @organization AND exemption_id IN (
		SELECT e.id FROM exemptions e WHERE e.organization_id = @organization
		   AND (e.status = 'EXPIRED' AND e.end_date < @before OR e.status = 'ARCHIVED' AND e.updated_at < @before))`,
		map[string]any{"organization": scope.OrganizationID, "before": before}).
		Order("created_at, id").Find(&list).Error
	return list, pg.Translate(err)
}

// DeleteDocument deletes a document, which frees storage of the partner. The exemption remains. Errors:
// models.ErrNotFound, also for a deleted document.
func (s *Store) DeleteDocument(ctx context.Context, scope models.Scope, actor models.Actor, id string) error {
	return pg.Translate(s.db.InTx(ctx, func(ctx context.Context) error {
		return pg.DeleteDocument[models.Attachment](s.db.GORM(ctx), scope, id, deletePieces,
			actor.Entry(scope, models.AuditDelete, "exemption_attachment", id))
	}))
}

// Stored returns what an organization and its partner store, and may store.
func (s *Store) Stored(ctx context.Context, scope models.Scope) (models.Stored, error) {
	stored, err := s.db.Stored(s.db.GORM(ctx), scope)
	return stored, pg.Translate(err)
}
