package filings

import (
	"context"
	"strconv"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/output"
)

// listColumns are the columns of the list of filings as a file.
var listColumns = []output.Column[contract.Filing]{
	{Name: "id", Value: func(f *contract.Filing) string { return f.ID }},
	{Name: "registration_id", Value: func(f *contract.Filing) string { return f.RegistrationID }},
	{Name: "country_code", Value: func(f *contract.Filing) string { return f.CountryCode }},
	{Name: "state_code", Value: func(f *contract.Filing) string { return convert.ValueOf(f.StateCode) }},
	{Name: "state_name", Text: true, Value: func(f *contract.Filing) string { return convert.ValueOf(f.StateName) }},
	{Name: "filing_category", Value: func(f *contract.Filing) string { return f.FilingCategory }},
	{Name: "filing_frequency", Value: func(f *contract.Filing) string { return convert.ValueOf(f.FilingFrequency) }},
	{Name: "start_date", Value: func(f *contract.Filing) string { return f.StartDate.String() }},
	{Name: "end_date", Value: func(f *contract.Filing) string { return f.EndDate.String() }},
	{Name: "due_date", Value: func(f *contract.Filing) string { return convert.OptionalDayText(f.DueDate) }},
	{Name: "status", Value: func(f *contract.Filing) string { return string(f.Status) }},
	{Name: "currency", Value: func(f *contract.Filing) string { return f.Currency }},
	{Name: "amount", Value: func(f *contract.Filing) string { return f.Amount }},
	{Name: "amount_sales", Value: func(f *contract.Filing) string { return f.AmountSales }},
	{Name: "amount_tax_collected", Value: func(f *contract.Filing) string { return f.AmountTaxCollected }},
	{Name: "amount_penalties", Value: func(f *contract.Filing) string { return f.AmountPenalties }},
	{Name: "transaction_count", Value: func(f *contract.Filing) string { return strconv.FormatInt(f.TransactionCount, 10) }},
	{Name: "approved_by", Text: true, Value: func(f *contract.Filing) string { return convert.ValueOf(f.ApprovedBy) }},
	{Name: "approved_at", Value: func(f *contract.Filing) string { return convert.OptionalInstantText(f.ApprovedAt) }},
	{Name: "date_filed", Value: func(f *contract.Filing) string { return convert.OptionalDayText(f.DateFiled) }},
}

// listedAtOnce is how many filings the export of their list reads at once. Their orders have no cursors, and each page of an order by
// amount sums up all that wait.
const listedAtOnce = 5000

// ExportFilings sends the list of filings as a file.
func (o *Operations) ExportFilings(ctx context.Context, r contract.ExportFilingsRequest, out contract.Stream) error {
	filter, order := o.filter(&r.Params), convert.OrderOf(r.Params.OrderBy)
	file := output.ListFile{Name: "filings", Format: r.Params.Format, AtOnce: listedAtOnce}
	return output.ExportList(ctx, o.outputs, out, file, listColumns,
		func(ctx context.Context, page models.Page) (models.List[contract.Filing], error) {
			list, err := o.deps.Filings.ListFilings(ctx, call.Of(ctx).Scope, filter, order, page)
			return output.Answers(list, err, o.Answer)
		})
}
