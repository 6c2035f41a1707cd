package transactions

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/validate"
	"levy/internal/csvfile"
	"levy/models"
)

func newImportRows(tb testing.TB) *ImportRows {
	tb.Helper()
	document, err := validate.ReadDocument(contract.JSON)
	require.NoError(tb, err)
	checker := validate.New(validate.Options{Checks: map[string]validate.Check{"transaction": Check}})
	path := document.Paths["/v1/transactions"]
	request, err := checker.Compile("POST /v1/transactions", path, path.Post)
	require.NoError(tb, err)
	return &ImportRows{Checker: checker, Request: request}
}

// sheet opens a file as an import would, and returns all its transactions.
func sheet(t *testing.T, file string, pass int) []*models.ImportEntry {
	t.Helper()
	rows := newImportRows(t)
	reader := csvfile.NewReader(strings.NewReader(file), csvfile.Position{Line: 1}, ',')
	header, err := reader.Next()
	require.NoError(t, err)
	columns, faults := readImportHeader(header, false)
	require.Empty(t, faults)
	at := reader.Position()
	im := &models.Import{
		OrganizationID: "org_1", ID: "batc_1", Separator: ",", Columns: columns, Passes: 2, Arranged: true,
		DateOrder: orderOf(file), ImportPosition: models.ImportPosition{ByteOffset: at.Offset, Line: at.Line},
	}
	apart := arranged(t, rows, im, file)
	im.Pass = pass
	s := rows.Open(im, strings.NewReader(file[at.Offset:]), apart)
	var entries []*models.ImportEntry
	for {
		entry, err := s.Next(t.Context(), time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC))
		if errors.Is(err, io.EOF) {
			require.EqualValues(t, len(file), s.Position().ByteOffset)
			return entries
		}
		require.NoError(t, err)
		if entry != nil {
			entries = append(entries, entry)
		}
	}
}

// partsOf are the parts of the orders of a file, by where they begin.
type partsOf struct {
	parts   map[int64]*models.ImportPart
	further map[int64][]models.ImportPart
}

func (p partsOf) Find(start int64) (*models.ImportPart, error)     { return p.parts[start], nil }
func (p partsOf) Further(first int64) ([]models.ImportPart, error) { return p.further[first], nil }

// arranged reads a file as pass 0 does.
func arranged(tb testing.TB, rows *ImportRows, im *models.Import, file string) partsOf {
	tb.Helper()
	s := rows.Open(im, strings.NewReader(file[im.ByteOffset:]), nil)
	orders := map[string][]*models.ImportPart{}
	for {
		part, err := s.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(tb, err)
		if part != nil {
			orders[part.Key] = append(orders[part.Key], part)
		}
	}
	p := partsOf{parts: map[int64]*models.ImportPart{}, further: map[int64][]models.ImportPart{}}
	for _, parts := range orders {
		all := int64(0)
		for _, part := range parts {
			all += part.Rows
		}
		for i, part := range parts {
			part.First, part.OfOrder, part.Content = parts[0].Start, all, []byte(file[part.Start:part.Start+part.Size])
			if len(parts) > 1 {
				p.parts[part.Start] = part
			}
			if i > 0 {
				p.further[part.First] = append(p.further[part.First], *part)
			}
		}
	}
	return p
}

// one returns the only transaction of a file with these columns and cells.
func one(t *testing.T, columns, cells string) *models.ImportEntry {
	t.Helper()
	entries := sheet(
		t,
		"external_id,type,date,customer_external_id,external_product_id,"+columns+
			"\nA,SALE,2026-05-15T23:30:00Z,C-1,P-1,"+cells+"\n",
		1,
	)
	require.Len(t, entries, 1)
	return entries[0]
}

func TestColumnsBecomeFields(t *testing.T) {
	t.Parallel()
	t.Run("all rows of a transaction become one", func(t *testing.T) {
		t.Parallel()
		e := sheet(t, "external_id,type,date,customer_external_id,external_product_id,item_external_id,amount\n"+
			"A,SALE,2026-05-15T10:00:00Z,C-1,P-1,L1,1.00\nA,SALE,2026-05-15T10:00:00Z,C-1,P-2,L2,-2\nB,SALE,2026-05-15T10:00:00Z,C-1,P-1,,\n", 1)
		require.Len(t, e, 2)
		require.Empty(t, e[0].Faults)
		require.Equal(t, []int64{2, 3}, e[0].Lines)
		require.Len(t, e[0].Sale.Items, 2)
		require.Equal(t, "-2.00", e[0].Sale.Items[1].Amount.String())
		require.Equal(t, "-1.00", e[0].Sale.Subtotal.String())
		require.Equal(t, "batc_1", *e[0].Sale.BatchID)
		require.Equal(t, models.ProcessingQueued, e[0].Sale.ProcessingStatus, "like a transaction that is posted")
		require.Equal(t, "IMPORT", e[0].Sale.Source)
	})
	t.Run("a tax date that is not the day of the date becomes the shop_date", func(t *testing.T) {
		t.Parallel()
		require.Nil(t, one(t, "tax_date", "2026-05-15").Sale.ShopDate)
		require.Equal(t, "2026-05-16", *one(t, "tax_date", "2026-05-16").Sale.ShopDate)
		const head, date = "external_id,type,date,customer_external_id,external_product_id,tax_date\n",
			"A,SALE,2026-05-15T23:30:00-05:00,C-1,P-1,"
		night := sheet(t, head+date+"2026-05-15\n", 1)[0].Sale
		require.Nil(t, night.ShopDate, "the offset says it")
		require.Equal(t, "2026-05-15", night.TaxDate.Format(time.DateOnly))
		require.Equal(t, "2026-05-16", *sheet(t, head+date+"2026-05-16\n", 1)[0].Sale.ShopDate)
		faults := one(t, "tax_date", "2026-05-20").Faults
		require.Equal(t, []models.ImportFault{
			{Line: 2, Column: "tax_date", Code: "mismatch", Message: faults[0].Message},
		}, faults)
	})
	t.Run("a time zone says the day of a sale without a tax date", func(t *testing.T) {
		t.Parallel()
		dayOf := func(columns, cells string) string { return one(t, columns, cells).Sale.TaxDate.Format(time.DateOnly) }
		require.Equal(t, "2026-05-16", dayOf("shop_date_tz", "Asia/Tokyo"))
		require.Equal(t, "2026-05-15", dayOf("shop_date_tz", "America/Chicago"))
		require.Equal(t, "2026-05-15", dayOf("tax_date,shop_date_tz", "2026-05-15,Asia/Tokyo"))
		zoned := one(t, "tax_date,shop_date_tz", "2026-05-16,Asia/Tokyo").Sale
		require.Nil(t, zoned.ShopDate, "the zone says it")
		require.Equal(t, "Asia/Tokyo", *zoned.ShopDateTZ)
		require.Equal(t, "2026-05-15", *one(t, "tax_date,shop_date_tz", "2026-05-15,Asia/Tokyo").Sale.ShopDate)
		faults := one(t, "shop_date_tz", "Mars").Faults
		require.Equal(t, []models.ImportFault{
			{Line: 2, Column: "shop_date_tz", Code: "invalid_format", Message: faults[0].Message},
		}, faults)
	})
	t.Run("reasons of a merchant exempt a line, reasons that Levy calculated do not", func(t *testing.T) {
		t.Parallel()
		for reason, exempt := range map[string]bool{
			"": false, "CUSTOMER": true, "WHOLESALE": true, "TRANSACTION": true, "PRODUCT": false,
			"REGION": false, "IMPORTED": false,
		} {
			e := one(t, "tax_exemption,exempt", reason+",FULLY_EXEMPT")
			require.Empty(t, e.Faults, reason)
			require.Equal(t, exempt, e.Sale.Items[0].ExemptSent, reason)
			fully := reason == "" // a reason on a line applies, and not that of the transaction
			require.Equal(t, fully, e.Sale.ExemptSent == models.FullyExempt, reason)
		}
		require.Equal(t, "tax_exemption", one(t, "tax_exemption", "BECAUSE").Faults[0].Column)
	})
	t.Run("a sale without a total has that of its lines", func(t *testing.T) {
		t.Parallel()
		const columns = "amount,discount,tax_amount_imported,transaction_total_amount"
		for cells, total := range map[string]string{
			"9,1.50,0.62,": "8.12", "9,1.50,0.62,0.00": "0.00", "9,1.50,0.62,8.00": "8.00",
			"9,,,":    "0.00", // the total with its tax is unknown
			"-9,,-1,": "0.00", // the contract has no negative total of a sale
		} {
			e := one(t, columns, cells)
			require.Empty(t, e.Faults, cells)
			require.Zero(t, e.Sale.TotalAmount.Cmp(decimal.MustParse(total)), cells)
			require.Equal(t, strings.HasSuffix(cells, ","), e.Sale.TotalMissing, cells)
		}
		require.Equal(t, "10.00", one(t, "amount,transaction_tax_amount_imported", "9,1").Sale.TotalAmount.String())
	})
	t.Run("a discount is that of its line", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, "1.50", one(t, "amount,discount", "9,1.50").Sale.Items[0].TotalDiscount.String())
		require.True(t, one(t, "amount,discount", "9,0.00").Sale.Items[0].TotalDiscount.IsZero())
		require.Equal(t, "discount", one(t, "amount,discount", "9,-1").Faults[0].Column)
	})
	t.Run("faults of cells and those that follow from several are reported together", func(t *testing.T) {
		t.Parallel()
		var columns []string
		for _, f := range one(t, "amount,discount,country", "9,12,usa").Faults {
			columns = append(columns, f.Column)
		}
		require.Equal(t, []string{"country", "discount"}, columns)
	})
	t.Run("booleans may be written as spreadsheets write them", func(t *testing.T) {
		t.Parallel()
		require.True(t, one(t, "marketplace", "TRUE").Sale.Marketplace)
		require.False(t, one(t, "marketplace", "").Sale.Marketplace)
		require.Equal(t, "marketplace", one(t, "marketplace", "yes").Faults[0].Column)
	})
	t.Run("a transaction without an address has none", func(t *testing.T) {
		t.Parallel()
		require.Empty(t, one(t, "country,city", ",").Sale.Addresses)
		require.Equal(t, "US", *one(t, "country,city", "US,").Sale.Addresses[0].Country)
		require.Equal(t, "country", one(t, "country,city", "usa,").Faults[0].Column)
	})
	t.Run("a fault calls a column as the file does", func(t *testing.T) {
		t.Parallel()
		fault := sheet(t, "external_id,type,date,external_product_id,customer_external_id\n"+
			"A,SALE,2026-05-15T23:30:00Z,P-1,\n", 1)[0].Faults[0]
		require.Equal(t, []string{"customer_external_id", "customer_external_id is required."},
			[]string{fault.Column, fault.Message})
	})
	t.Run("numbers and dates of other countries are faults", func(t *testing.T) {
		t.Parallel()
		for column, cell := range map[string]string{
			"amount": "\"1.234,50\"", "quantity": "1 000", "transaction_total_amount": "$5",
			"tax_amount_imported": "NaN",
		} {
			faults := one(t, column, cell).Faults
			require.Len(t, faults, 1, column)
			require.Equal(t, []string{column, "invalid_format"}, []string{faults[0].Column, faults[0].Code})
		}
	})
}

func TestSalesAreImportedBeforeTheirRefunds(t *testing.T) {
	t.Parallel()
	file := "transaction_id,external_id,type,date,customer_external_id,external_product_id,amount," +
		"transaction_total_amount,related_to\n" +
		"txn_2,B,FULL_CREDIT_NOTE,2026-05-16T10:00:00Z,C-1,P-1,-1,-1,txn_1\ntxn_1,A,SALE,2026-05-15T10:00:00Z,C-1,P-1,1,1,\n"
	first, second := sheet(t, file, 1), sheet(t, file, 2)
	require.Len(t, first, 1)
	require.Equal(t, "A", first[0].Sale.ExternalID)
	require.Equal(t, "txn_1", first[0].FileID)
	require.Len(t, second, 1)
	require.Equal(t, "B", second[0].Refund.ExternalID)
	require.Equal(t, "txn_1", second[0].Original)
	require.False(t, second[0].Refund.OwnAddresses, "a refund without an address goes where the sale went")
}

// A row without a readable external_id belongs to the transaction around it.
func TestARowThatCannotBeReadRejectsItsTransaction(t *testing.T) {
	t.Parallel()
	row := func(id string) string { return id + ",SALE,2026-05-15T10:00:00Z,C-1,P-1\n" }
	e := sheet(t, "external_id,type,date,customer_external_id,external_product_id\n"+
		row("A")+row("A\"")+row("A")+ // between two rows of A
		row("B")+row("B\"")+row("C")+ // between two transactions
		row("D")+strings.Replace(row("D"), "P-1", "\"P", 1), 1) // its external_id can be read
	got := map[string]int{}
	for _, entry := range e {
		got[entry.ExternalID+map[bool]string{true: " refused", false: ""}[entry.Faults != nil]] = len(entry.Lines)
	}
	require.Equal(t, map[string]int{"A refused": 3, "B": 1, " refused": 1, "C": 1, "D refused": 2}, got)
}

// A transaction of too many rows is rejected with each of them, wherever they stand, in little memory.
func TestATransactionOfTooManyRowsIsRejectedWithAllOfThem(t *testing.T) {
	t.Parallel()
	row := func(id string, n int) string {
		return strings.Repeat(id+",SALE,2026-05-15T10:00:00Z,C-1,P-1\n", n)
	}
	for name, rows := range map[string]string{
		"adjacent": row("A", 3000) + row("B", 1000), "apart": row("A", 700) + row("B", 1000) + row("A", 2300),
		"one more than allowed, apart": row("B", 1) + row("A", 1) + row("B", 999) + row("A", 1000),
	} {
		got, refused, transactions := map[string]int{}, map[string]bool{}, map[string]int{}
		for _, e := range sheet(t, "external_id,type,date,customer_external_id,external_product_id\n"+rows, 1) {
			require.LessOrEqual(t, len(e.Rows), maxOrderRows, name)
			got[e.ExternalID] += len(e.Rows)
			refused[e.ExternalID] = refused[e.ExternalID] || e.Faults != nil
			if !e.Rest {
				transactions[e.ExternalID]++
			}
			if e.ExternalID == "A" {
				require.Equal(t, "too_many", e.Faults[0].Code, name)
			}
		}
		require.Equal(t, strings.Count(rows, "A,"), got["A"], name)
		require.Equal(t, 1000, got["B"], name)
		require.Equal(t, map[string]bool{"A": true, "B": false}, refused, name)
		require.Equal(t, map[string]int{"A": 1, "B": 1}, transactions, name)
	}
}

// An import that an earlier release began is read as it was: only adjacent rows are one transaction.
func TestAFileThatIsNotArrangedHasAdjacentRowsOnly(t *testing.T) {
	t.Parallel()
	row := "A,SALE,2026-05-15T10:00:00Z,C-1,P-1\n"
	file := strings.Repeat(row, 3000) + strings.Replace(row, "A", "B", 1) + row
	im := &models.Import{
		OrganizationID: "org_1", ID: "batc_1", Separator: ",", Passes: 1,
		Columns:        []string{"external_id", "type", "date", "customer_external_id", "external_product_id"},
		ImportPosition: models.ImportPosition{Pass: 1, Line: 1},
	}
	s := newImportRows(t).Open(im, strings.NewReader(file), partsOf{})
	var got []string
	for {
		e, err := s.Next(t.Context(), time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC))
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		got = append(got, fmt.Sprint(e.ExternalID, len(e.Rows), e.Faults != nil))
	}
	require.Equal(t, []string{"A1001 true", "B1 false", "A1 false"}, got)
}

// Four spellings of one order are one order, and its rows are its lines wherever they stand. Equal rows are two lines.
func TestRowsOfOneOrderAreItsLines(t *testing.T) {
	t.Parallel()
	row := func(id, amount string) string {
		return id + ",SALE,2026-05-15T10:00:00Z,\u00a0C-1 , P-1\u3000,\ufeffL-1\u200b," + amount + "\n"
	}
	e := sheet(t, "external_id,type,date,customer_external_id,external_product_id,item_external_id,amount\n"+
		row("A", "1.00")+row("B", "5.00")+row(" A", "2.00")+row("\u2060A\ufeff", "2.00")+row("C", "6.00")+row("A\u0085", "3.00"), 1)
	require.Len(t, e, 3)
	require.Empty(t, e[0].Faults)
	require.Equal(t, []int64{2, 4, 5, 7}, e[0].Lines)
	require.Equal(t, "A", e[0].Sale.ExternalID)
	require.Equal(t, "C-1", e[0].Sale.Customer.ExternalID)
	var amounts []string
	for _, item := range e[0].Sale.Items {
		require.Equal(t, "P-1", item.ExternalProductID)
		require.Equal(t, "L-1", *item.ExternalID)
		amounts = append(amounts, item.Amount.String())
	}
	require.Equal(t, []string{"1.00", "2.00", "2.00", "3.00"}, amounts)
}

func TestALostZeroOfAPostalCodeIsRestored(t *testing.T) {
	t.Parallel()
	const columns = "country,state,postal_code"
	restored := one(t, columns, "US,MA,2108")
	require.Equal(t, "02108", *restored.Sale.Addresses[0].PostalCode)
	require.True(t, restored.PostalCodeRestored)
	for _, cells := range []string{"US,TX,2108", "US,MA,02108", "FR,MA,2108"} {
		unchanged := one(t, columns, cells)
		require.Equal(t, cells[6:], *unchanged.Sale.Addresses[0].PostalCode)
		require.False(t, unchanged.PostalCodeRestored)
	}
}

// Reading continues after any transaction, also within a row that is longer than the reader's buffer.
func TestAnImportContinuesAfterAnyTransaction(t *testing.T) {
	t.Parallel()
	row := func(id string) string { return id + ",SALE,2026-05-15T10:00:00Z,C-1,P-1\n" }
	file := row("A") + strings.Repeat("x", 400_000) + "\n" + row("B") + "\"" + strings.Repeat("y", 300_000) + "\n" + row("A")
	im := &models.Import{
		OrganizationID: "org_1", ID: "batc_1", Separator: ",", Passes: 1, Arranged: true,
		Columns:        []string{"external_id", "type", "date", "customer_external_id", "external_product_id"},
		ImportPosition: models.ImportPosition{Line: 1},
	}
	rows := newImportRows(t)
	apart := arranged(t, rows, im, file)
	im.Pass = 1
	var lines []int64
	for {
		s := rows.Open(im, strings.NewReader(file[im.ByteOffset:]), apart) // a new process for each transaction
		e, err := s.Next(t.Context(), time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC))
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if e != nil {
			lines = append(lines, e.Lines...)
		}
		im.ImportPosition = s.Position()
	}
	require.Equal(t, []int64{1, 5, 2, 3, 4}, lines)
}

func TestHeadersAreCheckedAsAWhole(t *testing.T) {
	t.Parallel()
	reader := csvfile.NewReader(
		strings.NewReader("External ID,type,type,"+strings.Repeat("n", 50)+",date\n"), csvfile.Position{Line: 1}, ',',
	)
	row, err := reader.Next()
	require.NoError(t, err)
	_, faults := readImportHeader(row, false)
	require.Equal(t, []models.Fault{
		{
			Code: models.FieldInvalidEnum, Path: "line[1].1",
			Message: `There is no column "External ID"; perhaps external_id is meant.`,
		},
		{Code: models.FieldDuplicateValue, Path: "line[1].3", Message: "The column type stands in the header already."},
		{
			Code: models.FieldInvalidEnum, Path: "line[1].4",
			Message: `There is no column "` + strings.Repeat("n", 40) + `…".`,
		},
		{Code: models.FieldMissing, Path: "line[1].external_id", Message: "The column external_id is missing."},
		{
			Code: models.FieldMissing, Path: "line[1].customer_external_id",
			Message: "The column customer_external_id is missing.",
		},
		{
			Code: models.FieldMissing, Path: "line[1].external_product_id",
			Message: "The column external_product_id is missing.",
		},
	}, faults)
}

// An import accepts the columns of an export, so an export can be imported. The only other columns are those
// that state why a row was rejected.
func TestEveryColumnOfAnExportIsKnown(t *testing.T) {
	t.Parallel()
	known := slices.Sorted(maps.Keys(importColumns))
	require.Equal(t, known, slices.Sorted(slices.Values(
		append([]string{"import_line", "import_column", "import_problem"}, exportHeader...),
	)))
}

func FuzzImportSheet(f *testing.F) {
	const head = "external_id,type,date,customer_external_id,external_product_id,amount,discount,tax_date,tax_exemption\n"
	f.Add(head + "A,SALE,2026-05-15T10:00:00Z,C-1,P-1,1.00,0.10,2026-05-16,CUSTOMER\n")
	f.Add(head + "A,SALE,x,C,P,1e5,-1,,\nA,SALE,x,C,P,,,,\n\"A,")
	f.Add(head + "'=A,TAX_REFUND,2026-05-15T10:00:00Z,C-1,P-1,9999999999999,,,\n")
	rows := newImportRows(f)
	columns := strings.Split(strings.TrimSpace(head), ",")
	f.Fuzz(func(t *testing.T, file string) {
		im := &models.Import{
			OrganizationID: "org_1", ID: "batc_1", Separator: ",", Columns: columns, Passes: 1,
			ImportPosition: models.ImportPosition{Pass: 1, Line: 1},
		}
		s := rows.Open(im, strings.NewReader(file), partsOf{})
		for {
			entry, err := s.Next(t.Context(), time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC))
			if errors.Is(err, io.EOF) {
				return
			}
			require.NoError(t, err)
			require.NotNil(t, entry)
			require.NotEqual(t, entry.Draft() == nil, entry.Faults == nil, "a transaction, or its faults")
			require.Len(t, entry.Lines, len(entry.Rows))
		}
	})
}
