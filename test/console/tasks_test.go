package console_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
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
	h.b.do(chromedp.Click(selector))
}

// choose takes an option of a list. That counts as a click and a field.
func (h *user) choose(selector, value string) {
	h.b.t.Helper()
	h.clicks, h.fields = h.clicks+1, h.fields+1
	h.b.is(fmt.Sprintf(`((list) => { list.value = %[2]q; list.dispatchEvent(new Event('change', {bubbles: true}));
		return list.value === %[2]q && list.checkVisibility(); })(document.querySelector(%[1]q))`, selector, value))
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
func office(t *testing.T, made *calls) (address string) {
	t.Helper()
	exceptions := make([]string, 20)
	for i := range exceptions {
		exceptions[i] = fmt.Sprintf(`{"type":"TRANSACTION_UNRESOLVED","organization_id":"org_1","object_id":"txn_%d","title":"ORDER-%[1]d",
			"reason":"The state is missing.","since":"2026-01-01T00:00:00Z","cursor":"c%[1]d","actions":["updateTransaction"]}`, i+1)
	}
	const page = `"page":1,"pages":1,"total":1`
	const filing = `{"id":"file_1","organization_id":"org_1","status":"UNFILED","amount":"1.00","currency":"USD",
		"start_date":"2026-01-01","end_date":"2026-01-31","can_approve":true,"country_code":"US","state_code":"TX"}`
	answers := map[string]string{
		"/v1/session": `{"user":{"id":"user_1","name":"Ada"},"organizations":[{"organization_id":"org_1","organization_name":"Shop",
			"root":true,"role":"admin"}]}`,
		"/v1/colleagues": `{"items":[{"organization_id":"org_1","id":"user_2","name":"Bob","may_act":true}]}`,
		"/v1/exceptions": `{` + page + `,"items":[` + strings.Join(exceptions, ",") + `]}`,
		"/v1/transactions/txn_1": `{"id":"txn_1","organization_id":"org_1","processing_status":"NEEDS_REFETCH",
			"addresses":[{"type":"SHIP_TO","country":"US"}]}`,
		"/v1/transactions":             `{` + page + `,"items":[{"id":"txn_1","organization_id":"org_1","external_id":"ORDER-1"}]}`,
		"/v1/due_filings":              `{` + page + `,"items":[` + filing + `]}`,
		"/v1/filings/file_1":           filing,
		"/v1/filings/file_1/review":    `{"amount":"1.00","currency":"USD","attestation":"I have reviewed it."}`,
		"/v1/onboarding/org_2":         `{"organization_id":"org_2","organization_name":"Client","status":"IN_PROGRESS","next_step":3}`,
		"/v1/audit":                    `{` + page + `,"items":[{"action":"update","object_type":"filing","object_id":"file_1","changes":{}}]}`,
		"/v1/users":                    `{` + page + `,"items":[],"name":"Bob","sign_in_path":"/sign-in/new"}`,
		"/v1/webhook_endpoints/whep_1": `{"id":"whep_1","url":"https://shop.example","status":"ENABLED","enabled_events":["*"]}`,
		"/v1/webhook_endpoints/whep_1/deliveries": `{` + page + `,"items":[{"id":"whdl_1","event_id":"evt_1","type":"filing.filed",
			"status":"FAILED","attempts":[]}]}`,
		"/v1/reports": `{` + page + `,"report":"LIABILITY","columns":[{"name":"country_code","kind":"TEXT"},
			{"name":"state_code","kind":"TEXT"},{"name":"sales","kind":"AMOUNT"}],"items":[{"organization_id":"org_1",
			"report_row":"row","values":{"country_code":"US","state_code":"TX","sales":"100.00"}}]}`,
		"/v1/": `{}`,
	}
	api := http.NewServeMux()
	for path, says := range answers {
		api.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			made.add(r)
			_, _ = io.WriteString(w, says)
		})
	}
	return consoleOver(t, api)
}

// Each task takes no more clicks and fields than the docs say, and calls what it is for.
func TestTasksTakeFewClicks(t *testing.T) {
	t.Parallel()
	b, made := open(t, 1280, 900), &calls{}
	address := office(t, made)
	for _, task := range tasks {
		b.do(chromedp.Navigate(address + task.from))
		made.have("")
		h := &user{b: b}
		task.do(h)
		found, all := made.have(task.calls)
		require.True(t, found, "%s: %s", task.name, strings.Join(all, "\n"))
		require.LessOrEqual(t, h.clicks, task.clicks, "clicks for: %s", task.name)
		require.LessOrEqual(t, h.fields, task.fields, "fields for: %s", task.name)
		t.Logf("%s: %d clicks, %d fields", task.name, h.clicks, h.fields)
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
		from := strings.NewReplacer("org_1", "{organization}", "org_2", "{id}", "file_1", "{id}", "whep_1", "{id}").Replace(task.from)
		tested = append(tested, strings.Join([]string{task.name, from, strconv.Itoa(task.clicks), strconv.Itoa(task.fields)}, " | "))
	}
	require.Equal(t, tested, documented)
}
