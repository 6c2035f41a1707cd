package transactions

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"levy/contract"
	"levy/contract/problem"
	"levy/internal/csvfile"
	"levy/models"
	"levy/service/internal/convert"
	"levy/tax/calendar"
)

// kindColumn is the column that only files of entries of filings have.
const kindColumn = "kind"

// entryHeader are the columns of a file of entries of filings.
var entryHeader = []string{
	"external_id", "filing_id", "country", "state", "start_date", "end_date", kindColumn, "amount", "taxable", "line",
	"jurisdiction_id", "jurisdiction_type", "jurisdiction_name", "note",
}

// entryFields are the columns that are fields of the request. The other columns name the filing.
var entryFields = []string{
	"external_id", kindColumn, "amount", "taxable", "line", "jurisdiction_id", "jurisdiction_type", "jurisdiction_name", "note",
}

// periodColumns name a filing without its id.
var periodColumns = []string{"country", "state", "start_date", "end_date"}

// entryColumns are the meanings of entryHeader, and the additional columns of a file of rejected rows.
var entryColumns = func() map[string]importKind {
	kinds := map[string]importKind{}
	for _, name := range rejectedColumns {
		kinds[name] = importIgnored
	}
	for _, name := range entryHeader {
		kinds[name] = importOfLine
	}
	for _, name := range []string{"external_id", kindColumn, "amount", "note"} {
		kinds[name] = importRequired
	}
	return kinds
}()

// unnamedFiling returns the fault of a header that names no filing.
func unnamedFiling(line int64, columns []string) []models.Fault {
	byPeriod := true
	for _, name := range []string{"country", "start_date", "end_date"} {
		byPeriod = byPeriod && slices.Contains(columns, name)
	}
	if byPeriod || slices.Contains(columns, "filing_id") {
		return nil
	}
	return []models.Fault{{
		Code: models.FieldMissing, Path: importPlace(line, "filing_id"),
		Message: "The file names no return: it needs the column filing_id, or country, state, start_date and end_date.",
	}}
}

// nextEntry reads a row of a file of entries of filings. Errors: as of Next.
func (s *ImportSheet) nextEntry(ctx context.Context, now time.Time) (*models.ImportEntry, error) {
	row, err := s.peek(0)
	if err != nil {
		return nil, err
	}
	group := []csvfile.Row{*row}
	s.use(1)
	if _, err := s.peek(0); err != nil && !errors.Is(err, io.EOF) { // reading continues only where a row begins
		return nil, err
	}
	e := s.rowsOf(s.cell(&group[0], "external_id"), group)
	if e.Faults = s.contradictions(group); e.Faults == nil {
		s.draftEntry(ctx, e, group, convert.Instant(now))
	}
	return e, nil
}

// draftEntry sets the entry of a row, also of one with faults: its filing may add further ones.
func (s *ImportSheet) draftEntry(ctx context.Context, e *models.ImportEntry, group []csvfile.Row, now time.Time) {
	draft, faults := s.filingOfRow(&group[0])
	// guard: files: a row without a number would be added again with the file
	if s.cell(&group[0], "external_id") == "" {
		faults = append(faults, models.Fault{
			Code: models.FieldMissing, Path: "external_id", Message: "external_id is required: a repeated file is recognized by it.",
		})
	}
	w := &bodyWriter{}
	s.writeEntry(w, &group[0])
	body, refusal := s.rows.checkEntry(ctx, nil, w.b, now)
	if refusal != nil && refusal.Errors == nil {
		e.Faults = s.faults(e, group, refusal)
		return
	}
	draft.Of = func(f *models.Filing) (entry models.FilingEntry, found []models.Fault) {
		if body != nil {
			entry, found = s.rows.NewEntry(s.rows.Law(), f, body, now)
		} else if _, refusal := s.rows.checkEntry(ctx, f, w.b, now); refusal != nil {
			found = slices.Clone(refusal.Errors)
		}
		return entry, append(found, faults...)
	}
	e.FilingEntry = draft
}

// filingOfCheck is the key of the filing in the context of a check of the body of an entry.
type filingOfCheck struct{}

// CheckEntry finds the faults of the body of an entry that the contract cannot express, with those that its filing shows once
// it is known.
func (r *ImportRows) CheckEntry(ctx context.Context, now time.Time, raw []byte) []models.Fault {
	var body contract.FilingEntryCreate
	if err := contract.Decode(raw, &body); err != nil {
		return nil // the validator has already refused it
	}
	f, _ := ctx.Value(filingOfCheck{}).(*models.Filing)
	return r.EntryFaults(r.Law(), f, &body, convert.Instant(now))
}

// checkEntry returns the request of an entry, or the refusal with all faults. f is nil before the filing is known.
func (r *ImportRows) checkEntry(
	ctx context.Context, f *models.Filing, raw []byte, now time.Time,
) (*contract.FilingEntryCreate, *problem.Problem) {
	run := r.Checker.Begin(now)
	defer r.Checker.End(run)
	if refusal := run.Check(context.WithValue(ctx, filingOfCheck{}, f), r.EntryRequest, raw, "", false); refusal != nil {
		return nil, refusal
	}
	body := &contract.FilingEntryCreate{}
	if err := contract.Decode(run.Body(), body); err != nil { // a body that passes validation but cannot be read is refused
		return nil, problem.New(problem.CodeInternalError, "The row cannot be read. Please report it.")
	}
	return body, nil
}

// writeEntry writes the request that would add the entry, and notes which columns its fields come from.
func (s *ImportSheet) writeEntry(w *bodyWriter, row *csvfile.Row) {
	w.raw("{")
	for _, name := range entryFields {
		s.text(w, row, name, name)
	}
	w.raw("}")
	for _, name := range append([]string{"filing_id"}, periodColumns...) {
		s.note(w, name, name)
	}
}

// filingOfRow returns a draft with the filing that a row names, or the faults of its columns.
func (s *ImportSheet) filingOfRow(row *csvfile.Row) (d *models.FilingEntryDraft, faults []models.Fault) {
	d = &models.FilingEntryDraft{FilingID: s.cell(row, "filing_id")}
	country, state := s.cell(row, "country"), s.cell(row, "state")
	start, end := s.dayOf(row, "start_date"), s.dayOf(row, "end_date")
	switch {
	case d.FilingID != "":
		for _, name := range periodColumns {
			if s.cell(row, name) != "" {
				faults = append(faults, models.Fault{
					Code: models.FieldNotAllowed, Path: name, Message: name + " is to be left empty where filing_id names the return.",
				})
			}
		}
		return d, faults
	case country+state+start+end == "":
		return d, []models.Fault{{
			Code: models.FieldMissing, Path: "filing_id",
			Message: "The row names no return: write filing_id, or country, state, start_date and end_date.",
		}}
	}
	// A country without states has its own code.
	if country == "" {
		faults = append(faults, missingPart("country"))
	} else if a, known := s.rows.Law().AuthorityNamed(country, cmp.Or(state, country)); known {
		d.CountryCode, d.StateCode = a.Country, a.State
	} else {
		faults = append(faults, models.Fault{
			Code: models.FieldInvalidEnum, Path: "state", Message: "The tax content has no such authority: write the codes, such as US and TX.",
		})
	}
	for _, day := range []struct {
		name, text string
		to         *calendar.Date
	}{{"start_date", start, &d.StartDate}, {"end_date", end, &d.EndDate}} {
		var err error
		if day.text == "" {
			faults = append(faults, missingPart(day.name))
		} else if *day.to, err = calendar.ParseDate(day.text); err != nil {
			faults = append(faults, models.Fault{
				Code: models.FieldInvalidFormat, Path: day.name, Message: day.name + " must be a date such as 2026-04-01.",
			})
		}
	}
	return d, faults
}

// missingPart returns the fault of a column that the name of a filing lacks.
func missingPart(column string) models.Fault {
	return models.Fault{
		Code: models.FieldMissing, Path: column, Message: column + " is required where the row has no filing_id.",
	}
}
