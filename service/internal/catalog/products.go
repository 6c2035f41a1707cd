package catalog

import (
	"context"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax"
)

// CreateProduct adds a product to the catalogue.
func (o *Operations) CreateProduct(ctx context.Context, r contract.CreateProductRequest) (contract.Product, error) {
	c := call.Of(ctx)
	p := models.Product{
		ID:                 models.NewID(models.PrefixProduct),
		ExternalID:         r.Body.ExternalID,
		Name:               r.Body.Name,
		ProductCategory:    r.Body.ProductCategory,
		ProductSubcategory: convert.Optional(r.Body.ProductSubcategory),
		TaxExempt:          r.Body.TaxExempt,
		Description:        convert.Optional(r.Body.Description),
		Status:             models.ProductStatus(r.Body.Status),
		Source:             r.Body.Source,
		SKU:                convert.NotNil(r.Body.Sku),
		Code:               r.Body.Code,
		ConnectionID:       convert.Optional(r.Body.ConnectionID),
	}
	if err := o.classify(&p); err != nil {
		return contract.Product{}, err
	}
	if err := o.deps.Products.CreateProduct(ctx, c.Scope, c.Actor(), &p); err != nil {
		return contract.Product{}, err
	}
	return ProductAnswer(p), nil
}

// classify sets the tax class by category and subcategory.
func (o *Operations) classify(p *models.Product) error {
	class, how, ok := o.deps.Catalogue.Classify(p.ProductCategory, convert.ValueOf(p.ProductSubcategory))
	if !ok {
		return problem.Invalid(models.FieldInvalidCategory, "product_category", "This product category is unknown.")
	}
	p.TaxClass, p.Classification = class, how
	return nil
}

// GetProduct reads a product.
func (o *Operations) GetProduct(ctx context.Context, r contract.GetProductRequest) (contract.Product, error) {
	p, err := o.deps.Products.Product(ctx, call.Of(ctx).Scope, r.ProductID)
	return convert.Answered(p, err, ProductAnswer)
}

// GetProductByExternalID finds a product by the client's identifier.
func (o *Operations) GetProductByExternalID(
	ctx context.Context, r contract.GetProductByExternalIDRequest,
) (contract.Product, error) {
	p, err := convert.ByIdentifier(r.ExternalID, func(identifier string) (models.Product, error) {
		return o.deps.Products.ProductByExternalID(ctx, call.Of(ctx).Scope, identifier)
	})
	return convert.Answered(p, err, ProductAnswer)
}

// ListProducts lists products.
func (o *Operations) ListProducts(ctx context.Context, r contract.ListProductsRequest) (contract.ProductList, error) {
	p := r.Params
	filter := productFilter(&contract.ExportProductsParams{
		Query: p.Query, StatusIn: p.StatusIn, ProductCategoryIn: p.ProductCategoryIn, ProductSubcategoryIn: p.ProductSubcategoryIn,
		SourceIn: p.SourceIn, ConnectionIDIn: p.ConnectionIDIn,
	})
	order := convert.OrderOf(p.OrderBy)
	page, err := convert.PageAfter(ctx, p.After, filter, order, convert.PageOf(p.Page, p.Size))
	if err != nil {
		return contract.ProductList{}, err
	}
	list, err := o.deps.Products.ListProducts(ctx, call.Of(ctx).Scope, filter, order, page.Page)
	answer, err := convert.CursorAnswer(list, err, page, ProductAnswer)
	return contract.ProductList(answer), err
}

func productFilter(p *contract.ExportProductsParams) models.ProductFilter {
	return models.ProductFilter{
		Text:          p.Query,
		Statuses:      convert.Texts[models.ProductStatus](p.StatusIn),
		Categories:    p.ProductCategoryIn,
		Subcategories: p.ProductSubcategoryIn,
		Sources:       p.SourceIn,
		ConnectionIDs: p.ConnectionIDIn,
	}
}

// UpdateProduct changes the submitted fields of a product. Another classification applies only to later calculations.
func (o *Operations) UpdateProduct(ctx context.Context, r contract.UpdateProductRequest) (contract.Product, error) {
	c := call.Of(ctx)
	p, err := o.deps.Products.UpdateProduct(ctx, c.Scope, c.Actor(), r.ProductID, func(p *models.Product) error {
		return o.ChangeProduct(p, r.Body)
	})
	return convert.Answered(p, err, ProductAnswer)
}

// ChangeProduct applies the submitted fields to a product. Errors: *problem.Problem.
func (o *Operations) ChangeProduct(p *models.Product, sent contract.ProductUpdate) error {
	if sent.ExternalID != "" && !convert.IsIdentifier(sent.ExternalID, p.ExternalID) {
		return problem.Invalid(models.FieldNotAllowed, "external_id", "external_id cannot be changed.")
	}
	if sent.Name != "" {
		p.Name = sent.Name
	}
	convert.ChangeOptional(&p.Description, sent.Description)
	convert.Change((*contract.ProductStatus)(&p.Status), sent.Status, contract.ProductStatusAPPROVED)
	convert.Change(&p.Source, sent.Source, "OTHER")
	convert.Change(&p.TaxExempt, sent.TaxExempt, false)
	convert.Change(&p.SKU, sent.Sku, []string{})
	convert.Change(&p.Code, sent.Code, "")
	category, subcategory := p.ProductCategory, convert.ValueOf(p.ProductSubcategory)
	if sent.ProductCategory != "" {
		p.ProductCategory = sent.ProductCategory
	}
	convert.ChangeOptional(&p.ProductSubcategory, sent.ProductSubcategory)
	if p.ProductCategory == category && convert.ValueOf(p.ProductSubcategory) == subcategory {
		return nil // a repeated category requests no other class
	}
	return o.classify(p)
}

// ArchiveProduct archives a product. Requests may still refer to it.
func (o *Operations) ArchiveProduct(ctx context.Context, r contract.ArchiveProductRequest) error {
	c := call.Of(ctx)
	return o.deps.Products.ArchiveProduct(ctx, c.Scope, c.Actor(), r.ProductID)
}

// ListProductCategories lists all product categories.
func (o *Operations) ListProductCategories(
	context.Context, contract.ListProductCategoriesRequest,
) (contract.ProductCategoryList, error) {
	return convert.ConvertAll(o.deps.Catalogue.Categories(), categoryAnswer), nil
}

func categoryAnswer(c tax.Category) contract.ProductCategory {
	return contract.ProductCategory{
		Name:               c.Name,
		DisplayName:        c.DisplayName,
		DefaultSubcategory: c.DefaultSubcategory,
		Subcategories: convert.ConvertAll(c.Subcategories, func(s tax.Subcategory) contract.ProductSubcategory {
			return contract.ProductSubcategory{
				Name: s.Name, DisplayName: s.DisplayName, Description: s.Description, Example: s.Example,
				TaxClass: string(s.TaxClass), IsFrequent: s.IsFrequent,
			}
		}),
	}
}

// ProductAnswer returns a product in the form of the contract.
func ProductAnswer(p models.Product) contract.Product {
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
		Description:        convert.ValueOf(p.Description),
		Status:             contract.ProductStatus(p.Status),
		Source:             p.Source,
		Sku:                convert.NotNil(p.SKU),
		Code:               p.Code,
		ConnectionID:       convert.ValueOf(p.ConnectionID),
		CreatedAt:          convert.Instant(p.CreatedAt),
		UpdatedAt:          convert.Instant(p.UpdatedAt),

		ClassificationFailed: p.ClassificationFailed(),
	}
}
