package api

import (
	"bufio"
	"context"
	"errors"
	"log/slog"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode"

	"levy/contract/problem"

	"github.com/gin-gonic/gin"
)

const (
	// exportWriteTimeout is how long a client may take to read one piece of a file.
	exportWriteTimeout = 30 * time.Second
	// exportPiece is what of a file is held at a time, in bytes.
	exportPiece = 64 << 10
	// leastRate is what a client reads of a file in a second, on average, once it has kept the service
	// waiting for leastRateAfter; a slower one is broken off.
	leastRate, leastRateAfter = 16 << 10, 30 * time.Second
	// maxExports is how many files are under way at once, and maxExportsOfOne how many of
	// one partner: each holds what is read of it at a time.
	maxExports, maxExportsOfOne = 16, 2
)

// file is an answer that is a file.
type file struct {
	contentType, name string
}

// disposition asks a browser to save the file under its name. A name in other letters than those of ASCII is encoded.
func (f file) disposition() string {
	if strings.ContainsFunc(f.name, func(r rune) bool { return r > unicode.MaxASCII }) {
		return mime.FormatMediaType("attachment", map[string]string{"filename": f.name})
	}
	return `attachment; filename="` + f.name + `"`
}

// download answers with a file while write writes it. One that fails breaks
// the connection off, so that no client takes a part for the whole.
func (s *Server) download(c *gin.Context, f file, write func(ctx context.Context, to *bufio.Writer) error) {
	release, ok := s.exports.TryAcquire(callOf(c.Request.Context()).principal.PartnerID(), 1)
	if !ok {
		writeProblem(c,
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
	out := &pieces{
		c: c, status: http.StatusOK, control: http.NewResponseController(c.Writer),
		contentType: f.contentType, disposition: f.disposition(),
	}
	// The time for the request would end it. A test's writer has none.
	_ = out.control.SetReadDeadline(time.Time{})
	to := bufio.NewWriterSize(out, exportPiece)
	err := write(ctx, to)
	if err == nil {
		err = to.Flush()
	}
	s.endPieces(c, out, err)
}

// endPieces ends an answer that is written in pieces, which has failed unless err is nil.
func (s *Server) endPieces(c *gin.Context, out *pieces, err error) {
	switch {
	case err != nil && out.begun:
		s.note(c, slog.LevelWarn, "answer broken off", err)
		panic(http.ErrAbortHandler)
	case err != nil:
		s.fail(c, err)
	}
}

// pieces begins the answer with its first piece, and gives the client time for
// each.
type pieces struct {
	c                        *gin.Context
	status                   int
	contentType, disposition string // no disposition for an answer that is no file
	control                  *http.ResponseController
	begun                    bool
	written                  int64
	waited                   time.Duration // for the client
}

// errSlow: a client reads so slowly that it seems to want the place and not the file.
var errSlow = errors.New("the client reads too slowly")

func (b *pieces) Write(piece []byte) (int, error) {
	if !b.begun {
		b.begun = true
		header := b.c.Writer.Header()
		header.Set("Content-Type", b.contentType)
		if b.disposition != "" {
			header.Set("Content-Disposition", b.disposition)
		}
		b.c.Status(b.status)
	}
	if b.waited > leastRateAfter && float64(b.written) < leastRate*b.waited.Seconds() {
		return 0, errSlow
	}
	began := time.Now()
	// A writer of a test has no deadline, and needs none.
	_ = b.control.SetWriteDeadline(began.Add(exportWriteTimeout))
	n, err := b.c.Writer.Write(piece)
	b.written += int64(n)
	b.waited += time.Since(began)
	return n, err
}
