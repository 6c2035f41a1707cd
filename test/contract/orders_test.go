package contract_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

// orderedList is a list whose orders are members of its items.
type orderedList struct {
	operation, target string
	as                credentials
	uniform           string // members that are the same in all items of the test
}

// vary gives each record of an organization its own values in columns. A column that ends in "?" is NULL in one record.
// The value is an expression of {n}, a number that differs from record to record and from column to column.
func (in *installation) vary(as credentials, table, value string, columns ...string) {
	in.t.Helper()
	var set []string
	for _, column := range columns {
		column, nullable := strings.CutSuffix(column, "?")
		n := "(('x' || left(md5(id || '" + column + "'), 6))::bit(24)::int % 900)"
		expression := strings.ReplaceAll(value, "{n}", n)
		if nullable {
			expression = "CASE WHEN id <> (SELECT max(id) FROM " + table + " WHERE organization_id = $1) THEN " + expression +
				" END"
		}
		set = append(set, column+" = "+expression)
	}
	in.execute("UPDATE "+table+" SET "+strings.Join(set, ", ")+" WHERE organization_id = $1", as.organization)
}

// Every list may be sorted by each of its columns, in both directions. Absent values come last.
func TestListsAreSortedByEachColumn(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	const text, day, number = "'v' || ({n} + 100)", "date '2026-01-01' + {n}", "{n}"
	const moment = "timestamptz '2026-01-01' + {n} * interval '7 min'"
	for state, name := range map[string]string{"NY": "New York", "TX": "Texas", "CA": "California", "FL": "Florida"} {
		in.customer(shop)
		in.product(shop)
		in.exemption(shop)
		in.registration(shop)
		in.call(shop, "POST", "/v1/nexus/physical_nexus", presenceBody, 200)
		in.call(shop, "POST", "/v1/rate_overrides", strings.Replace(strings.Replace(overrideBody, "NY", state, 1),
			"New York", name, 1), 200)
		in.call(shop, "POST", "/v1/notices", in.noticeBody(shop), 200)
		in.anotherWebhook(shop, "https://example.com/"+state)
		in.key(in.parentOf(shop))
		in.call(in.root, "POST", "/v1/organizations", fmt.Sprintf(`{"name":%q}`, in.next("Client")), 200)
	}
	registration := in.registration(shop)
	for _, status := range []string{"UNFILED", "SKIPPED", "CANCELLED", "PAUSED"} {
		in.call(shop, "POST", "/v1/filings", in.filingOf(registration, in.next("OTHER"), status), 200)
	}
	in.vary(shop, "customers", text, "name?", "email?", "phone?", "street_1?", "street_2?", "city?", "county?", "state?",
		"postal_code?", "full_address?", "connection_id?", "registration_number?", "external_friendly_id?")
	in.vary(shop, "customers", moment, "created_at", "updated_at")
	in.vary(shop, "customers", "(ARRAY['US', 'DE', 'CA'])[1 + {n} % 3]", "country?")
	in.vary(shop, "customers", "(ARRAY['POS', 'OTHER'])[1 + {n} % 2]", "source")
	in.vary(shop, "products", text, "name", "description?", "product_subcategory?", "code", "connection_id?")
	in.vary(shop, "products", moment, "created_at", "updated_at")
	in.vary(shop, "exemptions", day, "start_date")
	in.vary(shop, "exemptions", "date '2030-01-01' + {n}", "end_date?")
	in.vary(shop, "exemptions", moment, "created_at", "updated_at?")
	in.vary(shop, "exemptions", text, "jurisdiction?")
	in.execute("SET session_replication_role = replica")
	in.vary(shop, "registrations", text, "state_name", "registration_email?", "username?", "comment?")
	in.vary(shop, "registrations", day, "registration_date", "create_filings_from?")
	in.vary(shop, "registrations", moment, "created_at", "updated_at")
	in.vary(shop, "registrations", number, "amount_fees")
	in.vary(shop, "physical_nexus", text, "external_id?", "source", "street_1?", "street_2?", "city?", "postal_code?")
	in.vary(shop, "physical_nexus", day, "start_date")
	in.vary(shop, "physical_nexus", "date '2030-01-01' + {n}", "end_date?")
	in.vary(shop, "physical_nexus", moment, "created_at", "updated_at")
	in.vary(shop, "rate_overrides", text, "jurisdiction_name", "reason")
	in.vary(shop, "rate_overrides", day, "start_date")
	in.vary(shop, "rate_overrides", "date '2030-01-01' + {n}", "end_date?")
	in.vary(shop, "rate_overrides", "{n} * 0.0001", "rate")
	in.vary(shop, "rate_overrides", moment, "created_at")
	in.vary(shop, "notices", text, "authority")
	in.vary(shop, "notices", day, "received_date", "due_date?")
	in.vary(shop, "notices", number, "amount")
	in.vary(shop, "notices", moment, "created_at", "updated_at")
	in.vary(shop, "webhook_endpoints", text, "description?")
	in.vary(shop, "webhook_endpoints", moment, "created_at", "updated_at")
	in.vary(shop, "api_keys", text, "name?")
	in.vary(shop, "api_keys", moment, "created_at", "last_used_at?")
	in.vary(shop, "api_keys", "timestamptz '2030-01-01' + {n} * interval '1 h'", "expires_at?")
	in.vary(shop, "nexus_records", number, "transactions_amount", "transaction_count", "tax_liability",
		"previous_transactions_amount", "previous_transaction_count", "total_transactions", "calculated_tax_liability",
		"imported_tax_liability", "predicted_month_from_today?", "confidence_level?")
	in.vary(shop, "nexus_records", day, "nexus_met_date?", "economic_nexus_met_date?", "physical_nexus_met_date?",
		"collected_tax_nexus_met_date?", "obligation_start_date?", "period_start_date", "period_end_date")
	in.vary(shop, "nexus_records", moment, "earliest_transaction_date?", "most_recent_transaction_date?", "created_at",
		"updated_at")
	in.vary(shop, "filings", number, "amount_adjusted")
	in.vary(shop, "filings", "date '2025-12-01' + {n} % 20", "start_date")
	in.vary(shop, "filings", "date '2026-02-01' + {n} % 50", "end_date")
	in.vary(shop, "filings", day, "due_date?")
	in.vary(shop, "filings", text, "state_name?", "filing_frequency?")
	in.vary(shop, "filings", moment, "created_at", "updated_at")
	for _, l := range []orderedList{
		{"listCustomers", "/v1/customers", shop, "status address_status"},
		{"listProducts", "/v1/products", shop, "status product_category tax_class classification source"},
		{"listExemptions", "/v1/exemptions", shop, "FEIN sales_tax_id status exemption_type country_code transaction_id"},
		{"listRegistrations", "/v1/registrations", shop, "country_code status filing_frequency registration_import_type"},
		{"listPhysicalNexus", "/v1/nexus/physical_nexus", shop, "country_code state_code category"},
		{"listRateOverrides", "/v1/rate_overrides", shop, "country_code jurisdiction_type tax_class"},
		{"listNotices", "/v1/notices", shop, "status kind country_code state_code"},
		{"listWebhookEndpoints", "/v1/webhook_endpoints", shop, "status"},
		{"listAPIKeys", "/v1/organizations/api_keys?active=false", shop, "revoked_at"},
		{"listNexus", "/v1/nexus", shop, "status"},
		{"listFilings", "/v1/filings", shop, "date_filed country_code state_code currency registration_id"},
		{"listOrganizations", "/v1/organizations", in.root, "status onboarding_status"},
	} {
		t.Run(l.operation, func(t *testing.T) { l.check(t, in) })
	}
}

func (l orderedList) check(t *testing.T, in *installation) {
	t.Helper()
	op, ok := in.contract.operations[l.operation]
	require.True(t, ok)
	var orders []any
	for _, p := range op.Parameters {
		if p.Value.In == openapi3.ParameterInQuery && p.Value.Name == "order_by" {
			orders = p.Value.Schema.Value.Items.Value.Enum
		}
	}
	require.NotEmpty(t, orders)
	for _, order := range orders {
		column, desc := strings.CutPrefix(order.(string), "-")
		separator := "?"
		if strings.Contains(l.target, "?") {
			separator = "&"
		}
		var list struct{ Items []map[string]any }
		in.call(l.as, "GET", l.target+separator+"size=100&order_by="+order.(string), "", 200).decode(t, &list)
		require.Greater(t, len(list.Items), 2)
		values := make([]any, len(list.Items))
		for i, item := range list.Items {
			values[i] = sortValue(item[column])
		}
		ordered := func(a, b any) int {
			switch {
			case a == nil || b == nil:
				return cmp.Compare(boolInt(a == nil), boolInt(b == nil))
			case desc:
				a, b = b, a
			}
			if x, ok := a.(float64); ok {
				return cmp.Compare(x, b.(float64))
			}
			return cmp.Compare(a.(string), b.(string))
		}
		require.True(t, slices.IsSortedFunc(values, ordered), "%s: %v", order, values)
		if !slices.Contains(strings.Fields(l.uniform), column) {
			require.NotZero(t, ordered(values[0], values[len(values)-1]), "%s sorts nothing: %v", order, values)
		}
	}
}

// sortValue returns a value of an answer as a number or a text that is sorted alike; nil for an absent one.
func sortValue(value any) any {
	text, ok := value.(string)
	if !ok {
		return value
	}
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return float64(at.UnixMicro())
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return n
	}
	if text == "" {
		return nil
	}
	return text
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A list that no index orders is refused when too much would have to be sorted.
func TestOrdersWithoutAnIndexAreBounded(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.client()
	in.customer(shop)
	in.execute(`INSERT INTO record_count_changes (organization_id, kind, status, n)
		VALUES ($1, 'customers', 'ACTIVE', 100000)`, shop.organization)
	in.call(shop, "GET", "/v1/customers?order_by=city", "", 400).refuses(t, "validation_failed")
	in.call(shop, "GET", "/v1/customers?order_by=name", "", 200)
	in.call(shop, "GET", "/v1/customers?order_by=city&country=US", "", 200)
}
