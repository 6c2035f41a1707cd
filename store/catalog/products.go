package catalog

import (
	"context"
	"database/sql"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

// CreateProduct writes a product. Errors: *models.DuplicateError (external_id).
func (s *Store) CreateProduct(ctx context.Context, scope models.Scope, actor models.Actor, p *models.Product) error {
	p.OrganizationID = scope.OrganizationID
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		created := tx.Clauses(skipIfExternalIDTaken).Create(p)
		if created.Error != nil {
			return created.Error
		}
		if created.RowsAffected == 0 {
			return duplicateOf(tx, &models.Product{}, p.OrganizationID, p.ExternalID)
		}
		if err := refusePadded(tx, &models.Product{}, p.OrganizationID, p.ExternalID); err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditCreate, "product", p.ID))
	})
}

// skipIfExternalIDTaken makes an insert do nothing if the external id is taken.
var skipIfExternalIDTaken = clause.OnConflict{
	Columns:   []clause.Column{{Name: "organization_id"}, {Name: "external_id"}},
	DoNothing: true,
}

// duplicateOf returns an error with the product or customer of the organization that has an external id.
// record gives the type.
func duplicateOf(tx *gorm.DB, record any, organizationID, externalID string) error {
	duplicate := &models.DuplicateError{Field: "external_id"}
	err := tx.Model(record).Select("id").Where("organization_id = ? AND external_id = ?", organizationID, externalID).
		Limit(1).Find(&duplicate.ExistingID).Error
	if err != nil {
		return err
	}
	return duplicate
}

// refusePadded returns an error if a product or customer of an earlier release has an external id with white space
// around it. record gives the type. Errors: *models.DuplicateError.
func refusePadded(tx *gorm.DB, record any, organizationID, externalID string) error {
	duplicate := &models.DuplicateError{Field: "external_id"}
	err := tx.Model(record).Select("id").Where("organization_id = ? AND "+pg.Padded("external_id", "?"),
		organizationID, externalID).Order("id").Limit(1).Find(&duplicate.ExistingID).Error
	// guard: identifiers: a new one that equals a padded one is its duplicate
	if err != nil || duplicate.ExistingID == "" {
		return err
	}
	return duplicate
}

// whereExternalID restricts a query to the record of a table with an external id.
func whereExternalID(tx *gorm.DB, table string, scope models.Scope, externalID string) *gorm.DB {
	return tx.Where("organization_id = @organization AND id = ("+pg.ByExternalID(table, "@organization", "@name")+")",
		sql.Named("organization", scope.OrganizationID), sql.Named("name", externalID))
}

// Product returns a product. Errors: models.ErrNotFound.
func (s *Store) Product(ctx context.Context, scope models.Scope, id string) (models.Product, error) {
	var p models.Product
	err := pg.Record(s.db.OpenTables().GORM(ctx), scope, id).Take(&p).Error
	return p, pg.Translate(err)
}

// ProductByExternalID returns the product with the client's identifier, which may be stored with white space around
// it. Errors: models.ErrNotFound.
func (s *Store) ProductByExternalID(
	ctx context.Context, scope models.Scope, externalID string,
) (models.Product, error) {
	var p models.Product
	err := whereExternalID(s.db.OpenTables().GORM(ctx), "products", scope, externalID).Take(&p).Error
	return p, pg.Translate(err)
}

// productOrder are the columns of a product. The first four have an index.
var productOrder = pg.Sortable{
	"name": false, "external_id": false, "created_at": false, "status": false, "updated_at": false,
	"product_category": false, "product_subcategory": true, "tax_class": false, "classification": false,
	"description": true, "source": false, "code": true, "connection_id": true,
}

// ListProducts returns a page of the products that pass the filter. Categories match without regard to case, spaces and
// dashes, as in the catalogue. order may contain the columns of productOrder. Errors: *models.InvalidError for more
// products than are sorted without an index.
func (s *Store) ListProducts(
	ctx context.Context, scope models.Scope, f models.ProductFilter, order []models.Order, page models.Page,
) (models.List[models.Product], error) {
	q := s.db.OpenTables().GORM(ctx).Where("organization_id = ?", scope.OrganizationID)
	if f.Text != "" {
		part := pg.Containing(f.Text)
		q = q.Where("(external_id ILIKE ? OR name ILIKE ? OR EXISTS (SELECT FROM jsonb_array_elements_text(sku) AS unit "+
			"WHERE unit ILIKE ?))", part, part, part)
	}
	q = pg.OneOf(q, "status IN ?", f.Statuses)
	if len(f.Categories) > 0 {
		q = q.Where("upper(translate(product_category, ' -', '__')) IN ?", categoryKeys(f.Categories))
	}
	if len(f.Subcategories) > 0 {
		q = q.Where("upper(translate(product_subcategory, ' -', '__')) IN ?", categoryKeys(f.Subcategories))
	}
	q = pg.OneOf(q, "source IN ?", f.Sources)
	q = pg.OneOf(q, "connection_id IN ?", f.ConnectionIDs)
	var count func(*int64) error
	if f.Text == "" && len(f.Categories)+len(f.Subcategories)+len(f.Sources)+len(f.ConnectionIDs) == 0 {
		count = countRecords(ctx, s, scope, "products", f.Statuses)
	}
	count = sortedCount[models.Product](q, count, order, "name", "external_id", "created_at", "status")
	return pg.ReadCountedPage[models.Product](q, count, productOrder, order, page)
}

var categoryEscapes = strings.NewReplacer(" ", "_", "-", "_")

func categoryKeys(names []string) []string {
	keys := make([]string, len(names))
	for i, name := range names {
		keys[i] = strings.ToUpper(categoryEscapes.Replace(name))
	}
	return keys
}

// UpdateProduct reads a product, calls change and writes the result, in one database transaction. The second of two
// concurrent changes sees the first. It does not change the identifiers and the time of creation. Errors:
// models.ErrNotFound, and those of change.
func (s *Store) UpdateProduct(
	ctx context.Context, scope models.Scope, actor models.Actor, id string, change func(*models.Product) error,
) (models.Product, error) {
	return pg.Update(ctx, s.db, scope, id, pg.Change[models.Product]{
		Columns: []string{"name", "product_category", "product_subcategory", "tax_class", "classification", "tax_exempt",
			"description", "status", "source", "sku", "code"},
		Alter: change,
		AfterWrite: func(tx *gorm.DB, _ *models.Product, fields map[string]any) error {
			return pg.Audit(tx, actor.Entry(scope, models.AuditUpdate, "product", id).With(fields))
		},
	})
}

// ArchiveProduct sets the status ARCHIVED. A repetition changes nothing. Errors: models.ErrNotFound.
func (s *Store) ArchiveProduct(ctx context.Context, scope models.Scope, actor models.Actor, id string) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		archived := tx.Model(&models.Product{}).
			Where("organization_id = ? AND id = ? AND status <> ?", scope.OrganizationID, id, models.ProductArchived).
			Updates(map[string]any{"status": models.ProductArchived, "updated_at": tx.NowFunc()})
		if archived.Error != nil {
			return archived.Error
		}
		if archived.RowsAffected == 0 {
			return pg.Record(tx, scope, id).Select("id").Take(&models.Product{}).Error
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditArchive, "product", id))
	})
}
