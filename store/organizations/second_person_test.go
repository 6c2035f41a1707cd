package organizations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

func TestTheEndOfTheSecondPersonTakesTwoAdmins(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	ada, bob := models.Actor{UserID: "user_a", UserName: "Ada"}, models.Actor{UserID: "user_b", UserName: "Bob"}
	requireSecond := func(by models.Actor, on bool) (models.OrganizationSettings, error) {
		o, err := b.Store.Organizations.ChangeSettings(t.Context(), b.Scope, by, func(s *models.OrganizationSettings) {
			s.RequireSecondPerson = on
		})
		return o.Settings, err
	}
	open, over := b.January(t, models.FilingUnfiled), b.Create(t,
		storetest.FilingOf(b.Registration, models.FilingSkipped, "2025-12-01", "2025-12-31"))
	_, err := requireSecond(ada, true)
	require.NoError(t, err)
	_, err = requireSecond(models.Actor{APIKeyID: "key_1"}, false)
	require.ErrorIs(t, err, models.ErrForbidden)
	for range 2 {
		asked, err := requireSecond(ada, false)
		require.NoError(t, err)
		require.True(t, asked.RequireSecondPerson)
		require.Equal(t, "Ada", *asked.SecondPersonEndName)
	}
	ended, err := requireSecond(bob, false)
	require.NoError(t, err)
	require.False(t, ended.RequireSecondPerson)
	require.Nil(t, ended.SecondPersonEndBy)

	history, err := b.Store.Filings.FilingHistory(t.Context(), b.Scope, open.ID, models.Page{Limit: 10})
	require.NoError(t, err)
	last := history.Items[len(history.Items)-1]
	require.Equal(t, models.FilingSecondPersonEnded, last.Action)
	require.Equal(t, models.FilingActor{Type: models.ActorUser, ID: "user_b", Name: "Bob"}, last.Actor)
	require.Equal(t, "Asked for by Ada.", last.Reason)
	history, err = b.Store.Filings.FilingHistory(t.Context(), b.Scope, over.ID, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, history.Items, 1, "of one that is over")
}
