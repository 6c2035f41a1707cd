package web

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const (
	// correctedRows is how many rows a form holds; more are corrected in the file.
	correctedRows = 20
	// rejectedRead is how much of the file of rejected rows is read for a form, in bytes: rows are at most 128 KiB.
	rejectedRead = 4 << 20
)

// rejectedColumns are those by which the API says what is wrong with a row. They are no part of the file.
var rejectedColumns = []string{"import_line", "import_column", "import_problem"}

// rejectedRow is a row of a file that was not taken in.
type rejectedRow struct {
	Line, Column, Problem string
	Cells                 []rejectedCell
}

// rejectedCell is a cell of a row, with the name of its input in the form.
type rejectedCell struct {
	Name, Column, Value string
	Wrong               bool
}

// Named are the cells that a row is about: what is wrong, or all where no column is named.
func (r rejectedRow) Named() []rejectedCell { return r.cells(true) }

// Other are the cells of a row that are not asked for first.
func (r rejectedRow) Other() []rejectedCell { return r.cells(false) }

func (r rejectedRow) cells(named bool) (some []rejectedCell) {
	for _, cell := range r.Cells {
		if (cell.Wrong || r.Column == "") == named {
			some = append(some, cell)
		}
	}
	return some
}

// Field is the cell in the form; line is that of the row whose problem the page says, empty where it does not.
func (c rejectedCell) Field(line string) field {
	f := field{Name: c.Name, Label: c.Column, Kind: "text", Auto: "off", Native: true, Value: c.Value, Invalid: c.Wrong}
	if strings.ContainsAny(c.Value, "\r\n") { // an input of one line would lose them
		f.Kind = "lines"
	}
	if line != "" {
		f.Note = "why-" + line
	}
	return f
}

// marked marks every cell that the import names as wrong, each with what is wrong with it: the file names the first
// column of a row alone. The import knows its first problems; rows of later ones stay as the file has them.
func (p *correctPage) marked() {
	for i := range p.Shown {
		row := &p.Shown[i]
		var said []string
		for _, wrong := range p.Problems {
			if strconv.FormatInt(wrong.Line, 10) != row.Line || wrong.Column == "" {
				continue
			}
			said = append(said, wrong.Column+": "+wrong.Message)
			for j := range row.Cells {
				row.Cells[j].Wrong = row.Cells[j].Wrong || row.Cells[j].Column == wrong.Column
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
	More    bool // there are rows that the form has no room for
}

// cut keeps the beginning of an answer, and breaks the rest off.
type cut struct {
	answer
	whole bool
}

// errEnough ends an answer of which more was read than is shown.
var errEnough = errors.New("enough was read")

func (a *cut) Write(b []byte) (int, error) {
	if a.body.Len()+len(b) > rejectedRead {
		a.whole = false
		return 0, errEnough
	}
	return a.body.Write(b)
}

// rejectedFile reads the beginning of what was not taken in; whole says whether that is all.
func (c *Console) rejectedFile(v *pageRequest) (content []byte, whole bool, err error) {
	path := importsPath + "/" + v.id() + "/rejected_rows"
	call, err := inner(v.Request, http.MethodGet, path, v.org, nil)
	if err != nil {
		return nil, false, err
	}
	a := &cut{answer: answer{header: http.Header{}, status: http.StatusOK}, whole: true}
	func() {
		defer func() { // the API breaks an answer off that is read no further
			said := recover()
			broken, _ := said.(error)
			if said != nil && !errors.Is(broken, http.ErrAbortHandler) {
				panic(said)
			}
		}()
		c.api().ServeHTTP(a, call)
	}()
	if a.status >= http.StatusBadRequest {
		return nil, false, refusalOf(&a.answer)
	}
	return a.body.Bytes(), a.whole, nil
}

// readRejected makes rows for a form of a file of rejected rows. A transaction is in it with all its rows or not at
// all.
func readRejected(content []byte, whole bool) (columns []string, rows []rejectedRow, more bool, err error) {
	file := csv.NewReader(bytes.NewReader(content))
	file.FieldsPerRecord = -1
	head, err := file.Read()
	if err != nil || len(head) < len(rejectedColumns) {
		return nil, nil, false, fmt.Errorf("rejected rows: %w", errors.Join(err, io.ErrUnexpectedEOF))
	}
	columns = head[:len(head)-len(rejectedColumns)]
	id, before, begun := slices.Index(columns, "external_id"), "", 0 // begun is where the transaction begins
	for {
		cells, err := file.Read()
		if err != nil || len(cells) != len(head) { // the end, or where it was cut
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
				Name: cellName(len(rows), i), Column: column, Value: cells[i], Wrong: column == said[1],
			})
		}
		rows = append(rows, row)
	}
}

func cellName(row, column int) string { return "r" + strconv.Itoa(row) + "c" + strconv.Itoa(column) }

// correctForm shows the first rows that were not taken in, to be corrected in place.
func (c *Console) correctForm(v *pageRequest) error {
	var page correctPage
	if err := v.get(importsPath+"/"+v.id(), v.org, &page.fileImport); err != nil {
		return err
	}
	content, whole, err := c.rejectedFile(v)
	if err != nil {
		return err
	}
	if page.Columns, page.Shown, page.More, err = readRejected(content, whole); err != nil {
		return err
	}
	page.marked()
	return v.show("Correct rows of "+page.Name, page)
}

// correct imports the rows of the form as a file of their own.
func (c *Console) correct(v *pageRequest) error {
	var name struct{ Name string }
	if err := v.get(importsPath+"/"+v.id(), v.org, &name); err != nil {
		return err
	}
	path := importsPath + "?" + url.Values{"name": {shortened("Corrected rows of " + name.Name)}}.Encode()
	call, err := inner(v.Request, http.MethodPost, path, v.org, correctedFile(v.PostForm))
	if err != nil {
		return err
	}
	call.Header.Set("Content-Type", "text/csv")
	var created fileImport
	if _, err := c.answered(call, &created); err != nil {
		return err
	}
	return v.goToOwn("imports", created.ID)
}

// correctedFile is the file of the rows of a form.
func correctedFile(typed url.Values) []byte {
	var b bytes.Buffer
	file := csv.NewWriter(&b)
	columns := typed["column"]
	_ = file.Write(columns) // a buffer takes everything
	for row := range correctedRows {
		if !typed.Has(cellName(row, 0)) {
			break
		}
		cells := make([]string, len(columns))
		for i := range columns {
			cells[i] = strings.ReplaceAll(typed.Get(cellName(row, i)), "\r\n", "\n") // a browser sends lines so
		}
		_ = file.Write(cells)
	}
	file.Flush()
	return b.Bytes()
}

// shortened is a name that is not too long for an import.
func shortened(name string) string {
	if letters := []rune(name); len(letters) > 255 {
		return string(letters[:255])
	}
	return name
}
