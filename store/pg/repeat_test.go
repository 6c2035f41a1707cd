package pg

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// It changes the log of the process, so no other test runs beside it.
func TestTheLogSaysWhichRepeatedWorkFailed(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		begun, failures := time.Now(), 0
		Repeat(ctx, "amending returns", time.Second, func(context.Context) (bool, error) {
			if failures++; failures == 2 {
				stop()
			}
			return false, errors.New("a lock is held")
		})
		require.Equal(t, failurePause, time.Since(begun))
	})
	require.Contains(t, log.String(), `work="amending returns" error="a lock is held"`)
	require.Equal(t, 1, bytes.Count(log.Bytes(), []byte("\n")), "the end of the process is no failure")
}
