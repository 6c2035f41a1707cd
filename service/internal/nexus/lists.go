package nexus

import (
	"context"
	"strings"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/output"
)

// nexusColumns are the columns of the list of nexus records as a file.
var nexusColumns = output.Columns[contract.NexusRecord](`
	id country_code state_code 'state_name status nexus_type currency threshold_sales threshold_transactions
	transactions_amount transaction_count period_start_date period_end_date nexus_met_date economic_nexus_met_date
	physical_nexus_met_date collected_tax_nexus_met_date obligation_start_date tax_liability predicted_month_from_today
	updated_at`,
	map[string]func(*contract.NexusRecord) string{
		"threshold_sales": func(r *contract.NexusRecord) string { return strings.Trim(string(r.ThresholdSales), `"`) },
	})

// ExportNexus sends the list of nexus records as a file.
func (o *Operations) ExportNexus(ctx context.Context, r contract.ExportNexusRequest, out contract.Stream) error {
	filter, order := o.filter(&r.Params), convert.OrderOf(r.Params.OrderBy)
	file := output.ListFile{Name: "nexus", Format: r.Params.Format, AtOnce: allOnOnePage}
	return output.ExportList(ctx, o.outputs, out, file, nexusColumns,
		func(ctx context.Context, page models.Page) (models.List[contract.NexusRecord], error) {
			list, err := o.deps.Nexus.ListNexus(ctx, call.Of(ctx).Scope, filter, order, page)
			return output.Answers(list, err, o.Answer)
		})
}

// physicalColumns are the columns of the list of presences as a file.
var physicalColumns = output.Columns[contract.PhysicalNexus](`
	id 'external_id country_code state_code category start_date end_date 'street_1 'street_2 'city 'postal_code 'source
	created_at updated_at`, nil)

// ExportPhysicalNexus sends the list of presences as a file.
func (o *Operations) ExportPhysicalNexus(ctx context.Context, r contract.ExportPhysicalNexusRequest, out contract.Stream) error {
	filter, order := o.physicalFilter(&r.Params), convert.OrderOf(r.Params.OrderBy)
	file := output.ListFile{Name: "physical_nexus", Format: r.Params.Format}
	return output.ExportList(ctx, o.outputs, out, file, physicalColumns,
		func(ctx context.Context, page models.Page) (models.List[contract.PhysicalNexus], error) {
			list, err := o.deps.Nexus.ListPhysicalNexus(ctx, call.Of(ctx).Scope, filter, order, page)
			return output.Answers(list, err, PhysicalAnswer)
		})
}
