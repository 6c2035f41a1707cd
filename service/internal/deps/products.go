package deps

import (
	"context"

	"levy/models"
	"levy/tax"
)

// Products are the entries of the catalogues.
type Products interface {
	// CreateProduct writes a product. Errors: *models.DuplicateError (external_id).
	CreateProduct(ctx context.Context, scope models.Scope, actor models.Actor, p *models.Product) error
	// Product reads one product. Errors: models.ErrNotFound.
	Product(ctx context.Context, scope models.Scope, id string) (models.Product, error)
	// ProductByExternalID finds a product by the client's identifier. Errors: models.ErrNotFound.
	ProductByExternalID(ctx context.Context, scope models.Scope, externalID string) (models.Product, error)
	// ListProducts lists the products that pass the filter.
	ListProducts(ctx context.Context, scope models.Scope, f models.ProductFilter, order []models.Order,
		page models.Page) (models.List[models.Product], error)
	// UpdateProduct reads a product, calls change and writes the result, all in one database transaction. Errors:
	// models.ErrNotFound, and those of change.
	UpdateProduct(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		change func(*models.Product) error) (models.Product, error)
	// RecentSales calls see with the processed sales of a product, the newest first, a few at a time. Errors: those
	// of see.
	RecentSales(ctx context.Context, scope models.Scope, q models.RecentSalesQuery,
		see func([]models.Transaction) error) error
	// ArchiveProduct sets the status ARCHIVED. Errors: models.ErrNotFound.
	ArchiveProduct(ctx context.Context, scope models.Scope, actor models.Actor, id string) error
}

// Catalogue is the list of product categories with their tax classes.
type Catalogue interface {
	Categories() []tax.Category
	Classify(category, subcategory string) (class tax.TaxClass, how tax.Classification, ok bool)
}
