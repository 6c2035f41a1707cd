package api

import (
	"bufio"
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

const (
	// exportPatience is how long a client may take to read one piece of an export.
	exportPatience = 30 * time.Second
	// exportPiece is what of an export is held at a time, in bytes.
	exportPiece = 64 << 10
	// maxExports is how many exports are under way at once: each keeps a connection to
	// the database for as long as its client takes.
	maxExports = 4
)

// streamCSV answers with a file of CSV whose rows each writes while they are read. An
// export that cannot go on breaks the connection off, so that nobody takes a part for
// the whole.
func (s *Server) streamCSV(c *gin.Context, file string, header []string, rows func(context.Context, *csvWriter) error) {
	select {
	case s.exports <- struct{}{}:
		defer func() { <-s.exports }()
	default:
		WriteProblem(c, NewProblem(CodeRateLimited, "Too many exports are under way.").With("limit_type", "concurrency"))
		return
	}
	ctx, cancel := context.WithCancel(c.Request.Context())
	defer cancel()
	go func() {
		select {
		case <-s.stopping:
			cancel() // it would keep the server from ending
		case <-ctx.Done():
		}
	}()
	out := &exportBody{c: c, file: file, control: http.NewResponseController(c.Writer)}
	// The time for the request would end it. A test's writer has none.
	_ = out.control.SetReadDeadline(time.Time{})
	w := &csvWriter{to: bufio.NewWriterSize(out, exportPiece)}
	for _, name := range header {
		w.cell(name)
	}
	err := w.end()
	if err == nil {
		err = rows(ctx, w)
	}
	if err == nil {
		err = w.to.Flush()
	}
	switch {
	case err != nil && out.begun:
		s.note(c, slog.LevelWarn, "export broken off", err)
		panic(http.ErrAbortHandler)
	case err != nil:
		s.fail(c, err)
	}
}

// exportBody begins the answer with its first piece, and gives the client time for
// each.
type exportBody struct {
	c       *gin.Context
	file    string
	control *http.ResponseController
	begun   bool
}

func (b *exportBody) Write(piece []byte) (int, error) {
	if !b.begun {
		b.begun = true
		header := b.c.Writer.Header()
		header.Set("Content-Type", "text/csv; charset=utf-8")
		header.Set("Content-Disposition", `attachment; filename="`+b.file+`"`)
		b.c.Status(http.StatusOK)
	}
	// A writer of a test has no deadline, and needs none.
	_ = b.control.SetWriteDeadline(time.Now().Add(exportPatience))
	return b.c.Writer.Write(piece)
}
