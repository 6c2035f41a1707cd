package api

import (
	"context"

	"github.com/oapi-codegen/nullable"

	"levy/contract"
	"levy/models"
	"levy/tax"
)

// CreateProduct adds a product to the catalogue.
func (s *Server) CreateProduct(ctx context.Context, r contract.CreateProductRequest) (contract.Product, error) {
	call := callOf(ctx)
	p := models.Product{
		ID:                 models.NewID(models.PrefixProduct),
		ExternalID:         r.Body.ExternalID,
		Name:               r.Body.Name,
		ProductCategory:    r.Body.ProductCategory,
		ProductSubcategory: optional(r.Body.ProductSubcategory),
		TaxExempt:          r.Body.TaxExempt,
		Description:        optional(r.Body.Description),
		Status:             models.ProductStatus(r.Body.Status),
		Source:             r.Body.Source,
		SKU:                notNil(r.Body.Sku),
		Code:               r.Body.Code,
		ConnectionID:       optional(r.Body.ConnectionID),
	}
	if err := s.classify(&p); err != nil {
		return contract.Product{}, err
	}
	if err := s.deps.Products.CreateProduct(ctx, call.scope, call.actor(), &p); err != nil {
		return contract.Product{}, err
	}
	return productAnswer(p), nil
}

// classify derives the tax class from the category and subcategory.
func (s *Server) classify(p *models.Product) error {
	class, how, ok := s.deps.Catalogue.Classify(p.ProductCategory, valueOf(p.ProductSubcategory))
	if !ok {
		return invalid(models.FieldInvalidCategory, "product_category", "This product category is unknown.")
	}
	p.TaxClass, p.Classification = class, how
	return nil
}

// GetProduct reads a product.
func (s *Server) GetProduct(ctx context.Context, r contract.GetProductRequest) (contract.Product, error) {
	p, err := s.deps.Products.Product(ctx, callOf(ctx).scope, r.ProductID)
	return answered(p, err, productAnswer)
}

// GetProductByExternalID finds a product by the client's identifier.
func (s *Server) GetProductByExternalID(
	ctx context.Context, r contract.GetProductByExternalIDRequest,
) (contract.Product, error) {
	p, err := s.deps.Products.ProductByExternalID(ctx, callOf(ctx).scope, r.ExternalID)
	return answered(p, err, productAnswer)
}

// ListProducts lists products.
func (s *Server) ListProducts(ctx context.Context, r contract.ListProductsRequest) (contract.ProductList, error) {
	p := r.Params
	filter := models.ProductFilter{
		Text:          p.Query,
		Statuses:      texts[models.ProductStatus](p.StatusIn),
		Categories:    p.ProductCategoryIn,
		Subcategories: p.ProductSubcategoryIn,
		Sources:       p.SourceIn,
		ConnectionIDs: p.ConnectionIDIn,
	}
	order := orderOf(p.OrderBy)
	page, err := pageAfter(ctx, p.After, filter, order, pageOf(p.Page, p.Size))
	if err != nil {
		return contract.ProductList{}, err
	}
	list, err := s.deps.Products.ListProducts(ctx, callOf(ctx).scope, filter, order, page.Page)
	answer, err := cursorAnswer(list, err, page, productAnswer)
	return contract.ProductList(answer), err
}

// UpdateProduct changes the fields that were sent. Another classification counts
// for later calculations only.
func (s *Server) UpdateProduct(ctx context.Context, r contract.UpdateProductRequest) (contract.Product, error) {
	call := callOf(ctx)
	p, err := s.deps.Products.UpdateProduct(ctx, call.scope, call.actor(), r.ProductID, func(p *models.Product) error {
		return s.change(p, r.Body)
	})
	return answered(p, err, productAnswer)
}

func (s *Server) change(p *models.Product, sent contract.ProductUpdate) error {
	if sent.ExternalID != "" && sent.ExternalID != p.ExternalID {
		return invalid(models.FieldNotAllowed, "external_id", "external_id cannot be changed.")
	}
	if sent.Name != "" {
		p.Name = sent.Name
	}
	changeOptional(&p.Description, sent.Description)
	change((*contract.ProductStatus)(&p.Status), sent.Status, contract.ProductStatusAPPROVED)
	change(&p.Source, sent.Source, "OTHER")
	change(&p.TaxExempt, sent.TaxExempt, false)
	change(&p.SKU, sent.Sku, []string{})
	change(&p.Code, sent.Code, "")
	category, subcategory := p.ProductCategory, valueOf(p.ProductSubcategory)
	if sent.ProductCategory != "" {
		p.ProductCategory = sent.ProductCategory
	}
	changeOptional(&p.ProductSubcategory, sent.ProductSubcategory)
	if p.ProductCategory == category && valueOf(p.ProductSubcategory) == subcategory {
		return nil // sent again it asks for no other class
	}
	return s.classify(p)
}

// change sets a field to what was sent, or to its default when null was sent.
func change[T any](field *T, sent nullable.Nullable[T], byDefault T) {
	switch {
	case sent.IsNull():
		*field = byDefault
	case sent.IsSpecified():
		*field = sent[true]
	}
}

// changeOptional is change for a field that null clears.
func changeOptional[T any](field **T, sent nullable.Nullable[T]) {
	switch {
	case sent.IsNull():
		*field = nil
	case sent.IsSpecified():
		value := sent[true]
		*field = &value
	}
}

// ArchiveProduct takes a product out of use. It can still be referenced.
func (s *Server) ArchiveProduct(ctx context.Context, r contract.ArchiveProductRequest) error {
	call := callOf(ctx)
	return s.deps.Products.ArchiveProduct(ctx, call.scope, call.actor(), r.ProductID)
}

// ListProductCategories lists the whole catalogue of categories.
func (s *Server) ListProductCategories(
	context.Context, contract.ListProductCategoriesRequest,
) (contract.ProductCategoryList, error) {
	return convertAll(s.deps.Catalogue.Categories(), categoryAnswer), nil
}

func categoryAnswer(c tax.Category) contract.ProductCategory {
	return contract.ProductCategory{
		Name:               c.Name,
		DisplayName:        c.DisplayName,
		DefaultSubcategory: c.DefaultSubcategory,
		Subcategories: convertAll(c.Subcategories, func(s tax.Subcategory) contract.ProductSubcategory {
			return contract.ProductSubcategory{
				Name: s.Name, DisplayName: s.DisplayName, Description: s.Description, Example: s.Example,
				TaxClass: string(s.TaxClass), IsFrequent: s.IsFrequent,
			}
		}),
	}
}

func productAnswer(p models.Product) contract.Product {
	return contract.Product{
		ID:                 p.ID,
		OrganizationID:     p.OrganizationID,
		ExternalID:         p.ExternalID,
		Name:               p.Name,
		ProductCategory:    p.ProductCategory,
		ProductSubcategory: p.ProductSubcategory,
		TaxClass:           string(p.TaxClass),
		Classification:     contract.ProductClassification(p.Classification),
		TaxExempt:          p.TaxExempt,
		Description:        valueOf(p.Description),
		Status:             contract.ProductStatus(p.Status),
		Source:             p.Source,
		Sku:                notNil(p.SKU),
		Code:               p.Code,
		ConnectionID:       valueOf(p.ConnectionID),
		CreatedAt:          instant(p.CreatedAt),
		UpdatedAt:          instant(p.UpdatedAt),

		ClassificationFailed: p.ClassificationFailed(),
	}
}
