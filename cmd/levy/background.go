package main

import (
	"context"
	"sync"
	"time"
)

// backgroundSpread is how far apart the background loops of a process begin. If they began at once, each
// would find no free connection to PostgreSQL and open its own, most of which are never needed again.
const backgroundSpread = 20 * time.Millisecond

// inBackground starts loops, in this order, each of which runs until ctx ends.
func inBackground(ctx context.Context, running *sync.WaitGroup, loops ...func(context.Context)) {
	for i, loop := range loops {
		running.Go(func() {
			select {
			case <-ctx.Done():
			case <-time.After(time.Duration(i) * backgroundSpread):
				loop(ctx)
			}
		})
	}
}
