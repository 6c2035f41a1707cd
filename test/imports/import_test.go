package imports_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

func TestAFileIsImportedAndProcessed(t *testing.T) {
	t.Parallel()
	s := open(t, testbed.Options{})
	s.bed.Worker.Start()
	file := sales(1200)
	made := s.upload(file)
	require.Equal(t, "QUEUED", made.Status)
	done := s.finished(made.ID, "COMPLETED")
	require.Equal(t, progress{ID: made.ID, Status: "COMPLETED", Percent: 100, Rows: 1200, Transactions: 1200,
		Accepted: 1200, AcceptedRows: 1200, Problems: done.Problems}, done)
	s.processed()
	require.Equal(t, 1200, s.bed.Count(`SELECT count(*)
		FROM transactions
		WHERE processing_status = 'PROCESSED' AND batch_id = $1 AND source = 'IMPORT'`, made.ID))
	require.Equal(t, made.ID, s.upload(file).ID, "the same file is the same import")
	s.bed.Eventually("the file is deleted", s.none("SELECT count(*) FROM transaction_import_pieces"))

	again := s.upload(file + saleRow("ORDER-NEW", "1.00"))
	require.NotEqual(t, made.ID, again.ID)
	done = s.finished(again.ID, "COMPLETED")
	require.Equal(t, []int{1, 1200, 0, 0}, []int{done.Accepted, done.AlreadyPresent, done.Conflicting, done.Rejected})
	require.Equal(t, 1200, done.AlreadyPresentRows)
	require.Len(t, done.Problems, 20)
	require.Equal(t, "already_present", done.Problems[0].Code)
	listed := string(s.call(http.MethodGet, imports+"/"+again.ID+"/rejected_rows", "", "", 200).Body)
	require.Equal(t, 1200, strings.Count(listed, "Recorded before this file with the same content"))
}

// The example of docs/import.md: rows of one order are its lines, wherever they stand, and a postal code gets its zero
// back. The rows that are accepted, present, in conflict and rejected are those of each file.
func TestTheExampleOfTheDocs(t *testing.T) {
	t.Parallel()
	s := open(t, testbed.Options{})
	s.bed.Worker.Start()
	const columns = "external_id,type,date,customer_external_id,country,state,city,postal_code,external_product_id,amount\n"
	of := func(id, place, amount string) string {
		return id + ",SALE,2026-05-15T10:00:00Z,C-1,US," + place + ",P-1," + amount + "\n"
	}
	row := func(id, amount string) string { return of(id, "MA,Boston,2108", amount) }
	may := columns + row("A", "1.00") + row("B", "2.00") + row("\u00a0A", "1.00") + row("A\u200b", "3.00") +
		of("H", "NY,Holtsville,501", "100.00") + row("E", "x")
	for _, c := range []struct {
		name, file string
		rows       []int // of the file, accepted, present, conflicting, rejected
		restored   int
	}{
		{"May's", may, []int{6, 5, 0, 0, 1}, 3},
		{"the same file again", may, []int{6, 0, 5, 0, 1}, 0},
		{
			"an overlapping file, with the lines of A in another order",
			columns + row("B", "2.00") + row("A", "3.00") + row("C", "4.00") + row("A", "1.00") + row("A", "1.00"),
			[]int{5, 1, 4, 0, 0}, 1,
		},
		{
			"one of two equal lines of A is missing", columns + row("A", "1.00") + row("A", "3.00") + row("D", "1.00"),
			[]int{3, 1, 0, 2, 0}, 1,
		},
	} {
		done := s.finished(s.upload(c.file).ID, "COMPLETED")
		got := []int{done.Rows, done.AcceptedRows, done.AlreadyPresentRows, done.ConflictingRows, done.RejectedRows}
		require.Equal(t, c.rows, got, "%s: %+v", c.name, done.Problems)
		require.Equal(t, c.restored, done.RestoredPostalCodes, c.name)
		require.Len(t, done.Problems, c.rows[0]-c.rows[1], "%s: each other row is listed", c.name)
		s.processed()
	}
	var got []string
	for _, order := range s.bed.Rows(`SELECT t.external_id, a.postal_code, t.total_tax_amount_calculated::text AS tax,
		       (SELECT string_agg(i.amount::numeric(12, 2)::text, ' ' ORDER BY i.amount) FROM transaction_items i
		         WHERE i.organization_id = t.organization_id AND i.transaction_id = t.id) AS lines
		  FROM transactions t
		  JOIN transaction_addresses a ON a.organization_id = t.organization_id AND a.transaction_id = t.id
		 ORDER BY 1`) {
		got = append(got, fmt.Sprint(order["external_id"], " ", order["postal_code"], ": ", order["lines"], " tax ", order["tax"]))
	}
	require.Equal(t, []string{
		"A 02108: 1.00 1.00 3.00 tax 0.31", // 6.25 % by line: 0.06, 0.06, 0.19
		"B 02108: 2.00 tax 0.13", "C 02108: 4.00 tax 0.25", "D 02108: 1.00 tax 0.06",
		"H 00501: 100.00 tax 8.75", // as in Suffolk County, not 4.00 of the state alone
	}, got)
}

// The rows of an export are imported as the same sales, refunds included.
func TestAnExportImportedElsewhereIsTheSame(t *testing.T) {
	t.Parallel()
	s := open(t, testbed.Options{})
	s.bed.Worker.Start()
	made := s.upload(sales(20) +
		saleRow("'=FORMULA", "3.00") + saleRow("\"quoted, \"\"with\"\" line\nbreak\"", "4.00") + saleRow("'''=TWO", "5.00") +
		"LINES,SALE,2026-05-15T10:00:00Z,USD,C-2,Bo,US,NY,New York,10118,P-1,7.00,0.00,15.00\n" +
		"LINES,SALE,2026-05-15T10:00:00Z,USD,C-2,Bo,US,NY,New York,10118,P-1,8.00,0.50,15.00\n")
	require.Equal(t, 24, s.finished(made.ID, "COMPLETED").Accepted)
	s.processed()
	require.Equal(t, 1, s.bed.Count("SELECT count(*) FROM transactions WHERE external_id = '=FORMULA'"))
	lines := s.bed.Rows("SELECT id FROM transactions WHERE external_id = 'LINES'")
	note := s.call(http.MethodPost, "/v1/transactions/"+lines[0]["id"].(string)+"/credit_notes", "application/json",
		`{"external_id":"REFUND","date":"2026-06-01T10:00:00Z","status":"COMMITTED","total_amount":-7,"currency":"USD",
		  "transaction_items":[{"external_id":"L1","external_product_id":"P-1","quantity":1,"amount":-7}]}`, 200)
	require.Equal(t, "PARTIAL_CREDIT_NOTE", note.Field("type"))
	for id, taxes := range map[string][2]string{"TAX-OF-ALL": {"8.88", "0"}, "TAX-OF-LINES": {"0", "8.87"},
		"TAX-OF-BOTH": {"8.90", "8.85"}} {
		s.call(http.MethodPost, "/v1/transactions", "application/json",
			`{"external_id":"`+id+`","type":"SALE","date":"2026-05-15T10:00:00Z","total_amount":108.88,
			"total_tax_amount_imported":`+taxes[0]+`,"customer":{"external_id":"C-1","name":"Ada"},
			"addresses":[{"type":"SHIP_TO","street_1":"350 5th Ave","city":"New York","state":"NY","postal_code":"10118",
				"country":"US"}],
			"transaction_items":[{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z","amount":100,
				"tax_amount_imported":`+taxes[1]+`}]}`, 202)
	}
	s.processed()
	taxed := s.bed.Rows("SELECT id FROM transactions WHERE external_id = 'TAX-OF-ALL'")[0]["id"].(string)
	s.call(http.MethodPost, "/v1/transactions/"+taxed+"/credit_notes", "application/json",
		`{"external_id":"TAX-REFUNDED","date":"2026-06-01T10:00:00Z","status":"COMMITTED","total_amount":-10.89,
			"currency":"USD","tax_amount_imported":-0.89,
		  "transaction_items":[{"external_id":"L1","external_product_id":"P-1","quantity":0,"amount":-10}]}`, 200)
	s.call(http.MethodPost, "/v1/transactions", "application/json",
		`{"external_id":"COUPONS","type":"SALE","date":"2026-05-15T10:00:00Z","customer":{"external_id":"C-1","name":"Ada"},
		"addresses":[{"type":"SHIP_TO","street_1":"350 5th Ave","city":"New York","state":"NY","postal_code":"10118",
			"country":"US"}],
		"transaction_items":[
		  {"external_product_id":"P-1","date":"2026-05-15T10:00:00Z","amount":100,
		   "discount_builder":{"applied_to":"TRANSACTION_ITEM","discount_amount":10,"reimbursed_by":"MANUFACTURER"}},
		  {"external_product_id":"P-1","date":"2026-05-15T10:00:00Z","amount":-20,"reimbursed_by":"MANUFACTURER"},
		  {"external_product_id":"P-1","date":"2026-05-15T10:00:00Z","amount":-30,"trade_in":true}]}`, 202)
	s.call(http.MethodPost, "/v1/transactions", "application/json",
		`{"external_id":"ZONED","type":"SALE","date":"2026-07-01T04:30:00Z","shop_date_tz":"America/Chicago",
		"customer":{"external_id":"C-1","name":"Ada"},"addresses":[{"type":"SHIP_TO","city":"New York","state":"NY",
			"postal_code":"10118","country":"US"}],
		"transaction_items":[{"external_product_id":"P-1","date":"2026-07-01T04:30:00Z","amount":5}]}`, 202)
	s.processed()
	zoned := s.bed.Rows("SELECT id FROM transactions WHERE external_id = 'ZONED'")[0]["id"].(string)
	s.call(http.MethodPost, "/v1/transactions/"+zoned+"/credit_notes", "application/json",
		`{"external_id":"ZONED-NOTE","date":"2026-08-01T04:30:00Z","status":"COMMITTED","total_amount":-5,"currency":"USD",
		  "transaction_items":[{"external_id":"L1","external_product_id":"P-1","quantity":1,"amount":-5}]}`, 200)
	s.processed()
	require.Equal(t, "6.21", s.bed.Rows(`SELECT total_tax_amount_calculated::text AS tax FROM transactions
		WHERE external_id = 'COUPONS'`)[0]["tax"], "8.875 % of 100.00 less the trade-in of 30.00")
	exported := s.export()

	other := s.another()
	made = other.upload(exported)
	done := other.finished(made.ID, "COMPLETED")
	require.Equal(t, []int{32, 0, 0, 0}, []int{done.Accepted, done.AlreadyPresent, done.Conflicting, done.Rejected},
		"%+v", done.Problems)
	other.processed()
	require.Equal(t, comparable(t, exported), comparable(t, other.export()))
	require.Equal(t, []map[string]any{
		{"day": "2026-06-30 America/Chicago", "external_id": "ZONED"},
		{"day": "2026-07-31 America/Chicago", "external_id": "ZONED-NOTE"}, // the zone is that of its sale
	}, other.bed.Rows(`SELECT external_id, concat_ws(' ', tax_date, shop_date, shop_date_tz) AS day FROM transactions
		WHERE shop_date_tz IS NOT NULL AND organization_id = $1 ORDER BY 1`, other.organization))
	const streets = `SELECT count(*)
		FROM transaction_addresses a
		JOIN transactions t ON t.organization_id = a.organization_id
		AND t.id = a.transaction_id AND t.type = 'SALE' WHERE a.street_1 = '350 5th Ave' AND a.organization_id = $1`
	require.Equal(t, 4, other.bed.Count(streets, other.organization))
	const taxes = `SELECT external_id, total_tax_amount_imported::text AS tax, total_tax_liability_amount::text AS owed
		FROM transactions
		WHERE external_id LIKE 'TAX-%' AND organization_id `
	require.Equal(t, "6.21", other.bed.Rows(`SELECT total_tax_amount_calculated::text AS tax FROM transactions
		WHERE external_id = 'COUPONS' AND organization_id = $1`, other.organization)[0]["tax"])
	was, is := s.bed.Rows(taxes+"<> $1 ORDER BY 1", other.organization),
		s.bed.Rows(taxes+"= $1 ORDER BY 1", other.organization)
	require.Len(t, was, 4)
	require.Equal(t, was, is, "taxes that stand on the document alone")

	made = s.upload(exported)
	done = s.finished(made.ID, "COMPLETED")
	require.Equal(t, []int{0, 32, 0, 0}, []int{done.Accepted, done.AlreadyPresent, done.Conflicting, done.Rejected},
		"%+v", done.Problems)
}

// A file has another tax of the whole transaction than the record, or none.
func TestTheTaxOfATransactionIsCompared(t *testing.T) {
	t.Parallel()
	s := open(t, testbed.Options{})
	s.bed.Worker.Start()
	file := strings.Replace(header, "\n", ",transaction_tax_amount_imported\n", 1) +
		strings.Replace(saleRow("ORDER", "1.00"), "\n", ",5.00\n", 1)
	require.Equal(t, 1, s.finished(s.upload(file).ID, "COMPLETED").Accepted)
	other := s.finished(s.upload(strings.Replace(file, ",5.00\n", ",6.00\n", 1)).ID, "COMPLETED")
	require.Equal(t, 1, other.Conflicting, "%+v", other.Problems)
	require.Equal(t, 1, s.finished(s.upload(header+saleRow("ORDER", "1.00")).ID, "COMPLETED").AlreadyPresent)
}

// A file of prices that include tax is recorded as such, and its export is present already.
func TestAFileOfPricesThatIncludeTax(t *testing.T) {
	t.Parallel()
	s := open(t, testbed.Options{})
	s.bed.Worker.Start()
	file := strings.Replace(header, "\n", ",prices_include_tax\n", 1) +
		strings.Replace(saleRow("ORDER", "108.88"), "\n", ",true\n", 1)
	require.Equal(t, 1, s.finished(s.upload(file).ID, "COMPLETED").Accepted)
	s.processed()
	require.Equal(t, []map[string]any{{"amounts": "100.00 8.88 108.88"}}, s.bed.Rows(`
		SELECT concat_ws(' ', subtotal, total_tax_amount_calculated, gross_amount) AS amounts FROM transactions`))
	done := s.finished(s.upload(s.export()).ID, "COMPLETED")
	require.Equal(t, []int{0, 1, 0}, []int{done.Accepted, done.AlreadyPresent, done.Conflicting}, "%+v", done.Problems)
	other := s.finished(s.upload(strings.Replace(file, ",true\n", ",false\n", 1)).ID, "COMPLETED")
	require.Equal(t, 1, other.Conflicting)
}

// The export of sales and refunds of every status can be imported.
func TestAnExportOfEveryStatusComesBack(t *testing.T) {
	t.Parallel()
	s := open(t, testbed.Options{})
	s.bed.Worker.Start()
	sale := func(id, members string) string {
		s.call(http.MethodPost, "/v1/transactions", "application/json",
			`{"external_id":"`+id+`","type":"SALE","date":"2026-05-15T10:00:00Z",`+members+`
			"customer":{"external_id":"C-1","name":"Ada"},"addresses":[{"type":"SHIP_TO","city":"New York","state":"NY",
				"postal_code":"10118","country":"US"}],
			"transaction_items":[{"external_id":"L1","external_product_id":"P-1","date":"2026-05-15T10:00:00Z","quantity":2,
				"amount":100}]}`, 202)
		s.processed()
		return s.bed.Rows("SELECT id FROM transactions WHERE external_id = '" + id + "'")[0]["id"].(string)
	}
	refund := func(original, id, status, total, amount string) string {
		return s.call(http.MethodPost, "/v1/transactions/"+original+"/credit_notes", "application/json",
			`{"external_id":"`+id+`","date":"2026-06-01T10:00:00Z","status":"`+status+`",
			"total_amount":"`+total+`","currency":"USD",
			"transaction_items":[{"external_id":"L1","external_product_id":"P-1","quantity":1,"amount":"`+amount+`"}]}`, 200).Field("id")
	}
	archive := func(ids ...string) {
		answer := s.call(http.MethodPost, "/v1/transactions/archive", "application/json",
			`{"transaction_ids":["`+strings.Join(ids, `","`)+`"]}`, 200)
		require.NotContains(t, string(answer.Body), `"archived":false`)
	}
	credited := sale("CREDITED", `"total_amount":108.88,`)
	refund(credited, "CREDITED-REFUND", "COMMITTED", "-54.44", "-50.00")
	refund(credited, "CREDITED-WAITING", "PENDING", "-10.00", "-10.00")
	refund(credited, "CREDITED-CANCELLED", "CANCELLED", "-108.88", "-50.00")
	archive(refund(credited, "CREDITED-ARCHIVED", "PENDING", "-1.00", "-1.00"))
	withoutTotal := sale("WITHOUT-TOTAL", "") // the refundable tax depends on the calculated tax
	refund(withoutTotal, "WITHOUT-TOTAL-REFUND", "COMMITTED", "-108.88", "-50.00")
	gone := sale("GONE", `"total_amount":108.88,`)
	archive(refund(gone, "GONE-REFUND", "PENDING", "-108.88", "-50.00"))
	refund(gone, "GONE-CANCELLED", "CANCELLED", "-1.00", "-1.00")
	archive(gone) // its refunds stay, and could not be created any more
	sale("CANCELLED", `"status":"CANCELLED","total_amount":108.88,`)
	sale("REFUNDED-ELSEWHERE", `"status":"FULLY_REFUNDED","total_amount":108.88,`)
	sale("INVALID", `"status":"INVALID",`)
	sale("PENDING", `"status":"PENDING",`)
	sale("OLD", `"status":"ARCHIVED",`)
	s.processed()
	exported := s.export()

	other := s.another()
	done := other.finished(other.upload(exported).ID, "COMPLETED")
	require.Equal(t, []int{15, 0, 0, 0}, []int{done.Accepted, done.AlreadyPresent, done.Conflicting, done.Rejected},
		"%+v", done.Problems)
	other.processed()
	// The tax of an archived sale is not calculated again, nor the part of an archived refund that exceeds the rest of a
	// line.
	computed := []string{"discount", "country", "state", "county", "city", "postal_code", "address_status",
		"taxable_amount", "tax_rate_calculated", "tax_amount_calculated",
		"transaction_tax_liability", "tax_liability_source", "content_version"}
	require.Equal(t, comparable(t, exported, computed...), comparable(t, other.export(), computed...))
	for _, id := range []string{"CREDITED", "CREDITED-REFUND", "WITHOUT-TOTAL-REFUND", "REFUNDED-ELSEWHERE"} {
		require.Equal(t, rowOf(t, exported, id), rowOf(t, other.export(), id))
	}
	done = s.finished(s.upload(exported).ID, "COMPLETED")
	require.Equal(t, []int{0, 15, 0, 0}, []int{done.Accepted, done.AlreadyPresent, done.Conflicting, done.Rejected},
		"%+v", done.Problems)
}

// rowOf is the only row of a transaction.
func rowOf(t *testing.T, export, externalID string) []string {
	t.Helper()
	rows := comparable(t, export)
	return rows[slices.IndexFunc(rows, func(row []string) bool { return row[1] == externalID })]
}

// comparable are the rows of an export without the ids that differ between organizations, and without some columns.
func comparable(t *testing.T, export string, further ...string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(export)).ReadAll()
	require.NoError(t, err)
	for _, name := range append([]string{"transaction_id", "item_id", "related_to"}, further...) {
		at := slices.Index(rows[0], name)
		for _, row := range rows[1:] {
			row[at] = ""
		}
	}
	return rows
}

// An invalid row is reported with its line and column, and no other row is rejected for it.
func TestBadRowsAreReportedAndRejectNoOther(t *testing.T) {
	t.Parallel()
	s := open(t, testbed.Options{})
	s.bed.Worker.Start()
	bad := func(id, from, to string) string { return strings.Replace(saleRow(id, "1.00"), from, to, 1) }
	file := header +
		saleRow("GOOD-1", "1.00") + // line 2
		bad("PRECISE", "1.00", "1.001") +
		bad("DATE", "2026-05-15T10:00:00Z", "15-May-2026") +
		bad("PRODUCT", "P-1", "P-2") +
		bad("OPEN", "Ada", "\"Ada") +
		bad("SHORT", ",P-1", "") +
		bad("ENCODING", "Ada", "\xff") +
		saleRow("TWO", "1.00") + bad("TWO", "USD", "EUR") + // lines 9 and 10
		saleRow("RECORDED", "2.00") +
		saleRow("RECORDED", "2.00") + // 12, one transaction with the row before
		saleRow("GOOD-2", "2.00") +
		bad("APART", "USD", "EUR") + saleRow("GOOD-3", "1.00") + saleRow("APART", "1.00") // 14 to 16
	s.finished(s.upload(header+saleRow("RECORDED", "1.00")).ID, "COMPLETED")
	made := s.upload(file)
	done := s.finished(made.ID, "COMPLETED")
	require.Equal(t, []int{3, 0, 1, 8}, []int{done.Accepted, done.AlreadyPresent, done.Conflicting, done.Rejected},
		"%+v", done.Problems)
	require.Equal(t, []int{15, 3, 0, 2, 10},
		[]int{done.Rows, done.AcceptedRows, done.AlreadyPresentRows, done.ConflictingRows, done.RejectedRows})
	type told struct {
		line                 int
		column, id, whatCode string
	}
	var got []told
	for _, p := range done.Problems {
		got = append(got, told{p.Line, p.Column, p.ExternalID, p.Code})
	}
	require.Subset(t, got, []told{
		{3, "amount", "PRECISE", "too_precise"}, {4, "date", "DATE", "invalid_format"},
		{5, "external_product_id", "PRODUCT", "not_found"},
		{6, "customer_name", "OPEN", "invalid_format"}, {7, "", "SHORT", "too_few"},
		{8, "customer_name", "ENCODING", "invalid_format"},
		{10, "currency", "TWO", "mismatch"}, {11, "transaction_total_amount", "RECORDED", "duplicate_external_id"},
		{12, "transaction_total_amount", "RECORDED", "duplicate_external_id"}, {16, "currency", "APART", "mismatch"},
	})

	rejected := string(s.call(http.MethodGet, imports+"/"+made.ID+"/rejected_rows", "", "", 200).Body)
	lines := strings.Split(strings.TrimSuffix(rejected, "\r\n"), "\r\n")
	require.Len(t, lines, 13, "%s", rejected)
	require.Contains(t, rejected, "12,transaction_total_amount,\"Its transaction is in conflict, see line 11.\"")
	require.Equal(t, strings.TrimSuffix(header, "\n")+",import_line,import_column,import_problem", lines[0])
	require.Contains(t, rejected, "3,amount,At most 2 decimals are allowed.")

	corrected := strings.Join([]string{lines[0], strings.Replace(lines[1], "1.001", "1.01", 1)}, "\n")
	require.Equal(t, 1, s.finished(s.upload(corrected).ID, "COMPLETED").Accepted,
		"a corrected file of rejected rows is taken in")
}
