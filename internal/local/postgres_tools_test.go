package local

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A program that is ended takes the processes along that it started, which would otherwise go on and keep its output
// open: pg_basebackup fetches the WAL in one.
func TestAnEndedProgramLeavesNoProcess(t *testing.T) {
	t.Parallel()
	tools := &PostgresTools{dir: t.TempDir()}
	noted := filepath.Join(t.TempDir(), "pid")
	script := "#!/bin/sh\nsleep 1000 &\necho $! > " + noted + ".half && mv " + noted + ".half " + noted + "\nwait\n"
	require.NoError(t, os.WriteFile(filepath.Join(tools.dir, "pg_basebackup"), []byte(script), 0o755))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd, err := tools.Command(ctx, "pg_basebackup")
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() {
		_, err := cmd.CombinedOutput()
		ended <- err
	}()
	var child int
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(noted)
		if err == nil {
			child, err = strconv.Atoi(strings.TrimSpace(string(text)))
		}
		return err == nil
	}, time.Minute, time.Millisecond)
	t.Cleanup(func() { _ = syscall.Kill(child, syscall.SIGKILL) })
	cancel()
	select {
	case err := <-ended:
		require.Error(t, err)
	case <-time.After(time.Minute):
		t.Fatal("its output stays open")
	}
}
