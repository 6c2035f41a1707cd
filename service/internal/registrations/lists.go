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
var listColumns = []output.Column[contract.Registration]{
	{Name: "id", Value: func(r *contract.Registration) string { return r.ID }},
	{Name: "country_code", Value: func(r *contract.Registration) string { return r.CountryCode }},
	{Name: "state_code", Value: func(r *contract.Registration) string { return r.StateCode }},
	{Name: "state_name", Text: true, Value: func(r *contract.Registration) string { return r.StateName }},
	{Name: "status", Value: func(r *contract.Registration) string { return string(r.Status) }},
	{Name: "registration_type", Value: func(r *contract.Registration) string { return string(r.RegistrationType) }},
	{Name: "filing_frequency", Value: func(r *contract.Registration) string { return string(r.FilingFrequency) }},
	{Name: "registration_date", Value: func(r *contract.Registration) string { return convert.OptionalDayText(r.RegistrationDate) }},
	{Name: "create_filings_from", Value: func(r *contract.Registration) string { return convert.OptionalDayText(r.CreateFilingsFrom) }},
	{Name: "next_filing_due_date", Value: func(r *contract.Registration) string { return convert.OptionalDayText(r.NextFilingDueDate) }},
	{Name: "deregistration_date", Value: func(r *contract.Registration) string { return convert.OptionalDayText(r.DeregistrationDate) }},
	{Name: "created_at", Value: func(r *contract.Registration) string { return convert.InstantText(r.CreatedAt) }},
	{Name: "updated_at", Value: func(r *contract.Registration) string { return convert.InstantText(r.UpdatedAt) }},
}

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
