package transactions

import (
	"context"
	"errors"
	"sync"
	"time"

	"levy/models"
	"levy/store/pg"
)

// Intake accepts transactions. Requests that arrive while a database transaction
// is under way wait for the next one and share it, as a database shares the flush
// of commits: the more arrive, the cheaper each becomes. Every request still gets
// its own verdict.
type Intake struct {
	store *Store
	queue chan *intakeJob
	group int
	stop  chan struct{}
	done  sync.WaitGroup
}

type intakeJob struct {
	draft  *models.TransactionDraft
	ctx    context.Context // of the request: its values, not its end
	result chan error
}

// intakeQueue bounds the requests that wait for a database transaction; beyond it
// the service is overloaded and says so before it has written anything.
const intakeQueue = 2048

// groupTimeout bounds one group, so that a database that stopped answering becomes
// an error the clients can act on.
const groupTimeout = 10 * time.Second

// StartIntake starts committers, each of which carries up to group transactions
// in one database transaction. Close it before the store.
func (s *Store) StartIntake(committers, group int) *Intake {
	in := &Intake{store: s, queue: make(chan *intakeJob, intakeQueue), group: group, stop: make(chan struct{})}
	for range committers {
		in.done.Go(in.run)
	}
	return in
}

// Close commits what still waits and returns when it has ended.
func (in *Intake) Close() {
	close(in.stop)
	in.done.Wait()
}

// Accept writes the transaction with everything that belongs to it, durably, or
// says why not. After nil the draft holds the record as stored: customer, product
// names, identifiers.
//
// Errors: *models.ProductsNotFoundError, *models.ReferencesNotFoundError,
// *models.InvalidError, *models.DuplicateError, models.ErrUnavailable (nothing
// was written), models.ErrOutcomeUnknown.
func (in *Intake) Accept(ctx context.Context, draft *models.TransactionDraft) error {
	if release, ok := pg.Exclusive(ctx); ok { // alone: the other items would be committed with this one's request
		defer release()
		return in.store.Accept(ctx, []*models.TransactionDraft{draft})[0]
	}
	job := &intakeJob{draft: draft, ctx: context.WithoutCancel(ctx), result: make(chan error, 1)}
	select {
	case in.queue <- job:
	default:
		return models.ErrUnavailable
	}
	select {
	case err := <-job.result:
		return err
	case <-ctx.Done():
		return models.ErrOutcomeUnknown // it waits or is being written; nobody can say yet
	}
}

// AcceptAll is Accept for several: each has its own verdict, in the order of the
// drafts, and of equal external ids the first wins. They go in one database
// transaction of their own.
func (in *Intake) AcceptAll(ctx context.Context, drafts []*models.TransactionDraft) []error {
	if release, ok := pg.Exclusive(ctx); ok {
		defer release()
		return in.store.Accept(ctx, drafts)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), groupTimeout)
	defer cancel()
	return in.store.Accept(ctx, drafts)
}

// HoldBatches keeps batches of an organization apart whose request has a key: each is
// one database transaction. While one writes several times (more), and so holds keys
// while it waits for others, no other writes; those that write once, in key order, keep
// out of each other's way by themselves. Without a key there is nothing to hold.
// Errors: models.ErrUnavailable.
func (in *Intake) HoldBatches(ctx context.Context, scope models.Scope, more bool) error {
	release, ok := pg.Exclusive(ctx)
	if !ok {
		return nil
	}
	defer release()
	lock := pg.LockBatches.WaitShared("$1")
	if more {
		lock = pg.LockBatches.Wait("$1")
	}
	_, err := in.store.db.Exec(ctx, "SELECT "+lock, "batches of "+scope.OrganizationID)
	return pg.Translate(err)
}

func (in *Intake) run() {
	for {
		select {
		case job := <-in.queue:
			in.commit(in.gather(job))
		case <-in.stop:
			for { // whatever was accepted into the queue still gets its verdict
				select {
				case job := <-in.queue:
					in.commit(in.gather(job))
				default:
					return
				}
			}
		}
	}
}

// gather takes what waits already, without waiting for more.
func (in *Intake) gather(first *intakeJob) []*intakeJob {
	jobs := []*intakeJob{first}
	for len(jobs) < in.group {
		select {
		case job := <-in.queue:
			jobs = append(jobs, job)
		default:
			return jobs
		}
	}
	return jobs
}

func (in *Intake) commit(jobs []*intakeJob) {
	// The group is detached from its requests; its SQL shows in the trace of the first.
	reaching := models.WithoutPartner(models.WithReach(jobs[0].ctx, jobs[0].draft.OrganizationID))
	ctx, cancel := context.WithTimeout(reaching, groupTimeout)
	defer cancel()
	drafts := make([]*models.TransactionDraft, len(jobs))
	for i, job := range jobs {
		drafts[i] = job.draft
		models.ReachOf(ctx).Add(job.draft.OrganizationID)
	}
	for i, err := range in.store.Accept(ctx, drafts) {
		jobs[i].result <- err
	}
}

// raceRetries bounds how often a group is tried again because somebody else
// created one of its keys at the same moment. The next look-up sees that record.
const raceRetries = 5

// Accept writes a group. When the database refuses the group as a whole, every
// item is tried alone, so that one bad record costs the others nothing.
func (s *Store) Accept(ctx context.Context, drafts []*models.TransactionDraft) []error {
	results, err := s.acceptGroup(ctx, drafts)
	for try := 0; try < raceRetries && lostRace(err) ||
		!pg.InTransaction(ctx) && blocked(err) && ctx.Err() == nil; try++ {
		results, err = s.acceptGroup(ctx, drafts)
	}
	if err == nil {
		return results
	}
	results = make([]error, len(drafts))
	alone := len(drafts) > 1 && !errors.Is(err, models.ErrUnavailable) && !errors.Is(err, models.ErrOutcomeUnknown)
	for i := range drafts {
		if alone {
			results[i] = s.Accept(ctx, drafts[i:i+1])[0]
		} else {
			results[i] = err
		}
	}
	return results
}

// lostRace reports whether another writer took a key of the group between the
// look-up and the insert.
func lostRace(err error) bool {
	return pg.Violates(err, "transactions_external_id") || pg.Violates(err, "customers_external_id")
}

// blocked reports whether a group has waited too long for somebody who has one of its
// keys and may wait for another one. All of it is rolled back: then that one can go on.
func blocked(err error) bool {
	return errors.Is(err, pg.ErrDeadlock) || errors.Is(err, models.ErrLockTimeout)
}
