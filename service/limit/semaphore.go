package limit

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/semaphore"

	"levy/models"
)

// KeyedSemaphore admits a fixed number of holders for each key in their order, within this process.
// Correctness does not depend on it. It keeps calls from delaying or repeating each other's work.
type KeyedSemaphore struct {
	width   int64 // largest number of holders of a key
	mu      sync.Mutex
	entries map[string]*entry
}

type entry struct {
	*semaphore.Weighted
	users int // holders and waiting callers
}

// NewKeyedSemaphore returns a semaphore with that number of holders for every key.
func NewKeyedSemaphore(width int) *KeyedSemaphore {
	return &KeyedSemaphore{width: int64(width), entries: map[string]*entry{}}
}

// Acquire waits for a slot of the key. The caller calls release once. Errors: models.ErrUnavailable if ctx ends first.
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

// leave removes a key without users, so that only used keys need memory.
func (k *KeyedSemaphore) leave(key string, e *entry) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if e.users--; e.users == 0 {
		delete(k.entries, key)
	}
}
