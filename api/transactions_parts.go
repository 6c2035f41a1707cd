package api

import (
	"bufio"
	"context"

	"levy/contract"
	"levy/models"
)

// partWriter writes the items of a page that is too large to be held.
type partWriter func(ctx context.Context, to *bufio.Writer) error

// inParts writes the transactions with these ids part by part; it is nil for a page that has no parts.
func (s *Server) inParts(parts [][]string) partWriter {
	if parts == nil {
		return nil
	}
	return func(ctx context.Context, to *bufio.Writer) error { return s.writeParts(ctx, to, parts) }
}

// writeParts writes the items of a page.
func (s *Server) writeParts(ctx context.Context, to *bufio.Writer, parts [][]string) error {
	separator := ""
	for _, ids := range parts {
		transactions, err := s.deps.Transactions.TransactionsOf(ctx, callOf(ctx).scope, ids)
		if err != nil {
			return err
		}
		for i := range transactions {
			item, err := contract.Encode(transactionAnswer(&transactions[i]))
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
