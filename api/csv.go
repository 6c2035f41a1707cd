package api

import (
	"bufio"
	"bytes"
	"context"
	"strings"

	"levy/contract"
	"levy/models"
)

// csvWriter writes rows of CSV (RFC 4180). Unlike that of the standard library it
// keeps line breaks inside a cell as they are. Errors are those of the writer
// beneath, and stay.
type csvWriter struct {
	to    *bufio.Writer
	begun bool // the row has a cell
}

// exportTo writes the rows of an export, those of each slice in one piece: while it is read, nobody waits for the client.
func exportTo[T any](to *csvWriter, limit int, write func(*csvWriter, *T) error) models.Export[T] {
	var slice bytes.Buffer
	rows := &csvWriter{to: bufio.NewWriter(&slice)}
	return models.Export[T]{
		Limit: limit,
		Row:   func(row *T) error { return write(rows, row) },
		Pause: func() error {
			_ = rows.to.Flush() // memory takes everything
			_, err := slice.WriteTo(to.to)
			return err
		},
	}
}

// text writes a cell of text. What a spreadsheet would take for a formula gets an
// apostrophe in front, and so does what seems to have one already: removing one
// restores every text.
func (w *csvWriter) text(s string) { w.cell(guarded(s)) }

// cell writes a cell as it is, such as a number.
func (w *csvWriter) cell(s string) {
	if w.begun {
		_ = w.to.WriteByte(',')
	}
	w.begun = true
	if !strings.ContainsAny(s, "\",\r\n") && !strings.HasPrefix(s, " ") && !strings.HasSuffix(s, " ") {
		_, _ = w.to.WriteString(s)
		return
	}
	_ = w.to.WriteByte('"')
	_, _ = w.to.WriteString(strings.ReplaceAll(s, `"`, `""`))
	_ = w.to.WriteByte('"')
}

// end ends the row. Its error is the first of all.
func (w *csvWriter) end() error {
	w.begun = false
	_, err := w.to.WriteString("\r\n")
	return err
}

// streamCSV answers with a file of CSV whose rows are written while they are read.
func (o *outputs) streamCSV(
	ctx context.Context, out contract.Stream, name string, header []string, rows func(context.Context, *csvWriter) error,
) error {
	file := contract.Content{Type: "text/csv; charset=utf-8", Name: name}
	return o.download(ctx, out, file, func(ctx context.Context, to *bufio.Writer) error {
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
