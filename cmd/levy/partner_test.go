package main

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
)

// An installation begins live or as a test because its operator said so, and gets further partners of either kind. A test
// without sales is made live by one command.
func TestPartnersAreLiveOrTestsByChoice(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	keys := secret.NewMasterKey("k1")
	env := []string{"LEVY_DATABASE_URL=" + o.database, "LEVY_MASTER_KEYS=" + keys}
	levy := func(args ...string) (string, error) {
		var out, log bytes.Buffer
		err := run(context.WithValue(t.Context(), skipWaits{}, true), args, env, &out, &log)
		return out.String(), err
	}
	key := func(args ...string) (made partnerKey) {
		t.Helper()
		out, err := levy(args...)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal([]byte(out), &made))
		return made
	}
	for _, args := range [][]string{
		{"bootstrap"}, {"bootstrap", "--live", "--test"}, {"partner", "add", "B"}, {"partner", "add", "B", "--live", "--test"},
	} {
		_, err := levy(args...)
		require.ErrorIs(t, err, errLiveOrTest, args)
	}
	first, second := key("bootstrap", "--test", "--name", "A"), key("partner", "add", "B", "--live")
	require.Contains(t, first.APIKey, "_test_")
	require.Contains(t, second.APIKey, "_live_")
	_, err := levy("bootstrap", "--live")
	require.ErrorContains(t, err, "levy partner add makes another one")
	_, err = levy("partner", "add", "b", "--test")
	require.EqualError(t, err, "the partner "+second.OrganizationID+` has the name "b" already`)
	_, err = levy("partner", "make-live", second.OrganizationID)
	require.EqualError(t, err, "partner "+second.OrganizationID+": it is live already")

	made := key("partner", "make-live", first.OrganizationID)
	require.Equal(t, first.OrganizationID, made.OrganizationID)
	require.Contains(t, made.APIKey, "_live_")
	dev, err := bootstrap(t.Context(), Config{
		DatabaseURL: Secret(o.database), MasterKeys: Secret(keys), DatabaseConnections: 2,
	}, credentials{APIKey: first.APIKey})
	require.NoError(t, err)
	require.Contains(t, dev.APIKey, "_live_", "levy dev makes a key of the kind of its partner")
	out, err := levy("partner", "archive", second.OrganizationID)
	require.NoError(t, err)
	require.Contains(t, out, "Nothing has ended yet: say --yes.")
	out, err = levy("partner", "list")
	require.NoError(t, err)
	require.NotContains(t, out, "ARCHIVED")
	out, err = levy("partner", "archive", second.OrganizationID, "--yes")
	require.NoError(t, err)
	require.Equal(t, second.OrganizationID+" is archived\n", out)
	out, err = levy("partner", "list", "--json")
	require.NoError(t, err)
	var list listedPartners
	require.NoError(t, json.Unmarshal([]byte(out), &list))
	require.Len(t, list.Partners, 2)
	require.False(t, list.Partners[0].IsTest)
	require.Equal(t, "ARCHIVED", string(list.Partners[1].Status))
	out, err = levy("partner", "list")
	require.NoError(t, err)
	require.Contains(t, out, "  B     live  ARCHIVED  0  ")
}
