package people

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

// userColumns are the columns of the list of people as a file.
var userColumns = []output.Column[contract.User]{
	{Name: "id", Value: func(r *contract.User) string { return r.ID }},
	{Name: "name", Text: true, Value: func(r *contract.User) string { return r.Name }},
	{Name: "email", Text: true, Value: func(r *contract.User) string { return r.Email }},
	{Name: "role", Value: func(r *contract.User) string { return convert.ValueOf(r.Role) }},
	{Name: "staff_role", Value: func(r *contract.User) string { return convert.ValueOf(r.StaffRole) }},
	{Name: "status", Value: func(r *contract.User) string { return string(r.Status) }},
	{Name: "second_factor", Value: func(r *contract.User) string { return strconv.FormatBool(r.SecondFactor) }},
	{Name: "passkeys", Value: func(r *contract.User) string { return strconv.Itoa(r.Passkeys) }},
	{Name: "created_at", Value: func(r *contract.User) string { return convert.InstantText(r.CreatedAt) }},
}

// ExportUsers sends the list of people as a file.
func (o *Operations) ExportUsers(ctx context.Context, r contract.ExportUsersRequest, out contract.Stream) error {
	organizationID := call.Of(ctx).Scope.OrganizationID
	file := output.ListFile{Name: "people", Format: r.Params.Format}
	return output.ExportList(ctx, o.outputs, out, file, userColumns,
		func(ctx context.Context, page models.Page) (models.List[contract.User], error) {
			list, err := o.deps.People.ListUsers(ctx, organizationID, page)
			return output.Answers(list, err, func(u models.User) contract.User { return userAnswer(&u, organizationID) })
		})
}

// keyColumns are the columns of the list of API keys as a file.
var keyColumns = []output.Column[contract.APIKey]{
	{Name: "id", Value: func(r *contract.APIKey) string { return r.ID }},
	{Name: "name", Text: true, Value: func(r *contract.APIKey) string { return convert.ValueOf(r.Name) }},
	{Name: "prefix", Text: true, Value: func(r *contract.APIKey) string { return r.Prefix }},
	{Name: "last4", Text: true, Value: func(r *contract.APIKey) string { return r.Last4 }},
	{Name: "scopes", Value: func(r *contract.APIKey) string { return strings.Join(convert.Texts[string](r.Scopes), " ") }},
	{Name: "allowed_addresses", Value: func(r *contract.APIKey) string { return strings.Join(r.AllowedAddresses, " ") }},
	{Name: "granted", Value: func(r *contract.APIKey) string { return strconv.FormatBool(r.Granted) }},
	{Name: "confirmed", Value: func(r *contract.APIKey) string { return strconv.FormatBool(r.Confirmed) }},
	{Name: "made_by", Text: true, Value: func(r *contract.APIKey) string { return convert.ValueOf(r.MadeBy) }},
	{Name: "maker_ended_at", Value: func(r *contract.APIKey) string { return convert.OptionalInstantText(r.MakerEndedAt) }},
	{Name: "created_at", Value: func(r *contract.APIKey) string { return convert.InstantText(r.CreatedAt) }},
	{Name: "last_used_at", Value: func(r *contract.APIKey) string { return convert.OptionalInstantText(r.LastUsedAt) }},
	{Name: "expires_at", Value: func(r *contract.APIKey) string { return convert.OptionalInstantText(r.ExpiresAt) }},
	{Name: "rotated_to", Value: func(r *contract.APIKey) string { return convert.ValueOf(r.RotatedTo) }},
	{Name: "revoked_at", Value: func(r *contract.APIKey) string { return convert.OptionalInstantText(r.RevokedAt) }},
}

// ExportAPIKeys sends the list of records of keys as a file.
func (o *Operations) ExportAPIKeys(ctx context.Context, r contract.ExportAPIKeysRequest, out contract.Stream) error {
	p := r.Params
	activeOnly, order := p.Active == nil || *p.Active, convert.OrderOf(p.OrderBy)
	file := output.ListFile{Name: "keys", Format: p.Format}
	return output.ExportList(ctx, o.outputs, out, file, keyColumns,
		func(ctx context.Context, page models.Page) (models.List[contract.APIKey], error) {
			list, err := o.deps.APIKeys.ListAPIKeys(ctx, call.Of(ctx).Scope, activeOnly, order, page)
			return output.Answers(list, err, o.APIKeyAnswer)
		})
}
