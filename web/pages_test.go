package web

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/internal/browser"
)

// unregistered are templates that are not pages of the registry: shared parts, and the page of onboardings.
var unregistered = []string{"layout", "fields", "onboarding", "onboarding_layout"}

// Every template belongs to a registered page, and every registered page has a template.
func TestEveryTemplateIsRegistered(t *testing.T) {
	t.Parallel()
	files, err := templates.ReadDir("templates")
	require.NoError(t, err)
	known := slices.Concat(templatesOf(consoleOver(t, nil).pages), unregistered)
	var names []string
	for _, file := range files {
		names = append(names, strings.TrimSuffix(file.Name(), ".html"))
	}
	require.ElementsMatch(t, names, known)
}

// sessionsOf are people with different roles. The admin also belongs to the client id_1.
var sessionsOf = map[string]string{
	"an admin of a partner": `{"user":{"name":"Ada","second_factor":true,"recovery_codes_left":1},"organizations":[` +
		`{"organization_id":"org_1","organization_name":"Shop","role":"admin","root":true},` +
		`{"organization_id":"id_1","role":"admin"}]}`,
	"a viewer":    `{"user":{"name":"Vi"},"organizations":[{"organization_id":"org_1","role":"viewer"}]}`,
	"an operator": `{"user":{"name":"Sam"},"staff_role":"operator","organizations":[]}`,
}

// Every registered page renders examples of all answers. An admin sees each page at least once.
func TestEveryRegisteredPageRenders(t *testing.T) {
	t.Parallel()
	for name, session := range sessionsOf {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shown, cells := map[string]bool{}, 0
			for variant := range 4 {
				api := exampleAPIOf(t, session, variant)
				for _, p := range consoleOver(t, api).pages {
					if p.template == "" {
						continue
					}
					request := httptest.NewRequest(http.MethodGet, pathFor(p.path), nil)
					request.AddCookie(&http.Cookie{Name: browser.LinkCookie, Value: "x"})
					answered := answeredBy(t, api, request)
					require.Less(t, answered.Code, http.StatusInternalServerError, "%s: %s", p.path, answered.Body)
					require.Contains(t, answered.Body.String(), "</html>", p.path)
					cells += labelledCells(t, p.path, answered.Body.String())
					shown[p.path] = shown[p.path] || answered.Code == http.StatusOK
				}
			}
			require.Greater(t, cells, 500)
			for path, ok := range shown {
				require.True(t, ok || name != "an admin of a partner" || path == "/people", "%s was never shown", path)
			}
		})
	}
}

// Menus have the entries for the person, and mark the page that is shown.
func TestMenus(t *testing.T) {
	t.Parallel()
	labels := func(entries []menuEntry) (all []string) {
		for _, entry := range entries {
			if entry.Current {
				entry.Label += "*"
			}
			all = append(all, entry.Label)
		}
		return all
	}
	console := consoleOver(t, nil)
	viewer := &layout{Path: "/o/org_1/filings/file_1", Org: "org_1", Session: userOf(contract.Session{
		Organizations: []contract.SessionOrganization{{OrganizationID: "org_1", Role: "viewer"}}})}
	require.Equal(t, []string{"Exceptions", "Filings"}, labels(console.menu(viewer, false)))
	require.Equal(t, []string{"Filings*", "Transactions", "Nexus", "Registrations", "Imports", "Products", "Customers",
		"Exemptions", "Rates", "Keys", "Webhooks", "Estimate", "Audit trail", "Company", "Settings"},
		labels(console.menu(viewer, true)))
	operator := &layout{Path: "/people", Session: userOf(contract.Session{StaffRole: new("operator")})}
	require.Equal(t, []string{"Exceptions", "Filings", "Operations", "Staff*"}, labels(console.menu(operator, false)))
	partner := &layout{Path: "/clients", Root: "org_1", Session: userOf(contract.Session{})}
	require.Equal(t, []string{"Exceptions", "Filings", "Clients*"}, labels(console.menu(partner, false)))
}

// Pages have no struct of their own for an answer of the contract: they show its types.
func TestPagesDeclareNoContract(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotContains(t, string(text), "`json:", file)
	}
}

// No line of a template is longer than 140 characters.
func TestTemplatesHaveShortLines(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"templates", "../api/docs/templates"} {
		files, err := filepath.Glob(folder + "/*.html")
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for i, line := range strings.Split(string(text), "\n") {
				require.LessOrEqual(t, utf8.RuneCountInString(line), 140, "%s, line %d", file, i+1)
			}
		}
	}
}
