package transactions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"levy/contract"
	"levy/contract/problem"
	"levy/contract/validate"
	"levy/internal/csvfile"
	"levy/models"
	"levy/service/internal/output"
)

// ImportRows converts rows of files into transactions, by the same validation and into the same drafts
// as POST /v1/transactions.
type ImportRows struct {
	Checker *validate.Checker
	Request *validate.Request
}

// Open returns the transactions of a file from the position of the import. from begins there.
func (r *ImportRows) Open(im *models.Import, from io.Reader) *ImportSheet {
	at := csvfile.Position{Offset: im.ByteOffset, Line: im.Line}
	s := newSheet(r, im)
	s.reader = csvfile.NewReader(from, at, im.Separator[0])
	return s
}

func newSheet(r *ImportRows, im *models.Import) *ImportSheet {
	s := &ImportSheet{rows: r, im: im, pass: im.Pass, at: map[string]int{}}
	for i, name := range im.Columns {
		s.at[name] = i
	}
	return s
}

// Explain returns a function that converts the error of an entry into faults of its rows. That function returns the
// error if the entry is not its cause.
func (r *ImportRows) Explain(im *models.Import) func(*models.ImportEntry, error) ([]models.ImportFault, error) {
	return func(e *models.ImportEntry, rowErr error) ([]models.ImportFault, error) {
		p := problem.Of(rowErr)
		if p == nil || problem.StatusOf(p.Code) >= 500 {
			return nil, rowErr
		}
		sheet, group := newSheet(r, im), make([]csvfile.Row, len(e.Rows))
		for i := range group {
			group[i].Cells = e.Rows[i]
		}
		return sheet.faults(e, group, p), nil
	}
}

// faults converts a problem of an entry into faults of its rows.
func (s *ImportSheet) faults(e *models.ImportEntry, group []csvfile.Row, p *problem.Problem) []models.ImportFault {
	w := &bodyWriter{origins: contract.Origins{}}
	s.write(w, group)
	var faults []models.ImportFault
	for _, f := range p.Errors {
		fault := importFault(e, w.origins, f)
		if !slices.Contains(faults, fault) {
			faults = append(faults, fault)
		}
	}
	if faults == nil {
		message := cmp.Or(p.Detail, problem.Table[p.Code].Detail)
		faults = []models.ImportFault{{Line: e.Line, Code: string(p.Code), Message: message}}
	}
	return faults
}

// ImportSheet is a file that is read transaction by transaction.
type ImportSheet struct {
	rows   *ImportRows
	im     *models.Import
	pass   int
	reader *csvfile.Reader
	at     map[string]int // index of each column
	ahead  []csvfile.Row  // read rows that no transaction has used
	count  int64
}

// Position returns the position of the next transaction.
func (s *ImportSheet) Position() models.ImportPosition {
	at := s.reader.Position()
	if len(s.ahead) > 0 {
		at = s.ahead[0].At
	}
	return models.ImportPosition{Pass: s.pass, ByteOffset: at.Offset, Line: at.Line}
}

// Rows returns the number of used rows.
func (s *ImportSheet) Rows() int64 { return s.count }

const (
	// maxImportRows bounds the rows of one transaction that are kept: one more than the largest number of its lines.
	maxImportRows = 1001
	// maxLookAhead bounds the unreadable rows between two rows of one transaction.
	maxLookAhead = 20
)

// Next reads a transaction: consecutive rows with the same external_id. An unreadable row belongs
// to the transaction whose rows surround it, else to none. The entry is nil for a transaction that belongs
// to the other pass. Errors: io.EOF after the last transaction, those of the reader.
func (s *ImportSheet) Next(ctx context.Context, now time.Time) (*models.ImportEntry, error) {
	first, err := s.peek(0)
	if err != nil {
		return nil, err
	}
	group := []csvfile.Row{*first}
	id := s.cell(first, "external_id")
	s.use(1)
	for id != "" {
		more, err := s.continued(id)
		if err != nil {
			return nil, err
		}
		if more == 0 {
			break
		}
		if len(group) < maxImportRows {
			group = append(group, s.ahead[:more]...)
		}
		s.use(more)
	}
	return s.entry(ctx, id, group, now), nil
}

// continued returns how many of the rows ahead belong to the transaction with an external_id; 0 at its end.
func (s *ImportSheet) continued(id string) (int, error) {
	for n := range maxLookAhead {
		row, err := s.peek(n)
		if errors.Is(err, io.EOF) {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		switch found := s.cell(row, "external_id"); {
		case found == id:
			return n + 1, nil
		case found != "" || row.Fault == nil:
			return 0, nil
		}
	}
	return 0, nil
}

// peek returns row n of those ahead; nil at the end of the file.
func (s *ImportSheet) peek(n int) (*csvfile.Row, error) {
	for len(s.ahead) <= n {
		row, err := s.reader.Next()
		if err != nil {
			return nil, err
		}
		if row.Fault == nil && len(row.Cells) != len(s.im.Columns) {
			row.Fault = cellCount(len(row.Cells), len(s.im.Columns))
		}
		s.ahead = append(s.ahead, row)
	}
	return &s.ahead[n], nil
}

// cellCount returns the fault of a row whose cells do not match the columns; nil for none.
func cellCount(cells, columns int) *csvfile.Fault {
	code := models.FieldTooFew
	if cells > columns {
		code = models.FieldTooMany
	}
	return &csvfile.Fault{Code: code, Text: fmt.Sprintf("The row has %d cells, the header has %d.", cells, columns)}
}

// use removes n rows from those ahead.
func (s *ImportSheet) use(n int) {
	s.ahead = s.ahead[n:]
	s.count += int64(n)
}

// cell returns the value of a row in a column without the guard of an export.
func (s *ImportSheet) cell(row *csvfile.Row, column string) string {
	i, known := s.at[column]
	if !known || i >= len(row.Cells) {
		return ""
	}
	return output.Unguarded(row.Cells[i])
}

// entry returns the transaction of a group of rows.
func (s *ImportSheet) entry(ctx context.Context, id string, group []csvfile.Row, now time.Time) *models.ImportEntry {
	e := &models.ImportEntry{
		Line: group[0].At.Line, ExternalID: textOnly(id), FileID: s.cell(&group[0], "transaction_id"),
		Type: models.TransactionType(s.cell(&group[0], "type")),
	}
	inPass := 1
	if e.Type.IsCredit() && s.im.Passes > 1 {
		inPass, e.Original = 2, s.cell(&group[0], "related_to")
	}
	if inPass != s.pass {
		return nil
	}
	for i := range group {
		e.Rows, e.Lines = append(e.Rows, storable(group[i].Cells)), append(e.Lines, group[i].At.Line)
	}
	if e.Faults = s.contradictions(group); e.Faults == nil {
		s.draft(ctx, e, group, now)
	}
	return e
}

// contradictions returns faults for unreadable rows, and for cells that must be equal in all rows of a transaction
// and are not.
func (s *ImportSheet) contradictions(group []csvfile.Row) (faults []models.ImportFault) {
	for i := range group {
		row := &group[i]
		if row.Fault != nil {
			fault := models.ImportFault{Line: row.At.Line, Code: row.Fault.Code, Message: row.Fault.Text}
			if c := row.Fault.Column; c > 0 && c <= len(s.im.Columns) {
				fault.Column = s.im.Columns[c-1]
			}
			faults = append(faults, fault)
			continue
		}
		for n, name := range s.im.Columns {
			if kind := importColumns[name]; kind != importOfTransaction && kind != importRequired {
				continue
			}
			if group[0].Fault == nil && row.Cells[n] != group[0].Cells[n] {
				faults = append(faults, models.ImportFault{
					Line: row.At.Line, Column: name, Code: models.FieldMismatch, Message: fmt.Sprintf(
						"All rows of a transaction say the same here. The first one is in line %d.", group[0].At.Line),
				})
			}
		}
	}
	return faults[:min(len(faults), problem.MaxFieldErrors)]
}
