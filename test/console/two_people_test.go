package console_test

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// meanwhile is a change by a colleague while a page with decisions is open, and the text of the page then.
type meanwhile struct {
	page, path, from, to, says string
}

// meanwhilesTried is how many of the first of them `make test` does. `make pages` does all.
const meanwhilesTried = 3

var meanwhiles = []meanwhile{
	{"/o/org_1/filings/file_1", "/v1/filings/file_1", `"amount":"1.00"`, `"amount":"9.00"`, "To pay 1.00 → 9.00. Last changed by Bob"},
	{"/o/org_1/filings/file_2", "/v1/filings/file_2", `"amount":"1.00"`, `"amount":"9.00"`, "To pay 1.00 → 9.00"},
	{"/o/org_1/registrations/regs_1", "/v1/registrations/regs_1", `"REGISTERED"`, `"DEREGISTERING"`,
		"Status Registered → Deregistering. Last changed by Bob"},
	{"/o/org_1/notices/ntc_1", "/v1/notices/ntc_1", `"OPEN"`, `"IN_PROGRESS"`, "Status Open → In progress. Last changed by Bob"},
	{"/o/org_1/nexus/nex_1", "/v1/nexus/nex_1", `"tax_liability":"0.00"`, `"tax_liability":"777.00"`, "Tax owed 0.00 USD → 777.00 USD"},
	{"/o/org_1/transactions/txn_2", "/v1/transactions/txn_2", `"total_amount":"10.00"`, `"total_amount":"11.00"`, "changed meanwhile"},
	{"/o/org_1/transactions/txn_1", "/v1/transactions/txn_1", `"revision":1`, `"revision":2`, "changed meanwhile"},
	{"/o/org_1/grants", "/v1/organizations/org_1", `"role":"preparer"`, `"role":"approver"`, "changed meanwhile"},
	{"/o/org_1/exemptions/exmp_1", "/v1/exemptions/exmp_1", `"ACTIVE"`, `"DEACTIVATED"`, "changed meanwhile"},
	{"/o/org_1/webhooks/whep_1", "/v1/webhook_endpoints/whep_1", `"ENABLED"`, `"DISABLED"`, "changed meanwhile"},
	{"/o/org_1/keys", "/v1/organizations/api_keys", `"Shop"`, `"Warehouse"`, "changed meanwhile"},
	{"/o/org_1/people", "/v1/users", `"role":"viewer"`, `"role":"admin"`, "changed meanwhile"},
	{"/o/org_1/rates", "/v1/rate_overrides", `"0.080000000"`, `"0.090000000"`, "changed meanwhile"},
	{"/o/org_1/feeds", "/v1/calendar_feeds", `"Team"`, `"Others"`, "changed meanwhile"},
	{"/o/org_1/clients/org_2", "/v1/onboarding/org_2", `"Client"`, `"Another"`, "Name Client → Another"},
	{"/o/org_1/payments", "/v1/filing_payments", `"amount":"1.00"`, `"amount":"9.00"`, "1.00 USD → 9.00 USD"},
	{"/exceptions?type__in=FILING_ISSUE", "/v1/exceptions", `"title":"ORDER-1"`, `"title":"ORDER-1, 9.00"`, "changed meanwhile"},
	{"/filings/approve?pick=" + url.QueryEscape("org_1 FILING file_1"), "/v1/filing_approvals", `"amount":"1.00"`, `"amount":"9.00"`,
		"changed meanwhile"},
}

// decisionsOfPage are the forms that decide. Of a list they are those of its first line.
const decisionsOfPage = `[...document.querySelectorAll('[data-decides] form, form[data-decides]')].filter((form) => ` +
	`((part) => !part.dataset.decides || part === document.querySelector('[data-decides]'))(form.closest('[data-decides]')))`

// A change by a colleague is told before any decision of the page is sent, with its author, and nothing is sent. Once the
// change was shown, the same button decides.
func TestADecisionWaitsUntilAChangeWasShown(t *testing.T) {
	t.Parallel()
	tab, made := open(t, 1280, 900), &calls{}
	address, says := office(t, made)
	for i, m := range meanwhiles {
		if i >= meanwhilesTried && !isWhole() {
			break
		}
		t.Run(m.page, func(t *testing.T) {
			m.isTold(tab.in(t), made, address, says)
		})
	}
}

// isTold opens the page for each of its decisions, changes the record, and decides.
func (m meanwhile) isTold(b *browser, made *calls, address string, says *answers) {
	b.t.Helper()
	b.do(chromedp.Navigate(address + m.page))
	b.is(`document.readyState === 'complete'`)
	decisions, err := strconv.Atoi(b.text("String(" + decisionsOfPage + ".length)"))
	require.NoError(b.t, err)
	require.Positive(b.t, decisions, m.page)
	for i := range decisions {
		m.decides(b, fmt.Sprintf("%s[%d]", decisionsOfPage, i), i == 0, made, address, says)
	}
}

// decides changes the record behind the page, and presses the button of a form. shows has it show the change and press again.
func (m meanwhile) decides(b *browser, form string, shows bool, made *calls, address string, says *answers) {
	b.t.Helper()
	b.do(chromedp.Navigate(address + m.page))
	b.is(`document.readyState === 'complete'`)
	defer says.change(b.t, m.path, m.from, m.to)()
	defer says.change(b.t, "/v1/audit", `"changes":{}`, `"changes":{},"actor":{"type":"USER","id":"user_2","name":"Bob"}`)()
	made.have("")
	send := `((form) => { form.noValidate = true; form.requestSubmit(form.querySelector('button')); return true; })(` + form + `)`
	b.is(send)
	b.is(fmt.Sprintf(`document.querySelector('.changed')?.innerText.includes(%q) && document.activeElement.innerText === 'Show'`, m.says))
	b.is(send)
	b.is(`document.querySelector('[data-decides] button').getAttribute('aria-disabled') === 'true'`)
	_, all := made.have("")
	for _, call := range all {
		require.True(b.t, strings.HasPrefix(call, "GET ") || strings.Contains(call, `"dry_run":true`), call)
	}
	if shows {
		b.click(".changed button")
		b.is(`document.querySelector('.changed') === null`)
		if m.page == "/o/org_1/payments" {
			b.is(send)
			made.await(b.t, m.page, "^POST /v1/payment_files ") // a download
			return
		}
		b.leaves(m.page, func() { b.is(send) })
	}
}

// However often a button is pressed while its page is read again, the page is read once. A form that cannot be sent then
// leaves the next decision to be read. What the page could not read answers no form, and a page that is shown at the
// address of a form is read at its own.
func TestADecisionIsReadOnceAndEachTime(t *testing.T) {
	t.Parallel()
	b := open(t, 1280, 900)
	address, _ := office(t, &calls{})
	b.beforePages(`history.replaceState(null, '', location.pathname + '/revoke?queue=1')`)
	b.do(chromedp.Navigate(address + "/o/org_1/keys"))
	b.is(`document.readyState === 'complete'`)
	const form = `document.querySelector('[data-decides] form, form[data-decides]')`
	b.is(`((form) => {
		window.read = [];
		XMLHttpRequest.prototype.open = (method, address) => { window.read.push(address); };
		XMLHttpRequest.prototype.send = function () {
			if (window.read.length === 1) setTimeout(() => {
				form.append(Object.assign(document.createElement('input'), { required: true }));
				form.noValidate = false;
				this.onerror();
				setTimeout(() => { window.ended = true; });
			});
		};
		for (const [className, textContent] of [['', ''], ['omitted', 'Not shown']]) {
			document.getElementById('main').append(Object.assign(document.createElement('p'), { role: 'status', className, textContent }));
		}
		form.noValidate = true;
		form.requestSubmit();
		form.requestSubmit();
		return true;
	})(` + form + `)`)
	b.is(`window.ended`)
	b.is(`window.read.join() === '/o/org_1/keys?queue=1'`)
	b.is(`((form) => { form.noValidate = true; form.requestSubmit(); return true; })(` + form + `)`)
	b.is(`window.read.length === 2`)
}
