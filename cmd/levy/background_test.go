package main

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestBackgroundLoopsBeginOneAfterTheOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		begun := make(chan time.Duration, 3)
		start := time.Now()
		loop := func(ctx context.Context) {
			begun <- time.Since(start)
			<-ctx.Done()
		}
		inBackground(ctx, &running, loop, loop, loop)
		require.Zero(t, <-begun)
		require.Equal(t, backgroundSpread, <-begun)
		stop()
		running.Wait()
		require.Empty(t, begun, "none begins after the end")
	})
}
