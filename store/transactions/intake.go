package transactions

import (
	"context"
	"errors"
	"sync"
	"time"

	"levy/models"
	"levy/store/pg"
)

// Intake accepts transactions. Requests that arrive during a database transaction wait for the next one and share it,
// as commits in a database share a flush. The more requests arrive, the cheaper each becomes. Every request gets its
// own result.
type Intake struct {
	store *Store
	queue chan *intakeJob
	group int
	stop  chan struct{}
	done  sync.WaitGroup
}

type intakeJob struct {
	draft  *models.TransactionDraft
	ctx    context.Context // the values of the request's context, without its end
	result chan error
}

// intakeQueue is how many requests may wait for a database transaction. Beyond it Accept returns models.ErrUnavailable,
// because nothing is written yet.
const intakeQueue = 2048

// groupTimeout limits the transaction of one group. If the database stops answering, clients get an error in time.
const groupTimeout = 10 * time.Second

// StartIntake starts committers. Each writes up to group transactions in one database transaction.
// Close the intake before the store.
func (s *Store) StartIntake(committers, group int) *Intake {
	in := &Intake{store: s, queue: make(chan *intakeJob, intakeQueue), group: group, stop: make(chan struct{})}
	for range committers {
		in.done.Go(in.run)
	}
	return in
}

// Close commits the waiting transactions and returns when all committers have ended.
func (in *Intake) Close() {
	close(in.stop)
	in.done.Wait()
}

// Accept stores the transaction with all its parts, durably. After nil the draft has the record as stored: customer,
// product names, ids.
//
// Errors: *models.ProductsNotFoundError, *models.ReferencesNotFoundError, *models.InvalidError, *models.DuplicateError,
// models.ErrUnavailable (nothing was written), models.ErrOutcomeUnknown.
func (in *Intake) Accept(ctx context.Context, draft *models.TransactionDraft) error {
	if release, ok := pg.Exclusive(ctx); ok { // not in a group: drafts of other requests would be committed with this transaction
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
		return models.ErrOutcomeUnknown // the draft waits or is being written, so its result is unknown
	}
}

// AcceptAll is Accept for several drafts in one database transaction of their own. Each has its own result,
// in the order of the drafts. Of equal external ids the first is accepted.
func (in *Intake) AcceptAll(ctx context.Context, drafts []*models.TransactionDraft) []error {
	if release, ok := pg.Exclusive(ctx); ok {
		defer release()
		return in.store.Accept(ctx, drafts)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), groupTimeout)
	defer cancel()
	return in.store.Accept(ctx, drafts)
}

// HoldBatches locks the batches of an organization whose request has a key. Such a batch is one database transaction.
// A batch that writes several times (more) takes the lock alone, because it has keys while it waits for others.
// Batches that write once share it: they take their keys in order. A request without a key needs no lock. Errors:
// models.ErrUnavailable.
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
			for { // the jobs in the queue still get their results
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

// gather returns the first job and those that are waiting, up to a group. It does not wait for more.
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
	// The group does not end with its requests. Its SQL appears in the trace of the first one.
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

// raceRetries is how often a group is retried because another writer created one of its keys at the same moment.
// The next look-up finds that record.
const raceRetries = 5

// Accept stores a group and returns the result of each draft. If the database refuses the group as a whole,
// it tries every draft alone, so that an invalid record does not affect others.
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

// lostRace reports whether another writer took a key of the group between the look-up and the insert.
func lostRace(err error) bool {
	return pg.Violates(err, "transactions_external_id") || pg.Violates(err, "customers_external_id")
}

// blocked reports whether a group waited too long for another transaction that has one of its keys.
// That one may wait for a key of the group. The group is rolled back, so the other one can continue.
func blocked(err error) bool {
	return errors.Is(err, pg.ErrDeadlock) || errors.Is(err, models.ErrLockTimeout)
}
