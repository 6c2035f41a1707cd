package console_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// returnsOfMany has staff, who are signed in, read the returns of all clients: as a table, and as a calendar of a
// month.
func returnsOfMany(t *testing.T, b *browser, bed *testbed.Bed, filing string) {
	t.Helper()
	b.do(chromedp.Navigate(bed.API.URL() + "/filings"))
	b.is(`document.querySelector('tbody tr').innerText.includes('days overdue') && ` +
		`document.querySelector('tbody').innerText.includes('First partner')`)
	b.accessible("filings of all")
	b.is(`document.querySelector('caption').innerText.endsWith('the first due first') || ` +
		`document.querySelectorAll('tbody tr').length === 1`)
	b.clickAfter(setField("order_by", "-amount"), ".filters button")
	b.is(`document.querySelector('#order_by').value === '-amount' && ` +
		`document.querySelector('tbody').innerText.includes('1.06 USD')`)
	b.is(`(document.querySelector('.keep').open = true) && ` + setField("view", "By amount"))
	b.click(".keep form:first-of-type button")
	b.is(`document.querySelector('nav[aria-label=Views] a:last-child[aria-current]').innerText === 'By amount'`)
	b.do(chromedp.Navigate(bed.API.URL() + "/filings"))
	b.click(`nav[aria-label=Views] a:nth-child(4)`) // with an issue
	b.is(`document.querySelector('nav[aria-label=Views] [aria-current]').innerText === 'With an issue' && ` +
		`document.querySelector('.empty') !== null`)
	b.do(chromedp.Navigate(bed.API.URL() + "/filings/calendar?month=" + testbed.FirstOfMonth(2).Format("2006-01")))
	b.is(`document.querySelectorAll('.calendar td a').length === 1`)
	b.accessible("calendar")
	b.click(`.calendar td a`)
	b.click(`tbody a[href$="/` + filing + `"]`)
	b.is(`document.querySelector('main').innerText.includes('To pay')`)
}

// theAuthorityRefuses has staff, who are signed in, handle a return that the authority refuses: it is submitted and
// refused again, released, approved again, and confirmed by people because the authority does not answer.
func theAuthorityRefuses(t *testing.T, b *browser, bed *testbed.Bed, filing string) {
	t.Helper()
	const opened = `(document.querySelectorAll('main details').forEach((e) => { e.open = true }), true)`
	act := func(action string) string { return "form:has(input[value=" + action + "]) button" }
	bed.Eventually("the authority refuses", func(context.Context) (bool, error) {
		return bed.Count("SELECT count(*) FROM filing_history WHERE filing_id = $1 AND action = 'REJECTED'", filing) == 1, nil
	})
	noteOfReturn(t, bed, filing, "SIMULATE_DOWN")
	b.do(chromedp.Navigate(bed.API.URL() + "/exceptions?type__in=FILING_ISSUE"))
	b.is(`document.querySelector('#lines').innerText.includes('1.06 USD') && ` +
		`!document.querySelector('#lines').innerText.includes('so far')`)
	b.accessible("exception of a return")
	b.click("#lines " + act("retry"))
	b.is(opened + ` && ` + setField("said", "Account unknown"))
	b.accessible("filing with the authority")
	b.click(act("refuse"))
	b.is(`document.querySelector('.badge').innerText === 'Issue' && document.querySelector('h1 + ` +
		`p').innerText.includes('Account unknown')`)
	b.click(act("retry"))
	b.is(opened + ` && ` + setField("said", "Wrong period"))
	b.click(act("refuse"))
	b.is(`document.querySelector('h1 + p').innerText.includes('Wrong period')`)
	b.click(act("resume"))
	b.is(`document.querySelector('.badge').innerText === 'Not filed yet'`)
	b.click(act("approve"))
	b.is(opened + ` && ` + setField("number", "WA-7781"))
	b.click(act("confirm"))
	b.is(`document.querySelector('.badge').innerText === 'Filed' && ` +
		`document.querySelector('main').innerText.includes('confirmation WA-7781')`)
	b.is(`['Rejected, attempt 1', 'Rejected by Sam Staff, attempt 2: Account unknown',
		'Retried by Sam Staff, attempt 3', 'Filed by Sam Staff'].every((said) =>
		document.querySelector('.history').innerText.includes(said))`)
	b.click(act("verify"))
	b.is(`document.querySelector('[role=status]').innerText.startsWith('The records still match what was filed: 1 ')`)
	b.accessible("filing that is filed")
}

// noteOfReturn writes the note of a return, which sets the answer of the simulated authority.
func noteOfReturn(t *testing.T, bed *testbed.Bed, filing, note string) {
	t.Helper()
	noted, err := bed.Send(t.Context(), bed.API, http.MethodPut, "/v1/filings/"+filing,
		map[string]any{"internal_notes": note})
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, noted.Status, string(noted.Body))
}

// aReturnIsPostponed has staff, who are signed in, handle a return that is paused: it is resumed from the exceptions,
// blocked and unblocked, paused until a day, and skipped.
func aReturnIsPostponed(t *testing.T, b *browser, bed *testbed.Bed, filing string) {
	t.Helper()
	page := "/o/" + bed.OrganizationID + "/filings/" + filing
	b.do(chromedp.Navigate(bed.API.URL() + "/exceptions?type__in=FILING_OVERDUE"))
	b.click(`form[action^="` + page + `?"]:has(input[value=resume]) button`)
	b.is(`location.pathname === '` + page + `' && document.querySelector('.badge').innerText === 'Not filed yet'`)
	const opened = `(document.querySelectorAll('main details').forEach((e) => { e.open = true }), true)`
	b.is(opened + ` && ` + setField("notes", "A sale is missing."))
	b.accessible("filing to be blocked")
	b.click(`form:has(input[value=block]) button`)
	b.is(`['its approval is blocked', 'Internal notes: “A sale is missing.”'].every((said) => ` +
		`document.querySelector('main').innerText.includes(said)) && ` + opened)
	b.click(`form:has(input[value=unblock]) button`)
	b.is(`document.querySelector('input[value=block]') !== null && ` + opened + ` && ` + setField("until", "2099-12-31"))
	b.click(`form:has(input[value=pause]) button`)
	b.is(`document.querySelector('.badge').innerText === 'Paused' && ` +
		`document.querySelector('main').innerText.includes('paused until 31 Dec 2099')`)
	b.is(opened + ` && ` + setField("why", "No sales"))
	b.click(`form:has(input[value=skip]) button`)
	b.is(`document.querySelector('.badge').innerText === 'Skipped' && ` +
		`document.querySelector('.history').innerText.includes('No sales')`)
}
