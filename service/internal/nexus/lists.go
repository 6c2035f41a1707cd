package nexus

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

// nexusColumns are the columns of the list of nexus records as a file.
var nexusColumns = []output.Column[contract.NexusRecord]{
	{Name: "id", Value: func(r *contract.NexusRecord) string { return r.ID }},
	{Name: "country_code", Value: func(r *contract.NexusRecord) string { return r.CountryCode }},
	{Name: "state_code", Value: func(r *contract.NexusRecord) string { return r.StateCode }},
	{Name: "state_name", Text: true, Value: func(r *contract.NexusRecord) string { return r.StateName }},
	{Name: "status", Value: func(r *contract.NexusRecord) string { return string(r.Status) }},
	{Name: "nexus_type", Value: func(r *contract.NexusRecord) string { return string(r.NexusType) }},
	{Name: "currency", Value: func(r *contract.NexusRecord) string { return r.Currency }},
	{Name: "threshold_sales", Value: func(r *contract.NexusRecord) string { return strings.Trim(string(r.ThresholdSales), `"`) }},
	{Name: "threshold_transactions", Value: func(r *contract.NexusRecord) string { return strconv.Itoa(r.ThresholdTransactions) }},
	{Name: "transactions_amount", Value: func(r *contract.NexusRecord) string { return r.TransactionsAmount }},
	{Name: "transaction_count", Value: func(r *contract.NexusRecord) string { return strconv.Itoa(r.TransactionCount) }},
	{Name: "period_start_date", Value: func(r *contract.NexusRecord) string { return r.PeriodStartDate.String() }},
	{Name: "period_end_date", Value: func(r *contract.NexusRecord) string { return r.PeriodEndDate.String() }},
	{Name: "nexus_met_date", Value: func(r *contract.NexusRecord) string { return convert.OptionalDayText(r.NexusMetDate) }},
	{Name: "economic_nexus_met_date", Value: func(r *contract.NexusRecord) string {
		return convert.OptionalDayText(r.EconomicNexusMetDate)
	}},
	{Name: "physical_nexus_met_date", Value: func(r *contract.NexusRecord) string {
		return convert.OptionalDayText(r.PhysicalNexusMetDate)
	}},
	{Name: "collected_tax_nexus_met_date", Value: func(r *contract.NexusRecord) string {
		return convert.OptionalDayText(r.CollectedTaxNexusMetDate)
	}},
	{Name: "obligation_start_date", Value: func(r *contract.NexusRecord) string { return convert.OptionalDayText(r.ObligationStartDate) }},
	{Name: "tax_liability", Value: func(r *contract.NexusRecord) string { return r.TaxLiability }},
	{Name: "predicted_month_from_today", Value: func(r *contract.NexusRecord) string {
		return convert.OptionalNumberText(r.PredictedMonthFromToday)
	}},
	{Name: "updated_at", Value: func(r *contract.NexusRecord) string { return convert.InstantText(r.UpdatedAt) }},
}

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
var physicalColumns = []output.Column[contract.PhysicalNexus]{
	{Name: "id", Value: func(r *contract.PhysicalNexus) string { return r.ID }},
	{Name: "external_id", Text: true, Value: func(r *contract.PhysicalNexus) string { return convert.ValueOf(r.ExternalID) }},
	{Name: "country_code", Value: func(r *contract.PhysicalNexus) string { return r.CountryCode }},
	{Name: "state_code", Value: func(r *contract.PhysicalNexus) string { return r.StateCode }},
	{Name: "category", Value: func(r *contract.PhysicalNexus) string { return string(r.Category) }},
	{Name: "start_date", Value: func(r *contract.PhysicalNexus) string { return r.StartDate.String() }},
	{Name: "end_date", Value: func(r *contract.PhysicalNexus) string { return convert.OptionalDayText(r.EndDate) }},
	{Name: "street_1", Text: true, Value: func(r *contract.PhysicalNexus) string { return convert.ValueOf(r.Street1) }},
	{Name: "street_2", Text: true, Value: func(r *contract.PhysicalNexus) string { return convert.ValueOf(r.Street2) }},
	{Name: "city", Text: true, Value: func(r *contract.PhysicalNexus) string { return convert.ValueOf(r.City) }},
	{Name: "postal_code", Text: true, Value: func(r *contract.PhysicalNexus) string { return convert.ValueOf(r.PostalCode) }},
	{Name: "source", Text: true, Value: func(r *contract.PhysicalNexus) string { return r.Source }},
	{Name: "created_at", Value: func(r *contract.PhysicalNexus) string { return convert.InstantText(r.CreatedAt) }},
	{Name: "updated_at", Value: func(r *contract.PhysicalNexus) string { return convert.InstantText(r.UpdatedAt) }},
}

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
