package output

import (
	"bufio"
	"bytes"
	"context"

	"levy/contract"
	"levy/internal/csvfile"
	"levy/models"
)

// ExportTo returns an export that writes its rows to a CSV file. It writes a slice of rows at once after reading it,
// so no query waits for the client.
func ExportTo[T any](to *csvfile.Writer, limit int, write func(*csvfile.Writer, *T) error) models.Export[T] {
	var slice bytes.Buffer
	rows := &csvfile.Writer{To: bufio.NewWriter(&slice)}
	return models.Export[T]{
		Limit: limit,
		Row:   func(row *T) error { return write(rows, row) },
		Pause: func() error {
			_ = rows.To.Flush() // a buffer in memory never fails
			_, err := slice.WriteTo(to.To)
			return err
		},
	}
}

// StreamCSV sends a CSV file and writes its rows while they are read. Errors: those of Download.
func (o *Outputs) StreamCSV(
	ctx context.Context, out contract.Stream, name string, header []string, rows func(context.Context, *csvfile.Writer) error,
) error {
	file := contract.Content{Type: "text/csv; charset=utf-8", Name: name}
	return o.Download(ctx, out, file, func(ctx context.Context, to *bufio.Writer) error {
		w := &csvfile.Writer{To: to}
		for _, name := range header {
			w.Cell(name)
		}
		if err := w.End(); err != nil {
			return err
		}
		return rows(ctx, w)
	})
}
