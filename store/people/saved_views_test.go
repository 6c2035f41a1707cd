package people_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// A view is not shared with an organization where the person has no role, also if the role has just ended.
func TestAViewIsSharedWhereItsPersonHasARole(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	pat := models.Actor{UserID: b.worker("pat", b.a, models.RoleViewer), UserName: "pat"}
	require.NoError(t, b.People.SaveView(t.Context(), pat, models.SavedView{List: "filings", Name: "Mine", Query: "state_code=TX"}))
	require.NoError(t, b.People.ShareView(t.Context(), pat, "filings", "Mine", &b.a))
	require.ErrorIs(t, b.People.ShareView(t.Context(), pat, "filings", "Mine", &b.b), models.ErrNotFound)
}
