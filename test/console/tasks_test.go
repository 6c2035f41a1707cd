package console_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// task is a task of a person, from a page to the call that carries it out.
type task struct {
	name, from     string
	clicks, fields int    // the most that it takes
	calls          string // a regular expression of the calls; of reads, the last one
	do             func(h *user)
}

// tasks are the tasks of docs/console-tasks.md.
var tasks = []task{
	{"approve a return", "/filings", 2, 0, `^PUT /v1/filings/file_1/approve .*"expected_amount":"1.00"`, func(h *user) {
		h.press(`tbody a[href$="/filings/file_1"]`)
		h.press(`form:has([value="approve"]) button`)
	}},
	{"correct an address and open the next exception", "/exceptions", 3, 2, `^PUT /v1/transactions/txn_1 .*"Austin"`, func(h *user) {
		h.press(`.acts a.button[href*="/transactions/txn_1"]`)
		h.write("#city-0", "Austin\tTX")
		h.press(`.grid button`)
		h.press(`a[data-next]`)
	}},
	{"assign twenty exceptions", "/exceptions", 3, 1, `^POST /v1/exceptions/bulk (.*"object_id"){20}`, func(h *user) {
		h.mark(`#select-all`)
		h.choose(`[name="bulk_assignee"]`, "Bob")
		h.press(`button[value="assign_many"]`)
	}},
	{"invite the first admin of a client", "/o/org_1/clients/org_2", 2, 2, `^POST /v1/users .*"admin"`, func(h *user) {
		h.write(`.panel [name="email"]`, "ada@client.example\tAda")
		h.press(`form:has([value="invite"]) button`)
	}},
	{"block the approval of a return", "/o/org_1/filings/file_1", 3, 1, `^PUT /v1/filings/file_1 .*"block_approval":true`, func(h *user) {
		h.mark(`details:has([value="block"]) summary`)
		h.write(`details:has([value="block"]) textarea, details:has([value="block"]) input:not([type="hidden"])`, "Wrong")
		h.press(`details:has([value="block"]) button`)
	}},
	{"find an order by its number", "/o/org_1/transactions", 2, 1, `^GET /v1/transactions\?.*search_query=ORDER-1`, func(h *user) {
		h.write("#order", "ORDER-1")
		h.press(".filters button")
	}},
	{"see what a figure of a report adds up", "/o/org_1/reports", 1, 0, `^GET /v1/transactions\?.*report_row=row`, func(h *user) {
		h.press(`tbody a[href*="report_row=row"]`)
	}},
	{"see what a colleague changed in returns", "/o/org_1/audit", 3, 2,
		`^GET /v1/audit\?.*actor_id=user_2.*object_type__in=filing`, func(h *user) {
			h.choose("#actor", "user_2")
			h.choose("#type", "filing")
			h.press(".filters button")
		}},
	{"invite a colleague", "/o/org_1/people", 3, 3, `^POST /v1/users .*"preparer"`, func(h *user) {
		h.write(`.panel [name="email"]`, "bob@example.com\tBob")
		h.choose(`.panel [name="role"]`, "preparer")
		h.press(`form:has([value="invite"]) button`)
	}},
	{"send failed deliveries again", "/o/org_1/webhooks/whep_1?failed=true", 2, 0,
		`^POST /v1/webhook_endpoints/whep_1/deliveries/whdl_1/redeliver`, func(h *user) {
			h.mark(`tbody [type="checkbox"]`)
			h.press(`form:has([value="redeliver"]) button`)
		}},
	{"pause a return", "/o/org_1/filings/file_1", 2, 0, `^PUT /v1/filings/file_1 .*"PAUSED"`, func(h *user) {
		h.mark(`details:has([value="pause"]) summary`)
		h.press(`details:has([value="pause"]) button`)
	}},
	{"comment on a return", "/o/org_1/filings/file_1", 2, 1, `^POST /v1/comments/filing/file_1 .*"Look"`, func(h *user) {
		h.write(`form.record textarea`, "Look")
		h.press(`form.record button`)
	}},
	{"create a key that reads", "/o/org_1/keys", 3, 1, `^POST /v1/organizations/api_keys .*"read"`, func(h *user) {
		h.write(`form:has([value="make"]) [name="name"]`, "Shop")
		h.mark(`[name="scope_read"]`)
		h.press(`form:has([value="make"]) button`)
	}},
	{"search for anything", "/filings", 1, 1, `^GET /v1/search\?q=ORDER-1`, func(h *user) {
		h.write(`.find input`, "ORDER-1")
		h.enter("/search")
	}},
	{"skip a return on which nothing is owed", "/o/org_1/filings/file_1", 3, 1, `^PUT /v1/filings/file_1 .*"SKIPPED"`, func(h *user) {
		h.mark(`details:has([value="skip"]) summary`)
		h.write(`details:has([value="skip"]) #why`, "Closed")
		h.press(`details:has([value="skip"]) button`)
	}},
	{"see the overdue returns", "/filings", 1, 0, `^GET /v1/due_filings\?.*due_days__lte=-1`, func(h *user) {
		h.press(`nav[aria-label="Views"] a[href*="due_days__lte=-1"]`)
	}},
	{"see the calendar of due days", "/filings", 1, 0, `^GET /v1/due_filings\?`, func(h *user) {
		h.press(`main a[href="/filings/calendar"]`)
	}},
	{"see the worksheet of a return", "/o/org_1/filings/file_1", 1, 0, `^GET /v1/filings/file_1/worksheet`, func(h *user) {
		h.press(`a[href$="/worksheet"]`)
	}},
	{"find the certificates of a state", "/o/org_1/exemptions", 2, 1, `^GET /v1/exemptions\?.*jurisdiction=TX`, func(h *user) {
		h.choose(`.filters [name="jurisdiction"]`, "TX")
		h.press(".filters button")
	}},
	{"send a test to an endpoint", "/o/org_1/webhooks/whep_1", 1, 0, `^POST /v1/webhook_endpoints/whep_1/test`, func(h *user) {
		h.press(`form:has([value="test"]) button`)
	}},
	{"answer a letter of an authority", "/o/org_1/notices/ntc_1", 2, 1, `^PUT /v1/notices/ntc_1 .*"ANSWERED"`, func(h *user) {
		h.write("#answer", "Paid.")
		h.press(`button[value="ANSWERED"]`)
	}},
	{"add the document of a certificate", "/o/org_1/exemptions/exmp_1", 2, 1, `^POST /v1/exemptions/exmp_1/attachments`, func(h *user) {
		h.upload("#file", "%PDF-1.7 a certificate")
		h.press(`form[enctype] button`)
	}},
	{"begin the onboarding of a client", "/clients", 2, 1, `^POST /v1/organizations .*"Client"`, func(h *user) {
		h.write(`.panel [name="name"]`, "Client")
		h.press(`form:has([value="create"]) button`)
	}},
	{"let a partner approve returns", "/o/org_1/grants", 2, 1, `^PUT /v1/organizations/org_1/grants/org_9 .*"approver"`, func(h *user) {
		h.choose(`[name="role"]`, "approver")
		h.press(`form:has([value="give"]) button`)
	}},
	{"end what a partner may do", "/o/org_1/grants", 2, 0, `^POST /v1/organizations/org_1/grants/org_9/end`, func(h *user) {
		h.mark(`details:has([value="end"]) summary`)
		h.press(`details:has([value="end"]) button`)
	}},
	{"amend a filed return", "/o/org_1/filings/file_2", 3, 2, `^POST /v1/filings/file_2/amend .*"5.00"`, func(h *user) {
		h.mark(`details:has([value="amend"]) summary`)
		h.write("#amend-reason", "A sale was missing\t5.00")
		h.press(`details:has([value="amend"]) button`)
	}},
	{"register where there is nexus", "/o/org_1/nexus/nex_1", 3, 2, `^PUT /v1/nexus/nex_1/register .*"MONTHLY"`, func(h *user) {
		h.write(`[name="registration_date"]`, "2026-02-01")
		h.choose(`[name="filing_frequency"]`, "MONTHLY")
		h.press(`#register ~ form button`)
	}},
	{"send the events of a span again", "/o/org_1/webhooks/whep_1", 3, 2, `^POST /v1/webhook_.*/replay .*2026-01-02`, func(h *user) {
		h.write("#since", "2026-01-02")
		h.write("#until", "2026-01-03")
		h.press(`form:has([value="replay"]) button`)
	}},
	{"change a rate after a look at what it means", "/o/org_1/rates", 5, 3, `^POST /v1/rate_overrides .*"0.0825"`, func(h *user) {
		h.press(`tbody a[href*="like=rato_1"]`)
		h.write("#rate", "8.25")
		h.write("#start-date", "2026-03-01")
		h.write("#reason", "Notice 7")
		h.press("#set > button")
		h.press("#set > button")
	}},
	{"correct a rejected row of an import", "/o/org_1/imports/imp_1", 3, 1, `^POST /v1/transactions/imports`, func(h *user) {
		h.press(`a.button[href$="/correct"]`)
		h.write(`[aria-invalid]`, "Troy")
		h.press("main form button")
	}},
	{"download a report", "/o/org_1/reports", 1, 0, `^GET /v1/reports/export\?.*format=xlsx`, func(h *user) {
		h.download(`a[href*="format=xlsx"]`)
	}},
	{"ask a client about a sale", "/o/org_1/transactions/txn_1", 3, 2, `^POST /v1/comments/transaction/txn_1 .*"user_2"`, func(h *user) {
		h.write("form.record textarea", "Which city?")
		h.choose(`form.record [name="mention"]`, "user_2")
		h.press("form.record button")
	}},
	{"open a view that a colleague shares", "/filings", 1, 0, `^GET /v1/due_filings\?.*state_code=TX`, func(h *user) {
		h.press(`nav[aria-label="Views"] a[href*="state_code=TX"]`)
	}},
	{"make a file of payments for the bank", "/o/org_1/payments", 2, 0, `^POST /v1/payment_files .*"file_1"`, func(h *user) {
		h.mark(`#pay-file_1`)
		h.download("#bank-file button")
	}},
	{"revoke a key", "/o/org_1/keys", 2, 0, `^POST /v1/organizations/api_keys/key_1/revoke`, func(h *user) {
		h.mark(`details:has([value="revoke"]) summary`)
		h.press(`details:has([value="revoke"]) button`)
	}},
}

// Each task takes no more clicks and fields than the docs say, and calls what it is for.
func TestTasksTakeFewClicks(t *testing.T) {
	t.Parallel()
	b, made := open(t, 1280, 900), &calls{}
	address, _ := office(t, made)
	for _, task := range tasks {
		if !task.isTried() {
			continue
		}
		h := &user{b: b}
		task.isDone(t, h, address, made, func(t *testing.T) {
			t.Helper()
			require.LessOrEqual(t, h.clicks, task.clicks, "clicks")
			require.LessOrEqual(t, h.fields, task.fields, "fields")
			t.Logf("%d clicks, %d fields", h.clicks, h.fields)
		})
	}
}

// isDone has a person do the task, and checks that it is done. Other checks follow.
func (k *task) isDone(t *testing.T, h *user, address string, made *calls, checks ...func(*testing.T)) {
	t.Helper()
	t.Run(k.name, func(t *testing.T) {
		h.b = h.b.in(t)
		h.b.do(chromedp.Navigate(address + k.from))
		made.have("")
		k.do(h)
		made.await(t, k.name, k.calls)
		for _, check := range checks {
			check(t)
		}
	})
}

// withoutScripts serves the pages of an address without their scripts.
func withoutScripts(t *testing.T, address string) string {
	t.Helper()
	pages, err := url.Parse(address)
	require.NoError(t, err)
	all := httputil.NewSingleHostReverseProxy(pages)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, ".js") {
			http.NotFound(w, r)
			return
		}
		all.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Every task but one, which selects a whole page at once, needs no script.
func TestTasksNeedNoScripts(t *testing.T) {
	t.Parallel()
	b, made := open(t, 1280, 900), &calls{}
	address, _ := office(t, made)
	address = withoutScripts(t, address)
	for _, task := range tasks {
		if task.name != "assign twenty exceptions" && task.isTried() {
			task.isDone(t, &user{b: b}, address, made)
		}
	}
}

// tried are the tasks that `make test` does. `make pages` does all.
var tried = []string{"approve a return", "correct an address and open the next exception", "assign twenty exceptions",
	"invite the first admin of a client", "ask a client about a sale"}

func (k *task) isTried() bool {
	return isWhole() || slices.Contains(tried, k.name)
}

// Tasks are done with the keyboard alone. The element with the focus is marked.
func TestTasksByKeyboard(t *testing.T) {
	t.Parallel()
	b, made := open(t, 1280, 900), &calls{}
	address, _ := office(t, made)
	for _, task := range tasks {
		if task.isTried() {
			task.isDone(t, &user{b: b, keyboard: true}, address, made)
		}
	}
}

// taskRow is a row of the table in the docs.
var taskRow = regexp.MustCompile("(?m)^\\| ([a-z][^|]*) \\| `([^`]*)` \\| (\\d+) \\| (\\d+) \\|$")

// anyID is the id of a record.
var anyID = regexp.MustCompile(`\b[a-z]+_\d\b`)

// The docs have each task with its numbers.
func TestTasksAreInTheDocs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/console-tasks.md")
	require.NoError(t, err)
	var documented, tested []string
	for _, row := range taskRow.FindAllStringSubmatch(string(text), -1) {
		documented = append(documented, strings.Join(row[1:], " | "))
	}
	for _, task := range tasks {
		from := anyID.ReplaceAllString(strings.Replace(task.from, "org_1", "{organization}", 1), "{id}")
		tested = append(tested, strings.Join([]string{task.name, from, strconv.Itoa(task.clicks), strconv.Itoa(task.fields)}, " | "))
	}
	require.Equal(t, tested, documented)
}
