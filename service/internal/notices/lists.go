package notices

import (
	"context"
	"strconv"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/output"
)

// listColumns are the columns of the list of notices as a file.
var listColumns = output.Columns[contract.Notice](`
	id registration_id filing_id country_code state_code kind 'authority 'reference amount currency received_date due_date
	status 'assignee 'description 'answer answered_at document_count created_at updated_at`,
	map[string]func(*contract.Notice) string{
		"document_count": func(n *contract.Notice) string { return strconv.Itoa(len(n.Documents)) },
	})

// ExportNotices sends the list of notices as a file.
func (o *Operations) ExportNotices(ctx context.Context, r contract.ExportNoticesRequest, out contract.Stream) error {
	filter, order := o.filter(&r.Params), convert.OrderOf(r.Params.OrderBy)
	file := output.ListFile{Name: "notices", Format: r.Params.Format}
	return output.ExportList(ctx, o.outputs, out, file, listColumns,
		func(ctx context.Context, page models.Page) (models.List[contract.Notice], error) {
			list, err := o.deps.Notices.ListNotices(ctx, call.Of(ctx).Scope, filter, order, page)
			return output.Answers(list, err, Answer)
		})
}
