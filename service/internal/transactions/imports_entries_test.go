package transactions

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/problem"
	"levy/contract/validate"
	"levy/internal/csvfile"
	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

func newEntryRows(t *testing.T) *ImportRows {
	t.Helper()
	document, err := validate.ReadDocument(contract.JSON)
	require.NoError(t, err)
	rows := &ImportRows{}
	rows.Checker = validate.New(validate.Options{Checks: map[string]validate.Check{"filing-entry": rows.CheckEntry}})
	path := document.Paths["/v1/filings/{filing_id}/entries"]
	rows.EntryRequest, err = rows.Checker.Compile("POST /v1/filings/{filing_id}/entries", path, path.Post)
	require.NoError(t, err)
	law, err := tax.LoadContent()
	require.NoError(t, err)
	rows.Law = func() *tax.Content { return law }
	rows.EntryError = func(err error) error { return err }
	// Every filing refuses the line 13, and no kind has a base of 7.00.
	rows.NewEntry = func(
		_ *tax.Content, f *models.Filing, b *contract.FilingEntryCreate, _ time.Time,
	) (e models.FilingEntry, faults []models.Fault) {
		if f != nil && b.Line == "13" {
			faults = append(faults, models.Fault{Code: models.FieldInvalidEnum, Path: "line", Message: "line 13 is not there."})
		}
		if b.Taxable == "7.00" {
			faults = append(faults, models.Fault{Code: models.FieldNotAllowed, Path: "taxable", Message: "taxable is not 7.", Of: []string{"kind"}})
		}
		return models.FilingEntry{
			Kind: models.FilingEntryKind(b.Kind), Line: b.Line, Note: b.Note, ExternalID: b.ExternalID,
		}, faults
	}
	rows.EntryFaults = func(c *tax.Content, f *models.Filing, b *contract.FilingEntryCreate, now time.Time) []models.Fault {
		_, faults := rows.NewEntry(c, f, b, now)
		return faults
	}
	return rows
}

// entrySheet returns the rows of a file of entries.
func entrySheet(t *testing.T, rows *ImportRows, file string) (entries []*models.ImportEntry) {
	t.Helper()
	reader := csvfile.NewReader(strings.NewReader(file), csvfile.Position{Line: 1}, ',')
	header, err := reader.Next()
	require.NoError(t, err)
	columns, faults := readImportHeader(header, false)
	require.Empty(t, faults)
	at := reader.Position()
	im := &models.Import{
		OrganizationID: "org_1", ID: "batc_1", Kind: kindOfHeader(columns), Separator: ",", Columns: columns, Passes: 1, Arranged: true,
		ImportPosition: models.ImportPosition{Pass: 1, ByteOffset: at.Offset, Line: at.Line},
	}
	require.Equal(t, models.ImportFilingEntries, im.Kind)
	s := rows.Open(im, strings.NewReader(file[at.Offset:]), nil)
	for {
		e, err := s.Next(t.Context(), time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC))
		if errors.Is(err, io.EOF) {
			require.EqualValues(t, len(file), s.Position().ByteOffset)
			return entries
		}
		require.NoError(t, err)
		entries = append(entries, e)
	}
}

const entryColumnsOfTest = "external_id,filing_id,country,state,start_date,end_date,kind,amount,taxable,line,note\n"

func TestARowNamesItsFilingByIDOrPeriod(t *testing.T) {
	t.Parallel()
	rows := newEntryRows(t)
	got := entrySheet(t, rows, entryColumnsOfTest+" A ,fili_1,,,,,INTEREST,1.00,,3,Notice\n"+
		"B,,US,Texas,2026-04-01,2026-06-30,PURCHASE,1.00,2.00,,Chairs\nC,,DE,,2026-04-01,2026-06-30,CREDIT,1.00,,,x\n")
	for i := range got {
		require.Empty(t, got[i].Faults)
	}
	day := func(s string) calendar.Date {
		d, err := calendar.ParseDate(s)
		require.NoError(t, err)
		return d
	}
	require.Equal(t, "fili_1", got[0].FilingEntry.FilingID)
	e, faults := got[0].FilingEntry.Of(&models.Filing{})
	require.Empty(t, faults)
	require.Equal(t, models.FilingEntry{Kind: models.EntryInterest, Line: "3", Note: "Notice", ExternalID: "A"}, e)
	b := got[1].FilingEntry
	require.Equal(t, []any{"US", "TX", day("2026-04-01"), day("2026-06-30")}, []any{b.CountryCode, b.StateCode, b.StartDate, b.EndDate})
	require.Equal(t, "DE DE", got[2].FilingEntry.CountryCode+" "+got[2].FilingEntry.StateCode)
	require.Equal(t, []int64{2, 3, 4}, []int64{got[0].Line, got[1].Line, got[2].Line})
}

// faultsOfRow are the faults of a row of a file, before its filing is known (nil) or with it.
func faultsOfRow(t *testing.T, rows *ImportRows, e *models.ImportEntry, f *models.Filing) []models.ImportFault {
	t.Helper()
	if e.FilingEntry == nil {
		return e.Faults
	}
	_, faults := e.FilingEntry.Of(f)
	im := &models.Import{Kind: models.ImportFilingEntries, Columns: strings.Split(strings.TrimSpace(entryColumnsOfTest), ",")}
	told, err := rows.Explain(im)(e, &models.InvalidError{Faults: faults})
	require.NoError(t, err)
	return told
}

// All faults of a row are reported at once, each with its column.
func TestAFaultyRowOfAnEntryTellsEveryColumn(t *testing.T) {
	t.Parallel()
	rows := newEntryRows(t)
	for row, want := range map[string]string{
		",,,,,,GIFT,1.001,,,":                                        "amount external_id filing_id kind note",
		"A,,US,TX,2026-04-31,2026-06-30,CREDIT,1.001,7,,x":           "amount start_date taxable",
		"A,,US,TX,2026-04-31,2026-06-30,CREDIT,1,7,,x":               "start_date taxable",
		"A,,US,TX,2026-04-31,2026-06-30,GIFT,1,7,,x":                 "start_date kind", // the kind decides about the base
		"A,fili_1,US,,,,INTEREST,1,,,x":                              "country",
		"A,,US,Nowhere,2026-04-31,,INTEREST,1,,,x":                   "end_date start_date state",
		"A,,,TX,2026-04-01,2026-06-30,INTEREST,1,,,x":                "country",
		"A,fili_1,,,,,INTEREST,\"1,00\",,,x":                         "amount",
		"A,fili_1,,,,,INTEREST,1":                                    "",
		"A,fili_1,,,,,INTEREST,1,,," + strings.Repeat("x", 501):      "note",
		strings.Repeat("x", 256) + ",fili_1,,,,,INTEREST,1,,,Notice": "external_id",
	} {
		e := entrySheet(t, rows, entryColumnsOfTest+row+"\n")[0]
		faults := faultsOfRow(t, rows, e, nil)
		require.NotEmpty(t, faults, row)
		columns := map[string]bool{}
		for _, f := range faults {
			require.EqualValues(t, 2, f.Line)
			columns[f.Column] = true
		}
		for _, column := range strings.Fields(want) {
			require.True(t, columns[column], "%s: %s of %v", row, column, faults)
		}
		require.Len(t, columns, max(1, len(strings.Fields(want))), "%s: %v", row, faults)
	}
}

// Faults that the filing shows are told with the faults of the row.
func TestFaultsOfARowAreToldWithThoseOfItsFiling(t *testing.T) {
	t.Parallel()
	rows := newEntryRows(t)
	for row, want := range map[string][]string{
		"A,fili_1,,,,,CREDIT,1.001,7,13,x": {"amount", "taxable", "line"},
		"A,fili_1,,,,,CREDIT,1,7,13,x":     {"line", "taxable"},
		"A,fili_1,US,,,,CREDIT,1,,13,":     {"note", "line", "country"},
	} {
		e := entrySheet(t, rows, entryColumnsOfTest+row+"\n")[0]
		var columns []string
		for _, f := range faultsOfRow(t, rows, e, &models.Filing{ID: "fili_1"}) {
			columns = append(columns, f.Column)
		}
		require.ElementsMatch(t, want, columns, row)
	}
}

// A refusal that passes, such as of a change that another one has overtaken, rejects no row: the import tries again.
func TestAnEntryIsTriedAgainAfterARefusalThatPasses(t *testing.T) {
	t.Parallel()
	rows := newEntryRows(t)
	im := &models.Import{Kind: models.ImportFilingEntries, Columns: strings.Split(strings.TrimSpace(entryColumnsOfTest), ",")}
	e := entrySheet(t, rows, entryColumnsOfTest+"A,fili_1,,,,,CREDIT,1,,,x\n")[0]
	for _, passing := range []error{
		models.ErrChangedMeanwhile, models.ErrUnavailable, models.ErrOutcomeUnknown, &models.FilingNotReadyError{WaitsForRate: true},
		context.DeadlineExceeded,
	} {
		faults, err := rows.Explain(im)(e, passing)
		require.ErrorIs(t, err, models.ErrUnavailable, "%T", passing)
		require.Empty(t, faults)
	}
	for _, final := range []error{
		&models.FilingImmutableError{Fields: []string{"entries"}}, &models.LimitError{What: models.LimitFilingEntries, Limit: 500},
		models.ErrNotFound,
	} {
		faults, err := rows.Explain(im)(e, final)
		require.NoError(t, err)
		require.Len(t, faults, 1, "%T", final)
	}
}

func TestTheHeaderOfEntriesNamesTheirFiling(t *testing.T) {
	t.Parallel()
	faults := func(header string) (paths []string) {
		row, err := csvfile.NewReader(strings.NewReader(header+"\n"), csvfile.Position{Line: 1}, ',').Next()
		require.NoError(t, err)
		_, found := readImportHeader(row, false)
		for _, f := range found {
			paths = append(paths, f.Path)
		}
		return paths
	}
	require.Empty(t, faults("external_id,filing_id,kind,amount,note,import_line,import_column,import_problem"))
	require.Empty(t, faults("external_id,country,start_date,end_date,kind,amount,note"))
	require.Equal(t, []string{"line[1].2"}, faults("external_id,,filing_id,kind,amount,note"), "nothing is dropped in silence")
	require.Equal(t, []string{"line[1].filing_id"}, faults("external_id,country,start_date,kind,amount,note"))
	require.Equal(t, []string{"line[1].2", "line[1].external_id", "line[1].amount", "line[1].note"}, faults("filing_id,tax_date,kind"))
}

// The templates of the console have each column that a file may have and Levy reads, and no other.
func TestTemplatesHaveTheColumnsOfFiles(t *testing.T) {
	t.Parallel()
	for kind, name := range map[models.ImportKind]string{
		models.ImportTransactions: "import_transactions.csv", models.ImportFilingEntries: "import_entries.csv",
	} {
		content, err := os.ReadFile("../../../web/assets/" + name)
		require.NoError(t, err)
		row, err := csvfile.NewReader(strings.NewReader(string(content)), csvfile.Position{Line: 1}, ',').Next()
		require.NoError(t, err)
		columns, faults := readImportHeader(row, false)
		require.Empty(t, faults)
		require.Equal(t, kind, kindOfHeader(columns))
		var read []string
		for name, kind := range importLayouts[kind].columns {
			if kind != importIgnored {
				read = append(read, name)
			}
		}
		require.ElementsMatch(t, read, columns)
	}
}

// Assigned names take the place of those of the header. A column without one is not read, and is in no file of rejected rows.
func TestColumnsAreAssigned(t *testing.T) {
	t.Parallel()
	file := []byte("Order no.,Remark,What,Sum,Return,Text\n1,2,3,4,5,6\n")
	u := &Upload{Columns: "external_id,,kind,amount,filing_id,note"}
	require.NoError(t, u.readHeader(file))
	require.Equal(t, []string{"external_id", "", "kind", "amount", "filing_id", "note"}, u.columns)
	for columns, wanted := range map[string]string{
		"external_id,kind": "columns",
		"external_id,,kind,amount,filing_id,filing_id": "line[1].6",
		"external_id,,kind,amount,filing_id,no":        "line[1].6",
		"external_id,,kind,amount,,note":               "line[1].filing_id",
		"":                                             "line[1].1",
	} {
		refused := &problem.Problem{}
		require.ErrorAs(t, (&Upload{Columns: columns}).readHeader(file), &refused, columns)
		require.Equal(t, wanted, refused.Errors[0].Path, columns)
	}
}

// The column kind tells the files apart.
func TestNoTransactionHasTheColumnOfEntries(t *testing.T) {
	t.Parallel()
	require.NotContains(t, importColumns, kindColumn)
}
