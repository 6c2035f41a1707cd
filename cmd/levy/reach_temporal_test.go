package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"
	sdkclient "go.temporal.io/sdk/client"
	"go.temporal.io/sdk/mocks"

	"levy/internal/telemetry"
)

// A worker that cannot use Temporal gives the reason in one line, and again after a minute. Another reason is told at once.
func TestAWorkerSaysOnceWhyItCannotUseTemporal(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	clock, asked := time.Unix(0, 0), 0
	client := &mocks.Client{}
	client.On("Close").Return()
	w := waitForTemporal{
		dial: func(context.Context) (sdkclient.Client, error) {
			switch asked++; {
			case asked <= 61: // 0 s to 60 s
				return nil, (Config{TemporalNamespace: "typo"}).explainTemporal(t.Context(), &serviceerror.NamespaceNotFound{})
			case asked <= 70:
				return nil, errors.New("another reason")
			}
			return client, nil
		},
		log: telemetry.NewLogger(&out, slog.LevelInfo, "text"), now: func() time.Time { return clock },
		wait: func(_ context.Context, d time.Duration) error { clock = clock.Add(d); return nil },
	}
	require.NoError(t, w.run(t.Context()))
	require.Equal(t, 71, asked)
	require.Equal(t, 3, strings.Count(out.String(), "\n"), out.String())
	require.Equal(t, 2, strings.Count(out.String(), "Temporal has no namespace typo: correct LEVY_TEMPORAL_NAMESPACE"))
	require.Equal(t, 1, strings.Count(out.String(), "another reason"))
	client.AssertExpectations(t)

	w.dial = func(context.Context) (sdkclient.Client, error) { return nil, &serviceerror.PermissionDenied{} }
	require.NoError(t, w.run(t.Context()), "it may still work")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	w.dial, w.wait = func(context.Context) (sdkclient.Client, error) { return nil, errors.New("away") }, pause
	require.ErrorIs(t, w.run(ended), context.Canceled)
}
