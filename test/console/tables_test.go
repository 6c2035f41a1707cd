package console_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// said are the parts of tables in the accessibility tree, by role, each with its name.
func (b *browser) said() map[string][]string {
	b.t.Helper()
	tree, err := chromedp.Run(b.ctx, func(ctx context.Context, _ *chromedp.Target) (accessibility.GetFullAXTreeResult, error) {
		return chromedp.Call(ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	})
	require.NoError(b.t, err)
	told := map[string][]string{}
	for _, node := range tree.Nodes {
		if node.Role == nil || node.Ignored {
			continue
		}
		role := strings.Trim(string(node.Role.Value), `"`)
		if slices.Contains([]string{"table", "row", "columnheader", "rowheader", "cell"}, role) {
			name := ""
			if node.Name != nil {
				name = strings.Trim(string(node.Name.Value), `"`)
			}
			told[role] = append(told[role], name)
		}
	}
	return told
}

// On a phone no list scrolls sideways: the values of a row are below each other, each with the name of its column,
// and a screen reader reads the same table as on a wide screen.
func TestListsOnAPhone(t *testing.T) {
	t.Parallel()
	server := answering(t, map[string]string{
		"/v1/session": `{"user":{"name":"Ada"},"organizations":[{"organization_id":"org_1","role":"admin"}]}`,
		"/v1/due_filings": `{"total":2,"pages":1,"items":[{"id":"file_1","organization_id":"org_1","status":"FILED",
			"organization_name":"A_company_with_a_name_that_is_long_and_has_no_space_in_it_Incorporated","country_code":"US","state_code":"NY",
			"state_name":"New York","start_date":"2026-01-01","end_date":"2026-03-31","due_date":"2026-04-20",
			"amount":"1234567.00","currency":"USD"},{"id":"file_2","organization_id":"org_1","status":"UNFILED",
			"country_code":"US","state_code":"WA","start_date":"2026-01-01","end_date":"2026-03-31","amount":"0.00",
			"due_date":"2026-04-20","currency":"USD","unresolved_transaction_count":12,"waits_for":"CORRECTION"}]}`,
		"/v1/": `{}`,
	})

	b := open(t, 1600, 900)
	b.do(chromedp.Navigate(server + "/filings"))
	const named = `[...document.querySelectorAll('tbody td')].every(e => ` +
		`getComputedStyle(e, '::before').content.includes(e.dataset.column)`
	b.is(`!(` + named + `))`)
	wide := b.said()
	require.Equal(t, []string{"Client", "Place", "Period", "Amount", "Due", "Status", "Waiting for"}, wide["columnheader"])
	require.Len(t, wide["cell"], 12)
	// The keyboard stops at a table only where its hidden part has to be reached.
	// At 1280 that is so because of the long name.
	for width, stops := range map[int64]bool{1600: false, 1280: true, 800: true, 390: false} {
		b.do(chromedp.EmulateViewport(width, 800))
		b.is(fmt.Sprintf(`((e) => (e.scrollWidth > e.clientWidth) === %[1]t && (e.tabIndex === 0) === %[1]t)`+
			`(document.querySelector('.scroll'))`, stops))
	}
	for _, width := range []int64{390, 320} {
		b.do(chromedp.EmulateViewport(width, 800))
		b.is(`document.querySelector('.scroll').scrollWidth <= document.querySelector('.scroll').clientWidth`)
		b.is(named + ` || e.innerText === '')`)
		narrow := b.said()
		require.ElementsMatch(t, slices.Collect(maps.Keys(wide)), slices.Collect(maps.Keys(narrow)))
		for role, names := range wide {
			require.Equal(t, names, narrow[role], "%s, %d wide", role, width)
		}
	}
}
