package worker

import (
	"context"
	"sync"
	"time"
)

// fakeChecks is a fake of the records of checks of Temporal, which are always due. It keeps what was made due.
type fakeChecks struct {
	mu    sync.Mutex
	runs  []string // of Heartbeat
	due   map[string][]string
	all   []string // kinds of which all were
	noted chan string
}

func newFakeChecks() *fakeChecks {
	return &fakeChecks{due: map[string][]string{}, noted: make(chan string, 100)}
}

func (*fakeChecks) LeaseCheck(context.Context, string, time.Duration) (bool, error) { return true, nil }

func (*fakeChecks) CheckAge(context.Context, string) (time.Duration, error) { return time.Minute, nil }

func (b *fakeChecks) HeartbeatRun(context.Context) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.runs) == 0 {
		return "", nil
	}
	return b.runs[len(b.runs)-1], nil
}

func (b *fakeChecks) NoteHeartbeatRun(_ context.Context, id string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.runs = append(b.runs, id)
	return nil
}

func (b *fakeChecks) ForgetHeartbeatRun(context.Context, string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.runs = nil
	return nil
}

func (b *fakeChecks) NoteCheck(_ context.Context, name string) error {
	b.noted <- name
	return nil
}

func (b *fakeChecks) Requeue(_ context.Context, kind string, ids []string) ([]string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.due[kind] = append(b.due[kind], ids...)
	return ids, nil
}

func (b *fakeChecks) RequeueAll(_ context.Context, kind string) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = append(b.all, kind)
	return 0, nil
}
