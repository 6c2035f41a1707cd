package web

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page of a return shows its review to people who decide. The words that they sign go out with the approval.
func TestAReturnIsReviewedBeforeItsApproval(t *testing.T) {
	t.Parallel()
	const review = `{"amount":"1234567.00","before_filing_id":"file_0","attestation":"I have <reviewed> it.","filed_by_hand":true,
		"second_person_required":true,
		"checks":[{"code":"UNRESOLVED","passed":true,"message":"All are processed."},
		{"code":"NOTHING_COLLECTED","passed":false,"message":"None was collected."}],
		"places":[{"level":"CITY","jurisdiction":"Austin","owed":"20.00","owed_before":"10.00","change":"10.00","cause":"RATE"},
		{"level":"CITY","jurisdiction":"Waco","owed":"1.00","owed_before":"1.00","change":"0.00"}]`
	const approve = `name="action" value="approve"`
	also := `,"can_approve":true`
	page := func(role, review string) string {
		answered := visitedWith(t, map[string]string{
			"GET /v1/session":        strings.Replace(anAdmin, `"admin"`, `"`+role+`"`, 1),
			"GET /v1/filings/file_1": aReturn[:len(aReturn)-1] + also + `,"filing_website_url":"https://tax.example/"}`,
			"GET /v1/filings/file_0": strings.Replace(aReturn, "file_1", "file_0", 1),
			"GET /v1/filings":        `{}`, "GET /v1/audit": `{}`, "GET /v1/filings/file_1/history": `{}`,
			"GET /v1/filings/file_1/report": `{}`, "GET /v1/filings/file_1/review": review,
		}, "/o/org_1/filings/file_1", nil)
		require.Equal(t, http.StatusOK, answered.Code)
		return answered.Body.String()
	}
	shown := page("approver", review+`}`)
	for _, text := range []string{
		"With the button you sign: “I have &lt;reviewed&gt; it.”", `name="attestation" value="I have &lt;reviewed&gt; it."`, approve,
		"None was collected.", "another rate", `href="https://tax.example/"`, "File it by hand", "Two people",
	} {
		require.Contains(t, shown, text)
	}
	require.NotContains(t, shown, "Waco", "nothing changed there")
	require.NotContains(t, page("preparer", review+`}`), "I have &lt;reviewed")
	another := page("approver", review+`,"decided_by_another":"You made it."}`)
	require.Contains(t, another, "Another person has to decide about it. You made it.")
	require.NotContains(t, another, approve)
	require.NotContains(t, another, `name="action" value="skip"`)
	require.Contains(t, another, `name="action" value="pause"`, "which decides nothing")

	require.Contains(t, shown, `href="/o/org_1/filings/file_0"`)
	changed := page("approver", strings.Replace(review, "1234567.00", "7.00", 1)+`}`)
	require.NotContains(t, changed, "I have &lt;reviewed", "the words are about another amount")
	require.Contains(t, changed, "the words to sign")
	also = `,"approval_blockers":["PERIOD_OPEN"]`
	require.NotContains(t, page("approver", review+`}`), "None was collected.", "the period is still open")

	sent := ""
	visitedOver(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			body, _ := io.ReadAll(r.Body)
			sent = string(body)
		}
		saying(map[string]string{"GET /v1/session": anAdmin, "PUT /v1/filings/file_1/approve": aReturn}).ServeHTTP(w, r)
	}), "/o/org_1/filings/file_1", url.Values{"action": {"approve"}, "expected_amount": {"1.00"}, "attestation": {"I have reviewed it."}})
	require.JSONEq(t, `{"expected_amount":"1.00","attestation":"I have reviewed it."}`, sent)
}
