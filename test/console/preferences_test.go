package console_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// The pages have the colours and forms that their person has chosen, whatever the browser prefers, and are accessible in
// them. Views that others share stand next to one's own.
func TestPreferences(t *testing.T) {
	t.Parallel()
	const organization = `"organizations":[{"organization_id":"org_1","organization_name":"Shop","role":"admin"}]`
	answers := map[string]string{
		"/v1/session": `{"user":{"name":"Ada"},` + organization + `,"preferences":{"theme":"DARK","date_format":"ISO",
			"number_format":"SPACE","time_zone":"America/Chicago","time_zone_chosen":true,"page_size":20}}`,
		"/v1/session/views": `{"items":[{"id":"view_1","list":"filings","name":"Late","query":"due_days__lte=-1"}],
			"shared":[{"id":"view_2","list":"filings","name":"Texas","query":"state_code=TX","shared_with":"org_1",
			"shared_by":"Bo"}]}`,
		"/v1/due_filings": `{"total":1,"pages":1,"items":[{"id":"file_1","organization_id":"org_1","status":"UNFILED",
			"country_code":"US","state_code":"NY","state_name":"New York","start_date":"2026-01-01","end_date":"2026-03-31",
			"due_date":"2026-04-20","amount":"1234567.00","currency":"USD"}]}`,
		"/v1/": `{}`,
	}
	server := answering(t, answers)
	const dark = `getComputedStyle(document.body).backgroundColor === 'rgb(14, 18, 24)' && ` +
		`getComputedStyle(document.documentElement).colorScheme === 'dark'`

	b := open(t, 1280, 900)
	b.prefers("light")
	b.do(chromedp.Navigate(server + "/filings"))
	b.is(dark)
	b.is(`document.querySelector('main').innerText.includes('1\u202F234\u202F567.00') && document.body.innerText.includes('2026-04-20')`)
	b.is(`(document.querySelector('.keep').open = true)`)
	b.is(`document.querySelector('.keep').innerText.includes('Bo shares Texas')`)
	b.accessible("views")
	b.do(chromedp.Navigate(server + "/preferences"))
	b.is(`document.querySelector('[aria-pressed=true]').value === 'DARK' && ` +
		`document.querySelector('[name=time_zone]').value === 'America/Chicago'`)
	b.accessible("preferences")
}
