package catalog

import (
	"context"

	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
	"levy/tax"
)

// CreateDefaultProducts creates the missing default products of an organization. It does not change existing products
// with their names. It may be repeated.
func (s *Store) CreateDefaultProducts(ctx context.Context, scope models.Scope) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		var all []models.Product
		for _, d := range models.DefaultProducts {
			all = append(all, models.Product{
				OrganizationID: scope.OrganizationID, ID: models.NewID(models.PrefixProduct),
				ExternalID: d.ExternalID, Name: d.Name,
				ProductCategory: d.Category, ProductSubcategory: &d.Subcategory,
				TaxClass: d.Class, Classification: tax.ClassificationAutoDefault,
				Status: models.ProductApproved, Source: "OTHER", SKU: []string{},
			})
		}
		created := tx.Clauses(skipIfExternalIDTaken, clause.Returning{Columns: []clause.Column{{Name: "id"}}}).Create(&all)
		if created.Error != nil || created.RowsAffected == 0 {
			return created.Error
		}
		return pg.Audit(tx, models.Actor{}.Entry(scope, models.AuditCreate, "default_products", scope.OrganizationID))
	})
}

// MissingProducts is the condition that an organization o lacks a default product.
const MissingProducts = `
	(SELECT count(*) FROM products p WHERE p.organization_id = o.id AND p.external_id IN ?) < ?`

// DefaultProductNames returns the external ids of the default products.
func DefaultProductNames() []string {
	names := make([]string, len(models.DefaultProducts))
	for i, d := range models.DefaultProducts {
		names[i] = d.ExternalID
	}
	return names
}
