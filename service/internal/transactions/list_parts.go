package transactions

import (
	"bufio"
	"context"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
)

// inParts writes the transactions with these ids part by part; it is nil for a page that has no parts.
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
			item, err := contract.Encode(TransactionAnswer(&transactions[i]))
			if err != nil {
				return err
			}
			transactions[i] = models.Transaction{} // it is not held any more
			_, _ = to.WriteString(separator)       // its error is that of what follows
			if _, err := to.Write(item); err != nil {
				return err
			}
			separator = ","
		}
	}
	return nil
}
