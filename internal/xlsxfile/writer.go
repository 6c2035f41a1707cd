// Package xlsxfile writes tables as workbooks of one sheet.
package xlsxfile

import (
	"io"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// MaxRows is the most rows of a workbook, without its header. A workbook is in memory until it is complete.
const MaxRows = 10_000

// exactDigits is the most digits of a number that a cell holds exactly. Cells hold 64-bit floats.
const exactDigits = 15

// Writer writes the rows of a sheet, with the methods of csvfile.Writer.
type Writer struct {
	file   *excelize.File
	sheet  *excelize.StreamWriter
	money  int // the style of amounts
	row    int
	cells  []any
	failed error
}

// New returns a writer of a workbook whose sheet has a header. Close must be called.
func New(header []string) (*Writer, error) {
	w := &Writer{file: excelize.NewFile(), row: 1}
	err := w.begin(header)
	if err != nil {
		_ = w.Close()
		return nil, err
	}
	return w, nil
}

func (w *Writer) begin(header []string) (err error) {
	if w.money, err = w.file.NewStyle(&excelize.Style{NumFmt: 4}); err != nil { // #,##0.00
		return err
	}
	bold, err := w.file.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return err
	}
	if w.sheet, err = w.file.NewStreamWriter(w.file.GetSheetName(0)); err != nil {
		return err
	}
	if err = w.sheet.SetColWidth(1, len(header), 18); err != nil {
		return err
	}
	if err = w.sheet.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	for _, name := range header {
		w.cells = append(w.cells, excelize.Cell{StyleID: bold, Value: name})
	}
	return w.End()
}

// Text writes a cell of text. It is no formula, whatever it begins with.
func (w *Writer) Text(s string) {
	if s == "" {
		w.cells = append(w.cells, nil)
		return
	}
	w.cells = append(w.cells, s)
}

// Cell writes a number. Other texts, and numbers that a cell cannot hold exactly, are written as text.
func (w *Writer) Cell(s string) {
	whole, decimals, split := strings.Cut(s, ".")
	number, err := strconv.ParseFloat(s, 64)
	if err != nil || len(strings.TrimPrefix(whole, "-"))+len(decimals) > exactDigits || strings.Trim(s, "-.0123456789") != "" {
		w.Text(s)
		return
	}
	cell := excelize.Cell{Value: number}
	if split && len(decimals) == 2 {
		cell.StyleID = w.money
	}
	w.cells = append(w.cells, cell)
}

// End ends the row. It returns the first error of the file.
func (w *Writer) End() error {
	if w.failed == nil {
		w.failed = w.sheet.SetRow("A"+strconv.Itoa(w.row), w.cells)
	}
	w.row++
	w.cells = w.cells[:0]
	return w.failed
}

// WriteTo completes the workbook and writes it. No row may follow.
func (w *Writer) WriteTo(to io.Writer) (int64, error) {
	if w.failed == nil {
		w.failed = w.sheet.Flush()
	}
	if w.failed != nil {
		return 0, w.failed
	}
	return w.file.WriteTo(to)
}

// Close releases the memory of the workbook.
func (w *Writer) Close() error { return w.file.Close() }
