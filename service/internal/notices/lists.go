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
var listColumns = []output.Column[contract.Notice]{
	{Name: "id", Value: func(n *contract.Notice) string { return n.ID }},
	{Name: "registration_id", Value: func(n *contract.Notice) string { return n.RegistrationID }},
	{Name: "filing_id", Value: func(n *contract.Notice) string { return convert.ValueOf(n.FilingID) }},
	{Name: "country_code", Value: func(n *contract.Notice) string { return n.CountryCode }},
	{Name: "state_code", Value: func(n *contract.Notice) string { return n.StateCode }},
	{Name: "kind", Value: func(n *contract.Notice) string { return string(n.Kind) }},
	{Name: "authority", Text: true, Value: func(n *contract.Notice) string { return n.Authority }},
	{Name: "reference", Text: true, Value: func(n *contract.Notice) string { return convert.ValueOf(n.Reference) }},
	{Name: "amount", Value: func(n *contract.Notice) string { return convert.ValueOf(n.Amount) }},
	{Name: "currency", Value: func(n *contract.Notice) string { return convert.ValueOf(n.Currency) }},
	{Name: "received_date", Value: func(n *contract.Notice) string { return n.ReceivedDate.String() }},
	{Name: "due_date", Value: func(n *contract.Notice) string { return convert.OptionalDayText(n.DueDate) }},
	{Name: "status", Value: func(n *contract.Notice) string { return string(n.Status) }},
	{Name: "assignee", Text: true, Value: func(n *contract.Notice) string { return convert.ValueOf(n.Assignee) }},
	{Name: "description", Text: true, Value: func(n *contract.Notice) string { return convert.ValueOf(n.Description) }},
	{Name: "answer", Text: true, Value: func(n *contract.Notice) string { return convert.ValueOf(n.Answer) }},
	{Name: "answered_at", Value: func(n *contract.Notice) string { return convert.OptionalInstantText(n.AnsweredAt) }},
	{Name: "document_count", Value: func(n *contract.Notice) string { return strconv.Itoa(len(n.Documents)) }},
	{Name: "created_at", Value: func(n *contract.Notice) string { return convert.InstantText(n.CreatedAt) }},
	{Name: "updated_at", Value: func(n *contract.Notice) string { return convert.InstantText(n.UpdatedAt) }},
}

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
