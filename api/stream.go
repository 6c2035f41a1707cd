package api

import (
	"log/slog"
	"net/http"

	"github.com/gin-gonic/gin"

	"levy/contract"
	"levy/internal/download"
)

// stream is an answer in parts. It implements contract.Stream.
type stream struct{ *download.Writer }

func (s *Server) newStream(c *gin.Context, status int) stream {
	return stream{download.New(c.Writer, c.Request, status, s.service.StreamTimes().WriteTimeout)}
}

// Begin sets the type and the name of the answer.
func (b stream) Begin(content contract.Content) { b.Describe(content.Type, content.Name) }

// endStream ends an answer in parts. On an error after the beginning it closes the connection, so
// that no client takes a part for the whole answer.
func (s *Server) endStream(c *gin.Context, out stream, err error) {
	switch {
	case err != nil && out.Begun():
		s.note(c, slog.LevelWarn, "answer broken off", err)
		panic(http.ErrAbortHandler)
	case err != nil:
		s.fail(c, err)
	}
}
