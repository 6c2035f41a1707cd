package console_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
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
		h.day(`[name="registration_date"]`, "2026-02-01")
		h.choose(`[name="filing_frequency"]`, "MONTHLY")
		h.press(`#register ~ form button`)
	}},
	{"send the events of a span again", "/o/org_1/webhooks/whep_1", 3, 2, `^POST /v1/webhook_.*/replay .*2026-01-02`, func(h *user) {
		h.day("#since", "2026-01-02")
		h.day("#until", "2026-01-03")
		h.press(`form:has([value="replay"]) button`)
	}},
	{"change a rate after a look at what it means", "/o/org_1/rates", 5, 3, `^POST /v1/rate_overrides .*"0.0825"`, func(h *user) {
		h.press(`tbody a[href*="like=rato_1"]`)
		h.write("#rate", "8.25")
		h.day("#start-date", "2026-03-01")
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
		h.mark(`a[href*="format=xlsx"]`)
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
		h.mark("#bank-file button")
	}},
	{"revoke a key", "/o/org_1/keys", 2, 0, `^POST /v1/organizations/api_keys/key_1/revoke`, func(h *user) {
		h.mark(`details:has([value="revoke"]) summary`)
		h.press(`details:has([value="revoke"]) button`)
	}},
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

// choose takes an option of a list. That counts as a click and a field.
func (h *user) choose(selector, value string) {
	h.b.t.Helper()
	h.clicks, h.fields = h.clicks+1, h.fields+1
	if h.keyboard {
		h.reach(selector)
	}
	h.b.is(fmt.Sprintf(`((list) => { list.value = %[2]q; list.dispatchEvent(new Event('change', {bubbles: true}));
		return list.value === %[2]q && list.checkVisibility(); })(document.querySelector(%[1]q))`, selector, value))
}

// day picks a day. That counts as a click and a field.
func (h *user) day(selector, value string) {
	h.b.t.Helper()
	h.clicks, h.fields = h.clicks+1, h.fields+1
	if h.keyboard {
		h.reach(selector)
	}
	h.b.is(fmt.Sprintf(`((field) => { field.value = %[2]q; return field.value === %[2]q && field.checkVisibility(); })`+
		`(document.querySelector(%[1]q))`, selector, value))
}

// upload picks a file. That counts as a click and a field.
func (h *user) upload(selector, content string) {
	h.b.t.Helper()
	h.clicks, h.fields = h.clicks+1, h.fields+1
	if h.keyboard {
		h.reach(selector)
	}
	file := filepath.Join(h.b.t.TempDir(), "document.pdf")
	require.NoError(h.b.t, os.WriteFile(file, []byte(content), 0o600))
	h.b.do(chromedp.SetUploadFiles(selector, []string{file}))
}

// calls are the calls of an API.
type calls struct {
	sync.Mutex
	all []string
}

func (c *calls) add(r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	c.Lock()
	defer c.Unlock()
	c.all = append(c.all, r.Method+" "+r.URL.RequestURI()+" "+string(body))
}

// have reports whether a call matches, and forgets all calls.
func (c *calls) have(matching string) (found bool, all []string) {
	c.Lock()
	defer c.Unlock()
	for _, call := range c.all {
		found = found || regexp.MustCompile(matching).MatchString(call)
	}
	all, c.all = c.all, nil
	return found, all
}

// office serves the console over an API with work of a person, whose writes all succeed.
func office(t *testing.T, made *calls) (address string, says *answers) {
	t.Helper()
	exceptions := make([]string, 20)
	for i := range exceptions {
		exceptions[i] = fmt.Sprintf(`{"type":"TRANSACTION_UNRESOLVED","organization_id":"org_1","object_id":"txn_%d","title":"ORDER-%[1]d",
			"reason":"The state is missing.","since":"2026-01-01T00:00:00Z","cursor":"c%[1]d","actions":["updateTransaction"]}`, i+1)
	}
	const page = `"page":1,"pages":1,"total":1`
	const filing = `{"id":"file_1","organization_id":"org_1","status":"UNFILED","amount":"1.00","currency":"USD",
		"start_date":"2026-01-01","end_date":"2026-01-31","can_approve":true,"country_code":"US","state_code":"TX"}`
	const rate = `{"id":"rato_1","country_code":"US","state_code":"NY","jurisdiction_type":"CITY","jurisdiction_name":"Troy",
		"rate":"0.080000000","start_date":"2026-01-01","reason":"Notice 6"}`
	says = &answers{of: map[string]string{
		"/v1/session": `{"user":{"id":"user_1","name":"Ada"},"organizations":[{"organization_id":"org_1","organization_name":"Shop",
			"root":true,"role":"admin"}]}`,
		"/v1/session/views": `{"items":[],"shared":[{"id":"view_2","list":"filings","name":"Texas","query":"state_code=TX",
			"shared_with":"org_1","shared_by":"Bob"}]}`,
		"/v1/notices/ntc_1": `{"id":"ntc_1","kind":"PENALTY","status":"OPEN","revision":1,"authority":"Revenue","country_code":"US",
			"state_code":"TX","registration_id":"regs_1","received_date":"2026-01-02"}`,
		"/v1/exemptions/exmp_1": `{"id":"exmp_1","status":"ACTIVE","country_code":"US","start_date":"2026-01-01"}`,
		"/v1/organizations/org_1": `{"id":"org_1","name":"Shop","grants":[{"partner":"org_9","role":"preparer",
			"role_after_onboarding":"preparer"}]}`,
		"/v1/filings/file_2": `{"id":"file_2","organization_id":"org_1","status":"FILED","amount":"1.00","currency":"USD",
			"start_date":"2026-01-01","end_date":"2026-01-31","country_code":"US","state_code":"TX"}`,
		"/v1/filings":                `{` + page + `,"items":[` + filing + `]}`,
		"/v1/filings/file_1/payment": `{"payable":true,"amount":"1.00","currency":"USD","due_date":"2026-02-20","method":"ACH_CREDIT"}`,
		"/v1/payment_files":          `{"content":"101","file_name":"ach.txt","media_type":"text/plain"}`,
		"/v1/nexus/nex_1": `{"id":"nex_1","organization_id":"org_1","status":"EXPOSED","nexus_met":true,"country_code":"US",
			"state_code":"TX","state_name":"Texas","currency":"USD","tax_liability":"0.00"}`,
		"/v1/rate_overrides":        `{` + page + `,"items":[` + rate + `]}`,
		"/v1/rate_overrides/rato_1": rate,
		"/v1/transactions/imports/imp_1": `{"id":"imp_1","name":"sales.csv","status":"COMPLETED","rows":1,
			"rejected":1,"rejected_rows":1}`,
		"/v1/transactions/imports/imp_1/rejected_rows": "external_id,city,import_line,import_column,import_problem\nA-1,Trroy,2,city,Unknown.\n",
		"/v1/organizations/api_keys": `{` + page + `,"items":[{"id":"key_1","name":"Shop","prefix":"lk",
			"last4":"1234","status":"ACTIVE"}]}`,
		"/v1/colleagues": `{"items":[{"organization_id":"org_1","id":"user_2","name":"Bob","may_act":true}]}`,
		"/v1/exceptions": `{` + page + `,"items":[` + strings.Join(exceptions, ",") + `]}`,
		"/v1/transactions/txn_1": `{"id":"txn_1","organization_id":"org_1","processing_status":"NEEDS_REFETCH",
			"addresses":[{"type":"SHIP_TO","country":"US"}]}`,
		"/v1/transactions":          `{` + page + `,"items":[{"id":"txn_1","organization_id":"org_1","external_id":"ORDER-1"}]}`,
		"/v1/due_filings":           `{` + page + `,"items":[` + filing + `]}`,
		"/v1/filings/file_1":        filing,
		"/v1/filings/file_1/review": `{"amount":"1.00","currency":"USD","attestation":"I have reviewed it."}`,
		"/v1/onboarding/org_2":      `{"organization_id":"org_2","organization_name":"Client","status":"IN_PROGRESS","next_step":3}`,
		"/v1/audit":                 `{` + page + `,"items":[{"action":"update","object_type":"filing","object_id":"file_1","changes":{}}]}`,
		"/v1/users": `{` + page + `,"items":[{"id":"user_2","name":"Bob","email":"bob@example.com","status":"ACTIVE",
			"role":"viewer"}],"name":"Bob","sign_in_path":"/sign-in/new"}`,
		"/v1/webhook_endpoints/whep_1": `{"id":"whep_1","url":"https://shop.example","status":"ENABLED","enabled_events":["*"]}`,
		"/v1/webhook_endpoints/whep_1/deliveries": `{` + page + `,"items":[{"id":"whdl_1","event_id":"evt_1","type":"filing.filed",
			"status":"FAILED","attempts":[]}]}`,
		"/v1/reports": `{` + page + `,"report":"LIABILITY","columns":[{"name":"country_code","kind":"TEXT"},
			{"name":"state_code","kind":"TEXT"},{"name":"sales","kind":"AMOUNT"}],"items":[{"organization_id":"org_1",
			"report_row":"row","values":{"country_code":"US","state_code":"TX","sales":"100.00"}}]}`,
		"/v1/registrations/regs_1": `{"id":"regs_1","status":"REGISTERED","country_code":"US","state_code":"TX","state_name":"Texas"}`,
		"/v1/transactions/txn_2": `{"id":"txn_2","organization_id":"org_1","type":"ORDER","status":"COMMITTED",
			"processing_status":"PROCESSED","currency":"USD","total_amount":"10.00",
			"transaction_items":[{"id":"item_1","external_product_id":"A","quantity":"1","amount":"10.00"}]}`,
		"/v1/calendar_feeds": `{"items":[{"id":"calf_1","name":"Team"}]}`,
		"/v1/filing_approvals": `{"attestation":"I have reviewed it.","done_count":1,"items":[{"filing_id":"file_1","status":"READY",
			"filing":` + filing + `}]}`,
		"/v1/": `{}`,
	}}
	api := http.NewServeMux()
	for path := range says.of {
		api.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			made.add(r)
			_, _ = io.WriteString(w, says.at(path))
		})
	}
	return consoleOver(t, api), says
}

// answers are the answers of an API by path. Each may change while pages are open.
type answers struct {
	sync.Mutex
	of map[string]string
}

func (a *answers) at(path string) string {
	a.Lock()
	defer a.Unlock()
	return a.of[path]
}

// change replaces a text of an answer by another one. undo restores it.
func (a *answers) change(t *testing.T, path, from, to string) (undo func()) {
	t.Helper()
	a.Lock()
	defer a.Unlock()
	before := a.of[path]
	require.Contains(t, before, from, path)
	a.of[path] = strings.Replace(before, from, to, 1)
	return func() {
		a.Lock()
		defer a.Unlock()
		a.of[path] = before
	}
}

// await waits until a call matches: a download leads to no other page.
func (c *calls) await(t *testing.T, task, matching string) {
	t.Helper()
	var made []string
	require.Eventually(t, func() bool {
		found, some := c.have(matching)
		made = append(made, some...)
		return found
	}, testbed.WaitLimit, 20*time.Millisecond, "%s: not called: %s", task, matching)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(task, strings.Join(made, "\n"))
		}
	})
}

// Each task takes no more clicks and fields than the docs say, and calls what it is for.
func TestTasksTakeFewClicks(t *testing.T) {
	t.Parallel()
	b, made := open(t, 1280, 900), &calls{}
	address, _ := office(t, made)
	for _, task := range tasks {
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
		h.b.goTo(address + k.from)
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

// tried are the tasks that `make test` does without scripts and by keyboard. `make pages` does all of them so.
var tried = []string{"approve a return", "correct an address and open the next exception", "ask a client about a sale"}

func (k *task) isTried() bool {
	return slices.Contains(tried, k.name) || os.Getenv(everyPageVariable) != ""
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
		from := strings.NewReplacer("org_1", "{organization}", "org_2", "{id}", "file_1", "{id}", "whep_1", "{id}",
			"file_2", "{id}", "txn_1", "{id}", "ntc_1", "{id}", "exmp_1", "{id}", "nex_1", "{id}", "imp_1", "{id}").Replace(task.from)
		tested = append(tested, strings.Join([]string{task.name, from, strconv.Itoa(task.clicks), strconv.Itoa(task.fields)}, " | "))
	}
	require.Equal(t, tested, documented)
}
