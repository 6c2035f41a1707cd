package main

import (
	"bytes"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/telemetry"
)

func settingsFault(t *testing.T, env []string, args ...string) string {
	t.Helper()
	err := run(t.Context(), args, env, io.Discard, io.Discard)
	require.Error(t, err)
	return err.Error()
}

// A variable that is nearly a setting is an error, and so is a value that cannot be read. All are reported at once, each by
// the name that was used.
func TestEveryFaultOfTheSettingsIsReported(t *testing.T) {
	t.Parallel()
	fault := settingsFault(t, []string{
		"LEVY_DATABSE_URL=postgres://u:secret@h/d", "LEVY_RATE_LIMIT=many", "LEVY_DRAIN_DELAY=soon", "LEVY_XYZZY=1",
		"LEVY_MASTER_KEY=secret", "LEVY_HTP_ADDRESS=x", "LEVY_LOG_LEVELS=", "OTHER_VARIABLE=1",
	}, "status")
	lines := strings.Split(fault, "\n")
	require.Len(t, lines, 6, fault)
	require.Contains(t, fault, "LEVY_DATABSE_URL is no setting: is LEVY_DATABASE_URL meant?")
	require.Contains(t, fault, "LEVY_MASTER_KEY is no setting: is LEVY_MASTER_KEYS meant?")
	require.Contains(t, fault, "LEVY_HTP_ADDRESS is no setting: is LEVY_HTTP_ADDR meant?")
	require.Contains(t, fault, "LEVY_XYZZY is no setting")
	require.NotContains(t, fault, "LEVY_XYZZY is no setting:")
	require.Regexp(t, `(?m)^LEVY_RATE_LIMIT: .*"many"`, fault)
	require.Regexp(t, `(?m)^LEVY_DRAIN_DELAY: .*"soon"`, fault)
	require.NotContains(t, fault, "secret")
	require.Contains(t, settingsFault(t, []string{"LEVY_RATE_LIMIT=many"}, "status", "--rate-limit=few"), "--rate-limit")
}

// Variables of other parts, of tests and of Kubernetes are no mistakes. Commands that need no settings ignore mistakes.
func TestVariablesOfOthersAreNoMistakes(t *testing.T) {
	t.Parallel()
	env := []string{
		"LEVY_TEST_SEED=1", "LEVY_CACHE=/tmp", "LEVY_VERSION=1", "LEVY_API_SERVICE_HOST=10.0.0.1", "LEVY_SERVICE_HOST=10.0.0.1",
		"LEVY_API_PORT=tcp://10.0.0.1:80",
		"LEVY_API_SERVICE_PORT_HTTP=80", "LEVY_API_PORT_8080_TCP_ADDR=10.0.0.1", "LEVY_PORT_80_TCP=tcp://10.0.0.1:80",
		"LEVY_MASTER_KEYS_FILE=/nowhere", "LEVY_DATABASE_URL_COMMAND=", "LEVY_HTTP_ADDR=127.0.0.1:1",
	}
	var c cli
	_, app, err := c.parseWith(newEnvironment(nil), []string{"version"}, io.Discard, io.Discard)
	require.NoError(t, err)
	require.NoError(t, newEnvironment(env).unknown(knownVariables(app)))
	require.NoError(t, run(t.Context(), []string{"version"}, []string{"LEVY_XYZZY=1"}, io.Discard, io.Discard))
}

func TestDistanceOfNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "abd", 1}, {"abc", "abcd", 1}, {"ab", "ba", 1},
		{"DATABASE", "DATABSE", 1}, {"kitten", "sitting", 3}} {
		require.Equal(t, c.want, distance(c.a, c.b), "%s %s", c.a, c.b)
		require.Equal(t, c.want, distance(c.b, c.a), "%s %s", c.b, c.a)
	}
}

// Durations of the log have a unit, in both formats.
func TestDurationsOfTheLogHaveAUnit(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{"json": `"wait":"1.5s"`, "text": "wait=1.5s"} {
		var out bytes.Buffer
		telemetry.NewLogger(&out, slog.LevelInfo, format).Info("waits", "wait", 1500*time.Millisecond)
		require.Contains(t, out.String(), want)
	}
}
