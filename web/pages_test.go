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

// unregistered are templates that are not pages of the registry: shared parts.
var unregistered = []string{"layout", "fields"}

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
			shown, cells, decisions := map[string]bool{}, 0, 0
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
					decisions += lockedDecisions(t, p.path, answered.Body.String())
					shown[p.path] = shown[p.path] || answered.Code == http.StatusOK
				}
			}
			require.Greater(t, cells, 500)
			require.True(t, decisions > 100 || name != "an admin of a partner", decisions)
			for path, ok := range shown {
				require.True(t, ok || name != "an admin of a partner" || path == "/people", "%s was never shown", path)
			}
		})
	}
}

// The navigation has four groups with the entries for the person, and marks the page that is shown.
func TestTheNavigation(t *testing.T) {
	t.Parallel()
	console := consoleOver(t, nil)
	labels := func(f *layout) (all []string) {
		console.navigate(f)
		for _, group := range f.Groups {
			all = append(all, group.Name+":")
			for _, entry := range group.Entries {
				if entry.Current {
					entry.Label += "*"
				}
				all = append(all, entry.Label)
			}
		}
		return all
	}
	member := func(root bool) contract.Session {
		return contract.Session{Organizations: []contract.SessionOrganization{
			{OrganizationID: "org_1", OrganizationName: new("Shop"), Role: "viewer", Root: root}}}
	}
	of := []string{"Sales:", "Transactions", "Imports", "Products", "Customers", "Exemptions", "Estimate",
		"Compliance:", "Due returns", "Calendar", "Returns", "Nexus", "Registrations", "Notices", "Rates", "Reports",
		"Settings:", "Company", "Keys", "Calendar feeds", "Webhooks", "Audit trail", "Settings",
		"Your account", "Preferences"}
	marked := slices.Clone(of)
	marked[slices.Index(marked, "Returns")] += "*"
	viewer := &layout{Path: "/o/org_1/filings/file_1", Org: "org_1", OrgName: "Shop", Session: userOf(member(false))}
	require.Equal(t, append([]string{"Overview:", "Home", "Exceptions"}, marked...), labels(viewer))
	require.Equal(t, []menuEntry{{"/", "Home", false}, {"/o/org_1", "Shop", false}, {"/o/org_1/filings", "Returns", false}},
		viewer.Crumbs)

	account := &layout{Path: "/account", Session: userOf(member(false))}
	require.Contains(t, labels(account), "Transactions", "the only organization of a person stays in the navigation")
	require.Contains(t, labels(account), "Your account*")
	require.Equal(t, []menuEntry{{"/", "Home", false}}, account.Crumbs)

	operator := &layout{Path: "/filings/calendar", Session: userOf(contract.Session{StaffRole: new("operator")})}
	require.Equal(t, []string{"Overview:", "Home", "Exceptions", "Organizations", "Operations", "Compliance:", "Due returns", "Calendar*",
		"Settings:", "Staff", "Your account", "Preferences"}, labels(operator))

	partner := &layout{Path: "/", Root: "org_1", Session: userOf(member(true))}
	require.Equal(t, append([]string{"Overview:", "Home*", "Shop", "Exceptions", "Clients", "Onboarding, live"}, of...),
		labels(partner))
	require.Empty(t, partner.Crumbs)
}

// The search also finds pages by a part of their label.
func TestTheSearchFindsPages(t *testing.T) {
	t.Parallel()
	page := visitedWith(t, map[string]string{"GET /v1/session": anAdmin, "GET /v1/search": `{"items":[]}`},
		"/search?q=exEMP", nil).Body.String()
	_, main, _ := strings.Cut(page, "<main")
	require.Contains(t, main, `/exemptions">Exemptions</a>`)
	require.NotContains(t, main, "Webhooks")
}

// The switcher leads to the same list of the other organizations of a person.
func TestTheSwitcher(t *testing.T) {
	t.Parallel()
	f := &layout{Path: "/o/org_1/transactions/txn_1", Org: "org_1", Session: userOf(contract.Session{
		Organizations: []contract.SessionOrganization{{OrganizationID: "org_1"},
			{OrganizationID: "org_2", OrganizationName: new("Harbor")}}})}
	consoleOver(t, nil).navigate(f)
	require.Equal(t, []menuEntry{{"/o/org_2/transactions", "Harbor", false}}, f.Switch)
	f.Org, f.Path = "", "/exceptions"
	consoleOver(t, nil).navigate(f)
	require.Equal(t, []menuEntry{{"/o/org_1", "org_1", false}, {"/o/org_2", "Harbor", false}}, f.Switch)
}

// Every page with a label is in one place of the navigation.
func TestEveryLabelledPageHasItsPlace(t *testing.T) {
	t.Parallel()
	var placed, labelled []string
	for _, group := range menuOrder {
		placed = append(placed, group.paths...)
	}
	for _, p := range consoleOver(t, nil).pages {
		if p.label != "" {
			labelled = append(labelled, p.path)
		}
	}
	require.ElementsMatch(t, labelled, placed)
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

// Every page that is above another one has a name in the links to the pages above.
func TestPagesAboveOthersHaveANameThere(t *testing.T) {
	t.Parallel()
	console := consoleOver(t, saying(nil))
	for _, p := range console.pages {
		for _, above := range console.pages {
			isShown := p.template != "" && p.access == signedIn && above.template != "" && above.path != organizationPath
			if isShown && strings.HasPrefix(p.path, above.path+"/") {
				require.NotEmpty(t, above.label+above.crumb, "%s is above %s", above.path, p.path)
			}
		}
	}
}

// The page of an organization is called by its name in the line of links, not "Home" below "Home".
func TestThePageOfAnOrganizationIsNamedInItsLinks(t *testing.T) {
	t.Parallel()
	shown := visitedWith(t, map[string]string{"GET /v1/session": anAdmin}, "/o/org_1", nil)
	require.Contains(t, shown.Body.String(), `<li aria-current="page"><bdi>Shop</bdi></li>`)
}
