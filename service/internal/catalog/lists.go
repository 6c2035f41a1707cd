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

// exemptionColumns are the columns of the list of exemptions as a file.
var exemptionColumns = []output.Column[contract.ExemptionRecord]{
	{Name: "id", Value: func(e *contract.ExemptionRecord) string { return e.ID }},
	{Name: "exemption_type", Value: func(e *contract.ExemptionRecord) string { return string(e.ExemptionType) }},
	{Name: "customer_id", Value: func(e *contract.ExemptionRecord) string { return convert.ValueOf(e.CustomerID) }},
	{Name: "customer_name", Text: true, Value: func(e *contract.ExemptionRecord) string { return convert.ValueOf(e.CustomerName) }},
	{Name: "transaction_id", Value: func(e *contract.ExemptionRecord) string { return convert.ValueOf(e.TransactionID) }},
	{Name: "country_code", Value: func(e *contract.ExemptionRecord) string { return e.CountryCode }},
	{Name: "jurisdiction", Value: func(e *contract.ExemptionRecord) string { return convert.ValueOf(e.Jurisdiction) }},
	{Name: "start_date", Value: func(e *contract.ExemptionRecord) string { return e.StartDate.String() }},
	{Name: "end_date", Value: func(e *contract.ExemptionRecord) string { return convert.OptionalDayText(e.EndDate) }},
	{Name: "reseller", Value: func(e *contract.ExemptionRecord) string { return strconv.FormatBool(e.Reseller) }},
	{Name: "exemption_category", Value: func(e *contract.ExemptionRecord) string { return string(convert.ValueOf(e.ExemptionCategory)) }},
	{Name: "FEIN", Text: true, Value: func(e *contract.ExemptionRecord) string { return convert.ValueOf(e.FEIN) }},
	{Name: "sales_tax_id", Text: true, Value: func(e *contract.ExemptionRecord) string { return convert.ValueOf(e.SalesTaxID) }},
	{Name: "status", Value: func(e *contract.ExemptionRecord) string { return string(e.Status) }},
	{Name: "documents", Value: func(e *contract.ExemptionRecord) string { return strconv.Itoa(len(e.Attachments)) }},
	{Name: "created_at", Value: func(e *contract.ExemptionRecord) string { return convert.InstantText(e.CreatedAt) }},
	{Name: "updated_at", Value: func(e *contract.ExemptionRecord) string { return convert.OptionalInstantText(e.UpdatedAt) }},
}

// ExportExemptions sends the list of exemptions as a file.
func (o *Operations) ExportExemptions(ctx context.Context, r contract.ExportExemptionsRequest, out contract.Stream) error {
	filter, order := exemptionFilter(&r.Params)
	file := output.ListFile{Name: "exemptions", Format: r.Params.Format}
	return output.ExportList(ctx, o.outputs, out, file, exemptionColumns,
		func(ctx context.Context, page models.Page) (models.List[contract.ExemptionRecord], error) {
			list, err := o.deps.Exemptions.ListExemptions(ctx, call.Of(ctx).Scope, filter, order, page)
			return output.Answers(list, err, ExemptionAnswer)
		})
}

// rateColumns are the columns of the list of rate overrides as a file.
var rateColumns = []output.Column[contract.RateOverride]{
	{Name: "id", Value: func(r *contract.RateOverride) string { return r.ID }},
	{Name: "country_code", Value: func(r *contract.RateOverride) string { return r.CountryCode }},
	{Name: "state_code", Value: func(r *contract.RateOverride) string { return r.StateCode }},
	{Name: "jurisdiction_type", Value: func(r *contract.RateOverride) string { return string(r.JurisdictionType) }},
	{Name: "jurisdiction_name", Text: true, Value: func(r *contract.RateOverride) string { return r.JurisdictionName }},
	{Name: "tax_class", Value: func(r *contract.RateOverride) string { return string(convert.ValueOf(r.TaxClass)) }},
	{Name: "rate", Value: func(r *contract.RateOverride) string { return r.Rate }},
	{Name: "start_date", Value: func(r *contract.RateOverride) string { return r.StartDate.String() }},
	{Name: "end_date", Value: func(r *contract.RateOverride) string { return convert.OptionalDayText(r.EndDate) }},
	{Name: "reason", Text: true, Value: func(r *contract.RateOverride) string { return r.Reason }},
	{Name: "created_at", Value: func(r *contract.RateOverride) string { return convert.InstantText(r.CreatedAt) }},
}

// ExportRateOverrides sends the list of rate overrides as a file.
func (o *Operations) ExportRateOverrides(ctx context.Context, r contract.ExportRateOverridesRequest, out contract.Stream) error {
	filter, order := models.RateOverrideFilter{Country: r.Params.CountryCode, State: r.Params.StateCode}, convert.OrderOf(r.Params.OrderBy)
	file := output.ListFile{Name: "rates", Format: r.Params.Format}
	return output.ExportList(ctx, o.outputs, out, file, rateColumns,
		func(ctx context.Context, page models.Page) (models.List[contract.RateOverride], error) {
			list, err := o.deps.RateOverrides.ListRateOverrides(ctx, call.Of(ctx).Scope, filter, order, page)
			return output.Answers(list, err, rateOverrideAnswer)
		})
}
