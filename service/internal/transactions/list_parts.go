package transactions

import (
	"bufio"
	"context"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
)

// inParts returns a function that writes the transactions with these ids part by part; nil for a page without parts.
func (o *Operations) inParts(parts [][]string) call.PartWriter {
	if parts == nil {
		return nil
	}
	return func(ctx context.Context, to *bufio.Writer) error { return o.writeParts(ctx, to, parts) }
}

// writeParts writes the items of a page.
func (o *Operations) writeParts(ctx context.Context, to *bufio.Writer, parts [][]string) error {
	separator := ""
	for _, ids := range parts {
		transactions, err := o.deps.Transactions.TransactionsOf(ctx, call.Of(ctx).Scope, ids)
		if err != nil {
			return err
		}
		for i := range transactions {
			item, err := contract.Encode(Answer(&transactions[i]))
			if err != nil {
				return err
			}
			transactions[i] = models.Transaction{} // releases its memory
			_, _ = to.WriteString(separator)       // the next write returns its error
			if _, err := to.Write(item); err != nil {
				return err
			}
			separator = ","
		}
	}
	return nil
}
