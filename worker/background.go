package worker

import (
	"context"
	"sync"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/workflows"
)

// pollersCachedFor is the time for which backgroundPollers trusts what it has read.
const pollersCachedFor = 10 * time.Second

// backgroundPollers knows whether workers poll BackgroundQueue. Workers of older releases do not. While only such
// workers run, a batch on that queue would wait until a worker of this release starts.
type backgroundPollers struct {
	client sdkclient.Client

	mu       sync.Mutex
	readAt   time.Time
	unpolled bool
}

// queue returns the task queue for a batch. This is the wanted queue, except for background work while workers poll
// TransactionsQueue and none polls BackgroundQueue. While no worker polls either, queue expects the next one to be of
// this release; the relay replaces a batch that no worker takes.
func (p *backgroundPollers) queue(ctx context.Context, wanted string) string {
	if wanted != workflows.BackgroundQueue {
		return wanted
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.readAt) >= pollersCachedFor {
		if unpolled, err := p.read(ctx); err == nil { // after an error the last result counts
			p.unpolled = unpolled
		}
		p.readAt = time.Now()
	}
	if p.unpolled {
		return workflows.TransactionsQueue
	}
	return wanted
}

// read reports whether workers poll TransactionsQueue and none polls BackgroundQueue.
func (p *backgroundPollers) read(ctx context.Context) (unpolled bool, err error) {
	polled, err := p.polled(ctx, workflows.BackgroundQueue)
	if err != nil || polled {
		return false, err
	}
	return p.polled(ctx, workflows.TransactionsQueue)
}

// polled reports whether a worker has polled a queue for workflow tasks lately.
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
