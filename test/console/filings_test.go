package console_test

import (
	"bytes"
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// A return is created, changed, filed by hand and cancelled on pages alone. Once it can be approved there is no worker
// that hands it over, as where no authority is connected.
func TestAReturnIsFiledByHand(t *testing.T) {
	t.Parallel()
	b := open(t, 1280, 900)
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	bed.Worker.Start()
	registration := bed.Post("/v1/registrations", map[string]any{
		"country_code": "US", "state_code": "WA", "filing_frequency": "MONTHLY", "imported": true,
		"registration_date":   testbed.FirstOfMonth(3).Format(time.DateOnly),
		"create_filings_from": testbed.FirstOfMonth(-12).Format(time.DateOnly),
	})
	require.Equal(t, http.StatusOK, registration.Status, string(registration.Body))
	page := bed.API.URL() + "/o/" + bed.OrganizationID + "/registrations/" + registration.Field("id")
	b.enter(invited(bed, "ada@example.com", "--name", "Ada Admin", "--organization", bed.OrganizationID,
		"--role", "approver"))
	b.do(chromedp.Navigate(page))

	month := testbed.FirstOfMonth(3)
	first, last := month.Format(time.DateOnly), month.AddDate(0, 1, -1).Format(time.DateOnly)
	const create = `details:has(#start-date) button`
	b.is(`(document.querySelector('details:has(#start-date)').open = true) && ` +
		setField("start-date", last) + ` && ` + setField("end-date", first))
	b.click(create)
	b.is(`document.querySelector('details:has(#start-date)').open && document.querySelector('#start-date').value === '` +
		month.AddDate(0, 1, -1).Format("2 Jan 2006") + `' && document.querySelector('#end-date-wrong').innerText.includes('First day')`)
	b.accessible("registration with a return to correct")
	b.is(setField("start-date", first) + ` && ` + setField("end-date", last))
	b.click(create)
	b.is(`location.pathname.includes('/filings/') && document.querySelector('.badge').innerText === 'Not filed yet'`)

	of := "/v1/filings/" + b.text(`location.pathname.split('/').pop()`)
	bed.Eventually("the return can be approved", func(ctx context.Context) (bool, error) {
		shown, err := bed.Send(ctx, bed.API, http.MethodGet, of, nil)
		return bytes.Contains(shown.Body, []byte(`"can_approve":true`)), err
	})
	bed.Worker.Stop()
	b.reload()

	const change = `details:has(#amount-fees)`
	b.is(`(document.querySelector('` + change + `').open = true) && ` + setField("amount-fees", "-3") + ` && ` +
		setField("internal-notes", "Late.\nAsk Ada."))
	b.click(change + ` button`)
	b.is(`document.querySelector('#amount-fees-wrong') !== null && ` +
		`document.querySelector('#internal-notes').value === 'Late.\nAsk Ada.'`)
	b.accessible("return to correct")
	b.is(setField("amount-fees", "3.5"))
	b.click(change + ` button`)
	b.is(`document.querySelector('main').innerText.includes('Ask Ada.') && ` +
		`document.querySelector('.acts button').innerText === 'Approve 3.50 USD'`)

	// A colleague changes the amount while somebody is about to approve it.
	changed, err := bed.Send(t.Context(), bed.API, http.MethodPut, of, map[string]any{"amount_penalties": "777.00"})
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, changed.Status, string(changed.Body))
	b.is(`document.querySelector('.changed')?.innerText.includes('To pay 3.50 → 780.50; Penalties 0.00 → 777.00') && ` +
		`document.querySelector('.changed').innerText.includes(' by ')`)
	b.accessible("return that a colleague changed")
	b.is(`(document.querySelector(".acts button").click(), true)`)
	b.is(`document.activeElement.innerText === 'Show' && ` +
		`document.querySelector('.acts button').innerText === 'Approve 3.50 USD'`)
	b.click(`.changed button`)
	b.is(`document.querySelector('.changed') === null && ` +
		`document.querySelector('.acts button').innerText === 'Approve 780.50 USD'`)
	b.click(`.acts button`)

	b.is(`document.querySelector('.done').innerText === 'Approved 780.50 USD by Ada Admin.' && ` +
		`document.activeElement.matches('.done') && ` +
		`document.querySelector('.badge').innerText === 'With the authority' && ` +
		`(document.querySelector('details:has(#remitted)').open = true) && ` +
		setField("number", "WA-1") + ` && ` + setField("remitted", "a lot"))
	b.accessible("return to confirm")
	b.click(`details:has(#remitted) button`)
	b.is(`document.querySelector('main [role=alert]').innerText.includes('Amount paid, in USD (780.50 if empty): ') && ` +
		`document.querySelector('details:has(#remitted)').open && document.querySelector('#number').value === 'WA-1'`)
	b.is(setField("remitted", "3.25"))
	b.click(`details:has(#remitted) button`)
	b.is(`document.querySelector('.badge').innerText === 'Filed' && ` +
		`[...document.querySelectorAll('tr')].some(e => e.innerText.replace(/\s+/g, ' ') === 'Paid 3.25') && ` +
		`[...document.querySelectorAll("main details summary")].map(e => e.innerText).join() === "Amend"`)
	b.accessible("return filed by hand")

	month = testbed.FirstOfMonth(2)
	b.do(chromedp.Navigate(page))
	b.is(`(document.querySelector('details:has(#start-date)').open = true) && ` +
		setField("start-date", month.Format(time.DateOnly)) + ` && ` +
		setField("end-date", month.AddDate(0, 1, -1).Format(time.DateOnly)))
	b.click(create)
	b.is(`document.querySelector('details:has(#cause) button').checkVisibility() === false && ` +
		`(document.querySelector('details:has(#cause)').open = true) && ` + setField("cause", "Moved away"))
	b.click(`details:has(#cause) button`)
	b.is(`document.querySelector('.badge').innerText === 'Cancelled' && ` +
		`document.querySelector('main').innerText.includes('Moved away') && document.querySelector('#amount-fees') === null && ` +
		`document.querySelector('#internal-notes') !== null`)
	require.Equal(t, 1,
		bed.Count("SELECT count(*) FROM filings WHERE status = 'CANCELLED' AND cancelled_reason = 'Moved away'"))
}
