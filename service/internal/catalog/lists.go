package catalog

import (
	"context"
	"strconv"
	"strings"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/output"
)

// productColumns are the columns of the list of products as a file.
var productColumns = []output.Column[contract.Product]{
	{Name: "id", Value: func(p *contract.Product) string { return p.ID }},
	{Name: "external_id", Text: true, Value: func(p *contract.Product) string { return p.ExternalID }},
	{Name: "name", Text: true, Value: func(p *contract.Product) string { return p.Name }},
	{Name: "product_category", Text: true, Value: func(p *contract.Product) string { return p.ProductCategory }},
	{Name: "product_subcategory", Text: true, Value: func(p *contract.Product) string { return convert.ValueOf(p.ProductSubcategory) }},
	{Name: "tax_class", Value: func(p *contract.Product) string { return p.TaxClass }},
	{Name: "classification", Value: func(p *contract.Product) string { return string(p.Classification) }},
	{Name: "tax_exempt", Value: func(p *contract.Product) string { return strconv.FormatBool(p.TaxExempt) }},
	{Name: "status", Value: func(p *contract.Product) string { return string(p.Status) }},
	{Name: "source", Text: true, Value: func(p *contract.Product) string { return p.Source }},
	{Name: "sku", Text: true, Value: func(p *contract.Product) string { return strings.Join(p.Sku, " ") }},
	{Name: "code", Text: true, Value: func(p *contract.Product) string { return p.Code }},
	{Name: "description", Text: true, Value: func(p *contract.Product) string { return p.Description }},
	{Name: "created_at", Value: func(p *contract.Product) string { return convert.InstantText(p.CreatedAt) }},
	{Name: "updated_at", Value: func(p *contract.Product) string { return convert.InstantText(p.UpdatedAt) }},
}

// ExportProducts sends the list of products as a file.
func (o *Operations) ExportProducts(ctx context.Context, r contract.ExportProductsRequest, out contract.Stream) error {
	filter, order := productFilter(&r.Params), convert.OrderOf(r.Params.OrderBy)
	file := output.ListFile{Name: "products", Format: r.Params.Format}
	return output.ExportList(ctx, o.outputs, out, file, productColumns,
		func(ctx context.Context, page models.Page) (models.List[contract.Product], error) {
			list, err := o.deps.Products.ListProducts(ctx, call.Of(ctx).Scope, filter, order, page)
			return output.Answers(list, err, ProductAnswer)
		})
}

// customerColumns are the columns of the list of customers as a file.
var customerColumns = []output.Column[contract.Customer]{
	{Name: "id", Value: func(c *contract.Customer) string { return c.ID }},
	{Name: "external_id", Text: true, Value: func(c *contract.Customer) string { return c.ExternalID }},
	{Name: "name", Text: true, Value: func(c *contract.Customer) string { return c.Name }},
	{Name: "email", Text: true, Value: func(c *contract.Customer) string { return c.Email }},
	{Name: "phone", Text: true, Value: func(c *contract.Customer) string { return c.Phone }},
	{Name: "street_1", Text: true, Value: func(c *contract.Customer) string { return c.Street1 }},
	{Name: "street_2", Text: true, Value: func(c *contract.Customer) string { return c.Street2 }},
	{Name: "city", Text: true, Value: func(c *contract.Customer) string { return c.City }},
	{Name: "county", Text: true, Value: func(c *contract.Customer) string { return c.County }},
	{Name: "state", Text: true, Value: func(c *contract.Customer) string { return c.State }},
	{Name: "postal_code", Text: true, Value: func(c *contract.Customer) string { return c.PostalCode }},
	{Name: "country", Value: func(c *contract.Customer) string { return c.Country }},
	{Name: "address_status", Value: func(c *contract.Customer) string { return string(c.AddressStatus) }},
	{Name: "registration_number", Text: true, Value: func(c *contract.Customer) string { return c.RegistrationNumber }},
	{Name: "status", Value: func(c *contract.Customer) string { return string(c.Status) }},
	{Name: "source", Text: true, Value: func(c *contract.Customer) string { return c.Source }},
	{Name: "created_at", Value: func(c *contract.Customer) string { return convert.InstantText(c.CreatedAt) }},
	{Name: "updated_at", Value: func(c *contract.Customer) string { return convert.InstantText(c.UpdatedAt) }},
}

// ExportCustomers sends the list of customers as a file.
func (o *Operations) ExportCustomers(ctx context.Context, r contract.ExportCustomersRequest, out contract.Stream) error {
	filter, order := o.customerFilter(&r.Params), convert.OrderOf(r.Params.OrderBy)
	file := output.ListFile{Name: "customers", Format: r.Params.Format}
	return output.ExportList(ctx, o.outputs, out, file, customerColumns,
		func(ctx context.Context, page models.Page) (models.List[contract.Customer], error) {
			list, err := o.deps.Customers.ListCustomers(ctx, call.Of(ctx).Scope, filter, order, page)
			return output.Answers(list, err, CustomerAnswer)
		})
}
