package main

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/store/storetest"
)

// The folder of backups may be named from where the command is called, though PostgreSQL's programs run elsewhere.
func TestABackupIntoAFolderFromHere(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, log bytes.Buffer
	env := []string{"LEVY_DATABASE_URL=" + storetest.URL(t), "LEVY_HOME=" + t.TempDir()}
	require.NoError(t, run(t.Context(), []string{"backup", "kept", "--no-verify"}, env, &out, &log), log.String())
	manifests, err := filepath.Glob("kept/*/levy-backup.json")
	require.NoError(t, err)
	require.Len(t, manifests, 1, out.String())
}

// A command that is interrupted has not done its work: its exit code says so.
func TestAnInterruptedCommandFails(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, log bytes.Buffer
	env := []string{"LEVY_DATABASE_URL=" + storetest.URL(t), "LEVY_HOME=" + t.TempDir()}
	for _, command := range [][]string{{"nexus", "recount"}, {"backup", t.TempDir()}, {"content", "list"}} {
		require.ErrorIs(t, run(ctx, command, env, &out, &log), errInterrupted, command)
	}
}
