package transactions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"levy/contract/problem"
	"levy/contract/validate"
	"levy/internal/csvfile"
	"levy/models"
	"levy/service/internal/output"
)

// ImportRows turns the rows of files into transactions: by the same validation, and
// into the same drafts, as POST /v1/transactions.
type ImportRows struct {
	Checker *validate.Checker
	Request *validate.Request
}

// Open reads the transactions of a file from where the import stands, where from
// begins.
func (r *ImportRows) Open(im *models.Import, from io.Reader) *ImportSheet {
	at := csvfile.Position{Offset: im.ByteOffset, Line: im.Line}
	s := &ImportSheet{
		rows: r, im: im, pass: im.Pass, reader: csvfile.NewReader(from, at, im.Separator[0]),
		at: map[string]int{},
	}
	for i, name := range im.Columns {
		s.at[name] = i
	}
	return s
}

// Explain turns the verdict on an entry into faults of its rows. Its error is one for
// which the entry is not to blame.
func (r *ImportRows) Explain(im *models.Import) func(*models.ImportEntry, error) ([]models.ImportFault, error) {
	return func(e *models.ImportEntry, verdict error) ([]models.ImportFault, error) {
		p := problem.Of(verdict)
		if p == nil || problem.StatusOf(p.Code) >= 500 {
			return nil, verdict
		}
		return importFaults(e, im.Columns, p), nil
	}
}

func importFaults(e *models.ImportEntry, columns []string, p *problem.Problem) []models.ImportFault {
	var faults []models.ImportFault
	for _, f := range p.Errors {
		fault := importFault(e, columns, f)
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
	ahead  []csvfile.Row  // read and not yet used
	count  int64
}

// Position is where the next transaction begins.
func (s *ImportSheet) Position() models.ImportPosition {
	at := s.reader.Position()
	if len(s.ahead) > 0 {
		at = s.ahead[0].At
	}
	return models.ImportPosition{Pass: s.pass, ByteOffset: at.Offset, Line: at.Line}
}

// Rows is how many rows have been used.
func (s *ImportSheet) Rows() int64 { return s.count }

const (
	// maxImportRows is how many rows of one transaction are kept: one more than it may
	// have lines.
	maxImportRows = 1001
	// maxLookAhead is how many rows that cannot be read may stand between two of one
	// transaction.
	maxLookAhead = 20
)

// Next reads a transaction: rows that follow each other and have the same external_id.
// A row that cannot be read, not even its external_id, belongs to the transaction
// whose rows stand around it, else to none. It is nil for a transaction that belongs
// to the other pass. Errors: io.EOF after the last one, those of the reader.
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

// continued is how many of the rows ahead belong to the transaction of that
// external_id; 0 when it has ended.
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

func cellCount(cells, columns int) *csvfile.Fault {
	code := models.FieldTooFew
	if cells > columns {
		code = models.FieldTooMany
	}
	return &csvfile.Fault{Code: code, Text: fmt.Sprintf("The row has %d cells, the header has %d.", cells, columns)}
}

func (s *ImportSheet) use(n int) {
	s.ahead = s.ahead[n:]
	s.count += int64(n)
}

// cell is what a row says in a column, without the guard of an export.
func (s *ImportSheet) cell(row *csvfile.Row, column string) string {
	i, known := s.at[column]
	if !known || i >= len(row.Cells) {
		return ""
	}
	return output.Unguarded(row.Cells[i])
}

// entry is the transaction that rows describe.
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
		e.Rows, e.Lines = append(e.Rows, keepable(group[i].Cells)), append(e.Lines, group[i].At.Line)
	}
	if e.Faults = s.contradictions(group); e.Faults == nil {
		s.draft(ctx, e, group, now)
	}
	return e
}

// contradictions are rows that cannot be read, and cells in which rows of one
// transaction differ although they describe all of it.
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
