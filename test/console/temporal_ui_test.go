package console_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/internal/local/temporal"
	"levy/test/testbed"
	"levy/workflows"
)

// press clicks the button or link that begins with a text: the identifiers in the pages of the Temporal UI change
// with its versions, the texts seldom.
func (b *browser) press(text string) {
	b.t.Helper()
	b.is(fmt.Sprintf(`(() => {
		const found = [...document.querySelectorAll('dialog[open] button')]
			.concat([...document.querySelectorAll('button, a, [role=menuitem], [role=option]')])
			.find(e => (e.innerText + (e.querySelector('input')?.value ?? '')).trim().startsWith(%q) && e.checkVisibility() && !e.disabled)
		found?.click()
		return !!found })()`, text))
}

// laterReturn is the return of the month after that of returnDue, once its run waits.
func laterReturn(t *testing.T, bed *testbed.Bed) (filing string) {
	t.Helper()
	month := testbed.FirstOfMonth(2)
	made := bed.Post("/v1/filings", map[string]any{
		"registration_id": bed.Rows("SELECT id::text FROM registrations WHERE state_code = 'WA'")[0]["id"],
		"country_code":    "US", "state_code": "WA", "state_name": "Washington",
		"filing_category": "REGULAR", "status": "UNFILED", "start_date": month.Format(time.DateOnly),
		"end_date": month.AddDate(0, 1, -1).Format(time.DateOnly),
	})
	require.Equal(t, http.StatusOK, made.Status, string(made.Body))
	bed.Eventually("its run waits", func(ctx context.Context) (bool, error) {
		_, err := bed.Temporal().DescribeWorkflowExecution(ctx, workflows.FilingID(made.Field("id")), "")
		return err == nil, err
	})
	return made.Field("id")
}

// A staff operator who has signed in to the console reads a return in the Temporal UI, and sends it an
// Update without any proof: the codec adds it, and the audit trail has the person.
func aReturnIsPausedInTheTemporalUI(t *testing.T, b *browser, bed *testbed.Bed, ofDevelopers string) (filing string) {
	t.Helper()
	filing = laterReturn(t, bed)
	b.pauseInTheTemporalUI(bed.TemporalUI, bed.API.URL(), bed.TemporalNamespace, filing)
	bed.Eventually("the return is paused by the person", func(context.Context) (bool, error) {
		return bed.Count(`SELECT count(*)
			FROM audit a
			JOIN filings f ON f.id = a.entity_id
			WHERE f.id = $1 AND f.status = 'PAUSED'
			AND a.user_name = 'Sam Staff' AND a.user_id IS NOT NULL AND a.detail ->> 'to' = 'PAUSED'`, filing) == 1, nil
	})
	require.Equal(t, 1, bed.Count(`SELECT count(*)
		FROM attached_proofs
		WHERE user_id IS NOT NULL AND used_by IS NOT NULL`))
	b.do(chromedp.Navigate(ofDevelopers + "/namespaces/" + bed.TemporalNamespace + "/workflows/" +
		url.PathEscape(workflows.FilingID(filing))))
	b.is(`document.body.innerText.includes('"category": "REGULAR"')`)
	b.do(chromedp.Navigate(bed.API.URL() + "/"))
	b.is(`(document.cookie = '_csrf=; path=/; max-age=0', true)`) // the cookie of the UI, since cookies do not depend on the port
	return filing
}

// uiOfDevelopers serves the bed's UI as `levy dev` does, without any settings of the user. It returns its address,
// from which the API that is started next accepts requests.
func uiOfDevelopers(t *testing.T, bed *testbed.Bed) string {
	t.Helper()
	at := func(address string) string { return strings.TrimPrefix(address, "http://") }
	ui := httptest.NewServer(temporal.NewUI(at(bed.TemporalUI), at(bed.API.URL()), ""))
	t.Cleanup(ui.Close)
	bed.Set("LEVY_CODEC_ORIGINS", bed.TemporalUI+","+ui.URL)
	return ui.URL
}

// pauseInTheTemporalUI sets the codec manually, to the settings of the UI of a deployment.
func (b *browser) pauseInTheTemporalUI(ui, service, namespace, filing string) {
	b.t.Helper()
	b.do(chromedp.Navigate(ui))
	b.is(fmt.Sprintf(`(localStorage.endpoint = JSON.stringify(%q), localStorage.includeCredentials = `+
		`localStorage.overrideRemoteCodecConfiguration = 'true', true)`, service+"/codec"))
	b.readAndPause(ui, namespace, filing)
}

// readAndPause reads a return in the Temporal UI, and sends the Update that pauses it.
func (b *browser) readAndPause(ui, namespace, filing string) {
	b.t.Helper()
	b.do(chromedp.Navigate(ui + "/namespaces/" + namespace + "/workflows/" + url.PathEscape(workflows.FilingID(filing))))
	b.is(`/REGULAR return of .* to US-/.test(document.body.innerText) && document.body.innerText.includes('Read the record') &&
		document.body.innerText.includes('"category": "REGULAR"')`)
	b.press("User Metadata") // which shows the summary and the reason why the run waits, in frames of their own
	b.is(`document.body.innerText.includes('Current Details')`)
	b.shot("temporal-ui-details")
	b.press("More Actions")
	b.press("Send an Update")
	b.press("Select an Update")
	b.press("pause")
	const argument = "dialog[open] .cm-content"
	b.do(chromedp.Click(argument), chromedp.SendKeys(argument, `{"until": "2099-12-31"}`))
	b.shot("temporal-ui-update")
	b.press("Submit")
}
