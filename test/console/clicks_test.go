package console_test

import (
	"fmt"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// user does a task like a person with a mouse and a keyboard, and counts the clicks and the fields that it fills. It opens
// no address directly.
type user struct {
	b              *browser
	clicks, fields int
	keyboard       bool // instead of the mouse
}

// mostStops is the largest number of presses of the tabulator to an element.
const mostStops = 250

// reach moves the focus to an element by the tabulator alone. The focus must be marked.
func (h *user) reach(selector string) {
	h.b.t.Helper()
	for range mostStops {
		h.b.do(chromedp.KeyEvent("\t"))
		found := h.b.text(fmt.Sprintf(`((e) => !e.matches(%q) ? 'no' : getComputedStyle(e).outlineStyle === 'none' ? 'unmarked' : 'yes')`+
			`(document.activeElement)`, selector))
		require.NotEqual(h.b.t, "unmarked", found, selector)
		if found == "yes" {
			return
		}
	}
	require.Fail(h.b.t, "the keyboard does not reach "+selector)
}

// inClicks does a task in a limited number of clicks.
func (b *browser) inClicks(most int, task string, do func(h *user)) {
	b.t.Helper()
	h := &user{b: b}
	do(h)
	require.LessOrEqual(b.t, h.clicks, most, "clicks for: %s", task)
	b.t.Logf("%s: %d clicks", task, h.clicks)
}

// press clicks on an element that leads to another page: it must be visible, and nothing may cover it.
func (h *user) press(selector string) {
	h.b.t.Helper()
	h.clicks++
	if h.keyboard {
		h.reach(selector)
		h.b.leaves(selector, func() { h.b.do(chromedp.KeyEvent("\r")) })
		return
	}
	h.b.is(fmt.Sprintf(`((e) => { if (e === null) return false; e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();
		return e.checkVisibility() && e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2));
	})(document.querySelector(%q))`, selector))
	h.b.click(selector)
}

// write types into a field, and moves by the tabulator to the following ones. If the cursor is elsewhere, that takes
// a click. The text of a field is replaced.
func (h *user) write(selector, text string) {
	h.b.t.Helper()
	h.fields += 1 + strings.Count(text, "\t")
	h.b.is(fmt.Sprintf(`document.querySelector(%q)?.checkVisibility()`, selector))
	there := h.b.text(fmt.Sprintf(`String(document.activeElement === document.querySelector(%q))`, selector))
	if there != "true" {
		h.clicks++
		if h.keyboard {
			h.reach(selector)
		} else {
			h.b.do(chromedp.Click(selector))
		}
	}
	h.b.is(fmt.Sprintf(`(document.querySelector(%q).select(), true)`, selector)) // as Control and A do
	h.b.do(chromedp.KeyEvent(text))
}
