package main

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// memoryGoal is the memory that a process tries not to exceed: it collects garbage more often before it takes more.
// Memory that is really needed beyond it is still taken.
const memoryGoal = 256 << 20

// apiPace and workerPace are how much garbage may gather before a collection, in percent of the memory in use. A stage
// leaves megabytes of garbage at once, so the worker collects sooner. A request leaves little, and its client would
// wait for the collector.
const (
	apiPace    = 100
	workerPace = 80
)

// boundMemory sets the goal and the pace, unless GOMEMLIMIT and GOGC say others.
func boundMemory(pace int) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryGoal)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(pace)
	}
}

const (
	// memoryTick is how often a process looks whether it is at rest.
	memoryTick = time.Second
	// restAllocates is the most that a process allocates in a tick while it has nothing to do but to look for
	// work.
	restAllocates = 4 << 20
	// loadAllocates is what it allocated at least since memory was given back: less leaves little behind.
	loadAllocates = 64 << 20
	// restLasts is how many ticks of rest follow a load before memory is given back.
	restLasts = 2
)

// memoryKeeper knows when a load is over. The collector's pace during a load keeps as much garbage as there is
// data, and at rest nothing makes it run for two minutes.
type memoryKeeper struct {
	seen, released uint64 // bytes allocated at the last tick, and when memory was given back
	rested         int    // ticks
}

// over reports whether a load has ended since it last reported one. It is called once per tick with the number of bytes
// that the process has allocated so far.
func (k *memoryKeeper) over(allocated uint64) bool {
	atRest := allocated-k.seen <= restAllocates
	k.seen = allocated
	k.rested++
	if !atRest {
		k.rested = 0
	}
	if k.rested < restLasts || allocated-k.released < loadAllocates {
		return false
	}
	k.released = allocated
	return true
}

// giveMemoryBack returns to the system what a load has left, until ctx ends.
func giveMemoryBack(ctx context.Context) {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	ticker := time.NewTicker(memoryTick)
	defer ticker.Stop()
	var k memoryKeeper
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		metrics.Read(sample)
		if k.over(sample[0].Value.Uint64()) {
			debug.FreeOSMemory()
		}
	}
}
