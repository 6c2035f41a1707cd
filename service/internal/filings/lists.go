package filings

import (
	"context"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/output"
)

// listColumns are the columns of the list of filings as a file.
var listColumns = output.Columns[contract.Filing](`
	id registration_id country_code state_code 'state_name filing_category filing_frequency start_date end_date due_date
	status currency amount amount_sales amount_tax_collected amount_penalties transaction_count 'approved_by approved_at
	date_filed`, nil)

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
