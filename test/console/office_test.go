package console_test

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

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
		"/v1/filing_payments": `{"total":1,"page":1,"pages":1,"items":[{"filing_id":"file_1","payable":true,"amount":"1.00","paid":"0.00",
			"open":"1.00","currency":"USD","due_date":"2026-02-20","method":"ACH_CREDIT","country_code":"US","state_code":"NY",
			"start_date":"2026-01-01","end_date":"2026-01-31","status":"FILED"}]}`,
		"/v1/payment_files": `{"content":"101","file_name":"ach.txt","media_type":"text/plain"}`,
		"/v1/nexus/nex_1": `{"id":"nex_1","organization_id":"org_1","status":"EXPOSED","nexus_met":true,"country_code":"US",
			"state_code":"TX","state_name":"Texas","currency":"USD","tax_liability":"0.00"}`,
		"/v1/products/categories":   `[]`,
		"/v1/rate_overrides":        `{` + page + `,"items":[` + rate + `]}`,
		"/v1/rate_overrides/rato_1": rate,
		"/v1/transactions/imports/imp_1": `{"id":"imp_1","name":"sales.csv","status":"COMPLETED","rows":1,
			"rejected":1,"rejected_rows":1}`,
		"/v1/transactions/imports/imp_1/rejected_rows": "external_id,city,import_line,import_column,import_problem\nA-1,Trroy,2,city,Unknown.\n",
		"/v1/organizations/api_keys": `{` + page + `,"items":[{"id":"key_1","name":"Shop","prefix":"lk",
			"last4":"1234","status":"ACTIVE"}]}`,
		"/v1/colleagues": `{"items":[{"organization_id":"org_1","id":"user_2","name":"Bob","may_act":true}]}`,
		"/v1/exceptions": `{` + page + `,"items":[` + strings.Join(exceptions, ",") + `]}`,
		"/v1/transactions/txn_1": `{"id":"txn_1","organization_id":"org_1","revision":1,"processing_status":"NEEDS_REFETCH",
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
	api.HandleFunc("GET /v1/reports/export", func(w http.ResponseWriter, r *http.Request) {
		made.add(r)
		w.Header().Set("Content-Disposition", `attachment; filename="report.xlsx"`)
		_, _ = io.WriteString(w, "a workbook")
	})
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
