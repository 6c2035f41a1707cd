package contract_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
)

// begin makes records that every rule is about: refunds of each kind, returns that leave and use credit, clients on
// their way and gone, and keys.
func (h *history) begin(shop *historyShop) {
	h.t.Helper()
	h.registerIn(shop, "NY", "MONTHLY")
	sold := func(month int, amount string) string {
		path := h.installation.sale(shop.credentials, fmt.Sprintf(`,"date":"2026-%02d-10T10:00:00Z"`, month),
			lineOf("L1", "P-1", amount, ""), lineOf("L2", "SHIP", "10.00", ""))
		return strings.TrimPrefix(path, "/v1/transactions/")
	}
	whole := sold(1, "300.00")
	sold(1, "700.00")
	untotalled := sold(3, "4000.00")
	h.posted(shop.credentials, `"status":"PENDING",`)
	h.moveMonth(shop, 1)
	back := h.credit(shop.credentials, whole, strings.ReplaceAll(noteBody(h.next("NOTE"), "COMMITTED", "310.00",
		noteLine("L1", "P-1", "1", "300.00", "0")+","+noteLine("L2", "SHIP", "1", "10.00", "0")), "2026-06-01", "2026-02-10"))
	h.processed(shop.credentials, back.ID)
	h.moveMonth(shop, 2) // owes less than nothing
	h.moveMonth(shop, 3) // uses what that left
	h.try(shop.credentials, "POST", "/v1/filings/"+h.filingOfMonth(shop, 1)+"/amend", `{"reason":"A letter"}`)
	part := h.credit(shop.credentials, untotalled,
		noteBody(h.next("NOTE"), "COMMITTED", "40.00", noteLine("L1", "P-1", "0", "40.00", "0")))
	h.processed(shop.credentials, part.ID)
	for range 4 {
		h.onboardClient(shop)
	}
	h.useKeys(shop)
	shop.sales = append(shop.sales, whole, untotalled)
}

// filingOfMonth is the planned return of a month in New York.
func (h *history) filingOfMonth(shop *historyShop, month int) (id string) {
	h.t.Helper()
	h.query(&id, `SELECT id FROM filings WHERE organization_id = $1 AND state_code = 'NY' AND planned
		AND start_date = make_date(2026, $2, 1)`, shop.organization, month)
	return id
}

// moveMonth takes the return of a month to its end.
func (h *history) moveMonth(shop *historyShop, month int) {
	h.t.Helper()
	id := h.filingOfMonth(shop, month)
	h.obligationsDecided()
	h.call(shop.credentials, "PUT", "/v1/filings/"+id+"/approve", "{}", 200)
	h.call(shop.credentials, "PUT", "/v1/filings/"+id, `{"status":"FILED","return_confirmation_id":"C-1"}`, 200)
	h.locked(shop, id)
}

func (h *history) locked(shop *historyShop, filing string) {
	h.t.Helper()
	scope := models.Scope{OrganizationID: shop.organization}
	require.NoError(h.t, h.store.Filings.LockFiling(h.t.Context(), scope, filing))
}

// register registers a shop in a state, whose ended periods are planned.
func (h *history) register(shop *historyShop) {
	h.registerIn(shop, h.one(historyStates...), h.one("MONTHLY", "MONTHLY", "QUARTERLY", "QUARTERLY_PREPAYMENT"))
}

func (h *history) registerIn(shop *historyShop, state, frequency string) {
	h.t.Helper()
	a := h.try(shop.credentials, "POST", "/v1/registrations", fmt.Sprintf(`{"country_code":"US","state_code":%q,
		"filing_frequency":%q,"imported":true,"registration_date":"2026-01-01"}`, state, frequency))
	if a.status != 200 {
		return
	}
	id := a.text(h.t, "id")
	shop.registrations = append(shop.registrations, id)
	h.obligationsDecided()
	_, err := h.store.Filings.PlanRegistration(h.t.Context(), models.Scope{OrganizationID: shop.organization}, id,
		rules.FilingPlan(h.taxes.Current(), time.Now()))
	require.NoError(h.t, err)
}

// endRegistration ends or changes one.
func (h *history) endRegistration(shop *historyShop) {
	id, ok := drawn(h, shop.registrations)
	if !ok {
		return
	}
	if h.chance(50) {
		h.try(shop.credentials, "PUT", "/v1/registrations/"+id, h.one(`{"filing_frequency":"QUARTERLY"}`,
			`{"filing_frequency":"MONTHLY"}`, `{"do_not_file":true}`, `{"registration_date":"2026-02-01"}`))
		return
	}
	h.try(shop.credentials, "POST", "/v1/registrations/"+id+"/deregister", `{"reason":"No more sales there"}`)
}

// fileReturn creates a return of any category and status, and reads the ones that were planned.
func (h *history) fileReturn(shop *historyShop) {
	id, ok := drawn(h, shop.registrations)
	if !ok {
		return
	}
	var state string
	h.query(&state, "SELECT state_code FROM registrations WHERE id = $1", id)
	month := 1 + h.IntN(8)
	start := time.Date(2026, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
	h.try(shop.credentials, "POST", "/v1/filings", fmt.Sprintf(`{"registration_id":%q,"status":%q,"start_date":%q,
		"end_date":%q,"country_code":"US","state_code":%q,"state_name":%[5]q,"filing_category":%q}`, id,
		h.one("UNFILED", "UNFILED", "UNFILED", "PAUSED", "SKIPPED", "CANCELLED", "ISSUE", "FILING", "FILED"),
		start.Format(time.DateOnly), start.AddDate(0, 1, -1).Format(time.DateOnly), state,
		h.one("REGULAR", "REGULAR", "REGULAR", "PREPAYMENT", "OTHER")))
}

// moveReturn takes a return a step on.
func (h *history) moveReturn(shop *historyShop) {
	var all []string
	h.query(&all, `SELECT coalesce(array_agg(id::text ORDER BY start_date, id), '{}') FROM filings
		WHERE organization_id = $1`, shop.organization)
	id, ok := drawn(h, all)
	if !ok {
		return
	}
	path := "/v1/filings/" + id
	h.obligationsDecided()
	switch h.IntN(10) {
	case 0, 1, 2:
		h.try(shop.credentials, "PUT", path+"/approve", h.one("{}", `{"exclude_unresolved":true}`))
		fallthrough
	case 3, 4:
		h.try(shop.credentials, "PUT", path, `{"status":"FILED","return_confirmation_id":"C-1"}`)
		h.locked(shop, id)
	case 5:
		h.try(shop.credentials, "PUT", path, h.one(`{"status":"ISSUE","issue_reason":"Rejected"}`,
			`{"status":"PAUSED"}`, `{"status":"UNFILED"}`))
	case 6:
		h.try(shop.credentials, "PUT", path, h.one(`{"status":"CANCELLED","cancelled_reason":"Twice"}`,
			`{"status":"SKIPPED","skip_reason":"Nothing sold"}`))
	case 7:
		h.try(shop.credentials, "POST", path+"/retry", "")
	case 8:
		h.try(shop.credentials, "POST", path+"/amend", `{"reason":"A letter","amount_penalties":"25.00"}`)
	case 9:
		h.try(shop.credentials, "PUT", path, h.one(`{"amount_adjusted":"-500.00"}`, `{"amount_fees":"3.00"}`,
			`{"amount_discounts":"1.00"}`, `{"tax_remitted":"7.00"}`))
	}
	_, err := h.store.Filings.AmendFilings(h.t.Context())
	require.NoError(h.t, err)
}

func (h *history) changeSettings(shop *historyShop) {
	h.try(shop.credentials, "POST", "/v1/organizations/"+shop.organization+"/settings",
		h.one(`{"prefer_collected_tax_amounts":true}`, `{"prefer_collected_tax_amounts":false}`))
}

// onboardClient takes a new client through some steps. Some are cancelled, some archived.
func (h *history) onboardClient(*historyShop) {
	h.t.Helper()
	created := h.try(h.root, "POST", "/v1/organizations", fmt.Sprintf(`{"name":%q}`, h.next("New client")))
	client := credentials{organization: created.text(h.t, "id")}
	_, client.key = h.key(h.parentOf(client))
	for _, step := range stepPaths[:h.IntN(len(stepPaths)+1)] {
		h.try(client, "PUT", step.path, stepBodies[step.operation])
	}
	h.clients++
	switch h.clients % 4 {
	case 0:
		h.try(client, "POST", "/v1/onboarding/"+client.organization+"/cancel", "")
	case 1:
		h.onboard(client)
		h.try(h.root, "POST", "/v1/organizations/"+client.organization+"/archive", "")
	case 2:
		h.onboard(client)
	}
}

func (h *history) useKeys(shop *historyShop) {
	id := h.try(shop.credentials, "POST", "/v1/organizations/api_keys", `{"name":"Backend"}`)
	if id.status != 200 {
		return
	}
	path := "/v1/organizations/api_keys/" + id.text(h.t, "id")
	if h.chance(50) {
		h.try(shop.credentials, "POST", path+"/rotate", `{"overlap_seconds":60}`)
	}
	h.try(shop.credentials, "DELETE", path, "")
}

// certify exempts a customer whose sales exist.
func (h *history) certify(shop *historyShop) {
	var customer string
	h.query(&customer, "SELECT id FROM customers WHERE organization_id = $1 AND external_id = 'PLAIN'", shop.organization)
	h.try(shop.credentials, "POST", "/v1/exemptions", fmt.Sprintf(`{"exemption_type":"wholesale","customer_id":%q,
		"start_date":"2026-03-01","jurisdiction":"NY","sales_tax_id":"NY-1"}`, customer))
}

// importFile imports sales and a refund from a file.
func (h *history) importFile(shop *historyShop) {
	h.t.Helper()
	order, other := h.next("FILE"), h.next("FILE")
	body := fileStart + ",amount,tax_amount_imported,status,related_to,transaction_total_amount\n" +
		order + ",SALE,2026-05-15T10:00:00Z,PLAIN,P-1,100.00,8.00,COMMITTED,,\n" +
		order + ",SALE,2026-05-15T10:00:00Z,PLAIN,SHIP,10.00,,COMMITTED,,\n" +
		h.next("FILE") + ",PARTIAL_CREDIT_NOTE,2026-06-15T10:00:00Z,PLAIN,P-1," + h.one("-10.00", "-999.00") +
		",,COMMITTED," + order + "," + h.one("-10.00", "-999.00") + "\n" +
		other + ",SALE,2026-04-15T10:00:00Z,PLAIN,P-1," + h.one("7.00", "=1") + ",," + h.one("COMMITTED", "ARCHIVED") + ",,\n"
	h.takenIn(shop.credentials, body)
}
