package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
)

// People who may change a return change its amounts, due date and notes by a form. After submission they can change
// only notes, and nothing once it is filed.
func TestAmountsAndNotesOfAReturnAreChanged(t *testing.T) {
	t.Parallel()
	const form, amounts = `name="action" value="change"`, `id="amount-penalties"`
	for status, offered := range whileChangeable {
		shown := returnFor(t, "preparer", `,"status":"`+status+`"`)
		require.Equal(t, status != "FILED", strings.Contains(shown, form), status)
		require.Equal(t, offered, strings.Contains(shown, amounts), status)
		require.NotContains(t, returnFor(t, "viewer", `,"status":"`+status+`"`), form, status)
	}
	shown := returnFor(t, "preparer", `,"amount_fees":"1234.50","internal_notes":"Ask <Ada>","jira_issue_key":"TAX-1"`)
	require.Contains(t, shown, `value="1234.50"`, "as it is stored, without separators")
	require.Contains(t, shown, "Internal notes: “<bdi>Ask &lt;Ada&gt;</bdi>”")
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

// The error of a changed return is next to its field, with all that was typed. An emptied field is cleared.
func TestARefusedChangeOfAReturnIsShownAgain(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/filings/file_1": aReturn, "GET /v1/audit": `{}`, "GET /v1/filings/file_1/history": `{}`,
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

	stored := map[string]any{"amount_fees": "3.00", "internal_notes": "Old", "due_date": "2026-02-20", "status": "UNFILED"}
	body := returnForm(filing{Filing: contract.Filing{Status: contract.FilingStatusUNFILED}}).body(stored,
		url.Values{"due_date": {"2026-02-21"}})
	require.Equal(t, map[string]any{"amount_fees": nil, "internal_notes": nil, "due_date": "2026-02-21"}, body)
}

// changedWith sends the form of a return that is in a status by now, and returns what reaches the API.
func changedWith(t *testing.T, status, put string, typed url.Values) (sent string, answered *httptest.ResponseRecorder) {
	t.Helper()
	says := saying(map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/audit": `{}`, "GET /v1/filings/file_1/history": `{}`, "GET /v1/filings/file_1/report": `{}`,
		"GET /v1/filings/file_1": aReturn[:len(aReturn)-1] + `,"status":"` + status + `","amount_fees":"3.00",
			"internal_notes":"New","amount_adjusted":"0.00","amount_penalties":"0.00"}`, "GET /v1/filings": `{}`, "PUT /v1/filings/file_1": put,
	})
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			body, _ := io.ReadAll(r.Body)
			sent = string(body)
		}
		says.ServeHTTP(w, r)
	})
	typed.Set("action", "change")
	for name, value := range map[string]string{"amount_fees": "3.00", "amount_penalties": "0.00", "internal_notes": "New"} {
		if !typed.Has(name) { // the original value
			typed.Set(name, value)
			typed.Set(was+name, value)
		}
	}
	answered = sendTo(t, api, "/o/org_1/filings/file_1", typed)
	return sent, answered
}

// A form does not overwrite what another person has saved since, and an unchanged form changes nothing.
func TestAnOldPageOfAReturnOverwritesNothing(t *testing.T) {
	t.Parallel()
	shown := returnFor(t, "preparer", `,"amount_fees":"0.00"`)
	require.Contains(t, shown, `<input type="hidden" name="was_amount_fees" value="0.00"`)
	sent, answered := changedWith(t, "UNFILED", `{}`, url.Values{
		"amount_adjusted": {"0.00"}, "was_amount_adjusted": {"0.00"}, "amount_fees": {"0.00"}, "was_amount_fees": {"0.00"},
		"amount_penalties": {"2"}, "was_amount_penalties": {"0.00"}, "internal_notes": {"Old\r\none"},
		"was_internal_notes": {"Old\none"},
	})
	require.Equal(t, http.StatusSeeOther, answered.Code)
	require.JSONEq(t, `{"amount_penalties":"2"}`, sent)
	sent, answered = changedWith(t, "UNFILED", `{}`, url.Values{"amount_adjusted": {"0.00"}, "was_amount_adjusted": {"0.00"},
		"internal_notes": {"Old"}, "was_internal_notes": {"Old"}})
	require.Equal(t, http.StatusSeeOther, answered.Code)
	require.Empty(t, sent)
	_, answered = changedWith(t, "UNFILED", `{"status":400,"code":"x","errors":[]}`, url.Values{
		"amount_adjusted": {"x"}, "was_amount_adjusted": {"0.00"}, "amount_fees": {"0.00"}, "was_amount_fees": {"0.00"},
	})
	shown = answered.Body.String()
	require.Contains(t, shown, `<input type="hidden" name="was_amount_fees" value="3.00"`,
		"what was not changed is as it is now")
	require.Regexp(t, `name="amount_fees" [^>]*value="3.00"`, shown)
	require.Contains(t, shown, `<input type="hidden" name="was_amount_adjusted" value="0.00"`)
	require.Regexp(t, `name="amount_adjusted" [^>]*value="x"`, shown)
}

// If two people change the same field, the second one sees the other value and overwrites it only by sending the form
// again.
func TestTheSameChangeByTwoPeopleIsSaid(t *testing.T) {
	t.Parallel()
	typed := url.Values{"amount_fees": {"7.00"}, "was_amount_fees": {"0.00"}, "amount_adjusted": {"0.00"},
		"was_amount_adjusted": {"0.00"}}
	sent, answered := changedWith(t, "UNFILED", `{}`, typed)
	require.Empty(t, sent)
	require.Equal(t, http.StatusConflict, answered.Code)
	shown := answered.Body.String()
	require.Contains(t, shown, "Another person has saved “3.00” here since you opened this page.")
	require.Contains(t, shown, `<input type="hidden" name="was_amount_fees" value="3.00"`)
	require.Regexp(t, `name="amount_fees" [^>]*value="7.00"`, shown)
	typed.Set("was_amount_fees", "3.00")
	sent, answered = changedWith(t, "UNFILED", `{}`, typed)
	require.JSONEq(t, `{"amount_fees":"7.00"}`, sent)
	require.Equal(t, http.StatusSeeOther, answered.Code)
}

// The API refuses an amount typed for a return that was submitted meanwhile. The form does not drop it silently.
func TestAnAmountOfAReturnThatIsHandedOverIsRefused(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"FILING", "FILED"} {
		sent, answered := changedWith(t, status, `{"status":409,"code":"x","title":"No","detail":"Its amounts are fixed."}`,
			url.Values{"amount_adjusted": {"5"}, "was_amount_adjusted": {"0.00"}})
		require.JSONEq(t, `{"amount_adjusted":"5"}`, sent, status)
		require.Equal(t, http.StatusConflict, answered.Code, status)
		require.Contains(t, answered.Body.String(), "Its amounts are fixed.", status)
	}
}

// The page keeps the typed values if the service does not answer.
func TestAChangeOfAReturnKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	_, answered := changedWith(t, "UNFILED", `{"status":503,"code":"service_unavailable","title":"No answer"}`, url.Values{
		"amount_adjusted": {"5"}, "internal_notes": {"Long notes"},
	})
	require.Equal(t, http.StatusServiceUnavailable, answered.Code)
	require.Contains(t, answered.Body.String(), "Long notes</textarea>")
	require.Contains(t, answered.Body.String(), `<details class="group" open><summary>Change amounts and notes`)
}

// People who may decide about returns cancel one, with a reason, before it is submitted. The page names the
// consequences.
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
	require.Contains(t, returnFor(t, "viewer", `,"status":"CANCELLED","cancelled_reason":"Sold"`), "· <bdi>Sold</bdi></p>")
	require.Contains(t, returnFor(t, "viewer", `,"status":"SKIPPED","skip_reason":"Nothing sold"`), "· <bdi>Nothing sold</bdi></p>")
}

// The confirmation of a return filed by hand has its date and the amount paid, if they are not today and the amount
// due.
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
	require.NotContains(t, returnFor(t, "viewer", `,"date_filed":"2026-02-03"`), "filed on")

	shown = returnFor(t, "approver", `,"status":"FILING","date_filed":"2026-02-03","tax_remitted":"12.00"`)
	require.Regexp(t, `Day of filing</label><input [^>]* required placeholder="31 Jan 2026" value="3 Feb 2026">`, shown,
		"what is known counts")
	require.Regexp(t, `name="tax_remitted" [^>]* required value="12.00">`, shown)
	shown = returnFor(t, "approver", `,"status":"FILING","tax_remitted":"0.00"`)
	require.Contains(t, shown, "Day of filing (today if empty)")
	require.Contains(t, shown, "(1,234,567.00 if empty)")
}
