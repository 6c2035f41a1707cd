// Package console_test opens the pages in a real browser, on the real service.
package console_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

func TestMain(m *testing.M) { testbed.Main(m) }

// browser is a tab of a headless Chromium.
type browser struct {
	t   *testing.T
	ctx context.Context
}

// open starts a browser with a window of a size, and with flags, names and values in turn. Without a Chromium on this
// machine the test is skipped.
func open(t *testing.T, width, height int64, flags ...string) *browser {
	t.Helper()
	program, err := exec.LookPath("chromium-headless-shell") // which needs less of the machine
	if err != nil {
		program, err = exec.LookPath("chromium")
	}
	if err != nil {
		t.Skip("No chromium on this machine: install Debian's package to test the pages.")
	}
	ctx, cancel := context.WithTimeout(context.Background(), testbed.WaitLimit*4)
	t.Cleanup(cancel)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program),
		chromedp.UserDataDir(t.TempDir()))
	for i := 0; i < len(flags); i += 2 {
		options = append(options, chromedp.Flag(flags[i], flags[i+1]))
	}
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium has none for root
	}
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx}
	b.do(chromedp.EmulateViewport(width, height))
	b.prefers("light") // without animations, each frame of which would be drawn
	return b
}

// in returns the same tab for a part of a test.
func (b *browser) in(t *testing.T) *browser {
	t.Helper()
	return &browser{t: t, ctx: b.ctx}
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, steps...))
}

// reload loads the page again, also where it is just being left: live pages reload themselves.
func (b *browser) reload() {
	b.t.Helper()
	err := chromedp.Do(b.ctx, chromedp.Reload())
	for lost(err) {
		err = chromedp.Do(b.ctx, chromedp.Reload())
	}
	require.NoError(b.t, err)
}

// lost reports whether a call was lost because its page was left.
func lost(err error) bool {
	if err == nil {
		return false
	}
	for _, says := range []string{"navigated", "Cannot find context", "Execution context was destroyed",
		"Promise was collected", "Not attached to an active page", "net::ERR_ABORTED"} {
		if strings.Contains(err.Error(), says) {
			return true
		}
	}
	return false
}

// pollInterval is how often a page is asked. By default it would be at every frame, for which the browser draws the
// page again and again.
const pollInterval = 20 * time.Millisecond

// is waits until an expression is true on the page. While a page is left for the next, what it reads may not be there
// yet: then it is not true yet.
func (b *browser) is(expression string) {
	b.t.Helper()
	holds := `(() => { try { return ` + expression + ` } catch (e) { if (e instanceof TypeError) return false; throw e } })()`
	poll := chromedp.Poll[bool](holds, chromedp.WithPollingInterval(pollInterval),
		chromedp.WithPollingTimeout(testbed.WaitLimit))
	_, err := chromedp.Run(b.ctx, poll)
	for lost(err) {
		_, err = chromedp.Run(b.ctx, poll)
	}
	if err != nil {
		text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.body.innerText`))
		require.NoError(b.t, err, "never true: %s\nthe page says:\n%s", expression, text)
	}
}

// prefers sets the preferences of the person: "light" or "dark", and reduced motion.
func (b *browser) prefers(scheme string) {
	b.t.Helper()
	_, err := chromedp.Run(b.ctx, func(ctx context.Context, _ *chromedp.Target) (cdp.Empty, error) {
		return chromedp.Call(ctx, emulation.SetEmulatedMedia,
			emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
				{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
			}})
	})
	require.NoError(b.t, err)
}

// signInAs signs in as a person of the partner and opens the page of the onboardings.
func (b *browser) signInAs(bed *testbed.Bed) {
	b.t.Helper()
	b.enter(invited(bed, "partner@example.com", "--name", "Pat Partner", "--organization", bed.OrganizationID,
		"--role", "admin"))
	b.do(chromedp.Navigate(bed.API.URL() + "/onboarding"))
}

// beforePages runs a script on every page to come, before its own.
func (b *browser) beforePages(script string) {
	b.t.Helper()
	_, err := chromedp.Run(b.ctx, func(ctx context.Context, _ *chromedp.Target) (cdp.Empty, error) {
		_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return cdp.Empty{}, err
	})
	require.NoError(b.t, err)
}

// picturesVariable is the folder that `make pictures` has the pictures of the pages in.
const picturesVariable = "LEVY_TEST_PICTURES"

// shot stores a picture of the page, if pictures are requested.
func (b *browser) shot(name string) {
	b.t.Helper()
	folder := os.Getenv(picturesVariable)
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	require.NoError(b.t, err)
	require.NoError(b.t, os.WriteFile(fmt.Sprintf("%s/%s.png", folder, name), picture, 0o600))
}

// shotWithoutColours stores a picture of the page in the forced colours of a person's system, if pictures are
// requested.
func (b *browser) shotWithoutColours(name string) {
	b.t.Helper()
	if os.Getenv(picturesVariable) == "" {
		return
	}
	_, err := chromedp.Run(b.ctx, func(ctx context.Context, _ *chromedp.Target) (cdp.Empty, error) {
		return chromedp.Call(ctx, emulation.SetEmulatedMedia,
			emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
				{Name: "forced-colors", Value: "active"}, {Name: "prefers-color-scheme", Value: "dark"},
			}})
	})
	require.NoError(b.t, err)
	b.do(chromedp.EmulateViewport(800, 900))
	b.shot(name)
	b.prefers("light")
}
