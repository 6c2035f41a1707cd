package main

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
)

func testConfig(httpAddr string) Config {
	return Config{
		HTTPAddr: httpAddr, PrivateAddr: "127.0.0.1:0",
		DatabaseConnections: 4, TemporalNamespace: "default", WorkerConcurrency: 4, NexusApproaching: 80, LogFormat: "json",
		RateLimit: 10_000, RateBurst: 500, RateConcurrent: 200,
		ImportLimit: 1024, StorageQuota: 1024, OrganizationsQuota: 1000,
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

// The error lists the values of the setting, in Levy's own sentence.
func TestAnUnknownLevelIsRefused(t *testing.T) {
	t.Parallel()
	err := run(t.Context(), []string{"status"}, []string{"LEVY_LOG_LEVEL=loud"}, io.Discard, io.Discard)
	require.EqualError(t, err,
		`LEVY_LOG_LEVEL: "loud" is none of debug, info, warn and error (levy --help lists commands and settings)`)
}

func TestEmptyVariableCountsAsAbsent(t *testing.T) {
	t.Parallel()
	err := run(t.Context(), []string{"worker"}, []string{
		"LEVY_LOG_FORMAT=", "LEVY_PRIVATE_ADDR=",
	}, &bytes.Buffer{}, &bytes.Buffer{})
	require.NotContains(t, err.Error(), "LEVY_PRIVATE_ADDR")
	require.NotContains(t, err.Error(), "log-format")
}

// All users of a machine can read a command line, but not the environment or a file.
func TestSecretsComeFromTheEnvironmentOrAFile(t *testing.T) {
	t.Parallel()
	with := func(env []string, args ...string) error {
		return run(t.Context(), append([]string{"operator", "sign", "approve", "file_01jx4m9a2bfqv8m1x0c5t7hkde",
			"--expected-amount", "1045.12"},
			args...), env, io.Discard, io.Discard)
	}
	key := secret.NewAPIKey(secret.KindOperator)
	require.NoError(t, with([]string{"LEVY_OPERATOR_KEY=" + key}))
	file := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(file, []byte(key+"\n"), 0o600))
	require.NoError(t, with([]string{"LEVY_OPERATOR_KEY_FILE=" + file}))

	err := with(nil, "--operator-key="+key)
	require.ErrorContains(t, err, "LEVY_OPERATOR_KEY_FILE")
	require.NotContains(t, err.Error(), key)
	require.ErrorContains(t, with([]string{"LEVY_OPERATOR_KEY_FILE=" + file, "LEVY_OPERATOR_KEY=" + key}), "both set")
	require.ErrorContains(t, with([]string{"LEVY_OPERATOR_KEY_FILE=" + file + "x"}), "LEVY_OPERATOR_KEY_FILE")
	require.ErrorContains(t, with([]string{"LEVY_OPERATOR_KEY=" + secret.NewAPIKey(secret.KindTest)}),
		"must hold an operator key")
	require.ErrorContains(t, with(nil), "must hold an operator key")
}

func TestTemporalIsReachedAsConfigured(t *testing.T) {
	t.Parallel()
	plain, err := Config{}.temporalTLS()
	require.NoError(t, err)
	require.Nil(t, plain)
	some, err := Config{TemporalTLS: true, TemporalName: "temporal.example", TemporalAPIKey: "key"}.temporalTLS()
	require.NoError(t, err)
	require.Equal(t, "temporal.example", some.ServerName)
	file := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(file, []byte("no certificate"), 0o600))
	for name, c := range map[string]Config{
		"LEVY_TEMPORAL_API_KEY": {TemporalAPIKey: "key"}, "LEVY_TEMPORAL_KEY go together": {TemporalCert: file},
		"has no certificate":                     {TemporalCA: file},
		"LEVY_TEMPORAL_CERT, LEVY_TEMPORAL_KEY:": {TemporalCert: file, TemporalKey: file},
		"no such file":                           {TemporalCA: file + "x"},
	} {
		_, err := c.temporalTLS()
		require.ErrorContains(t, err, name)
	}
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

// A setting that nothing reads has no effect, and nobody would notice.
func TestEverySettingIsRead(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var code []byte
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			code = append(code, text...)
		}
	}
	for _, setting := range reflect.VisibleFields(reflect.TypeFor[Config]()) {
		if setting.Name != "OTLPEndpoint" { // package telemetry reads its variable
			require.True(t, regexp.MustCompile(`\w\.`+setting.Name+`\b`).Match(code), setting.Name)
		}
	}
}
