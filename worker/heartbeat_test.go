package worker

import (
	"context"
	"sync"
	"time"
)

// book is a record of checks of Temporal, which are due whenever somebody asks, and of what
// was made due.
type book struct {
	mu    sync.Mutex
	runs  []string // of Heartbeat
	due   map[string][]string
	all   []string // kinds of which all were
	noted chan string
}

func newBook() *book { return &book{due: map[string][]string{}, noted: make(chan string, 100)} }

func (*book) LeaseCheck(context.Context, string, time.Duration) (bool, error) { return true, nil }

func (*book) CheckAge(context.Context, string) (time.Duration, error) { return time.Minute, nil }

func (b *book) HeartbeatRun(context.Context) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.runs) == 0 {
		return "", nil
	}
	return b.runs[len(b.runs)-1], nil
}

func (b *book) NoteHeartbeatRun(_ context.Context, id string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.runs = append(b.runs, id)
	return nil
}

func (b *book) ForgetHeartbeatRun(context.Context, string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.runs = nil
	return nil
}

func (b *book) NoteCheck(_ context.Context, name string) error {
	b.noted <- name
	return nil
}

func (b *book) Requeue(_ context.Context, kind string, ids []string) ([]string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.due[kind] = append(b.due[kind], ids...)
	return ids, nil
}

func (b *book) RequeueAll(_ context.Context, kind string) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = append(b.all, kind)
	return 0, nil
}
