package console_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	devtools "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
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

// enter presses the key that sends the form of the field with the cursor, and waits for a path.
func (h *user) enter(path string) {
	h.b.t.Helper()
	h.b.do(chromedp.KeyEvent("\r"))
	h.b.is(fmt.Sprintf(`location.pathname === %q && document.readyState === 'complete'`, path))
}

// mark clicks on a box or a summary, which leads to no other page.
func (h *user) mark(selector string) {
	h.b.t.Helper()
	h.clicks++
	if h.keyboard {
		h.reach(selector)
		key := "\r"
		if h.b.text(`document.activeElement.tagName`) == "INPUT" {
			key = " "
		}
		h.b.do(chromedp.KeyEvent(key))
		return
	}
	h.b.do(chromedp.Click(selector))
}

// download marks a link or a button that downloads a file, and waits until the browser has it. A page that is opened earlier
// may be lost: the browser never tells that it has loaded.
func (h *user) download(selector string) {
	h.b.t.Helper()
	ctx, cancel := context.WithCancel(h.b.ctx)
	defer cancel() // it ends the events
	_, err := cdp.Call(ctx, chromedp.FromContext(ctx).Browser, devtools.SetDownloadBehavior, devtools.SetDownloadBehaviorParams{
		Behavior: devtools.SetDownloadBehaviorBehaviorAllow, DownloadPath: h.b.t.TempDir(), EventsEnabled: new(true)})
	require.NoError(h.b.t, err)
	events := chromedp.BrowserEvents(ctx, devtools.DownloadProgress)
	h.mark(selector)
	for e, err := range events {
		require.NoError(h.b.t, err)
		if e.State == devtools.DownloadProgressStateCompleted {
			return
		}
	}
}

// pick counts a click and a field, for what a person takes and does not type.
func (h *user) pick(selector string) {
	h.b.t.Helper()
	h.clicks, h.fields = h.clicks+1, h.fields+1
	if h.keyboard {
		h.reach(selector)
	}
}

// choose takes an option of a list.
func (h *user) choose(selector, value string) {
	h.b.t.Helper()
	h.pick(selector)
	h.b.is(fmt.Sprintf(`((list) => { list.value = %[2]q; list.dispatchEvent(new Event('change', {bubbles: true}));
		return list.value === %[2]q && list.checkVisibility(); })(document.querySelector(%[1]q))`, selector, value))
}

// upload picks a file.
func (h *user) upload(selector, content string) {
	h.b.t.Helper()
	h.pick(selector)
	file := filepath.Join(h.b.t.TempDir(), "document.pdf")
	require.NoError(h.b.t, os.WriteFile(file, []byte(content), 0o600))
	h.b.do(chromedp.SetUploadFiles(selector, []string{file}))
}
