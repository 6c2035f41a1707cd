package web

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// uploaded sends a file to the page of imports of an API that refuses it.
func uploaded(t *testing.T, refusal string) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("file", "may.csv")
	require.NoError(t, err)
	_, _ = file.Write([]byte("a,b\n"))
	require.NoError(t, form.Close())
	request := httptest.NewRequest(http.MethodPost, "/o/org_1/imports", &body)
	request.Header.Set("Content-Type", form.FormDataContentType())
	return answeredBy(t, saying(map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/transactions/imports": `{}`, "POST /v1/transactions/imports": refusal,
	}), request)
}

// The errors of a refused file have lines and columns, named as in the file.
func TestARefusedFileNamesItsColumns(t *testing.T) {
	t.Parallel()
	answered := uploaded(t, `{"status":400,"code":"validation_failed","title":"The request has invalid fields",
		"detail":"The header of the file is not in order.","errors":[
		{"location":"body.line[1].2","message":"There is no column of this name; perhaps external_id is meant."},
		{"location":"body.line[1].external_product_id","message":"The column external_product_id is missing."}]}`)
	require.Equal(t, http.StatusBadRequest, answered.Code)
	shown := answered.Body.String()
	require.Contains(t, shown, ">The file cannot be imported</h2><p>The header of the file is not in order.</p>")
	require.Contains(t, shown, ">Line 1, column 2: There is no column of this name; perhaps “external_id” is meant.</li>")
	require.Contains(t, shown, ">The column “external_product_id” is missing.</li>")
	require.Contains(t, shown, `type="file"`, "for the corrected file")

	shown = uploaded(t, `{"status":400,"code":"validation_failed","title":"The request has invalid fields",
		"detail":"1 field is invalid.","errors":[{"location":"body","message":"The file is empty."}]}`).Body.String()
	require.Contains(t, shown, ">The file cannot be imported</h2><ul><li id=\"refused-0\">The file is empty.</li></ul>")
	shown = uploaded(t, `{"status":409,"code":"x","title":"Three imports are in progress"}`).Body.String()
	require.Contains(t, shown, ">Three imports are in progress</h2>")
}

// People who may prepare pause, resume and cancel an import while it runs. The page refers to the file only for
// problems that it does not list.
func TestAnImportIsStoppedWhileItCanBe(t *testing.T) {
	t.Parallel()
	page := func(role, rest string) string {
		return visitedWith(t, map[string]string{
			"GET /v1/session":                     strings.Replace(anAdmin, `"admin"`, `"`+role+`"`, 1),
			"GET /v1/transactions/imports/batc_1": `{"id":"batc_1",` + rest + `}`,
		}, "/o/org_1/imports/batc_1", nil).Body.String()
	}
	for status, offered := range map[string][3]bool{ // pause, resume, cancel
		"QUEUED": {true, false, true}, "RUNNING": {true, false, true}, "PAUSED": {false, true, true},
		"FAILED": {false, true, true}, "COMPLETED": {}, "CANCELLED": {},
	} {
		shown := page("preparer", `"status":"`+status+`"`)
		for i, action := range []string{"pause", "resume", "cancel"} {
			require.Equal(t, offered[i], strings.Contains(shown, `name="action" value="`+action+`"`), "%s %s", status, action)
		}
		require.NotContains(t, page("viewer", `"status":"`+status+`"`), `name="action"`, status)
	}
	const one, more = `{"line":3,"column":"date","message":"No."}`, "These are the first problems"
	require.NotContains(t, page("viewer", `"status":"COMPLETED","rejected":1,"problems":[`+one+`]`), more)
	require.Contains(t, page("viewer", `"status":"COMPLETED","rejected":30,"problems":[`+strings.Repeat(one+",", 19)+one+`]`),
		more)
}

// The list says of each file which records it has.
func TestTheListOfImportsSaysWhatFilesHave(t *testing.T) {
	t.Parallel()
	for kind, said := range map[string]string{"TRANSACTIONS": "Transactions", "FILING_ENTRIES": "Entries of returns"} {
		shown := visitedWith(t, map[string]string{
			"GET /v1/session":              anAdmin,
			"GET /v1/transactions/imports": `{"items":[{"id":"batc_1","kind":"` + kind + `","status":"COMPLETED"}],"total":1,"page":1,"pages":1}`,
		}, "/o/org_1/imports", nil).Body.String()
		require.Contains(t, shown, `<td data-column="Records" role="cell">`+said+`</td>`)
		require.Regexp(t, `href="/assets/import-entries\.[0-9a-f]{16}\.csv" download="entries.csv">Template of entries</a>`, shown)
		require.Regexp(t, `href="/assets/import-transactions\.[0-9a-f]{16}\.csv" download="transactions.csv"`, shown)
	}
}
