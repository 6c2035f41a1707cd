package api

import (
	"bufio"
	"context"
	"log/slog"
	"net/http"
	"time"

	"levy/api/problem"

	"github.com/gin-gonic/gin"
)

const (
	// exportWriteTimeout is how long a client may take to read one piece of a file.
	exportWriteTimeout = 30 * time.Second
	// exportPiece is what of a file is held at a time, in bytes.
	exportPiece = 64 << 10
	// maxExports is how many files are under way at once, and maxExportsOfOne how many of
	// one organization: each keeps a connection to the database for as long as its client
	// takes.
	maxExports, maxExportsOfOne = 4, 2
)

// file is an answer that is a file.
type file struct {
	contentType, name string
}

// download answers with a file while write writes it. One that fails breaks
// the connection off, so that no client takes a part for the whole.
func (s *Server) download(c *gin.Context, f file, write func(ctx context.Context, to *bufio.Writer) error) {
	release, ok := s.exports.TryAcquire(callOf(c.Request.Context()).principal.OrganizationID, 1)
	if !ok {
		problem.Write(c,
			problem.New(problem.CodeRateLimited, "Too many exports are under way.").With("limit_type", "concurrency"))
		return
	}
	defer release()
	ctx, cancel := context.WithCancel(c.Request.Context())
	defer cancel()
	go func() {
		select {
		case <-s.stopping:
			cancel() // it would keep the server from ending
		case <-ctx.Done():
		}
	}()
	out := &downloadBody{c: c, file: f, control: http.NewResponseController(c.Writer)}
	// The time for the request would end it. A test's writer has none.
	_ = out.control.SetReadDeadline(time.Time{})
	to := bufio.NewWriterSize(out, exportPiece)
	err := write(ctx, to)
	if err == nil {
		err = to.Flush()
	}
	switch {
	case err != nil && out.begun:
		s.note(c, slog.LevelWarn, "export broken off", err)
		panic(http.ErrAbortHandler)
	case err != nil:
		s.fail(c, err)
	}
}

// downloadBody begins the answer with its first piece, and gives the client time for
// each.
type downloadBody struct {
	c       *gin.Context
	file    file
	control *http.ResponseController
	begun   bool
}

func (b *downloadBody) Write(piece []byte) (int, error) {
	if !b.begun {
		b.begun = true
		header := b.c.Writer.Header()
		header.Set("Content-Type", b.file.contentType)
		header.Set("Content-Disposition", `attachment; filename="`+b.file.name+`"`)
		b.c.Status(http.StatusOK)
	}
	// A writer of a test has no deadline, and needs none.
	_ = b.control.SetWriteDeadline(time.Now().Add(exportWriteTimeout))
	return b.c.Writer.Write(piece)
}
