package contract_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// estimateBody is an estimate of equal lines, named by a category or otherwise.
func estimateBody(lines int, category, name string) string {
	if category != "" {
		name = fmt.Sprintf(`"product_category":%q`, category)
	}
	line := `{` + name + `,"amount":"100.00"},`
	return `{"date":"2026-05-15T10:00:00Z","addresses":[{"type":"SHIP_TO","city":"New York","state":"NY",` +
		`"postal_code":"10118","country":"US"}],"transaction_items":[` +
		strings.TrimSuffix(strings.Repeat(line, lines), ",") + `]}`
}

// The estimate of a sale has the result of its processing: both apply the same rules.
func TestEstimateIsWhatProcessingCalculates(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	for product, category := range map[string]string{
		"GOODS": `"PHYSICAL"`, "COAT": `"CLOTHING"`, "BREAD": `"FOOD"`,
		"SAAS": `"SOFTWARE","product_subcategory":"SAAS"`, "POST": `"MISCELLANEOUS","product_subcategory":"SHIPPING"`,
		"CARD": `"MISCELLANEOUS","product_subcategory":"GIFT_CARD"`, "FREE": `"PHYSICAL","tax_exempt":true`,
	} {
		in.call(client, "POST", "/v1/products",
			fmt.Sprintf(`{"external_id":%q,"name":"Thing","product_category":%s}`, product, category), 200)
	}
	id, _ := in.transaction(client) // of the customer C-1
	customer := in.call(client, "GET", "/v1/transactions/"+id, "", 200).text(t, "customer_id")
	in.execute(`INSERT INTO exemptions (organization_id, id, exemption_type, start_date, customer_id, country_code,
		  jurisdiction, reseller, status, created_at)
		VALUES ($1, $2, 'customer', '2026-01-01', $3, 'US', 'TX', false, 'ACTIVE', now())`, client.organization,
		models.NewID(models.PrefixExemption), customer)

	to := func(address string) string { return `[{"type":"SHIP_TO",` + address + `}]` }
	line := func(product, members string) string {
		return fmt.Sprintf(`{"external_product_id":%q,"date":"2026-05-15T10:00:00Z",%s}`, product, members)
	}
	newYork, austin := to(`"city":"New York","state":"NY","postal_code":"10118","country":"US"`),
		to(`"street_1":"301 W 2nd St","city":"Austin","state":"TX","postal_code":"78701"`)
	discount := func(target, amount string) string {
		return fmt.Sprintf(`,"discount_builder":{"applied_to":%q,"discount_amount":%s}`, target, amount)
	}
	const berlinToParis = `[{"type":"SHIP_FROM","city":"Berlin","postal_code":"10115","country":"DE"},{"type":"SHIP_TO",` +
		`"city":"Paris","postal_code":"75001","country":"FR"}]`
	in.call(client, "POST", "/v1/transactions", `{"external_id":"B2B","type":"SALE","date":"2026-05-15T10:00:00Z",`+
		`"addresses":[],"transaction_items":[`+line("GOODS", `"amount":1`)+`],
		"customer":{"external_id":"C-FR","customer_tax_registrations":[{"country_code":"FR","tax_type":"vat",
			"tax_id":"FR 40 303 265 045"}]}}`, 202)
	in.execute("INSERT INTO fx_rates (currency, day, rate, source) VALUES ('USD', '2026-05-15', 1.25, 'test')")
	for _, test := range []struct{ rule, date, addresses, customer, lines, members string }{
		{"above a limit in another currency", "2026-05-15", newYork, "C-9", line("COAT", `"amount":100`),
			`,"currency":"EUR"`},
		{"a consumer in another member state", "2026-05-15", berlinToParis, "C-9", line("GOODS", `"amount":100`),
			`,"currency":"EUR"`},
		{"a business there", "2026-05-15", berlinToParis, "C-FR", line("GOODS", `"amount":100`), `,"currency":"EUR"`},
		{"one line", "2026-05-15", newYork, "C-9", line("GOODS", `"amount":100`), ""},
		{"cents that are shared out", "2026-05-15", newYork, "C-9", line("GOODS", `"amount":0.99`) + "," +
			line("GOODS", `"amount":33.33,"quantity":3`), ""},
		{"per item limits", "2026-05-15", newYork, "C-9", line("COAT", `"amount":220,"quantity":2`) + "," +
			line("COAT", `"amount":220,"quantity":1`), ""},
		{"shipping follows the goods", "2026-05-15", austin, "C-9", line("BREAD", `"amount":20`) + "," +
			line("POST", `"amount":5`) + "," + line("CARD", `"amount":50`), ""},
		{"discounts of a line and of the whole", "2026-05-15", newYork, "C-9",
			line("GOODS", `"amount":100`+discount("TRANSACTION", "10.01")) + "," +
				line("COAT", `"amount":115`+discount("TRANSACTION_ITEM", "5")), ""},
		{"a coupon as a negative line", "2026-05-15", newYork, "C-9", line("GOODS", `"amount":100`) + "," +
			line("GOODS", `"amount":-12.34`), ""},
		{"an exempt line and a product free of tax", "2026-05-15", newYork, "C-9",
			line("GOODS", `"amount":10,"exempt":true`) + "," + line("FREE", `"amount":10`) + "," +
				line("GOODS", `"amount":1`), ""},
		{"a customer with an exemption there", "2026-05-15", austin, "C-1", line("GOODS", `"amount":100`), ""},
		{"and elsewhere", "2026-05-15", newYork, "C-1", line("GOODS", `"amount":100`), ""},
		{"and before it began", "2025-12-31", austin, "C-1", line("GOODS", `"amount":100`), ""},
		{"an origin in the same state", "2026-05-15",
			`[{"type":"SHIP_FROM","city":"Dallas","state":"TX","postal_code":"75201"},{"type":"BILL_TO","city":"Austin",` +
				`"state":"TX","postal_code":"78701"}]`, "C-9",
			line("GOODS", `"amount":77.77`) + "," + line("SAAS", `"amount":9.99`), ""},
		{"outside the city", "2026-05-15",
			to(`"city":"Seattle","state":"WA","postal_code":"98104","is_unincorporated":true`), "C-9",
			line("GOODS", `"amount":10`), ""},
		{"a state without a sales tax", "2026-05-15", to(`"city":"Portland","state":"OR","postal_code":"97201"`), "C-9",
			line("GOODS", `"amount":10`), ""},
		{"a military address", "2026-05-15", to(`"city":"APO","state":"AE","postal_code":"09012","country":"US"`),
			"C-9", line("GOODS", `"amount":10`), ""},
		{"a territory written as a state", "2026-05-15",
			to(`"city":"Tamuning","state":"GU","postal_code":"96913","country":"US"`), "C-9",
			line("GOODS", `"amount":10`), ""},
		{"a ZIP in several places", "2026-05-15", to(`"state":"CO","postal_code":"80123"`), "C-9",
			line("GOODS", `"amount":10`), ""},
		{"nothing but a state", "2026-05-15", to(`"state":"Florida","country":"US"`), "C-9",
			line("GOODS", `"amount":10`), ""},
		{"a marketplace", "2026-05-15", newYork, "C-9", line("GOODS", `"amount":10`), `,"marketplace":true`},
		{"a tax holiday", "2026-08-08", austin, "C-9", line("COAT", `"amount":99.99`) + "," +
			line("COAT", `"amount":100`), ""},
	} {
		t.Run(test.rule, func(t *testing.T) {
			estimate := in.asProcessed(t, client,
				fmt.Sprintf(`"date":"%sT10:00:00Z","addresses":%s,"customer":{"external_id":%q},"transaction_items":[%s]%s}`,
					test.date, test.addresses, test.customer, test.lines, test.members))
			if strings.HasPrefix(test.rule, "above a limit") {
				require.Equal(t, "8.88", estimate.Tax)
			}
			if test.customer == "C-FR" {
				require.Equal(t, "REVERSE_CHARGE", estimate.lines[0].exemption)
			}
		})
	}
}

// asProcessed estimates a sale, given by its members without the opening brace, and
// has it processed: the two must agree.
func (in *installation) asProcessed(t *testing.T, as credentials, members string) outcome {
	t.Helper()
	estimate := outcomeOf(t, in.call(as, "POST", "/v1/tax/estimate", "{"+members, 200), "transaction_items")
	sale := in.call(as, "POST", "/v1/transactions",
		fmt.Sprintf(`{"external_id":%q,"type":"SALE",`, in.next("ORDER"))+members, 202)
	var accepted []struct{ ID string }
	sale.decode(t, &accepted)
	in.processed(as, accepted[0].ID)
	processed := in.call(as, "GET", "/v1/transactions/"+accepted[0].ID, "", 200)
	require.Equal(t, "PROCESSED", processed.text(t, "processing_status"))
	require.Equal(t, outcomeOf(t, processed, "transaction_items"), estimate)
	return estimate
}

// outcome has the members that an estimate and a processed sale have in common.
type outcome struct {
	Tax           string `json:"total_tax_amount_calculated"`
	Rate          string `json:"tax_rate_calculated"`
	TaxableAmount string `json:"taxable_amount"`
	AddressStatus string `json:"address_status"`
	Ambiguous     bool   `json:"ambiguous"`
	Content       string `json:"content_version"`
	certainty
	lines []lineOutcome
}

type lineOutcome struct {
	taxable, tax, rate, exemption, discount string
	exempt                                  bool
	taxes                                   []string
}

func outcomeOf(t *testing.T, a answer, items string) outcome {
	t.Helper()
	var o outcome
	a.decode(t, &o)
	lines, ok := a.member(t, items).([]any)
	require.True(t, ok)
	for _, l := range lines {
		line := l.(map[string]any)
		text := func(names ...string) string {
			for _, name := range names {
				if s, ok := line[name].(string); ok {
					return s
				}
			}
			return ""
		}
		found := lineOutcome{text("taxable_amount"), text("tax_amount_calculated", "tax_amount"),
			text("tax_rate_calculated", "tax_rate"),
			text("tax_exemption"), text("total_discount"), line["exempt"].(bool), nil}
		for _, one := range line["tax_items"].([]any) {
			item := one.(map[string]any)
			found.taxes = append(found.taxes,
				fmt.Sprint(item["name"], item["jurisdiction_name"], item["rate"], item["taxable_amount"],
					item["amount"], item["reason"], item["rule_id"]))
		}
		o.lines = append(o.lines, found)
	}
	return o
}

// An estimate writes nothing.
func TestEstimateWritesNothing(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	in.product(client)
	var before, after string
	const rows = `SELECT string_agg(relname || n::text, ' ' ORDER BY relname) FROM (SELECT relname, (xpath('/row/c/text()',
		query_to_xml(format('SELECT count(*) AS c FROM %I', relname), false, true, '')))[1]::text AS n
		    FROM pg_stat_user_tables) t`
	in.query(&before, rows)
	body := strings.Replace(estimateBody(2, "", `"external_product_id":"P-1"`), "{",
		`{"external_id":"E-1","customer":{"external_id":"new","name":"Ada"},`, 1)
	first := in.call(client, "POST", "/v1/tax/estimate", body, 200)
	second := in.call(client, "POST", "/v1/tax/estimate", body, 200)
	require.Equal(t, string(first.body), string(second.body), "and the same request has the same answer")
	in.query(&after, rows)
	require.Equal(t, before, after)
}

// From a registration on the tax that it covers is to be collected, at once.
func TestEstimateUsesRegistrationsAtOnce(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	estimate := func() (active bool, toCollect string) {
		t.Helper()
		var answer struct {
			Active    bool   `json:"has_active_registration"`
			ToCollect string `json:"tax_to_collect"`
		}
		a := in.call(client, "POST", "/v1/tax/estimate", estimateBody(1, "PHYSICAL", ""), 200)
		require.NoError(t, json.Unmarshal(a.body, &answer))
		return answer.Active, answer.ToCollect
	}
	active, toCollect := estimate()
	require.False(t, active)
	require.Equal(t, "0.00", toCollect)
	in.call(client, "POST", "/v1/registrations",
		`{"country_code":"US","state_code":"NY","filing_frequency":"QUARTERLY","registration_date":"2026-01-01"}`, 200)
	active, toCollect = estimate()
	require.True(t, active)
	require.Equal(t, "8.88", toCollect)
}
