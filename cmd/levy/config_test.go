package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
)

func testConfig(httpAddr string) Config {
	return Config{
		HTTPAddr: httpAddr, PrivateAddr: "127.0.0.1:0",
		DatabaseConnections: 4, TemporalNamespace: "default", WorkerConcurrency: 4, NexusApproaching: 80, LogFormat: "json",
		RateLimit: 10_000, RateBurst: 500, RateConcurrent: 200, ImportLimit: 1024,
	}
}

func TestConfigurationErrorsAreReportedTogether(t *testing.T) {
	t.Parallel()
	err := run(t.Context(), []string{"worker"}, nil, &bytes.Buffer{}, &bytes.Buffer{})
	require.ErrorContains(t, err, "LEVY_DATABASE_URL")
	require.ErrorContains(t, err, "LEVY_TEMPORAL_ADDRESS")
	require.ErrorContains(t, err, "LEVY_MASTER_KEYS")
}

func TestEnvironmentGivesWhatFlagsDoNot(t *testing.T) {
	t.Parallel()
	env := []string{"LEVY_PRIVATE_ADDR=nonsense"}
	require.ErrorContains(t, run(t.Context(), []string{"ready"}, env, &bytes.Buffer{}, &bytes.Buffer{}), `"nonsense"`)
	require.ErrorContains(t, run(t.Context(), []string{
		"ready", "--private-addr=other",
	}, env, &bytes.Buffer{}, &bytes.Buffer{}), `"other"`)
}

func TestEmptyVariableCountsAsAbsent(t *testing.T) {
	t.Parallel()
	err := run(t.Context(), []string{"worker"}, []string{
		"LEVY_LOG_FORMAT=", "LEVY_PRIVATE_ADDR=",
	}, &bytes.Buffer{}, &bytes.Buffer{})
	require.NotContains(t, err.Error(), "LEVY_PRIVATE_ADDR")
	require.NotContains(t, err.Error(), "log-format")
}

func TestHelpNamesEveryCommandAndVariable(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, nil, &out, &out))
	for _, word := range []string{
		"dev", "api", "worker", "migrate", "bootstrap", "ready", "prepare", "version", "$LEVY_HTTP_ADDR",
		"$LEVY_DATABASE_URL", "$LEVY_MASTER_KEYS",
	} {
		require.Contains(t, out.String(), word)
	}
}

func TestVersionIsOneLine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"version"}, nil, &out, &out))
	require.Equal(t, 1, bytes.Count(out.Bytes(), []byte("\n")))
}

func TestSecretsNeverShow(t *testing.T) {
	t.Parallel()
	c := Config{DatabaseURL: "postgres://u:hunter2@h/d", MasterKeys: "k1:hunter2"}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("configured", "config", c, "keys", c.MasterKeys)
	for _, shown := range []string{fmt.Sprint(c), fmt.Sprintf("%+v %#v %q", c, c, c.MasterKeys), log.String()} {
		require.NotContains(t, shown, "hunter2")
	}
}

func TestDatabaseURLErrorHidesThePassword(t *testing.T) {
	t.Parallel()
	c := testConfig("127.0.0.1:0")
	c.DatabaseURL = "mysql://u:hunter2@h/d"
	err := c.validate(needDatabase)
	require.ErrorContains(t, err, "LEVY_DATABASE_URL")
	require.NotContains(t, err.Error(), "hunter2")
}

func TestReachableTurnsListenAddressesIntoTargets(t *testing.T) {
	t.Parallel()
	for listen, target := range map[string]string{
		"0.0.0.0:9180": "127.0.0.1:9180", ":9180": "127.0.0.1:9180", "[::]:9180": "127.0.0.1:9180",
		"127.0.0.1:8080": "127.0.0.1:8080", "levy.example:80": "levy.example:80",
	} {
		require.Equal(t, target, reachable(listen), listen)
	}
}
