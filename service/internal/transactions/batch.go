package transactions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// batchChunk is how much of a batch is held in full and written at once: whichever is
// reached first.
type batchChunk struct{ rows, lines int }

// With a key all is one database transaction anyway, and most batches are written at
// once, in key order.
var (
	chunkWithoutKey = batchChunk{rows: 128, lines: 2000}
	chunkWithKey    = batchChunk{rows: 1000, lines: 5000}
)

// CreateTransactionBatch records transactions, each with its own verdict.
func (o *Operations) CreateTransactionBatch(
	ctx context.Context, request contract.CreateTransactionBatchRequest,
) (contract.TransactionBatchResult, error) {
	rows := request.Body.Transactions
	b := &batch{Operations: o, call: call.Of(ctx), now: convert.Instant(o.now()), chunk: chunkWithoutKey}
	if b.call.Commit != nil {
		b.chunk = chunkWithKey
	}
	b.result = contract.TransactionBatchResult{
		BatchID: models.NewID(models.PrefixBatch), Total: len(rows),
		Items: make([]contract.TransactionBatchVerdict, len(rows)),
	}
	for i := range rows {
		b.result.Items[i].Index = i
	}
	for _, row := range b.call.Refused { // their faults name the row already
		b.result.Items[row.Index].ExternalID = row.ExternalID
		b.refuse(row.Index, row.Problem)
	}
	for i, row := range rows {
		if b.result.Items[i].Problem != nil {
			continue
		}
		if err := b.add(ctx, i, row); err != nil {
			return contract.TransactionBatchResult{}, err
		}
	}
	if err := b.write(ctx, false); err != nil {
		return contract.TransactionBatchResult{}, err
	}
	return b.result, nil
}

// batch is a batch while it is carried out.
type batch struct {
	*Operations
	call   *call.Call
	now    time.Time
	result contract.TransactionBatchResult

	chunk batchChunk
	holds bool // other batches, see HoldBatches

	// The chunk that is gathered.
	drafts  []*models.TransactionDraft
	indexes []int // rows of the drafts
	lines   int
}

// add checks a row and puts it into the chunk. A refund is written by
// itself, under a lock of its original, and after the rows before it.
func (b *batch) add(ctx context.Context, i int, row []byte) error {
	var body contract.TransactionCreate
	if err := contract.Decode(row, &body); err != nil {
		return fmt.Errorf("row of a batch: %w", err)
	}
	b.result.Items[i].ExternalID = &body.ExternalID
	if models.TransactionType(body.Type).IsCredit() {
		return b.addRefund(ctx, i, &body)
	}
	draft, err := transactionDraft(b.call.Scope, b.call.Actor(), b.now, &body)
	if err != nil {
		return b.fail(i, err)
	}
	b.mark(draft)
	b.drafts, b.indexes, b.lines = append(b.drafts, draft), append(b.indexes, i), b.lines+len(draft.Items)
	if len(b.drafts) >= b.chunk.rows || b.lines >= b.chunk.lines {
		return b.write(ctx, i+1 < b.result.Total)
	}
	return nil
}

func (b *batch) addRefund(ctx context.Context, i int, body *contract.TransactionCreate) error {
	if err := b.hold(ctx, true); err != nil {
		return err
	}
	if err := b.write(ctx, true); err != nil {
		return err
	}
	draft, err := refundDraft(b.call.Scope, b.call.Actor(), b.now, body)
	if err != nil {
		return b.fail(i, err)
	}
	b.mark(&draft.TransactionDraft)
	waits, err := b.deps.CreditNotes.AcceptRefund(ctx, b.call.Scope, draft)
	if err != nil {
		return b.fail(i, err)
	}
	b.accept(ctx, i, &draft.TransactionDraft, waits)
	return nil
}

// mark makes a draft one of this batch.
func (b *batch) mark(d *models.TransactionDraft) {
	d.BatchID = &b.result.BatchID
	if d.ProcessingStatus == models.ProcessingQueued {
		d.ProcessingStatus = models.ProcessingNew
	}
}

// prepare checks the addresses of the customers of the chunk, unless the time is over
// or the client has disconnected.
func (b *batch) prepare(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	customers := make([]*models.Customer, len(b.drafts))
	for i, d := range b.drafts {
		customers[i] = &d.Customer
	}
	return b.catalog.Examine(ctx, customers...)
}

// hold comes before the first write. more says that others follow.
func (b *batch) hold(ctx context.Context, more bool) error {
	if b.holds || b.call.Commit == nil {
		return nil
	}
	b.holds = true
	return b.deps.Intake.HoldBatches(ctx, b.call.Scope, more)
}

// write writes the chunk and begins the next, if there are more.
func (b *batch) write(ctx context.Context, more bool) error {
	if len(b.drafts) == 0 {
		return nil
	}
	if err := b.hold(ctx, more); err != nil {
		return err
	}
	verdicts := make([]error, len(b.drafts))
	if err := b.prepare(ctx); err != nil {
		for i := range verdicts {
			verdicts[i] = err
		}
	} else {
		verdicts = b.deps.Intake.AcceptAll(ctx, b.drafts)
	}
	for n, verdict := range verdicts { // first, because it decides what a failure means
		if verdict == nil {
			b.accept(ctx, b.indexes[n], b.drafts[n], b.drafts[n].ProcessingStatus.Terminal())
		}
	}
	for n, verdict := range verdicts {
		if verdict == nil {
			continue
		}
		if err := b.fail(b.indexes[n], verdict); err != nil {
			return err
		}
	}
	clear(b.drafts)
	b.drafts, b.indexes, b.lines = b.drafts[:0], b.indexes[:0], 0
	return nil
}

func (b *batch) accept(ctx context.Context, i int, d *models.TransactionDraft, waits bool) {
	item := &b.result.Items[i]
	item.Verdict, item.TransactionID = contract.TransactionBatchVerdictVerdictACCEPTED, &d.ID
	b.result.Accepted++
	if !waits {
		b.offer(ctx, &d.Transaction)
	}
}

// fail is the verdict on a row that an error kept from being accepted. It returns an
// error that is that of the whole batch: a defect, or a failure after which nothing
// of the batch is stored.
func (b *batch) fail(i int, err error) error {
	p := problem.Of(err)
	if p == nil {
		return err
	}
	nothingStored := b.call.Commit != nil || b.result.Accepted == 0 && !errors.Is(err, models.ErrOutcomeUnknown)
	if problem.StatusOf(p.Code) >= 500 && nothingStored {
		return err
	}
	p.Errors = convert.ConvertAll(p.Errors, func(f models.Fault) models.Fault { // a copy: rows may share an error
		if f.In == models.InBody {
			f.Path = models.JoinPath(fmt.Sprintf("transactions[%d]", i), f.Path)
		}
		return f
	})
	b.refuse(i, p)
	return nil
}

func (b *batch) refuse(i int, p *problem.Problem) {
	p.Errors = p.Errors[:min(len(p.Errors), problem.MaxFieldErrors)]
	item := &b.result.Items[i]
	item.Verdict, item.Problem = contract.TransactionBatchVerdictVerdictREJECTED, rowProblem(p)
	b.result.Rejected++
}
