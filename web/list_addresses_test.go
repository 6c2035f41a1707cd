package web

import (
	"html"
	"io/fs"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The form that assigns an exception leads back to the same part of the list.
func TestAnAssignedExceptionKeepsTheFilter(t *testing.T) {
	t.Parallel()
	const filter = "age_days__gte=3&assignee=Ada+%26+Bob&organization_id=org_1&page=2&type__in=FILING_ISSUE"
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/session/views": `{}`,
		"GET /v1/exceptions": `{"page":2,"pages":3,"items":[{"type":"FILING_ISSUE",` +
			`"organization_id":"org_1","object_id":"file_1"}]}`,
		"PUT /v1/exceptions/FILING_ISSUE/file_1": `{}`,
	}
	shown := visitedWith(t, answers, "/exceptions?"+filter, nil).Body.String()
	found := regexp.MustCompile(`action="(/exceptions[^"]*)"`).FindStringSubmatch(shown)
	require.NotNil(t, found, shown)
	address := html.UnescapeString(found[1])
	require.Equal(t, "/exceptions?"+filter, address)

	answered := visitedWith(t, answers, address, url.Values{
		"type": {"FILING_ISSUE"}, "object_id": {"file_1"}, "organization_id": {"org_1"}, "note": {"Asked the client."},
	})
	require.Equal(t, "/exceptions?"+filter, answered.Header().Get("Location"), answered.Body)
}

// A form of a list leads back to the same page of it.
func TestFormsOfListsKeepTheirPlace(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin, "DELETE /v1/rate_overrides/rate_1": `{}`, "PUT /v1/users/user_1": `{}`,
	}
	for path, form := range map[string]url.Values{
		"/o/org_1/rates?page=2&state_code=NY": {"action": {"delete"}, "id": {"rate_1"}},
		"/o/org_1/people?page=3":              {"action": {"sign_out"}, "id": {"user_1"}},
	} {
		answered := visitedWith(t, answers, path, form)
		require.Equal(t, path, answered.Header().Get("Location"), answered.Body)
	}
}

// A query in an address of a template is encoded already, or one value of a parameter. Templates encode a text there once
// more: its = and & would be lost.
func TestTemplatesDoNotEncodeQueriesTwice(t *testing.T) {
	t.Parallel()
	query := regexp.MustCompile(`(?:href|action)="[^"?]*\?\{\{([^}]*)\}\}`)
	encoded := []string{"queryWith ", ".Query", ".Page.File", ".Page.Address", "$.Page.Address", ".List"} // all of them are a template.URL
	require.NoError(t, fs.WalkDir(templates, "templates", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := templates.ReadFile(path)
		for _, found := range query.FindAllStringSubmatch(string(raw), -1) {
			known := false
			for _, prefix := range encoded {
				known = known || found[1] == prefix || strings.HasSuffix(prefix, " ") && strings.HasPrefix(found[1], prefix)
			}
			require.True(t, known, "%s: %s", path, found[1])
		}
		return err
	}))
}
