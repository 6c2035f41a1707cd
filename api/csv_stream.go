package api

import (
	"bufio"
	"context"

	"github.com/gin-gonic/gin"
)

// streamCSV answers with a file of CSV whose rows are written while they are read.
func (s *Server) streamCSV(c *gin.Context, name string, header []string, rows func(context.Context, *csvWriter) error) {
	s.download(c, file{"text/csv; charset=utf-8", name}, func(ctx context.Context, to *bufio.Writer) error {
		w := &csvWriter{to: to}
		for _, name := range header {
			w.cell(name)
		}
		if err := w.end(); err != nil {
			return err
		}
		return rows(ctx, w)
	})
}
