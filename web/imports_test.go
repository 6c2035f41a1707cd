package web

import (
	"bytes"
	"io"
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
		require.Regexp(t, `href="/assets/import_entries\.[0-9a-f]{16}\.csv" download="entries.csv">Template of entries</a>`, shown)
		require.Regexp(t, `href="/assets/import_transactions\.[0-9a-f]{16}\.csv" download="transactions.csv"`, shown)
	}
}

// A header that is refused is answered with a choice for each of its columns.
func TestColumnsOfARefusedFileAreAssigned(t *testing.T) {
	t.Parallel()
	const file = "\xef\xbb\xbfOrder no.;External ID;date;\n1;2;3;4\n"
	var labels, values []string
	for _, f := range columnFields([]byte(file), nil) {
		labels, values = append(labels, f.Label), append(values, f.Value)
		require.Contains(t, f.Options, option{"external_product_id", "external_product_id"})
		require.Contains(t, f.Options, option{"kind", "kind"})
	}
	require.Equal(t, []string{"Order no.", "External ID", "date", "Column 4"}, labels)
	require.Equal(t, []string{"", "external_id", "date", ""}, values)
	again := columnFields([]byte(file), []string{"type", "", "date", "amount"})
	require.Equal(t, []string{"type", "", "date", "amount"}, []string{again[0].Value, again[1].Value, again[2].Value, again[3].Value})
	require.Empty(t, columnFields(nil, nil))

	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	require.NoError(t, form.WriteField("column-0", "external_id"))
	require.NoError(t, form.WriteField("column-1", ""))
	_, err := form.CreateFormFile("file", "may.csv")
	require.NoError(t, err)
	require.NoError(t, form.Close())
	assigned, part, err := assignedColumns(multipart.NewReader(&body, form.Boundary()))
	require.NoError(t, err)
	require.Equal(t, []string{"external_id", ""}, assigned)
	require.Equal(t, "may.csv", part.FileName())
}

// The page of a refused file has its columns with what was assigned to them, and sends that with the file.
func TestARefusedFileOffersItsColumns(t *testing.T) {
	t.Parallel()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	require.NoError(t, form.WriteField("column-0", "external_id"))
	require.NoError(t, form.WriteField("column-1", ""))
	file, err := form.CreateFormFile("file", "may.csv")
	require.NoError(t, err)
	_, _ = file.Write([]byte("Order no.,Clerk\n1,Ann\n"))
	require.NoError(t, form.Close())
	request := httptest.NewRequest(http.MethodPost, "/o/org_1/imports", &body)
	request.Header.Set("Content-Type", form.FormDataContentType())
	sent := ""
	api := saying(map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/transactions/imports": `{}`,
		"POST /v1/transactions/imports": `{"status":400,"code":"validation_failed","title":"The request has invalid fields","errors":[
			{"location":"body.line[1].type","message":"The column type is missing."}]}`,
	})
	shown := answeredBy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			sent = r.URL.Query().Get("columns")
			_, _ = io.Copy(io.Discard, r.Body)
		}
		api.ServeHTTP(w, r)
	}), request).Body.String()
	require.Equal(t, "external_id,", sent)
	require.Contains(t, shown, `<label for="column-0">Order no.`)
	require.Regexp(t, `(?s)<select id="column-0" name="column-0".*<option value="external_id" selected`, shown)
	require.Contains(t, shown, `<label for="column-1">Clerk`)
	require.Contains(t, shown, ">Leave out</option>")
}
