package transactions

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
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
	"levy/tax"
)

// ImportRows converts rows of files into transactions or entries of filings. Validation and drafts are those of
// POST /v1/transactions and POST /v1/filings/{filing_id}/entries.
type ImportRows struct {
	Checker      *validate.Checker
	Request      *validate.Request // of a transaction
	EntryRequest *validate.Request
	Law          func() *tax.Content
	// NewEntry returns the entry of a request as one of a filing, and its faults. EntryFaults has with them those that the
	// amounts of the filing show. Without a filing (nil) they are those that need none.
	NewEntry    func(*tax.Content, *models.Filing, *contract.FilingEntryCreate, time.Time) (models.FilingEntry, []models.Fault)
	EntryFaults func(*tax.Content, *models.Filing, *contract.FilingEntryCreate, time.Time) []models.Fault
	// EntryError returns the error of a change of a filing in terms of the entry.
	EntryError func(error) error
}

// Open returns the transactions of a file from the position of the import. from begins there. apart has the rows of
// orders that are not adjacent.
func (r *ImportRows) Open(im *models.Import, from io.Reader, apart models.ImportParts) *ImportSheet {
	at := csvfile.Position{Offset: im.ByteOffset, Line: im.Line}
	s := newSheet(r, im)
	s.reader, s.apart = csvfile.NewReader(from, at, im.Separator[0]), apart
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
// error if the entry is not its cause. Errors of an entry of a filing that pass are models.ErrUnavailable: it is tried again.
func (r *ImportRows) Explain(im *models.Import) func(*models.ImportEntry, error) ([]models.ImportFault, error) {
	return func(e *models.ImportEntry, rowErr error) ([]models.ImportFault, error) {
		if im.Kind == models.ImportFilingEntries {
			rowErr = r.EntryError(rowErr)
		}
		p := problem.Of(rowErr)
		// guard: files: an entry is not rejected for a reason that passes
		if p != nil && im.Kind == models.ImportFilingEntries && problem.Table[p.Code].Retryable {
			return nil, fmt.Errorf("%w: %w", models.ErrUnavailable, rowErr)
		}
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
	if s.im.Kind == models.ImportFilingEntries {
		s.writeEntry(w, &group[0])
	} else {
		s.write(w, group)
	}
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
	apart  models.ImportParts
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
	// maxOrderRows is the largest number of lines of a transaction.
	maxOrderRows = 1000
	// maxLookAhead bounds the unreadable rows between two rows of one transaction.
	maxLookAhead = 20
)

// Next reads a transaction: the rows with the same external_id. The entry is nil for rows that belong to the other pass
// or to a transaction that began before. Errors: io.EOF after the last transaction, those of the reader.
func (s *ImportSheet) Next(ctx context.Context, now time.Time) (*models.ImportEntry, error) {
	if s.im.Kind == models.ImportFilingEntries {
		return s.nextEntry(ctx, now)
	}
	id, group, err := s.adjacent()
	if err != nil {
		return nil, err
	}
	inPass := 1
	if s.im.Passes > 1 && models.TransactionType(s.cell(&group[0], "type")).IsCredit() {
		inPass = 2
	}
	if inPass != s.pass {
		return nil, nil //nolint:nilnil // as the comment says
	}
	part, err := s.apart.Find(group[0].At.Offset)
	if err != nil {
		return nil, err
	}
	if part == nil {
		return s.entry(ctx, id, group, now), nil
	}
	if part.OfOrder > maxOrderRows {
		return s.tooMany(id, group, part), nil
	}
	// guard: files: the first rows of an order bring its others along
	if part.Start > part.First {
		return nil, nil //nolint:nilnil // as the comment of the function says
	}
	if group, err = s.further(group); err != nil {
		return nil, err
	}
	return s.entry(ctx, id, group, now), nil
}

// NextPart reads adjacent rows with the same external_id. It returns nil for rows without one: each is a transaction.
// Errors: as of Next.
func (s *ImportSheet) NextPart() (*models.ImportPart, error) {
	id, group, err := s.adjacent()
	if err != nil || id == "" {
		return nil, err
	}
	start, key := group[0].At, sha256.Sum256([]byte(id))
	return &models.ImportPart{
		Key: hex.EncodeToString(key[:16]), Start: start.Offset, Line: start.Line,
		Size: s.Position().ByteOffset - start.Offset, Rows: int64(len(group)),
	}, nil
}

// adjacent reads consecutive rows with the same external_id, at most as many as a transaction may have. An unreadable
// row belongs to the transaction whose rows surround it, else to none. Errors: as of Next.
func (s *ImportSheet) adjacent() (id string, group []csvfile.Row, err error) {
	first, err := s.peek(0)
	if err != nil {
		return "", nil, err
	}
	group, id = []csvfile.Row{*first}, s.cell(first, "external_id")
	s.use(1)
	for id != "" {
		more, err := s.continued(id)
		if err != nil {
			return "", nil, err
		}
		full := len(group)+more > maxOrderRows
		if more == 0 || full && s.arranged() {
			break
		}
		if !full || len(group) <= maxOrderRows {
			group = append(group, s.ahead[:more]...)
		}
		s.use(more)
	}
	if _, err := s.peek(0); err != nil && !errors.Is(err, io.EOF) { // reading continues only where a row begins
		return "", nil, err
	}
	return id, group, nil
}

// arranged reports whether rows of one transaction need not be adjacent.
func (s *ImportSheet) arranged() bool { return s.im.Arranged || s.pass == 0 }

// further returns a group with the other rows of its transaction.
func (s *ImportSheet) further(group []csvfile.Row) ([]csvfile.Row, error) {
	parts, err := s.apart.Further(group[0].At.Offset)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		at := csvfile.Position{Offset: part.Start, Line: part.Line}
		rows := &ImportSheet{im: s.im, at: s.at, reader: csvfile.NewReader(bytes.NewReader(part.Content), at, s.im.Separator[0])}
		for {
			row, err := rows.peek(0)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, err
			}
			group = append(group, *row)
			rows.use(1)
		}
	}
	return group, nil
}

// tooMany returns the rejected rows of a part of a transaction with too many rows.
func (s *ImportSheet) tooMany(id string, group []csvfile.Row, part *models.ImportPart) *models.ImportEntry {
	e := s.rowsOf(id, group)
	e.Rest = part.Start > part.First
	e.Faults = []models.ImportFault{{
		Line: e.Line, Column: "external_id", Code: models.FieldTooMany,
		Message: fmt.Sprintf("The file has %d rows with this external_id. A transaction has at most %d.",
			part.OfOrder, maxOrderRows),
	}}
	return e
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

// cell returns the value of a row in a column without the guard of an export. Identifiers have no white space around
// them.
func (s *ImportSheet) cell(row *csvfile.Row, column string) string {
	i, known := s.at[column]
	if !known || i >= len(row.Cells) {
		return ""
	}
	value := csvfile.Unguarded(row.Cells[i])
	if importIdentifiers[column] {
		return trimmedIdentifier(value)
	}
	return value
}

// rowsOf returns an entry with the rows of a transaction.
func (s *ImportSheet) rowsOf(id string, group []csvfile.Row) *models.ImportEntry {
	e := &models.ImportEntry{
		Line: group[0].At.Line, ExternalID: textOnly(id), FileID: s.cell(&group[0], "transaction_id"),
		Type: models.TransactionType(s.cell(&group[0], "type")),
	}
	for i := range group {
		e.Rows, e.Lines = append(e.Rows, storable(group[i].Cells)), append(e.Lines, group[i].At.Line)
	}
	return e
}

// entry returns the transaction of a group of rows.
func (s *ImportSheet) entry(ctx context.Context, id string, group []csvfile.Row, now time.Time) *models.ImportEntry {
	e := s.rowsOf(id, group)
	if s.pass == 2 {
		e.Original = s.cell(&group[0], "related_to")
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
		faults = append(faults, s.ambiguousDates(row)...)
		for n, name := range s.im.Columns {
			if kind := importColumns[name]; kind != importOfTransaction && kind != importRequired {
				continue
			}
			if group[0].Fault == nil && row.Cells[n] != group[0].Cells[n] && s.cell(row, name) != s.cell(&group[0], name) {
				faults = append(faults, models.ImportFault{
					Line: row.At.Line, Column: name, Code: models.FieldMismatch, Message: fmt.Sprintf(
						"All rows of a transaction say the same here. The first one is in line %d.", group[0].At.Line),
				})
			}
		}
	}
	return faults[:min(len(faults), problem.MaxFieldErrors)]
}
