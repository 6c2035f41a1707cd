package api

import (
	"sync"
	"sync/atomic"

	"levy/api/limit"
)

// outputs are the answers that are written piece by piece: files and streams of events. They end when the process begins
// to stop.
type outputs struct {
	exports  *limit.TenantQuota // those under way
	times    StreamTimes
	stopping chan struct{}
	draining atomic.Bool
	stop     sync.Once
}

func newOutputs(times StreamTimes) *outputs {
	return &outputs{
		exports: limit.NewTenantQuota(maxExports, maxExportsOfOne), times: times, stopping: make(chan struct{}),
	}
}

// Drain ends the outputs under way: clients connect again, to another process.
func (o *outputs) Drain() {
	o.draining.Store(true)
	o.stop.Do(func() { close(o.stopping) })
}

// Draining reports whether the process has begun to stop.
func (o *outputs) Draining() bool { return o.draining.Load() }
