package api

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"levy/contract/problem"
	"levy/models"
)

const (
	// maxLargePages is how many pages are answered in parts at once, of one partner one: each holds the
	// transactions of a part, about ten megabytes at most.
	maxLargePages = 4
	// largePageWaits is how long one is queued, and largePageTime how long it may take.
	largePageWaits, largePageTime = 8 * time.Second, time.Minute
)

// answerInParts answers with a page of transactions that are read and written part by part, so that
// only one of them is held. answer is the page without its items. The client gets time for each piece,
// as for a file; a page that fails after its beginning breaks the connection off.
func (s *Server) answerInParts(c *gin.Context, status int, answer any, parts [][]string) {
	partner := callOf(c.Request.Context()).principal.PartnerID()
	if s.large.Take(c.Request.Context(), partner) != nil {
		writeProblem(c, problem.New(problem.CodeRateLimited, "Too many large pages are under way.").
			With("limit_type", "concurrency"))
		return
	}
	defer s.large.Give(partner)
	shell, err := encode(answer)
	if err != nil {
		s.fail(c, err)
		return
	}
	before, after, _ := bytes.Cut(shell, []byte("]")) // the first list of an answer is that of its items
	ctx, cancel := withTime(c.Request.Context(), largePageTime)
	defer cancel()
	out := &pieces{c: c, status: status, control: http.NewResponseController(c.Writer), contentType: contentTypeJSON}
	to := bufio.NewWriterSize(out, exportPiece)
	_, _ = to.Write(before) // nothing is sent before there is more; its error is that of Flush
	err = s.writeParts(ctx, to, parts)
	if err == nil {
		_, _ = to.Write(append([]byte("]"), after...))
		err = to.Flush()
	}
	s.endPieces(c, out, err)
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
			item, err := encode(transactionAnswer(&transactions[i]))
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

// withTime is the context with another time: it ends with the client, and not with the time of the
// request.
func withTime(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	stop := context.AfterFunc(ctx, func() {
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			cancel()
		}
	})
	return longer, func() { stop(); cancel() }
}
