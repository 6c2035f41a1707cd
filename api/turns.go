package api

import (
	"context"
	"fmt"
	"sync"

	"levy/models"
)

// turns lets calls about the same thing through one after the other, within this
// process. Nothing is right only because of it: it keeps calls that each make a record
// anew from being overtaken again and again.
type turns struct {
	mu   sync.Mutex
	held map[string]*turn
}

type turn struct {
	free  chan struct{} // has room for the one whose turn it is
	users int           // who has it or waits for it
}

func newTurns() *turns { return &turns{held: map[string]*turn{}} }

// take waits for the turn; pass gives it to the next. Errors: models.ErrUnavailable
// when ctx ends first.
func (t *turns) take(ctx context.Context, key string) (pass func(), err error) {
	t.mu.Lock()
	one := t.held[key]
	if one == nil {
		one = &turn{free: make(chan struct{}, 1)}
		t.held[key] = one
	}
	one.users++
	t.mu.Unlock()
	select {
	case one.free <- struct{}{}:
		return func() {
			<-one.free
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
