package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"levy/models"
)

// A refusal of a person names the role, never a key, wherever it is made; and it names who can assign another role,
// where a role would suffice.
func TestARefusalOfAPersonNamesTheRole(t *testing.T) {
	t.Parallel()
	parent := "org_0"
	shop := models.Principal{OrganizationID: "org_1", ParentOrganizationID: &parent}
	viewer := &call{
		person: &models.User{}, role: models.RoleViewer, principal: shop, scope: models.Scope{OrganizationID: "org_1"},
	}
	ofKey := &call{principal: shop, scope: models.Scope{OrganizationID: "org_1"}}
	said := func(c *call, refuse gin.HandlerFunc) string {
		recorder := httptest.NewRecorder()
		asked, _ := gin.CreateTestContext(recorder)
		request := httptest.NewRequest(http.MethodPost, "/v1/products", nil)
		asked.Request = request.WithContext(context.WithValue(request.Context(), callKey{}, c))
		refuse(asked)
		require.Equal(t, http.StatusForbidden, recorder.Code)
		return recorder.Body.String()
	}
	s := &Server{}
	handler := func(c *gin.Context) { s.fail(c, models.ErrForbidden) }
	const role, giver, key = "Your role does not include this function", "can give you a role that does", "kind of key"
	allow := func(id string) gin.HandlerFunc {
		return func(c *gin.Context) {
			s.fail(c, s.allow(c.Request.Context(), &operation{rule: accessRules[id]}, &Input{}))
		}
	}
	for _, refuse := range []gin.HandlerFunc{handler, allow("createProduct")} {
		require.Contains(t, said(viewer, refuse), role)
		require.NotContains(t, said(viewer, refuse), key)
	}
	require.Contains(t, said(viewer, allow("createProduct")), giver)
	require.NotContains(t, said(viewer, allow("createOrganization")), giver, "only a partner is allowed")
	require.Contains(t, said(ofKey, handler), key)
}
