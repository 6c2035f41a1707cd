package console_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// The keyboard opens the card of a line next to the list, which stays where it is. The address then has the card, and
// shows it again without the script.
func TestACardOpensNextToTheQueue(t *testing.T) {
	t.Parallel()
	server := answering(t, map[string]string{
		"/v1/session": `{"user":{"name":"Ada"},"organizations":[{"organization_id":"org_1","role":"admin"}]}`,
		"/v1/exceptions": `{"page":1,"pages":1,"total":1,"items":[{"type":"TRANSACTION_UNRESOLVED","organization_id":"org_1",
			"object_id":"txn_1","title":"ORDER-1","reason":"The state is missing.","since":"2026-01-01T00:00:00Z","cursor":"c1"}]}`,
		"/v1/transactions/txn_1":             `{"id":"txn_1","addresses":[{"type":"SHIP_TO","city":"Austin"}]}`,
		"/v1/transactions/txn_1/explanation": `{"steps":[{"text":"Texas taxes it."}]}`,
		"/v1/":                               `{}`,
	})

	b := open(t, 1600, 900)
	b.do(chromedp.Navigate(server + "/exceptions"))
	b.is(`(window.stays = true) && document.querySelector('aside') === null`)
	b.do(chromedp.KeyEvent("j"))
	b.is(`document.activeElement.innerText === 'ORDER-1'`)
	b.do(chromedp.KeyEvent("e"))
	b.is(`document.querySelector('aside')?.innerText.includes('Texas taxes it.') && location.search.includes('open=') && window.stays`)
	b.is(`((left, right) => left.getBoundingClientRect().right <= right.getBoundingClientRect().left)` +
		`(document.querySelector('main .scroll'), document.querySelector('aside'))`)
	b.accessible("card of an exception")
	b.do(chromedp.Reload())
	b.is(`document.querySelector('aside')?.innerText.includes('Austin') && !window.stays`)
	b.do(chromedp.EmulateViewport(320, 800))
	b.is(`document.documentElement.scrollWidth <= 320`)
	shut := `(document.querySelector('aside a[href="/exceptions?"]').click(), true)`
	b.is(shut)
	b.is(`document.querySelector('aside') === null && !location.search.includes('open=')`)

	// Below the list the card comes into view. What closes it gives the focus back.
	b.do(chromedp.EmulateViewport(320, 300))
	b.is(`(document.querySelector('tbody a[data-open]').click(), true)`)
	b.is(`((card) => card && card.top < innerHeight && card.bottom > 0)(document.querySelector('aside')?.getBoundingClientRect())`)
	b.is(shut)
	b.is(`document.querySelector('aside') === null && document.activeElement.matches('tbody a[data-open]')`)
}
