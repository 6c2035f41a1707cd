package worker

import (
	"context"
	"slices"
	"sync"
	"time"

	"levy/models"
)

// fakeRecords is a fake of EngineRecords. Its checks are always due. It lists the records that were made due.
type fakeRecords struct {
	open    int64               // number of filings that need a run
	idle    []models.Ref        // idle filings, in order
	soonest map[string][]string // by kind: records that its sweeper reaches next

	mu    sync.Mutex
	runs  []string // of Heartbeat
	due   map[string][]string
	all   []string // kinds of which all records were made due
	noted chan string
}

func newFakeRecords() *fakeRecords {
	return &fakeRecords{due: map[string][]string{}, noted: make(chan string, 100)}
}

func (b *fakeRecords) CountOpen(_ context.Context, kind string) (int64, error) {
	if kind != models.WaitingFilings {
		return 0, nil
	}
	return b.open, nil
}

func (b *fakeRecords) IdleAfter(_ context.Context, _ string, after models.Ref, limit int) ([]models.Ref, error) {
	from := slices.Index(b.idle, after) + 1
	return b.idle[from:min(len(b.idle), from+limit)], nil
}

func (b *fakeRecords) SoonestDue(_ context.Context, kind string, _ int) ([]string, error) {
	return slices.Clone(b.soonest[kind]), nil
}

func (*fakeRecords) LeaseCheck(context.Context, string, time.Duration) (bool, error) {
	return true, nil
}

func (*fakeRecords) CheckAge(context.Context, string) (time.Duration, error) { return time.Minute, nil }

func (b *fakeRecords) HeartbeatRun(context.Context) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.runs) == 0 {
		return "", nil
	}
	return b.runs[len(b.runs)-1], nil
}

func (b *fakeRecords) NoteHeartbeatRun(_ context.Context, id string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.runs = append(b.runs, id)
	return nil
}

func (b *fakeRecords) ForgetHeartbeatRun(context.Context, string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.runs = nil
	return nil
}

func (b *fakeRecords) NoteCheck(_ context.Context, name string) error {
	b.noted <- name
	return nil
}

func (b *fakeRecords) Requeue(_ context.Context, kind string, ids []string) ([]string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.due[kind] = append(b.due[kind], ids...)
	return ids, nil
}

func (b *fakeRecords) RequeueAll(_ context.Context, kind string) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = append(b.all, kind)
	return 0, nil
}
