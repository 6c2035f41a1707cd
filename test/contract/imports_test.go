package contract_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/contract/validate"
	"levy/internal/csvfile"
	"levy/models"
	"levy/service"
	"levy/store/imports"
)

// A file of rejected rows has no formulas, and what a client corrects and sends again has the texts of its first file.
func TestRejectedRowsHaveNoFormulas(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	const header = "external_id,type,date,customer_external_id,external_product_id,customer_name,city,amount\n"
	names := []string{"=HYPERLINK(1)", "+1-2", "-cmd", "@SUM(A1)", "'=guarded", "plain"}
	var file bytes.Buffer
	file.WriteString(header)
	rows := csv.NewWriter(&file)
	for i, name := range names {
		require.NoError(t, rows.Write([]string{in.next("=FILE"), "SALE", "2026-05-15T10:00:00Z", fmt.Sprint("C-", i),
			"P-1", name, "Troy", fmt.Sprint("-0.00", i+1)})) // too precise
	}
	rows.Flush()
	rejected := in.call(shop, "GET", "/v1/transactions/imports/"+in.takenIn(shop, file.String())+"/rejected_rows", "", 200)
	read, err := csv.NewReader(bytes.NewReader(rejected.body)).ReadAll()
	require.NoError(t, err)
	require.Len(t, read, 1+len(names))
	for _, row := range read[1:] {
		for _, cell := range row[:7] {
			require.NotContains(t, "=+-@\t\r", cell[:1], "%q would be a formula", cell)
		}
		require.Regexp(t, "^-0.00[1-9]$", row[7], "a number stays a number")
	}
	corrected := bytes.ReplaceAll(rejected.body, []byte("-0.00"), []byte("7.0"))
	in.takenIn(shop, string(corrected))
	for i, name := range names {
		var stored string
		in.query(&stored, "SELECT name FROM customers WHERE organization_id = $1 AND external_id = $2", shop.organization,
			fmt.Sprint("C-", i))
		require.Equal(t, csvfile.Unguarded(name), stored)
	}
}

// The list of rows that were already present has an end, and says how many rows are beyond.
func TestRowsBeyondTheListOfThosePresentAreTold(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	const header = "external_id,type,date,customer_external_id,external_product_id,amount\n"
	row := in.next("FILE") + ",SALE,2026-05-15T10:00:00Z,C-1,P-1,5.00\n"
	in.takenIn(shop, header+row)
	again := in.takenIn(shop, header+row+in.next("FILE")+",SALE,2026-05-15T10:00:00Z,C-1,P-1,x\n")
	listed := func() string {
		return string(in.call(shop, "GET", "/v1/transactions/imports/"+again+"/rejected_rows", "", 200).body)
	}
	require.Contains(t, listed(), "Recorded before this file with the same content: nothing was changed.\r\n")
	in.execute("UPDATE transaction_imports SET rows = rows + $2, present_rows = present_rows + $2 WHERE id = $1",
		again, models.ImportPresentListed)
	require.Contains(t, listed(), "nothing was changed. 1 further row is not listed.\r\n")
	in.execute("UPDATE transaction_imports SET rows = rows + 6, present_rows = present_rows + 6 WHERE id = $1", again)
	require.Contains(t, listed(), "nothing was changed. 7 further rows are not listed.\r\n")
}

// takenIn uploads a file, imports it as a worker does and returns the id of the import.
func (in *installation) takenIn(as credentials, body string) string {
	in.t.Helper()
	a := in.send(in.t, request{as: as, method: "POST", target: "/v1/transactions/imports", body: body})
	require.Equal(in.t, 202, a.status, "%s", a.body)
	ref := models.ImportRef{OrganizationID: as.organization, ID: a.text(in.t, "id")}
	in.execute("UPDATE transaction_imports SET status = 'RUNNING', started_at = now() WHERE id = $1", ref.ID)
	rows, err := service.Imports(validate.Options{}, nil)
	require.NoError(in.t, err)
	work := activities.NewImports(impatient{in.store.Imports}, sheets{rows}, noDispatcher{}, func(models.ImportCounts) {},
		slog.New(slog.DiscardHandler))
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivity(work.TakeInRows)
	for range 4 {
		value, err := env.ExecuteActivity(work.TakeInRows, ref)
		require.NoError(in.t, err)
		var step activities.ImportStep
		require.NoError(in.t, value.Get(&step))
		if step.Status != models.ImportRunning {
			return ref.ID
		}
	}
	require.Fail(in.t, "the import does not end")
	return ""
}

// impatient does not wait until the imported sales are processed, which no worker does here.
type impatient struct{ *imports.Store }

func (impatient) Unprocessed(context.Context, string, int) (int, error) { return 0, nil }

// sheets reads files as the worker does.
type sheets struct{ rows *service.ImportRows }

func (s sheets) Open(im *models.Import, from io.Reader, apart models.ImportParts) (activities.ImportSheet, error) {
	return s.rows.Open(im, from, apart), nil
}

func (s sheets) Explain(im *models.Import) func(*models.ImportEntry, error) ([]models.ImportFault, error) {
	return s.rows.Explain(im)
}
