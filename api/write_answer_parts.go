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
	"levy/internal/fair"
	"levy/service"
)

// largePages bounds the pages that are written in parts at once. Each has the transactions of a part in memory, at most
// about ten megabytes.
var largePages = fair.Sizes{
	Total: 4, Partner: fair.Share{Busy: 2, Alone: 3}, Organization: fair.Share{Busy: 1},
	Waits: 8 * time.Second, Recent: time.Minute,
}

// answerInParts writes a page of transactions part by part, so only one part is in memory. answer is the page
// without its items. The client gets time for each piece, as for a file. On an error after the beginning the connection
// is closed.
func (s *Server) answerInParts(c *gin.Context, status int, answer any, parts service.PartWriter) {
	visible := service.Visible(c.Request.Context())
	who := fair.Who{Partner: visible.Partner, Organization: visible.OrganizationID}
	if s.large.Acquire(c.Request.Context(), who) != nil {
		writeProblem(c, problem.New(problem.CodeRateLimited, "Too many large pages are under way.").
			With("limit_type", "concurrency"))
		return
	}
	defer s.large.Release(who)
	shell, err := contract.Encode(answer)
	if err != nil {
		s.fail(c, err)
		return
	}
	before, after, _ := bytes.Cut(shell, []byte("]")) // the items are the first list of an answer
	ctx, cancel := withoutTime(c.Request.Context())
	defer cancel()
	out := s.newStream(c, status)
	out.Describe(contentTypeJSON, "")
	to := bufio.NewWriterSize(out, service.ExportPiece)
	_, _ = to.Write(before) // nothing is sent yet; Flush returns its error
	err = parts(ctx, to)
	if err == nil {
		_, _ = to.Write(append([]byte("]"), after...))
		err = to.Flush()
	}
	s.endStream(c, out, err)
}

// withoutTime returns a context that ends when the client disconnects, but not with the time of the request.
func withoutTime(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			cancel()
		}
	})
	return longer, func() { stop(); cancel() }
}
