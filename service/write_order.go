package service

import (
	"bytes"
	"context"
	"slices"

	"levy/service/internal/call"
	"levy/service/internal/transactions"
)

// orderWrites lets writes of one record follow each other here: each would take a connection to the database only to
// wait there, for the row that the one before has locked.
func (s *Service) orderWrites(ctx context.Context, c *call.Call, op *Operation, in *Input) (release func(), err error) {
	key := writeKey(op, in)
	if key == "" {
		return func() {}, nil
	}
	return s.writeLocks.Acquire(ctx, c.Scope.OrganizationID+" "+key)
}

// writeKey is what writes that follow each other have in common: the record of the path, or batches that are committed
// with their key and may refund sales, which lock those. It is empty for other calls; work that is committed elsewhere,
// such as a step of an onboarding, waits there.
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
