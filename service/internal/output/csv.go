package output

import (
	"bufio"
	"bytes"
	"context"
	"strings"

	"levy/contract"
	"levy/models"
)

// CSVWriter writes rows of CSV (RFC 4180). Unlike that of the standard library it keeps line breaks inside a cell.
// The first error of the writer below it remains, and End returns it.
type CSVWriter struct {
	To    *bufio.Writer
	begun bool // the row has a cell
}

// ExportTo returns an export that writes its rows to a CSV file. It writes a slice of rows at once after reading it,
// so no query waits for the client.
func ExportTo[T any](to *CSVWriter, limit int, write func(*CSVWriter, *T) error) models.Export[T] {
	var slice bytes.Buffer
	rows := &CSVWriter{To: bufio.NewWriter(&slice)}
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

// Text writes a cell of text. It puts an apostrophe before a text that a spreadsheet would read as a formula,
// and before a text that seems to have one. Removing one apostrophe therefore restores every text.
func (w *CSVWriter) Text(s string) { w.Cell(guarded(s)) }

// Cell writes a cell without a guard, such as a number.
func (w *CSVWriter) Cell(s string) {
	if w.begun {
		_ = w.To.WriteByte(',')
	}
	w.begun = true
	if !strings.ContainsAny(s, "\",\r\n") && !strings.HasPrefix(s, " ") && !strings.HasSuffix(s, " ") {
		_, _ = w.To.WriteString(s)
		return
	}
	_ = w.To.WriteByte('"')
	_, _ = w.To.WriteString(strings.ReplaceAll(s, `"`, `""`))
	_ = w.To.WriteByte('"')
}

// End ends the row. It returns the first error of the file.
func (w *CSVWriter) End() error {
	w.begun = false
	_, err := w.To.WriteString("\r\n")
	return err
}

// StreamCSV sends a CSV file and writes its rows while they are read. Errors: those of Download.
func (o *Outputs) StreamCSV(
	ctx context.Context, out contract.Stream, name string, header []string, rows func(context.Context, *CSVWriter) error,
) error {
	file := contract.Content{Type: "text/csv; charset=utf-8", Name: name}
	return o.Download(ctx, out, file, func(ctx context.Context, to *bufio.Writer) error {
		w := &CSVWriter{To: to}
		for _, name := range header {
			w.Cell(name)
		}
		if err := w.End(); err != nil {
			return err
		}
		return rows(ctx, w)
	})
}
