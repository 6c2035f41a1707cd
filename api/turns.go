package api

import (
	"context"
	"fmt"
	"sync"

	"levy/models"
)

// turns lets only so many calls about the same thing through at a time, within this
// process, in the order in which they came. Nothing is right only because of it: it
// keeps calls from being in each other's way.
type turns struct {
	width int // calls about one thing that are through at a time
	mu    sync.Mutex
	held  map[string]*turn
}

type turn struct {
	places chan struct{} // has room for those whose turn it is
	users  int           // who has a place or waits for one
}

func newTurns(width int) *turns { return &turns{width: width, held: map[string]*turn{}} }

// take waits for a turn; pass gives it to the next. Errors: models.ErrUnavailable
// when ctx ends first.
func (t *turns) take(ctx context.Context, key string) (pass func(), err error) {
	t.mu.Lock()
	one := t.held[key]
	if one == nil {
		one = &turn{places: make(chan struct{}, t.width)}
		t.held[key] = one
	}
	one.users++
	t.mu.Unlock()
	select {
	case one.places <- struct{}{}:
		return func() {
			<-one.places
			t.leave(key, one)
		}, nil
	case <-ctx.Done():
		t.leave(key, one)
		return nil, fmt.Errorf("%w: others are ahead: %w", models.ErrUnavailable, ctx.Err())
	}
}

func (t *turns) leave(key string, one *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if one.users--; one.users == 0 {
		delete(t.held, key)
	}
}
