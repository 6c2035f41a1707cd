package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/store/storetest"
)

// devFolder is the state folder of a `levy dev` that runs with a database.
func devFolder(t *testing.T, database, keys string) string {
	t.Helper()
	home := t.TempDir()
	info := devInfo{DatabaseURL: database, TemporalAddress: "127.0.0.1:1", TemporalNamespace: "ours"}
	if keys != "" {
		info.MasterKeysFile = filepath.Join(home, keysFile)
		require.NoError(t, os.WriteFile(info.MasterKeysFile, []byte(keys+"\n"), 0o600))
	}
	content, err := json.Marshal(info)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(home, devFile), content, 0o600))
	return home
}

// Commands use the installation that levy dev runs, unless another database is named: for that they never use the
// keys of levy dev.
func TestCommandsFindTheInstallationOfDev(t *testing.T) {
	t.Parallel()
	const ours, other = "postgres://app@127.0.0.1:1/levy", "postgres://app@127.0.0.1:2/levy"
	home := devFolder(t, ours, "k1:ours")
	for name, c := range map[string]struct {
		command    string
		home       string
		told, want Config
		noticed    bool
	}{
		"nothing is named": {"user invite <email>", home, Config{},
			Config{DatabaseURL: ours, MasterKeys: "k1:ours", TemporalAddress: "127.0.0.1:1", TemporalNamespace: "ours"}, true},
		"its database is named": {"user invite <email>", home, Config{DatabaseURL: ours, TemporalAddress: "mine:1"},
			Config{DatabaseURL: ours, MasterKeys: "k1:ours", TemporalAddress: "mine:1"}, false},
		"keys are named": {"keys list", home, Config{DatabaseURL: ours, MasterKeys: "k2:mine", TemporalAddress: "mine:1"},
			Config{DatabaseURL: ours, MasterKeys: "k2:mine", TemporalAddress: "mine:1"}, false},
		"another database is named": {"user invite <email>", home, Config{DatabaseURL: other}, Config{DatabaseURL: other},
			false},
		"the keys came from the environment": {"status", devFolder(t, ours, ""), Config{},
			Config{DatabaseURL: ours, TemporalAddress: "127.0.0.1:1", TemporalNamespace: "ours"}, true},
		"nothing runs":           {"status", t.TempDir(), Config{}, Config{}, false},
		"a process of a service": {"api", home, Config{}, Config{}, false},
		"a migration":            {"migrate", home, Config{}, Config{}, false},
		"a service by its URL":   {"import <file>", home, Config{}, Config{}, false},
		"a file":                 {"content key <file>", home, Config{}, Config{}, false},
		"tables of this program": {"content verify", home, Config{}, Config{}, false},
		"a version": {"content verify <version>", home, Config{}, Config{DatabaseURL: ours, MasterKeys: "k1:ours",
			TemporalAddress: "127.0.0.1:1", TemporalNamespace: "ours"}, true},
		"tables": {"content list", home, Config{}, Config{DatabaseURL: ours, MasterKeys: "k1:ours",
			TemporalAddress: "127.0.0.1:1", TemporalNamespace: "ours"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			notice, err := c.told.findDev(c.command, newEnvironment([]string{"LEVY_HOME=" + c.home}))
			require.NoError(t, err)
			require.Equal(t, c.want, c.told)
			require.Equal(t, c.noticed, notice != "")
			require.NotContains(t, notice, "postgres://")
		})
	}
	broken := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(broken, devFile), []byte("{"), 0o600))
	_, err := (&Config{}).findDev("status", newEnvironment([]string{"LEVY_HOME=" + broken}))
	require.ErrorContains(t, err, devFile)
}

// A person can be invited beside a running levy dev without naming its database and keys.
func TestAnInvitationBesideDev(t *testing.T) {
	t.Parallel()
	home := devFolder(t, storetest.URL(t), secret.NewMasterKey("k1"))
	var out, log bytes.Buffer
	args := []string{"user", "invite", "sam@example.com", "--name", "Sam", "--staff", "operator"}
	require.NoError(t, run(t.Context(), args, []string{"LEVY_HOME=" + home}, &out, &log), log.String())
	require.Contains(t, out.String(), "/sign-in/")
	require.Equal(t, "LEVY_DATABASE_URL is not set: this is about what levy dev runs from "+home+".\n", log.String())
	require.ErrorContains(t, run(t.Context(), []string{"worker"}, []string{"LEVY_HOME=" + home}, &out, &log),
		"LEVY_MASTER_KEYS must be set")
}
