package people

import (
	"context"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/output"
)

// userColumns are the columns of the list of people as a file.
var userColumns = output.Columns[contract.User](`
	id 'name 'email role staff_role status second_factor passkeys created_at`, nil)

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
var keyColumns = output.Columns[contract.APIKey](`
	id 'name 'prefix 'last4 scopes allowed_addresses granted confirmed 'made_by maker_ended_at created_at last_used_at
	expires_at rotated_to revoked_at`, nil)

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
