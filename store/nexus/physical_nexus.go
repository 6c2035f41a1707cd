package nexus

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

// CreatePhysicalNexus stores a presence. The nexus of its place is evaluated again.
func (s *Store) CreatePhysicalNexus(
	ctx context.Context, scope models.Scope, actor models.Actor, p *models.PhysicalNexus,
) error {
	p.OrganizationID = scope.OrganizationID
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		if err := tx.Create(p).Error; err != nil {
			return err
		}
		return savePresenceChange(tx, actor.Entry(scope, models.AuditCreate, "physical_nexus", p.ID), p)
	})
}

// savePresenceChange writes the audit row of a change and marks the nexus of the place as changed.
func savePresenceChange(tx *gorm.DB, entry *models.AuditEntry, p *models.PhysicalNexus) error {
	if err := MarkChanged(tx, p.OrganizationID, p.CountryCode, p.StateCode); err != nil {
		return err
	}
	return pg.Audit(tx, entry)
}

// PhysicalNexus returns a presence. Errors: models.ErrNotFound.
func (s *Store) PhysicalNexus(ctx context.Context, scope models.Scope, id string) (models.PhysicalNexus, error) {
	var p models.PhysicalNexus
	err := pg.Record(s.db.OpenTables().GORM(ctx), scope, id).Take(&p).Error
	return p, pg.Translate(err)
}

var physicalNexusOrder = pg.Sortable{
	"country_code": false, "state_code": false, "start_date": false, "end_date": true, "category": false,
	"external_id": true, "source": false, "street_1": true, "street_2": true, "city": true, "postal_code": true,
	"created_at": false, "updated_at": false,
}

// ListPhysicalNexus returns a page of the presences that pass the filter. order may contain the
// columns of physicalNexusOrder.
func (s *Store) ListPhysicalNexus(
	ctx context.Context, scope models.Scope, f models.PhysicalNexusFilter, order []models.Order,
	page models.Page,
) (models.List[models.PhysicalNexus], error) {
	q := s.db.OpenTables().GORM(ctx).Where("organization_id = ?", scope.OrganizationID)
	q = pg.OneOf(q, "country_code IN ?", f.Countries)
	q = pg.OneOf(q, "state_code IN ?", f.States)
	if f.Category != "" {
		q = q.Where("category = ?", f.Category)
	}
	return pg.ReadPage[models.PhysicalNexus](q, physicalNexusOrder, order, page)
}

// PhysicalNexusCategories returns the categories of the organization's presences in the places of the filter.
func (s *Store) PhysicalNexusCategories(
	ctx context.Context, scope models.Scope, f models.PhysicalNexusFilter,
) ([]string, error) {
	q := s.db.OpenTables().GORM(ctx).Model(&models.PhysicalNexus{}).Where("organization_id = ?", scope.OrganizationID)
	q = pg.OneOf(q, "country_code IN ?", f.Countries)
	q = pg.OneOf(q, "state_code IN ?", f.States)
	var assigned []string
	err := q.Distinct("category").Pluck("category", &assigned).Error
	return assigned, pg.Translate(err)
}

// UpdatePhysicalNexus reads a presence, calls change and writes the result, in one database transaction. Errors:
// models.ErrNotFound, and those of change.
func (s *Store) UpdatePhysicalNexus(
	ctx context.Context, scope models.Scope, actor models.Actor, id string,
	change func(*models.PhysicalNexus) error,
) (models.PhysicalNexus, error) {
	return pg.Update(ctx, s.db, scope, id, pg.Change[models.PhysicalNexus]{
		Columns: []string{"start_date", "end_date", "category", "external_id", "street_1", "street_2", "city", "postal_code"},
		Alter:   change,
		AfterWrite: func(tx *gorm.DB, p *models.PhysicalNexus, fields map[string]any) error {
			return savePresenceChange(tx, actor.Entry(scope, models.AuditUpdate, "physical_nexus", p.ID).With(fields), p)
		},
	})
}

// DeletePhysicalNexus deletes a presence and returns its last state. Errors: models.ErrNotFound.
func (s *Store) DeletePhysicalNexus(
	ctx context.Context, scope models.Scope, actor models.Actor, id string,
) (models.PhysicalNexus, error) {
	var p models.PhysicalNexus
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("organization_id = ? AND id = ?",
			scope.OrganizationID, id).Take(&p).Error
		if err != nil {
			return err
		}
		if err := pg.Record(tx, scope, id).Delete(&models.PhysicalNexus{}).Error; err != nil {
			return err
		}
		return savePresenceChange(tx, actor.Entry(scope, models.AuditDelete, "physical_nexus", p.ID), &p)
	})
	return p, err
}
