package worker

import (
	"context"
	"sync"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/workflows"
)

// pollersCachedFor is how long an answer about the pollers of the task queues is kept.
const pollersCachedFor = 10 * time.Second

// backgroundPollers knows whether workers poll BackgroundQueue. Workers of releases before that queue do not: while
// only such ones are there, a batch on it would wait until one of this release starts.
type backgroundPollers struct {
	client sdkclient.Client

	mu       sync.Mutex
	readAt   time.Time
	unpolled bool
}

// queue is the task queue on which a batch is worked off: the wanted one, but TransactionsQueue for the background
// while workers poll that one and none polls BackgroundQueue. While no worker polls either, the next to come is taken
// to be of this release: the relay replaces a batch that no worker takes.
func (p *backgroundPollers) queue(ctx context.Context, wanted string) string {
	if wanted != workflows.BackgroundQueue {
		return wanted
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.readAt) >= pollersCachedFor {
		if unpolled, err := p.read(ctx); err == nil { // else what was known last
			p.unpolled = unpolled
		}
		p.readAt = time.Now()
	}
	if p.unpolled {
		return workflows.TransactionsQueue
	}
	return wanted
}

func (p *backgroundPollers) read(ctx context.Context) (unpolled bool, err error) {
	polled, err := p.polled(ctx, workflows.BackgroundQueue)
	if err != nil || polled {
		return false, err
	}
	return p.polled(ctx, workflows.TransactionsQueue)
}

// polled reports whether a worker has lately asked for workflow tasks of a queue.
func (p *backgroundPollers) polled(ctx context.Context, queue string) (bool, error) {
	found, err := p.client.DescribeTaskQueue(ctx, queue, enumspb.TASK_QUEUE_TYPE_WORKFLOW)
	if err != nil {
		return false, err
	}
	since := time.Now().Add(-pollersLast)
	for _, poller := range found.GetPollers() {
		if poller.GetLastAccessTime().AsTime().After(since) {
			return true, nil
		}
	}
	return false, nil
}
