package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

const newYork = `{"type":"SHIP_TO","street_1":"350 5th Ave","city":"New York","state":"NY",` +
	`"postal_code":"10118","country":"US"}`

// estimateWith returns an estimate of lines delivered to New York, with further members.
func estimateWith(lines, members string) string {
	if !strings.Contains(members, `"date"`) {
		members += `,"date":"2026-05-15T10:00:00Z"`
	}
	return `{"addresses":[` + newYork + `],"transaction_items":[` + lines + `]` + members + `}`
}

func (in *installation) estimate(body string) answer {
	in.t.Helper()
	return in.do(in.root, "POST", "/v1/tax/estimate", body)
}

// estimated are the parts of an estimate that most tests check.
type estimated struct {
	TotalTaxAmount string `json:"total_tax_amount"`
	TaxToCollect   string `json:"tax_to_collect"`
	Items          []struct {
		TaxClass      string `json:"tax_class"`
		TotalDiscount string `json:"total_discount"`
		TaxableAmount string `json:"taxable_amount"`
		TaxAmount     string `json:"tax_amount"`
		TaxExemption  string `json:"tax_exemption"`
		Exempt        bool   `json:"exempt"`
	} `json:"transaction_items"`
	TaxBreakdown []struct {
		JurisdictionName      string `json:"jurisdiction_name"`
		TaxableAmount         string `json:"taxable_amount"`
		Amount                string `json:"amount"`
		Reason                string `json:"reason"`
		HasActiveRegistration bool   `json:"has_active_registration"`
	} `json:"tax_breakdown"`
	HasActiveRegistration bool `json:"has_active_registration"`
	Explanation           []struct {
		N          int
		Code, Text string
	} `json:"explanation"`
}

func (a answer) estimated() estimated {
	a.t.Helper()
	a.expect(200)
	a.isPageOfOne()
	var e estimated
	require.NoError(a.t, json.Unmarshal(a.Body.Bytes(), &e))
	return e
}

// isPageOfOne checks that an estimate is also a page with itself, and returns it without that.
func (a answer) isPageOfOne() map[string]any {
	a.t.Helper()
	var got map[string]any
	require.NoError(a.t, json.Unmarshal(a.Body.Bytes(), &got))
	page := map[string]any{}
	for _, name := range []string{"items", "total", "page", "size", "pages"} {
		page[name] = got[name]
		delete(got, name)
	}
	require.Equal(a.t, map[string]any{
		"items": []any{got}, "total": 1.0, "page": 1.0, "size": 1.0, "pages": 1.0,
	}, page)
	return got
}

// This is the example of the contract in its short form.
func TestEstimateShortForm(t *testing.T) {
	t.Parallel()
	in := install(t)
	a := in.estimate(`{"amount":100,"date":"2026-05-15T10:00:00Z","shipping_address":{"street_1":"350 5th Ave",` +
		`"city":"New York","state":"NY","postal_code":"10118","country":"US"}}`)
	require.Equal(t, 200, a.Code, a.Body.String())
	got, want := a.isPageOfOne(), map[string]any{}
	var codes []any
	for _, step := range got["explanation"].([]any) {
		codes = append(codes, step.(map[string]any)["code"])
	}
	require.Equal(t, []any{
		"SOURCING", "JURISDICTIONS", "CLASSIFICATION", "RATE", "ROUNDING", "REGISTRATION", "RESULT",
	}, codes)
	delete(got, "explanation")
	require.NotEmpty(t, got["content_version"])
	delete(got, "content_version")

	const publication = "New York State Department of Taxation and Finance: Publication 718, " +
		"Sales and Use Tax Rates by Jurisdiction, effective 2025-03-01"
	row := func(kind, name, rate, amount, rule, more string) string {
		return fmt.Sprintf(`{%s"jurisdiction_type":%q,"jurisdiction_name":%q,"country":"US","state":"NY","rate":%q,`+
			`"taxable_amount":"100.00","amount":%q,"reason":"RULE_FOUND_TAXABLE","rule_id":%q}`,
			more, kind, name, rate, amount, rule)
	}
	rows := func(name, more string) string {
		var all []string
		for _, r := range [][]string{
			{"STATE", "New York", "0.040000000", "4.00", "us-ny-general", "New York state sales tax",
				"Law of New York: Tax Law 1105, as known in 2026-11"},
			{"CITY", "New York City", "0.045000000", "4.50", "us-ny-nyc-general", "New York City sales tax", publication},
			{"SPECIAL", "MCTD", "0.003750000", "0.38", "us-ny-mctd-general", "MCTD sales tax", publication},
		} {
			members := more
			if name != "" {
				members += fmt.Sprintf("%q:%q,%q:%q,%q:%q,", name, r[5], "rule", r[4], "source", r[6])
			}
			all = append(all, row(r[0], r[1], r[2], r[3], r[4], members))
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	require.NoError(t,
		json.Unmarshal([]byte(`{"date":"2026-05-15T10:00:00Z","tax_date":"2026-05-15","tax_rounding":"TAX_PER_LINE","prices_include_tax":false,
			"currency":"USD",
			"marketplace":false,"simulate_active_registration":false,
		"addresses":[{"type":"SHIP_TO","street_1":"350 5th Ave","city":"New York","state":"NY","postal_code":"10118",
			"country":"US","is_unincorporated":false}],
		"confidence":"HIGH","completeness":"ZIP5","warnings":[],
		"transaction_items":[{"index":0,"amount":"100.00","quantity":"1.0","product_category":"PHYSICAL",
			"product_subcategory":"PHYSICAL_GENERAL","tax_class":"PHYSICAL","total_discount":"0.00","taxable_amount":"100.00",
			"tax_amount":"8.88","tax_rate":"0.088750000","exempt":false,
			"tax_items":`+rows("name", `"exempt":false,`)+`}],
		"total_tax_amount":"8.88","total_tax_amount_calculated":"8.88","taxable_amount":"100.00",
		"tax_rate_calculated":"0.088750000",
		"tax_breakdown":`+rows("", `"has_active_registration":false,`)+`,
		"has_active_registration":false,"tax_to_collect":"0.00","address_status":"VERIFIED","ambiguous":false,
		"sourcing":"DESTINATION"}`), &want))
	require.Equal(t, want, got)
}

func TestEstimateEchoesTheCanonicalForm(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.product(in.root, "P-1")
	a := in.estimate(`{"date":"2026-05-15T12:00:00.1234567+02:00","external_id":"CART-1","currency":"USD",
		"description":"text","source":"POS","marketplace":true,
		"simulate_active_registration":true,"unknown":1,
		"customer":{"external_id":"nobody","name":"Ada","customer_tax_registrations":[{"country_code":"DE","tax_type":"vat",
			"tax_id":"DE1"}]},
		"addresses":[{"type":"SHIP_TO","state":"NY","postal_code":"10118","phone":"+1 212 555 0100","connection_id":"c",
			"is_unincorporated":true},{"type":"SHIP_FROM","state":"Texas","country":"US"}],
		"transaction_items":[{"external_product_id":"P-1","product_category":"FOOD","product_subcategory":"whatever",
			"amount":"12.5","quantity":2.250,"external_id":"L","exempt":true,
			"date":"2026-05-14T01:00:00","description":"d","product_name":"n","product_description":"pd",
			"discount_builder":{"external_id":"D","applied_to":"TRANSACTION_ITEM","discount_amount":1}}]}`)
	a.expect(200)
	var got map[string]any
	require.NoError(t, json.Unmarshal(a.Body.Bytes(), &got))
	for name, want := range map[string]string{
		"date": `"2026-05-15T10:00:00.123456Z"`, "external_id": `"CART-1"`, "currency": `"USD"`, "description": `"text"`,
		"source":      `"POS"`,
		"marketplace": `true`, "simulate_active_registration": `true`,
		"customer": `{"external_id":"nobody","name":"Ada","customer_tax_registrations":[{"country_code":"DE",` +
			`"tax_type":"vat","tax_id":"DE1"}]}`,
		"addresses": `[{"type":"SHIP_TO","state":"NY","postal_code":"10118","phone":"+1 212 555 0100","connection_id":"c",` +
			`"is_unincorporated":true},{"type":"SHIP_FROM","state":"Texas","country":"US","is_unincorporated":false}]`,
		"transaction_items": `[{"external_product_id":"P-1","product_category":"FOOD","product_subcategory":"whatever",
			"amount":"12.50","quantity":"2.25","external_id":"L","exempt":true,
			"index":0,"tax_class":"PHYSICAL","total_discount":"1.00","taxable_amount":"0.00","tax_amount":"0.00",
			"tax_rate":"0.000000000",
			"exempt_reason":"TRANSACTION","tax_exemption":"TRANSACTION",
			"date":"2026-05-14T01:00:00Z","description":"d","product_name":"n","product_description":"pd",
			"discount_builder":{"external_id":"D","applied_to":"TRANSACTION_ITEM","discount_amount":"1.00"}}]`,
	} {
		if lines, ok := got[name].([]any); ok && name == "transaction_items" {
			item := lines[0].(map[string]any)["tax_items"].([]any)[0].(map[string]any)
			require.Equal(t, []any{"TRANSACTION_EXEMPT", "us-ny-general"}, []any{item["exempt_reason"], item["rule"]})
			delete(lines[0].(map[string]any), "tax_items")
		}
		shown, err := json.Marshal(got[name])
		require.NoError(t, err)
		require.JSONEq(t, want, string(shown), name)
	}
	require.Equal(t, "PHYSICAL", a.estimated().Items[0].TaxClass, "the product wins")
}

func TestEstimateWithoutItsSentences(t *testing.T) {
	t.Parallel()
	in := install(t)
	body := estimateWith(`{"amount":"100.00","product_category":"PHYSICAL","product_subcategory":"CLOTHING"}`, "")
	told := in.do(in.root, "POST", "/v1/tax/estimate", body).expect(200).isPageOfOne()
	short := in.do(in.root, "POST", "/v1/tax/estimate?explain=false", body).expect(200).isPageOfOne()
	require.NotEmpty(t, told["explanation"])
	require.Equal(t, []any{}, short["explanation"])
	delete(told, "explanation")
	delete(short, "explanation")
	require.Equal(t, told, short, "nothing else differs")
}

func TestEstimateSumsUp(t *testing.T) {
	t.Parallel()
	in := install(t)
	lines := `{"product_category":"PHYSICAL","amount":30,"discount_builder":{"applied_to":"TRANSACTION",
		"discount_amount":4}},
		{"product_category":"PHYSICAL","amount":10},
		{"product_category":"MISCELLANEOUS","product_subcategory":"GIFT_CARD","amount":50},
		{"product_category":"CLOTHING","amount":109.99}`
	e := in.estimate(estimateWith(lines, `,"simulate_active_registration":true`)).estimated()
	require.Equal(t, "3.48", e.TotalTaxAmount)
	require.Equal(t, "3.48", e.TaxToCollect)
	var discounts, classes, exemptions []string
	for _, i := range e.Items {
		discounts, classes, exemptions = append(
			discounts, i.TotalDiscount,
		), append(classes, i.TaxClass), append(exemptions, i.TaxExemption)
	}
	require.Equal(t, []string{"0.60", "0.20", "1.00", "2.20"}, discounts)
	require.Equal(t, []string{"PHYSICAL", "PHYSICAL", "NOT_TAXABLE", "CLOTHING"}, classes)
	require.Equal(t, []string{"", "", "PRODUCT", "PRODUCT"}, exemptions)
	rows := map[string]string{}
	for _, r := range e.TaxBreakdown {
		require.True(t, r.HasActiveRegistration)
		rows[r.JurisdictionName+" "+r.Reason] = r.TaxableAmount + " " + r.Amount
	}
	require.Equal(t, "39.20 1.57", rows["New York RULE_FOUND_TAXABLE"], "one row for two lines")
	require.Len(t, rows, len(e.TaxBreakdown))
}

func TestEstimateOfWhatIsToBeCollected(t *testing.T) {
	t.Parallel()
	in := install(t)
	for _, test := range []struct {
		rule, members, collect, says string
		registered                   bool
	}{
		{
			"nothing without a registration", ``, "0.00",
			"No active registration in New York: nothing to collect.", false,
		},
		{
			"everything with a simulated one", `,"simulate_active_registration":true`, "8.88",
			"Simulated as registered in New York: the tax there is to be collected.", true,
		},
		{
			"nothing on a marketplace", `,"marketplace":true,"simulate_active_registration":true`, "0.00",
			"The marketplace collects the tax: nothing to collect.", true,
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			e := in.estimate(estimateWith(`{"product_category":"PHYSICAL","amount":100}`, test.members)).estimated()
			require.Equal(t, "8.88", e.TotalTaxAmount, "the law does not ask for registrations")
			require.Equal(t, test.collect, e.TaxToCollect)
			require.Equal(t, test.registered, e.HasActiveRegistration)
			require.Equal(t, test.registered, e.TaxBreakdown[0].HasActiveRegistration)
			last := e.Explanation[len(e.Explanation)-2:]
			require.Equal(t, test.says, last[0].Text)
			require.Equal(
				t, "The tax by law is 8.88 on 100.00 taxable; "+test.collect+" is to be collected.",
				last[1].Text,
			)
			require.Equal(t, len(e.Explanation), last[1].N)
		})
	}
}

// This is a sale from one member state of the European Union to a business of another.
func TestEstimateChargesNoVATToABusinessAbroad(t *testing.T) {
	t.Parallel()
	in := install(t)
	of := func(taxID string) (string, string) {
		e := in.estimate(`{"date":"2026-05-15T10:00:00Z","currency":"EUR","transaction_items":[{"product_category":"DIGITAL",
			"amount":100}],
			"addresses":[{"type":"SHIP_TO","country":"FR"},{"type":"SHIP_FROM","country":"DE"}],
			"customer":{"name":"Ada","customer_tax_registrations":[{"country_code":"FR","tax_type":"vat","tax_id":"` +
			taxID + `"}]}}`).estimated()
		return e.TotalTaxAmount, e.Items[0].TaxExemption
	}
	amount, exemption := of("FR 59 396570871")
	require.Equal(t, "0.00 REVERSE_CHARGE", amount+" "+exemption)
	amount, exemption = of("FR 58 396570871")
	require.Equal(t, "20.00 ", amount+" "+exemption, "an id with a wrong check digit is ignored")
}

func TestEstimateFindsTheCustomersExemptions(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.product(in.root, "P-1")
	sale := func(order, customer, members string) string {
		return `{"external_id":"` + order +
			`","type":"SALE","date":"2026-05-15T10:00:00Z","customer":{"external_id":"` + customer +
			`"},"addresses":[` + newYork + `],
			"transaction_items":[{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z","amount":100}]` +
			members + `}`
	}
	in.do(in.root, "POST", "/v1/transactions", sale("O-1", "C-1", "")).expect(202)
	in.do(
		in.root, "POST", "/v1/transactions",
		sale("O-2", "C-2", `,"requires_exemption":{"exemption_type":"transaction"}`),
	).expect(202)
	id := in.do(in.root, "GET", "/v1/transactions/external/O-1", "").expect(200).text("customer_id")
	in.execute(`INSERT INTO exemptions (organization_id, id, exemption_type, start_date, end_date, customer_id,
		  country_code, jurisdiction, reseller, status, created_at)
		VALUES ($1, $2, 'wholesale', '2026-01-01', '2026-12-31', $3, 'US', 'NY', true, 'ACTIVE', now())`,
		in.root.organizationID, models.NewID(models.PrefixExemption), id)
	of := func(members string) string {
		return in.estimate(estimateWith(
			`{"product_category":"PHYSICAL","amount":100}`, members,
		)).estimated().TotalTaxAmount
	}
	require.Equal(t, "0.00", of(`,"customer":{"id":"`+id+`"}`))
	require.Equal(t, "0.00", of(`,"customer":{"external_id":"C-1"}`))
	require.Equal(t, "0.00", of(`,"customer":{"external_id":"C-1","id":"`+id+`"}`))
	require.Equal(
		t, "8.88", of(`,"customer":{"external_id":"C-1"},"date":"2025-12-31T23:59:59Z"`), "before the exemption",
	)
	require.Equal(t, "8.88", of(`,"customer":{"external_id":"C-2"}`), "an exemption of one transaction applies to no other")
	require.Equal(t, "8.88", of(`,"customer":{"external_id":"unknown","name":"Ada"}`), "somebody new")
	require.Equal(t, "8.88", of(`,"customer":{"name":"Ada"}`))
	e := in.estimate(estimateWith(
		`{"product_category":"PHYSICAL","amount":100}`, `,"customer":{"id":"`+id+`"}`,
	)).estimated()
	require.Equal(t, "WHOLESALE", e.Items[0].TaxExemption)
	require.True(t, e.Items[0].Exempt)

	for members, want := range map[string]string{
		`,"customer":{"id":"` + models.NewID(models.PrefixCustomer) +
			`"}`: "reference_not_found not_found body.customer.id",
		`,"customer":{"id":"nonsense"}`:                       "reference_not_found not_found body.customer.id",
		`,"customer":{"id":"` + id + `","external_id":"C-2"}`: "validation_failed mismatch body.customer.id",
	} {
		require.Equal(
			t, []string{want},
			in.estimate(estimateWith(`{"product_category":"PHYSICAL","amount":100}`, members)).faults(), members,
		)
	}
}

// faults returns the problems of a refusal, each as code of the answer, code and location.
func (a answer) faults() []string {
	a.t.Helper()
	var problem struct {
		Code   string
		Errors []struct{ Code, Location string }
	}
	require.NoError(a.t, json.Unmarshal(a.Body.Bytes(), &problem), a.Body.String())
	all := []string{}
	for _, f := range problem.Errors {
		all = append(all, strings.Join([]string{problem.Code, f.Code, f.Location}, " "))
	}
	return all
}

// bodyFaults returns the faults of a refused body, with the code of each and its location.
func (a answer) bodyFaults() []string {
	a.t.Helper()
	a.expect(400, "validation_failed")
	told := a.faults()
	for i := range told {
		told[i] = strings.TrimPrefix(told[i], "validation_failed ")
	}
	return told
}

func TestEstimateRefuses(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.product(in.root, "P-1")
	const line = `{"external_product_id":"P-1","amount":1}`
	address := `"shipping_address":{"state":"NY","country":"US"}`
	for _, test := range []struct {
		rule, body string
		want       []string
	}{
		{"neither form", `{}`, []string{"missing_field body.transaction_items", "missing_field body.addresses"}},
		{"the short form without an address", `{"amount":1}`, []string{"missing_field body.shipping_address"}},
		{
			"both forms", `{"amount":1,"addresses":[` + newYork + `],"transaction_items":[` + line + `]}`,
			[]string{"not_allowed body.amount"},
		},
		{
			"no lines, no addresses", `{"transaction_items":[],"addresses":[]}`,
			[]string{"too_few body.addresses", "too_few body.transaction_items"},
		},
		{"a line without amount, product and category", estimateWith(`{}`, ""), []string{
			"missing_field body.transaction_items[0].amount", "missing_field body.transaction_items[0].external_product_id",
		}},
		{
			"an unknown category", estimateWith(`{"product_category":"NOTHING","amount":1}`, ""),
			[]string{"invalid_category body.transaction_items[0].product_category"},
		},
		{
			"an unknown category in the short form", `{"amount":1,"product_category":"NOTHING",` + address + `}`,
			[]string{"invalid_category body.product_category"},
		},
		{
			"a negative quantity", estimateWith(`{"external_product_id":"P-1","amount":1,"quantity":-1}`, ""),
			[]string{"out_of_range body.transaction_items[0].quantity"},
		},
		{
			"an address type twice",
			`{"addresses":[` + newYork + `,` + newYork + `],"transaction_items":[` + line + `]}`,
			[]string{"duplicate_value body.addresses[1].type"},
		},
		{
			"a date too far away", estimateWith(line, `,"date":"1989-12-31T23:59:59Z"`),
			[]string{"out_of_range body.date"},
		},
		{"an address without a country",
			`{"addresses":[{"type":"SHIP_FROM","state":"NY","country":"US"},{"type":"BILL_TO","city":"Springfield"}],` +
				`"transaction_items":[` + line + `]}`,
			[]string{"invalid_format body.addresses[1]"}},
		{
			"an address without a state",
			`{"addresses":[{"type":"SHIP_TO","country":"US"}],"transaction_items":[` + line + `]}`,
			[]string{"invalid_format body.addresses[0]"},
		},
		{
			"only an origin",
			`{"addresses":[{"type":"SHIP_FROM","state":"NY","country":"US"}],"transaction_items":[` + line + `]}`,
			[]string{"invalid_format body.addresses"},
		},
		{
			"the short form without a state", `{"amount":1,"shipping_address":{"country":"CA"}}`,
			[]string{"invalid_format body.shipping_address"},
		},
		{
			"an empty short address", `{"amount":1,"shipping_address":{}}`,
			[]string{"invalid_format body.shipping_address"},
		},
		{"all faults of the sums and of the place together",
			`{"addresses":[{"type":"SHIP_TO","country":"US"}],"transaction_items":[{"external_product_id":"P-1",` +
				`"amount":9999999999.99},` + line + `]}`,
			[]string{"out_of_range body.transaction_items", "invalid_format body.addresses[0]"}},
		{"a discount with nothing to spread it over", estimateWith(
			`{"external_product_id":"P-1","amount":0,"discount_builder":{"applied_to":"TRANSACTION","discount_amount":1}}`,
			"",
		),
			[]string{"out_of_range body.transaction_items[0].discount_builder.discount_amount"}},
		{"taxable amounts that are no amount together",
			estimateWith(`{"external_product_id":"P-1","amount":9999999999.99},{"external_product_id":"P-1",`+
				`"amount":9999999999.99},`+
				`{"external_product_id":"P-1","amount":-9999999999.99,"reimbursed_by":"MANUFACTURER"}`, ""), []string{
				"out_of_range body.transaction_items",
			}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			for i, w := range test.want {
				test.want[i] = "validation_failed " + w
			}
			require.ElementsMatch(t, test.want, in.estimate(test.body).faults())
		})
	}
	t.Run("unknown products, each", func(t *testing.T) {
		want := []string{
			"product_not_found not_found body.transaction_items[0].external_product_id",
			"product_not_found not_found body.transaction_items[2].external_product_id",
		}
		lines := `{"external_product_id":"X","amount":1,"product_category":"PHYSICAL"},` + line +
			`,{"external_product_id":"p-1","amount":1}`
		require.Equal(t, want, in.estimate(estimateWith(lines, "")).faults())
		require.Equal(
			t, want, in.estimate(estimateWith(lines, `,"customer":{"id":"nonsense"}`)).faults(),
			"products before other records",
		)
		require.Equal(t, []string{
			"product_not_found not_found body.external_product_id",
		}, in.estimate(`{"amount":1,"external_product_id":"X",`+address+`}`).faults())
	})
	t.Run("a product of somebody else", func(t *testing.T) {
		client := in.client("Client")
		body := estimateWith(line, "")
		require.Equal(t, 404, in.do(client, "POST", "/v1/tax/estimate", body).Code)
	})
}

func TestEstimateTakesProductsAsTheyAre(t *testing.T) {
	t.Parallel()
	in := install(t)
	id := in.product(in.root, "P-1")
	require.Equal(
		t, "8.88",
		in.estimate(estimateWith(`{"external_product_id":"P-1","amount":100}`, "")).estimated().TotalTaxAmount,
	)
	in.do(in.root, "PUT", "/v1/products/"+id, `{"tax_exempt":true,"status":"ARCHIVED"}`).expect(200)
	e := in.estimate(estimateWith(
		`{"external_product_id":"P-1","amount":100},{"external_product_id":"P-1","amount":1}`, "",
	)).estimated()
	require.Equal(t, "0.00", e.TotalTaxAmount)
	require.Equal(t, "PRODUCT", e.Items[1].TaxExemption)
	now := in.estimate(`{"amount":-10,"shipping_address":{"state":"NY","postal_code":"10118"}}`).expect(200)
	require.Equal(t, "-0.89", now.text("total_tax_amount"), "a negative line reduces the tax too")
}

// The unit of rounding is the organization's, as when a transaction is processed.
func TestEstimateRoundsAsTheOrganizationDoes(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.execute(
		"UPDATE organization_settings SET rounding_unit = 'TAX_PER_DOCUMENT' WHERE organization_id = $1",
		in.root.organizationID,
	)
	line := `{"product_category":"PHYSICAL","amount":0.06}`
	require.Equal(
		t, "0.01", in.estimate(estimateWith(line+","+line, "")).estimated().TotalTaxAmount,
		"0.01065, and not twice 0.005325 rounded",
	)
}

// A subcategory that is not in the catalogue is accepted. The answer states the class by which the line was taxed.
func TestEstimateWarnsOfAnUnknownSubcategory(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.do(in.root, "POST", "/v1/products", `{"external_id":"P-7","name":"Shirt","product_category":"CLOTHING",
		"product_subcategory":"GENERAL_CLOTHNG"}`).expect(200)
	type warning struct {
		Code, Message string
		Line          *int
	}
	warned := func(a answer) (lines []int) {
		var read struct{ Warnings []warning }
		require.NoError(t, json.Unmarshal(a.expect(200).Body.Bytes(), &read))
		for _, w := range read.Warnings {
			if w.Code == "UNKNOWN_SUBCATEGORY" {
				require.Contains(t, w.Message, "CLOTHING")
				lines = append(lines, *w.Line)
			}
		}
		return lines
	}
	require.Equal(t, []int{1, 3}, warned(in.estimate(estimateWith(`
		{"product_category":"CLOTHING","product_subcategory":"general clothing","amount":100},
		{"product_category":"CLOTHING","product_subcategory":"Shirts","amount":100},
		{"product_category":"CLOTHING","amount":100},{"external_product_id":"P-7","amount":100}`, ""))))
	require.Equal(t, []int{0}, warned(in.estimate(`{"amount":10,"product_category":"CLOTHING",
		"product_subcategory":"Shirts","shipping_address":{"state":"NY","postal_code":"10118"}}`)))
}
