package csvfile

import (
	"bufio"
	"strings"
)

// Writer writes rows of CSV (RFC 4180) with texts of clients. Unlike that of the standard library it keeps line breaks
// inside a cell. The first error of the writer below it remains, and End returns it.
type Writer struct {
	To    *bufio.Writer
	begun bool // the row has a cell
}

// Text writes a cell of text. It puts an apostrophe before a text that a spreadsheet would read as a formula,
// and before a text that seems to have one. Removing one apostrophe therefore restores every text.
func (w *Writer) Text(s string) { w.Cell(guarded(s)) }

// Cell writes a cell without a guard, such as a number.
func (w *Writer) Cell(s string) {
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

// TextOf writes a cell of a file that a client sent, as Text does its meaning. Plain numbers stay as they are.
func (w *Writer) TextOf(cell string) {
	if isPlainNumber(cell) {
		w.Cell(cell)
		return
	}
	w.Text(Unguarded(cell))
}

// End ends the row. It returns the first error of the file.
func (w *Writer) End() error {
	w.begun = false
	_, err := w.To.WriteString("\r\n")
	return err
}
