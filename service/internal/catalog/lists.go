package catalog

import (
	"context"
	"strconv"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/output"
)

// productColumns are the columns of the list of products as a file.
var productColumns = output.Columns[contract.Product](`
	id 'external_id 'name 'product_category 'product_subcategory tax_class classification tax_exempt status 'source 'sku
	'code 'description created_at updated_at`, nil)

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
var customerColumns = output.Columns[contract.Customer](`
	id 'external_id 'name 'email 'phone 'street_1 'street_2 'city 'county 'state 'postal_code country address_status
	'registration_number status 'source created_at updated_at`, nil)

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
var exemptionColumns = output.Columns[contract.ExemptionRecord](`
	id exemption_type customer_id 'customer_name transaction_id country_code jurisdiction start_date end_date reseller
	exemption_category 'FEIN 'sales_tax_id status documents created_at updated_at`,
	map[string]func(*contract.ExemptionRecord) string{
		"documents": func(e *contract.ExemptionRecord) string { return strconv.Itoa(len(e.Attachments)) },
	})

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
var rateColumns = output.Columns[contract.RateOverride](`
	id country_code state_code jurisdiction_type 'jurisdiction_name tax_class rate start_date end_date 'reason created_at`, nil)

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
