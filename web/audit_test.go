package web

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Changes are shown as words. The type of a record is not mistaken for a status.
func TestTheAuditTrailIsReadable(t *testing.T) {
	t.Parallel()
	for changes, said := range map[string][]string{
		`{}`: nil, `null`: nil, `{"fields":[],"from":"UNFILED","to":"UNFILED"}`: nil,
		`{"fields":["date_filed","status"],"from":"FILING","to":"FILED"}`: {
			"With the authority → Filed", "Changed, without values: date filed",
		},
		`{"to":"ACTIVE","count":3,"reason":null}`:             {"→ Active", "Count: 3"},
		`{"credit_note_id":"txn_1","settings":{"a":true}}`:    {"Credit note id: txn_1", `Settings: {"a":true}`},
		`{"processing_status":"NEEDS_REFETCH","state":"NY5"}`: {"Processing status: Needs attention", "State: NY5"},
		`{"status":{"from":"VALIDATING","to":"REGISTERED"},"end_date":{"from":null,"to":"2026-01-31"}}`: {
			"End date: → 2026-01-31", "Status: Validating → Registered",
		},
		`{"fields":["email","sku","tax_exempt","end_date"],"tax_exempt":{"from":false,"to":true},
			"sku":{"from":["A","B"],"to":[]},"end_date":{"from":"2026-01-31","to":null}}`: {
			"End date: 2026-01-31 → none", "Changed, without values: email", "Sku: A, B → none", "Tax exempt: no → yes",
		},
	} {
		var entry auditEntry
		require.NoError(t, json.Unmarshal([]byte(`{"changes":`+changes+`}`), &entry))
		require.Equal(t, said, entry.Lines(), changes)
	}
	require.Equal(t, "Return", recordType("filing"))
	require.Equal(t, "Return", recordType("FILING"))
	require.Equal(t, "API key", recordType("api_key"))
	require.Equal(t, "Transaction import", recordType("transaction_import"))
}

// An entry links to its record, and to other entries of the record, the actor and the action.
func TestTheAuditTrailLinksToRecords(t *testing.T) {
	t.Parallel()
	var asked string
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/audit" {
			_, _ = io.WriteString(w, anAdmin)
			return
		}
		asked = r.URL.Query().Get("action__in")
		_, _ = io.WriteString(w, `{"items":[
			{"action":"credit_note_added","object_type":"transaction","object_id":"txn_1","changes":null},
			{"action":"export","object_type":"transaction","object_id":"org_1","changes":null},
			{"action":"update","object_type":"user","object_id":"user_1","object_name":"Ann","changes":null}]}`)
	})
	page := func(path string) string {
		return answeredBy(t, api, httptest.NewRequest(http.MethodGet, path, nil)).Body.String()
	}
	shown := page("/o/org_1/audit?action__in=credit_note_added")
	require.Equal(t, "credit_note_added", asked)
	require.Contains(t, shown, `<option value="credit_note_added" selected>Credit note added</option>`)
	require.Equal(t, 1, strings.Count(shown, " selected>"))
	require.Contains(t, shown, `<a href="/o/org_1/transactions">Transaction</a>`, "what was exported is a list")
	require.Contains(t, page("/o/org_1/audit?action__in=create,update"), `<option value="create,update" selected>create,update</option>`)
	require.Equal(t, "create,update", asked)
	require.Contains(t, shown, `<a href="?action__in=credit_note_added">Credit note added</a>`)
	require.Contains(t, shown, `<a href="/o/org_1/transactions/txn_1">Transaction</a> <a href="?object_id=txn_1" title="txn_1"><code>txn_1`)
	require.Contains(t, shown, `">User <a href="?object_id=user_1" title="user_1"><span dir="auto">Ann</span></a>`)
}

// The list of actions has every action that the audit trail knows.
func TestTheActionsOfTheAuditTrailAreListed(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../models/audit.go")
	require.NoError(t, err)
	known := []string{}
	for _, found := range regexp.MustCompile(`\n\tAudit\w+ *= "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
		known = append(known, found[1])
	}
	require.NotEmpty(t, known)
	listPage := []string{}
	for _, o := range auditActions {
		listPage = append(listPage, o.Value)
	}
	require.ElementsMatch(t, known, listPage)
}

// The trail is shown also if the names of people for its filter cannot be read.
func TestTheAuditTrailIsShownWithoutNames(t *testing.T) {
	t.Parallel()
	shown := visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/audit": `{"items":[]}`,
		"GET /v1/colleagues": `{"status":503,"code":"service_unavailable","title":"Try again later"}`,
	}, "/o/org_1/audit", nil)
	require.Equal(t, http.StatusOK, shown.Code)
	require.Contains(t, shown.Body.String(), "the names of people")
}

// The list of kinds has every kind of record that the trail of an organization names.
func TestTheKindsOfTheAuditTrailAreListed(t *testing.T) {
	t.Parallel()
	written := regexp.MustCompile(`(?:Entry\([^"\n]*Audit\w+, |(?:exportOf|readOf)\()"(\w+)"`)
	found := map[string]bool{}
	for _, folder := range []string{"../store", "../service"} {
		require.NoError(t, filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			for _, m := range written.FindAllStringSubmatch(string(source), -1) {
				found[m[1]] = true
			}
			return err
		}))
	}
	require.Greater(t, len(found), 20)
	for kind := range found {
		if kind != "operator_key" && kind != "master_key" { // of the trail of the installation, which no page shows
			require.True(t, slices.ContainsFunc(auditTypes, func(o option) bool { return o.Value == kind }), kind)
		}
	}
}

// The filter by a record takes its name. One record is taken; of several the page asks which.
func TestTheAuditTrailFindsRecordsByName(t *testing.T) {
	t.Parallel()
	asked := ""
	items := `{"type":"PRODUCT","organization_id":"org_1","object_id":"prod_1","title":"Shirt"},
		{"type":"PRODUCT","organization_id":"org_2","object_id":"prod_9","title":"Shirt"}`
	page := func(query string) string {
		asked = ""
		api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/v1/session":
				_, _ = fmt.Fprint(w, anAdmin)
			case "/v1/search":
				_, _ = fmt.Fprint(w, `{"items":[`+items+`]}`)
			case "/v1/audit":
				asked = r.URL.Query().Get("object_id")
				_, _ = fmt.Fprint(w, `{"total":1,"page":1,"pages":1,"items":[{"object_type":"product","object_id":"prod_1"}]}`)
			default:
				_, _ = fmt.Fprint(w, `{}`)
			}
		})
		return answeredBy(t, api, httptest.NewRequest(http.MethodGet, "/o/org_1/audit?object_id="+query, nil)).Body.String()
	}
	require.Contains(t, page("Shirt"), "/o/org_1/audit/export?object_id=prod_1&amp;format=csv")
	require.Equal(t, "prod_1", asked, "the only one of the organization")
	page("prod_2")
	require.Equal(t, "prod_2", asked, "an id is no name")
	items += `,{"type":"CUSTOMER","organization_id":"org_1","object_id":"cust_1","title":"Shirt Inc"}`
	require.Contains(t, page("Shirt"), `<a href="?object_id=cust_1"><bdi>Shirt Inc</bdi></a>`)
	require.Empty(t, asked, "which one is not known yet")
	items = `{"organization_id":"org_2"}`
	require.Contains(t, page("Hat"), "No record has the name <bdi>Hat</bdi>.")
}
