package main

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/store/masterkeys"
	"levy/store/storetest"
)

// A command with a key that only has the right id does nothing: what it sealed would count as changed for ever.
func TestCommandsRefuseTheKeysOfAnotherInstallation(t *testing.T) {
	t.Parallel()
	database := storetest.URL(t)
	with := func(keys string, args ...string) (string, error) {
		var out, log bytes.Buffer
		env := []string{"LEVY_DATABASE_URL=" + database, "LEVY_MASTER_KEYS=" + keys, "LEVY_HOME=" + t.TempDir()}
		err := run(t.Context(), args, env, &out, &log)
		return out.String(), err
	}
	right, wrong := secret.NewMasterKey("k1"), secret.NewMasterKey("k1")
	s, err := openStore(t.Context(), Config{DatabaseURL: Secret(database), MasterKeys: Secret(right), DatabaseConnections: 2})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	_, err = s.LoadTaxIDKey(t.Context())
	require.NoError(t, err)
	_, err = with(right, "operator", "add", "Ada")
	require.NoError(t, err)
	for _, command := range [][]string{
		{"audit", "verify"}, {"keys", "rotate"}, {"keys", "seal"}, {"operator", "add", "Sam"}, {"bootstrap", "--live"},
		{"partner", "add", "B", "--test"},
		{"user", "invite", "sam@example.com", "--name", "Sam", "--staff", "auditor"},
	} {
		_, err = with(wrong, command...)
		require.ErrorContains(t, err, "LEVY_MASTER_KEYS and LEVY_WRAPPING_KEYS do not hold the keys of this database", command)
	}
	out, err := with(wrong, "check")
	require.ErrorIs(t, err, errDefects)
	require.Contains(t, out, "DEFECT: LEVY_MASTER_KEYS and LEVY_WRAPPING_KEYS do not hold the keys of this database")
	out, err = with(right, "check")
	require.ErrorIs(t, err, errNotAsked)
	require.Contains(t, out, "\nKeys: 1 master key is in use for personal data; 0 documents are still in clear text.\n")
	out, err = with(right, "audit", "verify")
	require.NoError(t, err)
	require.NotContains(t, out, "broken")
}

// The first command that makes keys records the master key that hashes them. Otherwise the first process with another key
// under its id would be taken for right. It would answer 401 to all of them, and the right key would be refused.
func TestTheFirstCommandRecordsItsMasterKey(t *testing.T) {
	t.Parallel()
	database := storetest.URL(t)
	with := func(keys string, args ...string) (string, error) {
		var out, log bytes.Buffer
		env := []string{"LEVY_DATABASE_URL=" + database, "LEVY_MASTER_KEYS=" + keys, "LEVY_TEMPORAL_ADDRESS=127.0.0.1:1",
			"LEVY_HTTP_ADDR=127.0.0.1:0", "LEVY_PRIVATE_ADDR=127.0.0.1:0"}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // of an API that starts although it must not
		defer cancel()
		err := run(ctx, args, env, &out, &log)
		return out.String(), err
	}
	right, wrong := secret.NewMasterKey("k1"), secret.NewMasterKey("k1")
	out, err := with(right, "keys", "list")
	require.NoError(t, err)
	require.Equal(t, "No process has started with a master key, and no command has made a key with one.\n", out)
	_, err = with(right, "bootstrap", "--test")
	require.NoError(t, err)
	out, err = with(right, "keys", "list")
	require.NoError(t, err)
	require.Equal(t, "k1  the newest; others are taken over by it\n", out)
	for _, command := range [][]string{{"operator", "add", "Ada"}, {"partner", "add", "B", "--test"}} {
		_, err = with(wrong, command...)
		require.ErrorIs(t, err, masterkeys.ErrOther, command)
		_, err = with(right, command...)
		require.NoError(t, err, command)
	}
	s, err := openStore(t.Context(), Config{DatabaseURL: Secret(database), MasterKeys: Secret(right), DatabaseConnections: 2})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	_, err = s.LoadTaxIDKey(t.Context())
	require.NoError(t, err)
	_, err = with(wrong, "api")
	require.ErrorIs(t, err, masterkeys.ErrOther)
	_, err = with(secret.NewMasterKey("k9"), "api")
	require.ErrorIs(t, err, masterkeys.ErrMissing)
	require.ErrorContains(t, err, "k1 (2 API keys, 1 keys of the installation, 2 operator keys)")
}
