package api

import (
	"bufio"
	"strings"
)

// csvWriter writes rows of CSV (RFC 4180). Unlike that of the standard library it
// keeps line breaks inside a cell as they are. Errors are those of the writer
// beneath, and stay.
type csvWriter struct {
	to    *bufio.Writer
	begun bool // the row has a cell
}

// text writes a cell of text. What a spreadsheet would take for a formula gets an
// apostrophe in front, and so does what looks as if it had one already: taking one
// away gives every text back.
func (w *csvWriter) text(s string) {
	if formulaLike(s) {
		s = "'" + s
	}
	w.cell(s)
}

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
