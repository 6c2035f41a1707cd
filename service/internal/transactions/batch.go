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

// batchChunk bounds the part of a batch that is in memory and written at once, by rows and by lines.
type batchChunk struct{ rows, lines int }

// A request with a key is one database transaction, so most batches with a key are written at once, in key order.
var (
	chunkWithoutKey = batchChunk{rows: 128, lines: 2000}
	chunkWithKey    = batchChunk{rows: 1000, lines: 5000}
)

// CreateTransactionBatch records transactions and returns a result for each.
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
	for _, row := range b.call.Refused { // their faults name the row
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

// batch is the state of one request.
type batch struct {
	*Operations
	call   *call.Call
	now    time.Time
	result contract.TransactionBatchResult

	chunk  batchChunk
	locked bool // HoldBatches was called

	// These are the current chunk.
	drafts  []*models.TransactionDraft
	indexes []int // rows of the drafts
	lines   int
}

// add checks a row and adds it to the chunk. A refund is written at once, under a lock of its original and
// after the rows before it.
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

// addRefund writes the chunk and then a refund, because the refund may refer to a sale of the chunk.
func (b *batch) addRefund(ctx context.Context, i int, body *contract.TransactionCreate) error {
	if err := b.lockBatches(ctx, true); err != nil {
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

// mark adds the id of the batch to a draft.
func (b *batch) mark(d *models.TransactionDraft) {
	d.BatchID = &b.result.BatchID
	if d.ProcessingStatus == models.ProcessingQueued {
		d.ProcessingStatus = models.ProcessingNew
	}
}

// prepare verifies the addresses of the chunk's customers, unless the time is over or the client has disconnected.
func (b *batch) prepare(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	customers := make([]*models.Customer, len(b.drafts))
	for i, d := range b.drafts {
		customers[i] = &d.Customer
	}
	return b.catalog.VerifyAddresses(ctx, customers...)
}

// lockBatches locks the batches of the organization before the first write. more means that other writes follow.
func (b *batch) lockBatches(ctx context.Context, more bool) error {
	if b.locked || b.call.Commit == nil {
		return nil
	}
	b.locked = true
	return b.deps.Intake.HoldBatches(ctx, b.call.Scope, more)
}

// write writes the chunk and empties it if more rows follow.
func (b *batch) write(ctx context.Context, more bool) error {
	if len(b.drafts) == 0 {
		return nil
	}
	if err := b.lockBatches(ctx, more); err != nil {
		return err
	}
	rowErrs := make([]error, len(b.drafts))
	if err := b.prepare(ctx); err != nil {
		for i := range rowErrs {
			rowErrs[i] = err
		}
	} else {
		rowErrs = b.deps.Intake.AcceptAll(ctx, b.drafts)
	}
	for n, rowErr := range rowErrs { // first, because it decides the meaning of a failure
		if rowErr == nil {
			b.accept(ctx, b.indexes[n], b.drafts[n], b.drafts[n].ProcessingStatus.Terminal())
		}
	}
	for n, rowErr := range rowErrs {
		if rowErr == nil {
			continue
		}
		if err := b.fail(b.indexes[n], rowErr); err != nil {
			return err
		}
	}
	clear(b.drafts)
	b.drafts, b.indexes, b.lines = b.drafts[:0], b.indexes[:0], 0
	return nil
}

// accept records the result of an accepted row and offers the transaction for processing.
func (b *batch) accept(ctx context.Context, i int, d *models.TransactionDraft, waits bool) {
	item := &b.result.Items[i]
	item.Verdict, item.TransactionID = contract.TransactionBatchVerdictVerdictACCEPTED, &d.ID
	b.result.Accepted++
	if !waits {
		b.offer(ctx, &d.Transaction)
	}
}

// fail records the refusal of a row. It returns an error that fails the whole batch: a defect, or a failure after
// which nothing of the batch is stored.
func (b *batch) fail(i int, err error) error {
	p := problem.Of(err)
	if p == nil {
		return err
	}
	nothingStored := b.call.Commit != nil || b.result.Accepted == 0 && !errors.Is(err, models.ErrOutcomeUnknown)
	if problem.StatusOf(p.Code) >= 500 && nothingStored {
		return err
	}
	p.Errors = convert.ConvertAll(p.Errors, func(f models.Fault) models.Fault { // copied: rows may share an error
		if f.In == models.InBody {
			f.Path = models.JoinPath(fmt.Sprintf("transactions[%d]", i), f.Path)
		}
		return f
	})
	b.refuse(i, p)
	return nil
}

// refuse records the problem of a row.
func (b *batch) refuse(i int, p *problem.Problem) {
	p.Errors = p.Errors[:min(len(p.Errors), problem.MaxFieldErrors)]
	item := &b.result.Items[i]
	item.Verdict, item.Problem = contract.TransactionBatchVerdictVerdictREJECTED, rowProblem(p)
	b.result.Rejected++
}
