package registrations

import (
	"context"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/output"
)

// listColumns are the columns of the list of registrations as a file.
var listColumns = output.Columns[contract.Registration](`
	id country_code state_code 'state_name status registration_type filing_frequency registration_date create_filings_from
	next_filing_due_date deregistration_date created_at updated_at`, nil)

// ExportRegistrations sends the list of registrations as a file.
func (o *Operations) ExportRegistrations(ctx context.Context, r contract.ExportRegistrationsRequest, out contract.Stream) error {
	filter, order := o.filter(&r.Params), convert.OrderOf(r.Params.OrderBy)
	file := output.ListFile{Name: "registrations", Format: r.Params.Format}
	return output.ExportList(ctx, o.outputs, out, file, listColumns,
		func(ctx context.Context, page models.Page) (models.List[contract.Registration], error) {
			list, err := o.deps.Registrations.ListRegistrations(ctx, call.Of(ctx).Scope, filter, order, page)
			return output.Answers(list, err, o.Answer)
		})
}
