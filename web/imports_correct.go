package web

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"levy/contract"
	"levy/internal/csvfile"
)

const (
	// correctedRows is the number of rows that a form has; people correct more rows in the file.
	correctedRows = 20
	// rejectedRead is the number of bytes of the file of rejected rows that are read for a form. A row has at most 128
	// KiB.
	rejectedRead = 4 << 20
)

// rejectedColumns are the columns that the API adds to rejected rows: the line, the column and the problem.
var rejectedColumns = []string{"import_line", "import_column", "import_problem"}

// rejectedRow is a row that was not imported.
type rejectedRow struct {
	Line, Column, Problem string
	Cells                 []rejectedCell
}

// rejectedCell is a cell of such a row, with the name of its input.
type rejectedCell struct {
	Name, Column, Value string
	Wrong               bool
}

// Named returns the cells of the column with the problem, or all cells if it names no column.
func (r rejectedRow) Named() []rejectedCell { return r.cells(true) }

// Other returns the remaining cells of a row.
func (r rejectedRow) Other() []rejectedCell { return r.cells(false) }

func (r rejectedRow) cells(named bool) (some []rejectedCell) {
	for _, cell := range r.Cells {
		if (cell.Wrong || r.Column == "") == named {
			some = append(some, cell)
		}
	}
	return some
}

// Field returns the input of a cell. line is the line of the row if the problem is about the cell, else "".
func (c rejectedCell) Field(line string) field {
	f := field{Name: c.Name, Label: c.Column, Kind: "text", Auto: "off", Native: true, Value: c.Value, Invalid: c.Wrong}
	if strings.ContainsAny(c.Value, "\r\n") { // an input of one line would lose the line breaks
		f.Kind = "lines"
	}
	if line != "" {
		f.Note = "why-" + line
	}
	return f
}

// marked marks all wrong cells of a row and joins their messages. The file of rejected rows names only the first wrong
// column; the import lists its first 20 problems. Rows of later problems stay as they are.
func (p *correctPage) marked() {
	for i := range p.Shown {
		row := &p.Shown[i]
		var said []string
		for _, wrong := range p.Problems {
			if strconv.FormatInt(wrong.Line, 10) != row.Line || wrong.Column == nil {
				continue
			}
			said = append(said, *wrong.Column+": "+wrong.Message)
			for j := range row.Cells {
				row.Cells[j].Wrong = row.Cells[j].Wrong || row.Cells[j].Column == *wrong.Column
			}
		}
		if len(said) > 1 {
			row.Problem = strings.Join(said, " ")
		}
	}
}

type correctPage struct {
	fileImport
	Columns []string
	Shown   []rejectedRow
	More    bool // the form has no room for further rows
}

// fileBeginning stores the beginning of a file. It implements contract.Stream.
type fileBeginning struct {
	bytes.Buffer

	more bool // the file is longer than rejectedRead
}

// errEnough ends a file of which rejectedRead bytes were read.
var errEnough = errors.New("enough was read")

func (f *fileBeginning) Begin(contract.Content) {}
func (f *fileBeginning) Flush()                 {}
func (f *fileBeginning) LastEventID() string    { return "" }

func (f *fileBeginning) Write(b []byte) (int, error) {
	if f.Len()+len(b) > rejectedRead {
		f.more = true
		return 0, errEnough
	}
	return f.Buffer.Write(b)
}

// rejectedFile reads the beginning of the file of rejected rows. whole reports whether that is the complete file. Errors:
// those of the operation.
func (v *pageRequest) rejectedFile() (content []byte, whole bool, err error) {
	var file fileBeginning
	if err := v.writeRejected(&file); err != nil && !file.more {
		return nil, false, err
	}
	return file.Bytes(), !file.more, nil
}

// readRejected returns the rows of a form from the file of rejected rows. After so many rows the file has only those
// that were there already; 0 means that it has none of them. A transaction has all of its rows in the form, or none.
func readRejected(content []byte, rejected int, whole bool) (columns []string, rows []rejectedRow, more bool, err error) {
	file := csv.NewReader(bytes.NewReader(content))
	file.FieldsPerRecord = -1
	head, err := file.Read()
	if err != nil || len(head) < len(rejectedColumns) {
		return nil, nil, false, fmt.Errorf("rejected rows: %w", errors.Join(err, io.ErrUnexpectedEOF))
	}
	columns = head[:len(head)-len(rejectedColumns)]
	id, before, begun := slices.Index(columns, "external_id"), "", 0 // begun is the first row of the current transaction
	for {
		if rejected > 0 && len(rows) == rejected {
			return columns, rows, false, nil
		}
		cells, err := file.Read()
		if err != nil || len(cells) != len(head) { // the end of the file, or of its beginning
			if !whole {
				return columns, rows[:begun], true, nil
			}
			return columns, rows, false, nil
		}
		named := ""
		if id >= 0 {
			named = cells[id]
		}
		if named != "" && named != before {
			before, begun = named, len(rows)
		}
		if len(rows) == correctedRows {
			return columns, rows[:begun], true, nil
		}
		said := cells[len(columns):]
		row := rejectedRow{Line: said[0], Column: said[1], Problem: said[2]}
		for i, column := range columns {
			row.Cells = append(row.Cells, rejectedCell{
				Name: cellName(len(rows), i), Column: column, Value: csvfile.Unguarded(cells[i]),
				Wrong: column == said[1],
			})
		}
		rows = append(rows, row)
	}
}

func cellName(row, column int) string { return "r" + strconv.Itoa(row) + "c" + strconv.Itoa(column) }

// correctForm shows a form with the first rejected rows. If it was refused, it has what was typed.
func (c *Console) correctForm(v *pageRequest) error {
	page, err := v.correctPage()
	if err != nil {
		return err
	}
	page.marked()
	if v.fault != nil {
		page.typed(v.PostForm, v.fault)
	}
	return v.show("Correct rows of "+isolated(valueOf(page.Name)), page)
}

// correctPage reads an import and its first rejected rows.
func (v *pageRequest) correctPage() (page correctPage, err error) {
	if page.fileImport, err = v.readImport(); err != nil {
		return page, err
	}
	content, whole, err := v.rejectedFile()
	if err != nil {
		return page, err
	}
	page.Columns, page.Shown, page.More, err = readRejected(content, int(page.RejectedRows+page.ConflictingRows), whole)
	return page, err
}

// typed puts what was typed into the cells, and marks those that were refused.
func (p *correctPage) typed(typed url.Values, refused *problem) {
	for _, row := range p.Shown {
		for i := range row.Cells {
			cell := &row.Cells[i]
			if typed.Has(cell.Name) {
				cell.Value = typed.Get(cell.Name)
			}
			cell.Wrong = cell.Wrong || slices.ContainsFunc(refused.Errors, func(e problemField) bool {
				return pathOf(e.Location) == cell.Name
			})
		}
	}
}

// numberColumns are the columns of amounts and quantities.
var numberColumns = []string{"quantity", "amount", "taxable", "discount", "tax_amount_imported", "transaction_total_amount",
	"transaction_tax_amount_imported"}

// threeAfterMark is a number whose only mark may begin decimals, or a group of three digits.
var threeAfterMark = regexp.MustCompile(`^(-?[1-9][0-9]{0,2})[.,]([0-9]{3})$`)

// misreadCells returns why cells are refused, by name. The file reads these numbers in another way than the person does,
// or not at all.
func (f personalForm) misreadCells(typed url.Values) map[string]string {
	faults := map[string]string{}
	for row := range correctedRows {
		for i, column := range typed["column"] {
			text := strings.TrimSpace(typed.Get(cellName(row, i)))
			parts := threeAfterMark.FindStringSubmatch(text)
			if parts == nil || !slices.Contains(numberColumns, column) {
				continue
			}
			if read, fault := f.readNumber(text); fault != "" || read != text {
				faults[cellName(row, i)] = "“" + text + "” can be read in two ways. Cells have the form of the file: write " +
					parts[1] + parts[2] + ", or " + parts[1] + "." + parts[2] + "0."
			}
		}
	}
	return faults
}

// refuseMisread refuses changed cells that the person means otherwise than the file says. Errors: *problem.
func (v *pageRequest) refuseMisread() error {
	faults := formOf(v.user.preferences(), "").misreadCells(v.PostForm)
	if len(faults) == 0 {
		return nil
	}
	page, err := v.correctPage()
	if err != nil {
		return err
	}
	refused := &problem{Status: http.StatusBadRequest, Code: invalidFields, Title: "The rows cannot be imported"}
	for _, row := range page.Shown {
		for _, cell := range row.Cells {
			if fault := faults[cell.Name]; fault != "" && strings.TrimSpace(v.PostForm.Get(cell.Name)) != strings.TrimSpace(cell.Value) {
				refused.Errors = append(refused.Errors, problemField{
					"body." + cell.Name, "Line " + row.Line + ", column “" + cell.Column + "”: " + fault})
			}
		}
	}
	if refused.Errors != nil {
		return refused
	}
	return nil
}

// correct imports the rows of the form as a new file.
func (c *Console) correct(v *pageRequest) error {
	corrected, err := v.readImport()
	if err != nil {
		return err
	}
	if err := v.refuseMisread(); err != nil {
		return err
	}
	return v.importFile(shortened("Corrected rows of "+valueOf(corrected.Name)), correctedFile(v.PostForm), "")
}

// correctedFile returns the CSV file of the rows of a form.
func correctedFile(typed url.Values) *bytes.Buffer {
	var b bytes.Buffer
	file := csvfile.Writer{To: bufio.NewWriter(&b)}
	columns := typed["column"]
	for _, column := range columns {
		file.Text(column)
	}
	_ = file.End() // writing to a buffer cannot fail
	for row := range correctedRows {
		if !typed.Has(cellName(row, 0)) {
			break
		}
		for i := range columns {
			file.Text(strings.ReplaceAll(typed.Get(cellName(row, i)), "\r\n", "\n")) // browsers send lines with \r\n
		}
		_ = file.End()
	}
	_ = file.To.Flush()
	return &b
}

// shortened returns a name cut to the 255 characters that an import may have.
func shortened(name string) string {
	if letters := []rune(name); len(letters) > 255 {
		return string(letters[:255])
	}
	return name
}
