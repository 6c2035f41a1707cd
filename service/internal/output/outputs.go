package output

import (
	"sync"
	"sync/atomic"
	"time"

	"levy/service/limit"
)

// Outputs are the files and event streams under way. They end when the process begins to stop.
type Outputs struct {
	exports   *limit.Shares // slots of files under way
	workbooks *limit.Shares
	reports   *limit.Shares
	Times     StreamTimes
	Stopping  chan struct{}
	draining  atomic.Bool
	stop      sync.Once
}

// NewOutputs returns outputs whose streams have these times.
func NewOutputs(times StreamTimes) *Outputs {
	return &Outputs{
		exports: limit.NewShares(exports, time.Now), workbooks: limit.NewShares(workbooks, time.Now),
		reports: limit.NewShares(reports, time.Now), Times: times, Stopping: make(chan struct{}),
	}
}

// Drain ends the outputs under way. Their clients connect to another process.
func (o *Outputs) Drain() {
	o.draining.Store(true)
	o.stop.Do(func() { close(o.Stopping) })
}

// Draining reports whether the process has begun to stop.
func (o *Outputs) Draining() bool { return o.draining.Load() }
