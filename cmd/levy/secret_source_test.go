package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/local/localtest"
	"levy/internal/secret"
)

// script is a program that prints, says and ends as a test wants it.
func script(t *testing.T, lines string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kms")
	localtest.WriteProgram(t, path, strings.NewReader("#!/bin/sh\n"+lines+"\n"))
	return path
}

// The master keys come from a variable, a file, or a command that any key management service has. An error says why the
// command failed, and never what it printed.
func TestASecretComesFromACommand(t *testing.T) {
	t.Parallel()
	keys := secret.NewMasterKey("k1")
	of := func(values map[string]string, patience time.Duration) (string, error) {
		source, from, err := environment{values, patience}.secretSource("LEVY_MASTER_KEYS")
		if err != nil || source == nil {
			return "", err
		}
		value, err := source.secret()
		if err != nil {
			return value, fmt.Errorf("%s: %w", from, err)
		}
		return value, nil
	}
	file := filepath.Join(t.TempDir(), "keys")
	require.NoError(t, os.WriteFile(file, []byte(keys+"\n"), 0o600))
	prints := script(t, `cat "$1"`) + " " + file
	for from, value := range map[string]string{"": keys, "_FILE": file, "_COMMAND": prints} {
		got, err := of(map[string]string{"LEVY_MASTER_KEYS" + from: value}, time.Minute)
		require.NoError(t, err)
		require.Equal(t, keys, got, from)
	}
	none, err := of(map[string]string{"LEVY_MASTER_KEYS_COMMAND": " "}, time.Minute)
	require.NoError(t, err)
	require.Empty(t, none)

	for name, c := range map[string]struct{ command, fault string }{
		"a silent one": {script(t, ""), "LEVY_MASTER_KEYS_COMMAND: the command printed nothing"},
		"a failing one": {script(t, `echo `+keys+`; echo "no access" >&2; exit 3`),
			`LEVY_MASTER_KEYS_COMMAND: the command failed (exit status 3): "no access"`},
		"an endless one": {script(t, "head -c 70000 /dev/zero"),
			"LEVY_MASTER_KEYS_COMMAND: the command printed more than 64 KiB"},
		"a slow one":    {script(t, "exec sleep 600"), "LEVY_MASTER_KEYS_COMMAND: the command has not ended within 100ms"},
		"a missing one": {filepath.Join(t.TempDir(), "none"), "LEVY_MASTER_KEYS_COMMAND: the command failed"},
	} {
		patience := time.Minute
		if name == "a slow one" {
			patience = 100 * time.Millisecond
		}
		got, err := of(map[string]string{"LEVY_MASTER_KEYS_COMMAND": c.command}, patience)
		require.ErrorContains(t, err, c.fault, name)
		require.Empty(t, got)
		require.NotContains(t, err.Error(), keys)
	}
	_, err = of(map[string]string{"LEVY_MASTER_KEYS_FILE": file, "LEVY_MASTER_KEYS_COMMAND": prints}, time.Minute)
	require.EqualError(t, err, "LEVY_MASTER_KEYS_FILE and LEVY_MASTER_KEYS_COMMAND are both set: only one may be")
}

// A command that prints something else is told apart, and one that needs no secret runs nothing.
func TestACommandIsRunWhereItsSecretIsNeeded(t *testing.T) {
	t.Parallel()
	env := []string{"LEVY_MASTER_KEYS_COMMAND=" + script(t, "echo not-the-keys"), "LEVY_DATABASE_URL=postgres://levy@127.0.0.1:1/levy"}
	err := run(t.Context(), []string{"user", "invite", "ada@example.com", "--name=Ada", "--staff=operator"}, env, io.Discard, io.Discard)
	require.ErrorContains(t, err, "LEVY_MASTER_KEYS: master key 1: not of the form id:base64")
	require.NotContains(t, err.Error(), "not-the-keys")
	failing := []string{"LEVY_MASTER_KEYS_COMMAND=" + script(t, "exit 1")}
	require.NoError(t, run(t.Context(), []string{"version"}, failing, io.Discard, io.Discard))
	require.ErrorContains(t, run(t.Context(), []string{"worker"}, failing, io.Discard, io.Discard), "LEVY_MASTER_KEYS_COMMAND")
}
