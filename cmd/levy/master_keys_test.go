package main

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdkclient "go.temporal.io/sdk/client"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/storetest"
)

// A key that something needs, or that is the newest, is not retired. The refusal says what needs it and what to do.
func TestANeededKeyIsNotRetired(t *testing.T) {
	t.Parallel()
	until := time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC)
	needed := keyState{ID: "k1", Needs: []keyNeed{
		{models.NeedAPIKey, 3, nil}, {models.NeedSession, 1, &until},
	}}
	err := retireKeyCmd{Key: "k1"}.refusal(needed)
	require.ErrorIs(t, err, errKeyNeeded)
	require.EqualError(t, err, `master key k1 is still needed by
- 3 API keys: each moves when it is used; ask the holders of the others to use or rotate them
- 1 sessions of the console: they end, by 2026-12-01T08:00:00Z
levy keys list k1 --csv names keys and codes with their holders`)
	require.NoError(t, retireKeyCmd{Key: "k1", Lost: true}.refusal(needed))
	require.NoError(t, retireKeyCmd{Key: "k1"}.refusal(keyState{ID: "k1"}))
	require.ErrorContains(t, retireKeyCmd{Key: "k2"}.refusal(keyState{ID: "k2", Newest: true}), "put another one in front first")
}

// Each kind of need has words, and the CSV guards names that a spreadsheet would read as formulas.
func TestKeysAreListed(t *testing.T) {
	t.Parallel()
	for _, kind := range []models.MasterKeyNeedKind{
		models.NeedProcess, models.NeedAPIKey, models.NeedOperatorKey, models.NeedDataKey, models.NeedDocument, models.NeedSecondFactor,
		models.NeedInstallationKey, models.NeedRecoveryCode, models.NeedSession, models.NeedSignInLink, models.NeedOnboardingLink,
		models.NeedCalendarFeed, models.NeedAuditSeal, models.NeedRun, models.NeedRunsUnknown, models.NeedSavedKeys,
	} {
		require.NotEmpty(t, needsInWords[kind].what, kind)
	}
	require.Len(t, needsInWords, 16)
	var out bytes.Buffer
	require.NoError(t, printKeyStates(&out, []keyState{
		{ID: "k2", Newest: true}, {ID: "k1", Needs: []keyNeed{{models.NeedAPIKey, 2, nil}}}, {ID: "k0"},
		{ID: "k3", Behind: true},
	}))
	require.Equal(t, `k2  the newest; others are taken over by it
k1  needed
    - 2 API keys: each moves when it is used; ask the holders of the others to use or rotate them
k0  needed by nothing: levy keys retire k0
k3  behind the newest: nothing is made with it before it is in front
`, out.String())
	out.Reset()
	used := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	require.NoError(t, printHolders(&out, []models.MasterKeyHolder{{
		MasterKeyID: "k1", Kind: models.NeedAPIKey, OrganizationID: "org_1", OrganizationName: "=1+1", ID: "akey_1", Name: "Shop",
		LastUsedAt: &used,
	}}))
	require.Equal(t, "master_key,kind,organization_id,organization_name,id,name,last_used_at,expires_at\r\n"+
		"k1,api_key,org_1,'=1+1,akey_1,Shop,2026-05-01T12:00:00Z,\r\n", out.String())
	require.Equal(t, "k2 takes over from older ones: 3 wrapped keys and seals are done, 4 are left",
		masterKeysState{Newest: "k2", Older: 1, SealedAgain: 3, Left: 4}.inWords())
	require.Equal(t, "k1", masterKeysState{Newest: "k1"}.inWords())
}

// A key that a process has behind the newest one, to put it in front later, is needed by nothing. One that was there when the newest
// one came in front may be an older one.
func TestAKeyBehindTheNewestIsNotNeeded(t *testing.T) {
	t.Parallel()
	at := func(minute int) time.Time { return time.Date(2026, 5, 1, 12, minute, 0, 0, time.UTC) }
	since := at(1)
	all := []models.MasterKey{
		{ID: "k1", FirstSeenAt: at(0), CurrentSince: &since, Newest: true},
		{ID: "k2", FirstSeenAt: at(2)}, {ID: "k0", FirstSeenAt: at(0)}, {ID: "k9", FirstSeenAt: at(2), CurrentSince: &since},
	}
	require.True(t, isBehind(&all[1], all))
	for _, i := range []int{0, 2, 3} {
		require.False(t, isBehind(&all[i], all), all[i].ID)
	}
}

// A key behind the newest one is needed by values of which the key is not known, as after an upgrade. A list and the page say so.
func TestAKeyBehindMayBeNeededByValuesFromBefore(t *testing.T) {
	t.Parallel()
	database, first := storetest.URL(t), secret.NewMasterKey("k1")
	s := storetest.Open(t, store.Options{URL: database})
	register := func(keys string) *secret.Ring {
		ring, err := secret.ParseRing(keys)
		require.NoError(t, err)
		require.NoError(t, s.MasterKeys.Register(t.Context(), ring))
		return ring
	}
	hasher := secret.NewKeyHasher(register(first))
	register(first + "," + secret.NewMasterKey("k2"))
	_, err := s.Organizations.Bootstrap(t.Context(), hasher, models.Actor{}, "Partner", true)
	require.NoError(t, err)
	second := func() (keyState, models.NeededMasterKey) {
		p := &program{ctx: t.Context(), stderr: io.Discard, config: Config{TemporalAddress: "127.0.0.1:1"}}
		states, err := listKeysCmd{Key: "k2"}.states(p, s)
		require.NoError(t, err)
		shown, err := (&parts{store: s}).masterKeys(t.Context())
		require.NoError(t, err)
		return states[0], shown.Keys[slices.IndexFunc(shown.Keys, func(k models.NeededMasterKey) bool { return k.ID == "k2" })]
	}
	listed, shown := second()
	require.True(t, listed.Behind && shown.Behind)
	require.Empty(t, listed.Needs)
	require.Empty(t, shown.Needs)
	storetest.Execute(t, database, "UPDATE api_keys SET master_key_id = NULL")
	listed, shown = second()
	require.False(t, listed.Behind || shown.Behind)
	require.Equal(t, []keyNeed{{models.NeedAPIKey, 1, nil}}, listed.Needs)
	require.Len(t, shown.Needs, 1)
}

// Commands about keys print one JSON document with --json. Without Temporal a list says what the database knows, and no
// key is retired but one that is lost.
func TestCommandsAboutKeysPrintJSON(t *testing.T) {
	t.Parallel()
	database, keys := storetest.URL(t), secret.NewMasterKey("k1")
	folder := t.TempDir()
	with := func(args ...string) (map[string]any, string, error) {
		var out, log bytes.Buffer
		env := []string{"LEVY_DATABASE_URL=" + database, "LEVY_MASTER_KEYS=" + keys, "LEVY_HOME=" + t.TempDir(),
			"LEVY_TEMPORAL_ADDRESS=127.0.0.1:1"}
		err := run(t.Context(), args, env, &out, &log)
		var said map[string]any
		if err == nil {
			require.NoError(t, json.Unmarshal(out.Bytes(), &said), "%v: %s", args, out.String())
		}
		return said, log.String(), err
	}
	s, err := openStore(t.Context(), Config{DatabaseURL: Secret(database), MasterKeys: Secret(keys), DatabaseConnections: 2})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	_, err = s.LoadTaxIDKey(t.Context())
	require.NoError(t, err)
	ring, err := secret.ParseRing(keys)
	require.NoError(t, err)
	require.NoError(t, s.MasterKeys.Register(t.Context(), ring))

	said, _, err := with("keys", "rotate", "--json", "--keys", folder)
	require.NoError(t, err)
	require.Equal(t, "k1", said["wrapping_key"])
	require.InDelta(t, 1, said["wrapped_keys"].(map[string]any)["keys"], 0)
	said, _, err = with("keys", "save", "--json", "--keys", folder)
	require.NoError(t, err)
	require.Contains(t, said["place"], folder)
	said, _, err = with("keys", "seal", "--json")
	require.NoError(t, err)
	require.Equal(t, map[string]any{"documents": 0.0, "records_with_tax_ids": 0.0}, said)
	said, log, err := with("keys", "list", "--json")
	require.NoError(t, err)
	require.Contains(t, log, "WARNING: which runs in Temporal need a master key cannot be told")
	first := said["master_keys"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"k1", true}, []any{first["id"], first["newest"]})
	_, _, err = with("keys", "list", "k7", "--json")
	require.ErrorIs(t, err, errUnknownMasterKey)
	_, _, err = with("keys", "retire", "k1", "--json")
	require.ErrorContains(t, err, "which runs need a master key cannot be told")
	said, _, err = with("keys", "retire", "k7", "--lost", "--json")
	require.NoError(t, err)
	require.Equal(t, []any{"k7", true}, []any{said["id"], said["lost"]})
	said, _, err = with("backup", t.TempDir(), "--no-verify", "--json")
	require.NoError(t, err)
	require.Equal(t, []any{"k1"}, said["master_keys"])
	require.Nil(t, said["wrapped_keys"])
	require.Contains(t, said["place"], "/")

	_, _, err = with("keys", "retire", "k1", "--lost")
	require.ErrorIs(t, err, errKeyNotLost)
	keys = secret.NewMasterKey("k2") + "," + keys
	storetest.Execute(t, database, "UPDATE master_keys SET retired_at = now(), lost = true WHERE id = 'k1'")
	said, log, err = with("keys", "rotate", "--json", "--keys", folder)
	require.NoError(t, err)
	require.Equal(t, []any{}, said["not_needed_by_data_keys"])
	require.Contains(t, log, "destroy k1 not yet")
}

// Where Temporal does not answer, a key counts as needed, and all else that needs it is told.
func TestNeedsAreToldWithoutTemporal(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, store.Options{URL: storetest.URL(t)})
	ring, err := secret.ParseRing(secret.NewMasterKey("k1"))
	require.NoError(t, err)
	require.NoError(t, s.MasterKeys.Register(t.Context(), ring))
	client, err := sdkclient.NewLazyClient(sdkclient.Options{HostPort: "127.0.0.1:1"})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	key, err := s.MasterKeys.Key(t.Context(), "k1")
	require.NoError(t, err)
	needs, err := needsOf(t.Context(), s, client, &key)
	require.NoError(t, err)
	require.Equal(t, []models.MasterKeyNeedKind{models.NeedProcess, models.NeedRunsUnknown},
		[]models.MasterKeyNeedKind{needs[0].Kind, needs[1].Kind})
}
