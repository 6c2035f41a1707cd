package nexus_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

func TestOrganizationsBeginWithARecordOfEveryJurisdiction(t *testing.T) {
	t.Parallel()
	s, url := storetest.NewStore(t)
	all := storetest.KnowNexus(t, s)
	root := storetest.NewRoot(t, s)
	client := storetest.NewClient("Client")
	require.NoError(t, storetest.CreateClient(t.Context(), s, root, client))
	for _, id := range []string{root.OrganizationID, client.ID} {
		require.Equal(t, len(all), countNexus(t, url, id, "status = 'NOT_EXPOSED' AND evaluated IS NULL AND enabled"))
	}
	storetest.Organization(t, url) // an organization without records: it is older than they are

	created, next, err := s.Nexus.EnsureNexusRecords(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, len(all), created, "the others have theirs")
	require.Empty(t, next)
	created, _, err = s.Nexus.EnsureNexusRecords(t.Context(), "")
	require.NoError(t, err)
	require.Zero(t, created)

	require.NoError(t, s.Nexus.RecordNexusJurisdictions(t.Context(), append(all, models.NexusJurisdiction{
		CountryCode: "XX", StateCode: "XX", StateName: "Newland", Terms: all[0].Terms,
	})))
	created, _, err = s.Nexus.EnsureNexusRecords(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, 3, created, "new content brings a jurisdiction to every organization")
}

func TestOnlyEnabledJurisdictionsAreEnabledInNexusRecords(t *testing.T) {
	t.Parallel()
	s, url := storetest.NewStore(t)
	all := storetest.KnowNexus(t, s)
	root := storetest.NewRoot(t, s)
	enable := func(codes ...string) {
		_, err := s.Organizations.Configure(t.Context(), root, models.Actor{},
			func(o *models.Organization) { o.Settings.EnabledJurisdictions = append([]string{}, codes...) })
		require.NoError(t, err)
	}
	enabled := func(where string) int { return countNexus(t, url, root.OrganizationID, "enabled AND "+where) }

	enable("US-NY", "DE")
	require.Equal(t, 3, enabled("true"))
	require.Equal(t, 1, enabled("state_code = 'NY'"))
	require.Equal(t, 1, enabled("state_code = 'DE'"))
	require.Equal(t, 1, enabled("state_code = 'ZZ_EU'"), "with its member")
	enable("CA")
	require.Equal(t, 5, enabled("country_code = 'CA'"), "federal, and the provinces with a threshold")
	require.Equal(t, 5, enabled("true"))
	enable()
	require.Equal(t, len(all), enabled("true"))
}

func countNexus(t *testing.T, url, organizationID, where string) (n int) {
	t.Helper()
	conn := storetest.SQL(t, url)
	require.NoError(t, conn.QueryRow(t.Context(),
		"SELECT count(*) FROM nexus_records WHERE organization_id = $1 AND "+where, organizationID).Scan(&n))
	return n
}
