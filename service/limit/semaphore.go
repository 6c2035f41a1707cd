package limit

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/semaphore"

	"levy/models"
)

// KeyedSemaphore admits a fixed number of holders for each key at a time, in the order
// in which they came, within this process. Correctness does not depend on it: it keeps
// calls from delaying or repeating each other's work.
type KeyedSemaphore struct {
	width   int64 // holders of one key at a time
	mu      sync.Mutex
	entries map[string]*entry
}

type entry struct {
	*semaphore.Weighted
	users int // holders and those who wait
}

// NewKeyedSemaphore makes a semaphore of that width for every key.
func NewKeyedSemaphore(width int) *KeyedSemaphore {
	return &KeyedSemaphore{width: int64(width), entries: map[string]*entry{}}
}

// Acquire waits until the key has a free place; release frees it, once. Errors:
// models.ErrUnavailable when ctx ends first.
func (k *KeyedSemaphore) Acquire(ctx context.Context, key string) (release func(), err error) {
	k.mu.Lock()
	e := k.entries[key]
	if e == nil {
		e = &entry{Weighted: semaphore.NewWeighted(k.width)}
		k.entries[key] = e
	}
	e.users++
	k.mu.Unlock()
	if err := e.Acquire(ctx, 1); err != nil {
		k.leave(key, e)
		return nil, fmt.Errorf("%w: others are ahead: %w", models.ErrUnavailable, err)
	}
	return func() {
		e.Release(1)
		k.leave(key, e)
	}, nil
}

// leave forgets a key without users, so that only keys in use take memory.
func (k *KeyedSemaphore) leave(key string, e *entry) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if e.users--; e.users == 0 {
		delete(k.entries, key)
	}
}

// TenantQuota divides something of which all partners together use only so much,
// and each of them no more than a share: the one that takes all it can get leaves the
// others theirs.
type TenantQuota struct {
	total *semaphore.Weighted
	share int64 // of one partner

	mu   sync.Mutex
	held map[string]int64 // by partner; only those that hold anything
}

// NewTenantQuota makes a quota of that size, of which each partner has at most share.
func NewTenantQuota(size, share int64) *TenantQuota {
	return &TenantQuota{total: semaphore.NewWeighted(size), share: share, held: map[string]int64{}}
}

// TryAcquire takes n of the quota for a partner, until release is called, once. It
// does not wait: false says that not enough is left, for anybody or for this partner.
func (q *TenantQuota) TryAcquire(partner string, n int64) (release func(), ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.held[partner]+n > q.share || !q.total.TryAcquire(n) {
		return nil, false
	}
	q.held[partner] += n
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.total.Release(n)
		if q.held[partner] -= n; q.held[partner] == 0 {
			delete(q.held, partner)
		}
	}, true
}
