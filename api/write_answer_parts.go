package api

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/gin-gonic/gin"

	"levy/contract"
	"levy/contract/problem"
	"levy/service"
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
func (s *Server) answerInParts(c *gin.Context, status int, answer any, parts service.PartWriter) {
	partner := service.Visible(c.Request.Context()).Partner
	if s.large.Acquire(c.Request.Context(), partner) != nil {
		writeProblem(c, problem.New(problem.CodeRateLimited, "Too many large pages are under way.").
			With("limit_type", "concurrency"))
		return
	}
	defer s.large.Release(partner)
	shell, err := contract.Encode(answer)
	if err != nil {
		s.fail(c, err)
		return
	}
	before, after, _ := bytes.Cut(shell, []byte("]")) // the first list of an answer is that of its items
	ctx, cancel := withTime(c.Request.Context(), largePageTime)
	defer cancel()
	out := s.newStream(c, status)
	out.Describe(contentTypeJSON, "")
	to := bufio.NewWriterSize(out, service.ExportPiece)
	_, _ = to.Write(before) // nothing is sent before there is more; its error is that of Flush
	err = parts(ctx, to)
	if err == nil {
		_, _ = to.Write(append([]byte("]"), after...))
		err = to.Flush()
	}
	s.endStream(c, out, err)
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
