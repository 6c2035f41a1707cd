package web

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Amounts, the due day and notes of a return are changed by a form, for people who may change it. Of a return that was
// handed over or is over only notes can be changed, and of one that is filed nothing.
func TestAmountsAndNotesOfAReturnAreChanged(t *testing.T) {
	t.Parallel()
	const form, amounts = `name="action" value="change"`, `name="amount_penalties"`
	for status, offered := range whileChangeable {
		shown := returnFor(t, "preparer", `,"status":"`+status+`"`)
		require.Equal(t, status != "FILED", strings.Contains(shown, form), status)
		require.Equal(t, offered, strings.Contains(shown, amounts), status)
		require.NotContains(t, returnFor(t, "viewer", `,"status":"`+status+`"`), form, status)
	}
	shown := returnFor(t, "preparer", `,"amount_fees":"1234.50","internal_notes":"Ask <Ada>","jira_issue_key":"TAX-1"`)
	require.Contains(t, shown, `value="1234.50"`, "as it is stored, without separators")
	require.Contains(t, shown, "Internal notes: “Ask &lt;Ada&gt;”")
	require.Contains(t, shown, "ticket TAX-1")

	sent := ""
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); r.Method == http.MethodPut {
			sent = string(body)
		}
		answer := map[bool]string{true: anAdmin, false: aReturn}[r.URL.Path == "/v1/session"]
		_, _ = io.WriteString(w, answer)
	})
	answered := sendTo(t, api, "/o/org_1/filings/file_1", url.Values{
		"action": {"change"}, "amount_adjusted": {" -1.00 "}, "internal_notes": {"First\r\nsecond"},
	})
	require.Equal(t, http.StatusSeeOther, answered.Code, answered.Body)
	require.JSONEq(t, `{"amount_adjusted":"-1.00","internal_notes":"First\nsecond"}`, sent)
}

// What is wrong with a changed return stands beside its field, with all that was typed; what was emptied is cleared.
func TestARefusedChangeOfAReturnIsShownAgain(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/filings/file_1": aReturn, "GET /v1/filings/file_1/history": `{}`,
		"GET /v1/filings/file_1/report": `{}`, "GET /v1/filings": `{}`,
		"PUT /v1/filings/file_1": `{"status":400,"code":"x","errors":[
			{"location":"body.amount_fees","message":"Must not be negative."}]}`,
	}
	typed := url.Values{"action": {"change"}, "amount_fees": {"-3"}, "internal_notes": {"Ask Ada"}}
	answered := visitedWith(t, answers, "/o/org_1/filings/file_1", typed)
	require.Equal(t, http.StatusBadRequest, answered.Code)
	shown := answered.Body.String()
	require.Contains(t, shown, `<a href="#amount-fees">Fees</a>: Must not be negative.`)
	require.Contains(t, shown, `<p class="bad" id="amount-fees-wrong">Must not be negative.</p>`)
	require.Contains(t, shown, `value="-3"`)
	require.Contains(t, shown, "\nAsk Ada</textarea>")
	require.Contains(t, shown, `<details class="group" open><summary>Change amounts and notes`)
	require.Contains(t, shown, "<title>To correct: ")

	stored := returnForm(filing{Status: "UNFILED"}).body(filing{Fees: "3.00", Notes: "Old", Due: "2026-02-20"}.stored(),
		url.Values{"due_date": {"2026-02-21"}})
	require.Equal(t, map[string]any{"amount_fees": nil, "internal_notes": nil, "due_date": "2026-02-21"}, stored)
}

// Whoever may decide about returns cancels one, with a reason, while it is not handed over; the page says what is lost.
func TestAReturnIsCancelled(t *testing.T) {
	t.Parallel()
	const form = `name="action" value="cancel"`
	for status, offered := range whileChangeable {
		shown := returnFor(t, "approver", `,"status":"`+status+`"`)
		require.Equal(t, offered, strings.Contains(shown, form), status)
		require.Equal(t, offered, strings.Contains(shown, "This cannot be undone."), status)
		require.NotContains(t, returnFor(t, "preparer", `,"status":"`+status+`"`), form, status)
	}
	require.JSONEq(t, `{"status":"CANCELLED","cancelled_reason":"Sold"}`,
		sentForReturn(t, url.Values{"action": {"cancel"}, "cancelled_reason": {"Sold"}}))
	require.Contains(t, returnFor(t, "viewer", `,"status":"CANCELLED","cancelled_reason":"Sold"`), "· Sold</p>")
	require.Contains(t, returnFor(t, "viewer", `,"status":"SKIPPED","skip_reason":"Nothing sold"`), "· Nothing sold</p>")
}

// The confirmation of a return that was filed by hand says when it was filed and what was paid, if that is not today and
// what is due.
func TestAConfirmationSaysWhatWasPaid(t *testing.T) {
	t.Parallel()
	require.JSONEq(t, `{"status":"FILED","return_confirmation_id":"WA-1"}`, sentForReturn(t, url.Values{
		"action": {"confirm"}, "return_confirmation_id": {"WA-1"}, "payment_confirmation_id": {""}, "date_filed": {""},
		"tax_remitted": {""},
	}))
	require.JSONEq(t, `{"status":"FILED","return_confirmation_id":"WA-1","payment_confirmation_id":"PAY-1",
		"date_filed":"2026-02-03","tax_remitted":"12.00"}`, sentForReturn(t, url.Values{
		"action": {"confirm"}, "return_confirmation_id": {"WA-1"}, "payment_confirmation_id": {"PAY-1"},
		"date_filed": {"2026-02-03"}, "tax_remitted": {"12.00"},
	}))
	shown := returnFor(t, "viewer", `,"status":"FILED","date_filed":"2026-02-03","payment_confirmation_id":"PAY-1",
		"tax_remitted":"1212.00"`)
	require.Contains(t, shown, "filed on 3 Feb 2026 · payment PAY-1")
	require.Regexp(t, `>Paid</th><td [^>]*>1,212.00</td>`, shown)
	require.NotContains(t, returnFor(t, "viewer", ""), ">Paid</th>")
}
