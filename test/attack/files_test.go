package attack_test

import (
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/store/pg"
	"levy/store/storetest"
	"levy/test/testbed"
)

// bombsOfCSV: whatever a file is made of, it takes little memory.
func bombsOfCSV(b *attackRun) {
	const head = "external_id,type,date,customer_external_id,external_product_id,amount\n"
	mass := 4 << 20
	if b.long {
		mass = 64 << 20
	}
	for _, file := range []io.Reader{
		strings.NewReader(strings.Repeat("a,", 1<<20)),
		strings.NewReader(strings.Repeat(`"`, 1<<20)),
		io.LimitReader(spaces{}, 1<<20),
		io.MultiReader(strings.NewReader(head), io.LimitReader(spaces{}, int64(mass))),
		io.MultiReader(strings.NewReader(head+`A,"`), io.LimitReader(spaces{}, int64(mass))),
		strings.NewReader(head + strings.Repeat(",", 1<<20)),
		strings.NewReader(head + strings.Repeat("\n", 1<<20)),
	} {
		answer, err := b.attacker.sendFrom(b.Context(), http.MethodPost, "/v1/transactions/imports", file,
			"Content-Type", "text/csv")
		b.ended(answer, err)
	}
	b.only("202", "400 validation_failed", "429 ") // three imports of an organization may be in progress
}

// held opens n requests that go on slowly, of which the organization may have only some,
// and then asks the same for the victim.
func (b *attackRun) held(n int, open func() string) {
	b.parallel(n, func(int) { b.saw(open()) })
	require.Positive(b, b.count("200")+b.count("open"), "the attack is one")
	b.waitForCalls()
}

// heldExports: who does not read its exports has no place left, and the victim has.
func heldExports(b *attackRun) {
	b.fill(3000)
	request := b.attacker.head("GET", "/v1/transactions/export?format=csv") + "\r\n"
	b.held(8, func() string { _, status := b.unread(request); return status })
	answer, err := b.victim.send(b.Context(), http.MethodGet,
		"/v1/transactions/export?format=csv&search_query=VICTIM-1", "")
	require.NoError(b, err)
	require.Equal(b, http.StatusOK, answer.Status, "exports of another organization take all places: %s", answer.Body)
	b.only("200", "202", "429", "open")
}

// fill gives the attacker sales, so that an export does not fit into what lies between
// two programs. They are copied directly in the database: only the export
// reads them.
func (b *attackRun) fill(n int) {
	b.filled = true
	b.attack(http.MethodPost, sales, saleBody("COPIED", 1))
	for _, table := range []string{"transactions", "transaction_items"} {
		b.bed.Exec(copied(b.bed, table), b.attacker.organization, n)
	}
}

// copied is a statement that copies the rows of an organization, each with new ids.
func copied(bed *testbed.Bed, table string) string {
	return copiedAs(bed, table, "generate_series(1, $2::int)", func(name string) string {
		switch name {
		case "id", "transaction_id", "external_id":
			return name + " || '-' || i"
		}
		return name
	})
}

// copiedLines is a statement that gives each sale of an organization with one line so many.
func copiedLines(bed *testbed.Bed) string {
	return copiedAs(bed, "transaction_items", "generate_series(2, $2::int)", func(name string) string {
		switch name {
		case "id":
			return "id || '-' || i"
		case "line_no":
			return "line_no + i"
		}
		return name
	})
}

func copiedAs(bed *testbed.Bed, table, numbers string, valueOf func(name string) string) string {
	var columns, values []string
	for _, row := range bed.Rows(`SELECT column_name::text AS name
		FROM information_schema.columns
		WHERE table_name = $1 AND is_generated = 'NEVER' AND identity_generation IS NULL`, table) {
		name, _ := row["name"].(string)
		columns, values = append(columns, name), append(values, valueOf(name))
	}
	return "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") SELECT " + strings.Join(values, ", ") +
		" FROM " + table + ", " + numbers + " AS i WHERE organization_id = $1"
}

// heldUploads: likewise for files that arrive slowly.
func heldUploads(b *attackRun) {
	request := b.attacker.head("POST", "/v1/transactions/imports") +
		"Content-Type: text/csv\r\nContent-Length: 1000000\r\n\r\nexternal_id,"
	b.held(8, func() string { _, status := b.unread(request); return status })
	const file = "external_id,type,date,customer_external_id,external_product_id," +
		"amount\nBESIDE,SALE,2026-05-15T10:00:00Z,C-1,P-1,1.00\n"
	answer, err := b.victim.send(b.Context(), http.MethodPost, "/v1/transactions/imports", file, "Content-Type",
		"text/csv")
	require.NoError(b, err)
	require.Equal(b, http.StatusAccepted, answer.Status, "files of another organization take all places: %s", answer.Body)
	b.only("open", "429")
}

// heldStreams: an organization has 20 event streams, read or not.
func heldStreams(b *attackRun) {
	request := b.attacker.head("GET", "/v1/onboarding/"+b.attacker.organization+"/events") + "\r\n"
	b.held(30, func() string { _, status := b.unread(request); return status })
	b.only("200", "429")
	require.Equal(b, 20, b.count("200"))
}

// What a spreadsheet would take for a formula is text in an export, wherever it stands.
func TestFormulasInExports(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	shop := newTenant(t, bed, storetest.Open(t, pg.Options{URL: bed.DatabaseURL}), "127.0.0.1")
	for n, start := range []string{"=", "+", "-", "@", "\t", "\r", "'=", "=\"", "=,"} {
		evil := fmt.Sprintf("%sHYPERLINK(%d)", start, n) // an identifier loses the white space before it
		sale := testbed.Sale("X"+evil, 1)
		sale["external_id"] = evil
		sale["customer"] = map[string]any{"external_id": evil, "name": evil}
		sale["transaction_items"].([]any)[0].(map[string]any)["external_id"] = evil
		answer, err := shop.send(t.Context(), http.MethodPost, sales, encoded(sale))
		require.NoError(t, err)
		require.Equal(t, http.StatusAccepted, answer.Status, "%s", answer.Body)
	}
	answer, err := shop.send(t.Context(), http.MethodGet, "/v1/transactions/export?format=csv", "")
	require.NoError(t, err)
	rows, err := csv.NewReader(strings.NewReader(string(answer.Body))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 10)
	found := 0
	for _, row := range rows[1:] {
		for i, cell := range row {
			require.NotRegexp(t, "^[=+@\t\r]|^-[^0-9]", cell, rows[0][i])
			if strings.Contains(cell, "HYPERLINK") {
				found++
			}
		}
	}
	require.Equal(t, 9*4, found, "id, customer, its name and line of each")
}
