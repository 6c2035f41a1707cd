package console_test

import (
	"fmt"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// hand does a task as a person with a mouse and a keyboard does, and counts the clicks. It goes to no address by
// itself.
type hand struct {
	b      *browser
	clicks int
}

// inClicks does a task in at most so many clicks.
func (b *browser) inClicks(most int, task string, do func(h *hand)) {
	b.t.Helper()
	h := &hand{b: b}
	do(h)
	require.LessOrEqual(b.t, h.clicks, most, "clicks for: %s", task)
	b.t.Logf("%s: %d clicks", task, h.clicks)
}

// press clicks on what leads to another page: it is in sight there, and nothing lies upon it.
func (h *hand) press(selector string) {
	h.b.t.Helper()
	h.clicks++
	h.b.is(fmt.Sprintf(`((e) => { if (e === null) return false; e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();
		return e.checkVisibility() && e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2));
	})(document.querySelector(%q))`, selector))
	h.b.click(selector)
}

// write types into a field, from there by the tabulator into those behind it. Where the cursor is elsewhere, that
// takes a click. What stands in a field is replaced.
func (h *hand) write(selector, text string) {
	h.b.t.Helper()
	h.b.is(fmt.Sprintf(`document.querySelector(%q)?.checkVisibility()`, selector))
	there, err := chromedp.Run(h.b.ctx,
		chromedp.Evaluate[bool](fmt.Sprintf(`document.activeElement === document.querySelector(%q)`, selector)))
	require.NoError(h.b.t, err)
	if !there {
		h.clicks++
		h.b.do(chromedp.Click(selector))
	}
	h.b.is(fmt.Sprintf(`(document.querySelector(%q).select(), true)`, selector)) // as Control and A do
	h.b.do(chromedp.KeyEvent(text))
}
