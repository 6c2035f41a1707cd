package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const aWorksheet = `{"filing_id":"file_1","layout":"US-TX-01-114/2019-04","form":"01-114","name":"Texas return","edition":"4-19",
	"source":"Texas Comptroller","confidence":"MED","notice":"Compare them with the form.","currency":"USD","frozen":true,
	"missing_figures":0,"lines":[{"line":"2","name":"Taxable sales","amount":"41237.00","unit":"DOLLAR","rule":"Base in dollars",
	"confidence":"MED","figures":[1]},{"line":"4","name":"Subject to tax","amount":"41237.00","unit":"DOLLAR","rule":"2 + 3",
	"confidence":"HIGH","figures":[]}],"figures":[{"figure":1,"level":"STATE","jurisdiction":"Texas","place":"Austin","rate":"0.0625",
	"sign":"SALE","channel":"OWN","origin":"IN_STATE","category":null,"class":"PHYSICAL","transactions":3,"gross":"41237.48",
	"taxable":"41237.48","tax":"2577.34","owed":"2577.34"}],"findings":[{"code":"ENTRY_MISSING","severity":"INFO","line":"3",
	"message":"Add purchases.","count":0,"amount":"0.00"}]}`

// The worksheet says how sure it is, and each line opens the figures that add up to it.
func TestTheWorksheetOfAReturn(t *testing.T) {
	t.Parallel()
	shown := visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/filings/file_1": aReturn, "GET /v1/filings/file_1/worksheet": aWorksheet,
	}, "/o/org_1/filings/file_1/worksheet", nil)
	require.Equal(t, http.StatusOK, shown.Code)
	body := strings.Join(strings.Fields(shown.Body.String()), " ")
	for _, text := range []string{
		"Compare them with the form.", "Taxable sales", "41,237.00", "<summary>1</summary>", "Texas at 6.25 %",
		"sales 41,237.48, base 41,237.48, tax 2,577.34, owed 2,577.34", "Add purchases.", "line 3",
		`href="/o/org_1/filings/file_1/worksheet/export?of=figures"`, "edition 4-19",
	} {
		require.Contains(t, body, text)
	}
	require.Equal(t, 1, strings.Count(body, "<details><summary>"), "a line without figures opens nothing")
	require.Contains(t, returnFor(t, "viewer", ""), `href="/o/org_1/filings/file_1/worksheet"`)
}

func TestTheWorksheetOfAReturnAsAFile(t *testing.T) {
	t.Parallel()
	for of, name := range map[string]string{"lines": "lines", "figures": "figures", "other": "lines"} {
		shown := visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/filings/file_1/worksheet/export": "line,name\r\n",
		}, "/o/org_1/filings/file_1/worksheet/export?of="+of, nil)
		require.Equal(t, http.StatusOK, shown.Code)
		require.Contains(t, shown.Header().Get("Content-Disposition"), "file_1 "+name+".csv")
	}
}
