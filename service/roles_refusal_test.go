package service

import (
	"cmp"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
)

// The refusal of a person names the role, never a key. It names who can assign another role,
// if another role would suffice.
func TestARefusalOfAPersonNamesTheRole(t *testing.T) {
	t.Parallel()
	parent := "org_0"
	shop := models.Principal{OrganizationID: "org_1", ParentOrganizationID: &parent}
	viewer := &call.Call{
		Person: &models.User{}, Role: models.RoleViewer, Principal: shop, Scope: models.Scope{OrganizationID: "org_1"},
	}
	ofKey := &call.Call{Principal: shop, Scope: models.Scope{OrganizationID: "org_1"}}
	s := &Service{}
	type refusal func(ctx context.Context) error
	said := func(c *call.Call, refuse refusal) string {
		ctx := call.With(t.Context(), c)
		p := ProblemOf(ctx, refuse(ctx))
		require.Equal(t, problem.CodeForbiddenForKey, p.Code)
		return cmp.Or(p.Detail, problem.Table[p.Code].Detail)
	}
	handler := func(context.Context) error { return models.ErrForbidden }
	const role, giver, key = "Your role does not include this function", "can give you a role that does", "kind of key"
	allow := func(id string) refusal {
		return func(ctx context.Context) error { return s.allow(ctx, &Operation{Rule: accessRules[id]}, nil, nil) }
	}
	for _, refuse := range []refusal{handler, allow("createProduct")} {
		require.Contains(t, said(viewer, refuse), role)
		require.NotContains(t, said(viewer, refuse), key)
	}
	require.Contains(t, said(viewer, allow("createProduct")), giver)
	require.NotContains(t, said(viewer, allow("createOrganization")), giver, "only a partner is allowed")
	require.Contains(t, said(ofKey, handler), key)
}
