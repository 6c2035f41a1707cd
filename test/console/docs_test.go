package console_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// traffic is every address that a tab asks for.
type traffic struct {
	mu   sync.Mutex
	urls []string
}

// watch records the requests of a tab, and violations of the content security policy of its pages, as
// window.violations.
func (b *browser) watch() *traffic {
	b.t.Helper()
	seen := &traffic{}
	require.NoError(b.t, chromedp.Listen(b.ctx, func(event any) {
		if sent, ok := event.(*network.EventRequestWillBeSent); ok {
			seen.mu.Lock()
			defer seen.mu.Unlock()
			seen.urls = append(seen.urls, sent.Request.URL)
		}
	}))
	_, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		window.violations = [];
		document.addEventListener('securitypolicyviolation', (e) => violations.push([e.effectiveDirective, e.blockedURI, e.sample].join(' ')));`})
	require.NoError(b.t, err)
	return seen
}

// elsewhere are the requests that left an origin.
func (seen *traffic) elsewhere(origin string) []string {
	seen.mu.Lock()
	defer seen.mu.Unlock()
	var foreign []string
	for _, url := range seen.urls {
		if !strings.HasPrefix(url, origin+"/") && !strings.HasPrefix(url, "data:") {
			foreign = append(foreign, url)
		}
	}
	return foreign
}

// samples are the beginnings of the same request in each language, by its entry of the menu.
var samples = map[string]string{
	"Curl":        "curl http",
	"http.client": "import http.client",
	"Fetch":       "fetch('http",
	"NewRequest":  "package main",
}

// The page takes seconds to render, and is opened once: on a telephone, then in a wide window.
func TestDocumentationOfTheAPI(t *testing.T) {
	t.Parallel()
	b := open(t, 360, 740)
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	seen := b.watch()
	b.prefers("dark")

	// A link to an operation opens there, and nothing is wider than a telephone.
	b.do(chromedp.Navigate(bed.API.URL() + "/docs/reference#tag/webhooks/POST/v1/webhook_endpoints"))
	b.is(`document.querySelector('section[id$="tag/webhooks/POST/v1/webhook_endpoints"] pre') !== null`)
	b.is(`document.documentElement.scrollWidth <= innerWidth`)
	b.do(chromedp.EmulateViewport(1400, 1000))

	// The keys of the caller, beside the introduction.
	b.is(`document.querySelectorAll('.scalar-password-input').length === 2`)
	for i, value := range []string{bed.APIKey, bed.OrganizationID} {
		b.do(chromedp.SendKeys(chromedp.JSPath(fmt.Sprintf(`document.querySelectorAll('.scalar-password-input')[%d]`,
			i)), value))
	}

	// Search leads to an operation.
	b.is(`([...document.querySelectorAll('button')].find((e) => e.innerText.startsWith('Open Search')).click(), true)`)
	b.is(`document.activeElement.matches('[role=dialog] input')`)
	b.do(chromedp.SendKeys(chromedp.JSPath(`document.activeElement`), "estimate tax"))
	const found = `[...document.querySelectorAll('[role=option]')].find((e) => e.innerText.includes('/v1/tax/estimate'))`
	b.is(found + ` !== undefined`)
	b.is(`(` + found + `.click(), true)`)
	const operation = `document.querySelector('section[id$="tag/tax/POST/v1/tax/estimate"]')`
	b.is(operation + `?.innerText.includes('Estimate the tax of a sale') === true`)

	// The same request in four languages and no other.
	const menu = operation + `.querySelector('[data-testid=client-picker]')`
	const entries = `[...document.querySelectorAll('[role=option]')]`
	for name, begins := range samples {
		b.is(menu + ` && (` + menu + `.click(), true)`)
		b.is(fmt.Sprintf(entries+`.length === %d`, len(samples)))
		b.is(fmt.Sprintf(`(`+entries+`.find((e) => e.innerText === '%s').click(), true)`, name))
		b.is(fmt.Sprintf(operation+`.querySelector('pre').innerText.startsWith("%s")`, begins))
		b.is(operation + `.querySelector('pre').innerText.includes('350 5th Ave')`)
	}

	// A request that is tried reaches the service with both headers, and its answer is shown.
	b.is(`(` + operation + `.querySelector('.show-api-client-button').click(), true)`)
	b.is(`document.querySelector('.cm-content')?.innerText.includes('shipping_address') === true`)
	const send = `[...document.querySelectorAll('button')].find((e) => e.checkVisibility() && ` +
		`e.innerText.trim().startsWith('Send'))`
	b.is(send + ` !== undefined && (` + send + `.click(), true)`)
	b.is(`document.body.innerText.includes('200 OK')`)
	b.is(`document.body.innerText.includes('total_tax_amount')`)

	kept, err := chromedp.Run(b.ctx,
		chromedp.Evaluate[string](`JSON.stringify([localStorage, sessionStorage, document.cookie])`))
	require.NoError(t, err)
	require.NotContains(t, kept, bed.APIKey, "the key stays in the tab")
	violations, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](`violations`))
	require.NoError(t, err)
	require.Empty(t, violations)
	require.Empty(t, seen.elsewhere(bed.API.URL()))
	require.Contains(t, seen.urls, bed.API.URL()+"/v1/tax/estimate")

	// Beside the renderer's own, the icons of its editor are the only text that becomes HTML.
	for text, allowed := range map[string]bool{
		`<svg width="1em"><path d="m9 18 6-6-6-6"/></svg>`:        true,
		`<svg onload="alert(1)"><path d="m9 18"/></svg>`:          false,
		`<svg><path d="m9 18"/></svg><img src=x onerror=alert>`:   false,
		`<svg><script>alert(1)</script><path d="m9 18"/></svg>`:   false,
		`<svg width="1em"><path d="m9" onclick="alert()"/></svg>`: false,
	} {
		became, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](fmt.Sprintf(
			"(() => { try { document.createElement('p').innerHTML = `%s`; return true } catch { return false } })()", text)))
		require.NoError(t, err)
		require.Equal(t, allowed, became, text)
	}
}
