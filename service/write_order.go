package service

import (
	"bytes"
	"context"
	"slices"

	"levy/service/internal/call"
	"levy/service/internal/transactions"
)

// orderWrites waits until this process has ended its earlier writes of the same record. Without it each write would
// occupy a connection to the database while it waits for the locked row.
func (s *Service) orderWrites(ctx context.Context, c *call.Call, op *Operation, in *Input) (release func(), err error) {
	key := writeKey(op, in)
	if key == "" {
		return func() {}, nil
	}
	return s.writeLocks.Acquire(ctx, c.Scope.OrganizationID+" "+key)
}

// writeKey returns the key of writes that must follow each other: the record of the path. Batches
// with an idempotency key share one key if they may refund sales, because they lock those sales.
// The key is empty for other calls. Work that is committed elsewhere, such as a step of an onboarding, waits there.
func writeKey(op *Operation, in *Input) string {
	if op.once != onceTransactional {
		return ""
	}
	if len(op.pathNames) > 0 {
		return op.pathNames[0] + " " + in.Path[op.pathNames[0]]
	}
	if op.ID == "createTransactionBatch" && in.Key() != "" && hasRefunds(in.Body) {
		return "batches"
	}
	return ""
}

// hasRefunds reports whether a body may contain refunds of sales.
func hasRefunds(body []byte) bool {
	return slices.ContainsFunc(transactions.RefundTypes, func(word []byte) bool { return bytes.Contains(body, word) })
}
