package web

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every cell says the name of its column, also where a column is for some people only and where its name has a link.
func TestCellsSayTheNamesOfTheirColumns(t *testing.T) {
	t.Parallel()
	for page, shown := range map[string]string{
		"<p>No table</p>": "<p>No table</p>", "": "", "a < b": "a < b", "<": "<",
		`<table class="x"><thead><tr><th scope="col">A &amp; "b"</th><th><a href="/">C</a> d</th></tr></thead>` +
			`<tbody><tr><th scope="row">1</th><td class="num">2</td></tr><tr><td>3</td></tr></tbody></table><td>`: `` +
			`<table role="table" class="x"><thead role="rowgroup"><tr role="row">` +
			`<th role="columnheader" scope="col">A &amp; "b"</th><th role="columnheader"><a href="/">C</a> d</th></tr>` +
			`</thead><tbody role="rowgroup"><tr role="row">` +
			`<th data-column="A &amp; &#34;b&#34;" role="rowheader" scope="row">1</th>` +
			`<td data-column="C d" role="cell" class="num">2</td></tr><tr role="row">` +
			`<td data-column="A &amp; &#34;b&#34;" role="cell">3</td></tr></tbody></table><td data-column="C d" role="cell">`,
	} {
		require.Equal(t, shown, string(tabled([]byte(page))))
	}
	answered := visitedWith(t, map[string]string{
		"GET /v1/session":  anAdmin,
		"GET /v1/products": `{"items":[{"id":"prod_1","name":"<td>"}]}`, "GET /v1/products/categories": `[]`,
	}, "/o/org_1/products", nil)
	require.Equal(t, http.StatusOK, answered.Code)
	cells := regexp.MustCompile(`<t[hd] data-column="([^"]*)"`).FindAllStringSubmatch(answered.Body.String(), -1)
	require.Len(t, cells, 5)
	require.Equal(t, "Tax class", cells[3][1])
}

// A page behind the last one, such as after records were removed, leads to the last one: it does not say that there is
// nothing.
func TestAPageBehindTheLastOneLeadsThere(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"GET /v1/session": anAdmin, "GET /v1/products": `{"page":9,"pages":2,"total":60}`,
		"GET /v1/products/categories": `[]`, "GET /v1/users": `{"page":9,"pages":0}`,
		"GET /v1/organizations/org_1/settings": `{}`}
	past := visitedWith(t, answers, "/o/org_1/products?after=x&page=9&search_query=a", nil)
	require.Equal(t, http.StatusSeeOther, past.Code)
	require.Equal(t, "/o/org_1/products?page=2&search_query=a", past.Header().Get("Location"))
	require.Equal(t, http.StatusOK, visitedWith(t, answers, "/o/org_1/people?page=9", nil).Code)
}
