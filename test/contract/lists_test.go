package contract_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

// listCase is a query with the names that it finds, in their order.
type listCase struct{ query, want string }

// lists says how the lists of one operation are checked.
type lists struct {
	operation, target string
	name              string // member that names an item by one letter, perhaps after others
	all               string // the names without any filter, in the order of names
	byName            string // the order of names
	found             []listCase
	refused           []listCase // want is the code of the fault
}

// unfiltered are the parameters that filter nothing. Rows of reports have tests of their own, with processed sales.
var unfiltered = []string{"order_by", "page", "size", "limit", "offset", "after", "report_row"}

// check asks for every list. Every parameter of the contract must be among the queries, every filter must exclude and
// include some items, and every parameter must be refused when it is wrong or repeated.
func (l lists) check(t *testing.T, in *installation, as credentials) {
	t.Helper()
	op := in.contract.operations[l.operation]
	filters, valid := map[string]bool{}, map[string]bool{}
	var orders []any
	for _, p := range append(append(openapi3.Parameters{}, op.item.Parameters...), op.Parameters...) {
		if p.Value.In == openapi3.ParameterInQuery {
			filters[p.Value.Name], valid[p.Value.Name] = false, false
		}
		if p.Value.Name == "order_by" {
			orders = p.Value.Schema.Value.Items.Value.Enum
		}
	}
	require.Equal(t, l.all, l.ask(t, in, as, ""))
	if _, behind := filters["after"]; behind {
		l.walk(t, in, as)
		filters["after"], valid["after"] = true, true
	}
	for _, c := range l.found {
		require.Equal(t, c.want, l.ask(t, in, as, c.query), c.query)
		query, err := url.ParseQuery(c.query)
		require.NoError(t, err)
		for name := range query {
			filters[name] = filters[name] || len(c.want) > 0 && len(c.want) < len(l.all) ||
				strings.Contains(" "+strings.Join(unfiltered, " ")+" ", " "+name+" ")
		}
	}
	for _, order := range orders {
		if op.OperationID != "listTransactions" {
			break // see TestListsAreSortedByEachColumn
		}
		require.True(t, slices.ContainsFunc(l.found,
			func(c listCase) bool { return slices.Contains(ordersOf(c.query), order.(string)) }),
			"no query is ordered by %s", order)
	}
	for _, c := range l.refused {
		a := in.call(as, "GET", l.target+"?"+c.query, "", 400).problem(t)
		require.Equal(t, "validation_failed", a.Code, c.query)
		require.Equal(t, c.want, a.Errors[0].Code, c.query)
		query, err := url.ParseQuery(c.query)
		require.NoError(t, err)
		for name := range query {
			valid[name] = true
		}
	}
	for name, tried := range filters {
		require.True(t, tried, "no query shows what %s leaves out", name)
	}
	for name, tried := range valid {
		require.True(t, tried, "no query shows when %s is refused", name)
	}
}

// ordersOf is what a query is ordered by.
func ordersOf(query string) []string {
	values, _ := url.ParseQuery(query)
	return strings.Split(values.Get("order_by"), ",")
}

// walk reads the list by cursors, each of which is valid for this list only.
func (l lists) walk(t *testing.T, in *installation, as credentials) {
	t.Helper()
	const query = "order_by=-created_at&size=1"
	after, found := "", ""
	for page := 1; ; page++ {
		var list struct {
			Items       []map[string]any
			Total, Page int
			NextCursor  *string `json:"next_cursor"`
		}
		in.call(as, "GET", l.target+"?"+query+"&after="+after, "", 200).decode(t, &list)
		require.Equal(t, page, list.Page)
		require.Equal(t, len(l.all), list.Total)
		name, _ := list.Items[0][l.name].(string)
		found += name[len(name)-1:]
		if list.NextCursor == nil {
			break
		}
		after = *list.NextCursor
	}
	require.Equal(t, l.ask(t, in, as, "order_by=-created_at"), found)
	for query, want := range map[string]string{
		"order_by=-created_at&after=x":               "invalid_format",
		"order_by=-created_at&after=" + after[1:]:    "invalid_format",
		"order_by=created_at&after=" + after:         "mismatch",
		"order_by=-created_at&page=2&after=" + after: "not_allowed",
	} {
		a := in.call(as, "GET", l.target+"?"+query, "", 400).problem(t)
		require.Equal(t, "validation_failed", a.Code, query)
		require.Equal(t, want, a.Errors[0].Code, query)
	}
}

// ask returns the last letters of the names in a list.
func (l lists) ask(t *testing.T, in *installation, as credentials, query string) string {
	t.Helper()
	if !strings.Contains(query, "order_by=") {
		query += "&order_by=" + l.byName
	}
	var list struct {
		Items []map[string]any
		Total int
		Size  int
	}
	in.call(as, "GET", l.target+"?"+query, "", 200).decode(t, &list)
	found := ""
	for _, item := range list.Items {
		name, _ := item[l.name].(string)
		require.NotEmpty(t, name, "%v", item)
		found += name[len(name)-1:]
	}
	if len(list.Items) < list.Size && !strings.Contains(query, "page=") && !strings.Contains(query, "offset=") {
		require.Len(t, list.Items, list.Total)
	}
	return found
}

func TestEveryParameterOfTheTransactionList(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	post := func(name, date, address, members string) (id, customer string) {
		body := fmt.Sprintf(`{"external_id":"ORDER %[1]s","type":"SALE","date":%[2]q,"customer":{"external_id":"C-%[1]s",
			"name":"Customer of %[1]s"},"addresses":[%[3]s],%[4]s
			"transaction_items":[{"external_product_id":"P-1","date":%[2]q,"amount":"100.00"}]}`, name, date, address, members)
		var made []struct {
			ID         string
			CustomerID string `json:"customer_id"`
		}
		in.call(shop, "POST", "/v1/transactions", body, 202).decode(t, &made)
		in.processed(shop, made[0].ID)
		return made[0].ID, made[0].CustomerID
	}
	const (
		newYork = `{"type":"SHIP_TO","street_1":"350 5th Ave","city":"New York","state":"NY",` +
			`"postal_code":"10118","country":"US"}`
		austin = `{"type":"SHIP_TO","street_1":"301 W 2nd St","city":"Austin","state":"Texas",` +
			`"postal_code":"78701","country":"US"}`
		berlin = `{"type":"SHIP_TO","street_1":"Platz der Republik 1","city":"Berlin","postal_code":"11011","country":"DE"}`
	)
	a, customer := post("A", "2026-05-10T10:00:00Z", newYork,
		`"total_amount":"108.88","external_friendly_id":"50% off","connection_id":"shop-1",`)
	post("B", "2026-05-12T15:00:00Z", austin,
		`"total_amount":"7.00","marketplace":true,"connection_id":"shop-2","exempt":"FULLY_EXEMPT",`)
	post("C", "2026-05-14T10:00:00Z", "",
		`"total_amount":"300.00","status":"PENDING","source":"POS","secondary_external_id":"x_y",`)
	note := in.credit(shop, a, noteBody("NOTE D", "COMMITTED", "-10.00", noteLine("L", "P-1", "0", "-10.00", "0")))
	in.processed(shop, note.ID)
	post("E", "2026-05-16T10:00:00Z", berlin, `"total_amount":"50.00","currency":"EUR",`)
	in.execute("UPDATE transactions SET filing_id = 'file_1' WHERE external_id = 'ORDER B'")

	filters := []listCase{
		{"transaction_type=PARTIAL_CREDIT_NOTE", "D"}, {"transaction_type=SALE,FULL_CREDIT_NOTE", "ABCE"},
		{"related_to=" + a, "D"}, {"related_to=txn_unknown", ""},
		{"search_query=50%25", "A"}, {"search_query=X_Y", "C"}, {"search_query=customer+of+b", "B"},
		{"search_query=order", "ABCE"}, {"search_query=" + a, "A"}, {"search_query=%25", "A"},
		{"state_code=NY", "DA"}, {"state_code=texas", "B"}, {"state=new+york", "DA"},
		{"state=NY&state_code=TX", "B"}, {"state_code=TX&state=NY", "B"}, {"state=NY&state_code=", "DA"},
		{"country=DE", "E"}, {"country=DE&country=US", "DABE"}, {"country=DE,US", "DABE"},
		{"status=PENDING", "C"}, {"status=PENDING,COMMITTED&search_query=order", "ABCE"},
		{"processing_status__in=PENDING", "C"}, {"processing_status__in=PROCESSED", "DABE"},
		{"address_status__in=VERIFIED", "DAB"}, {"address_status__in=BLANK,UNVERIFIED", "C"},
		{"exempt__in=FULLY_EXEMPT", "B"}, {"connection_id__in=shop-1,shop-9", "A"}, {"transaction_source=POS", "C"},
		{"filing_id=file_1", "B"}, {"filing_id=file_2", ""}, {"customer_id=" + customer, "DA"},
		{"customer_id=cust_unknown", ""},
		{"marketplace=true", "B"}, {"marketplace=false", "DACE"}, {"report_row=unknown", ""},
		{"startDate=2026-05-14", "DCE"}, {"startDate=2026-05-12T15:00:01Z", "DCE"},
		{"startDate=2026-05-12T15:00:00Z&endDate=2026-05-14", "BC"},
		{"endDate=2026-05-12", "AB"}, {"endDate=2026-05-12T14:59:59Z", "A"},
		{"date__gte=2026-05-14", "DCE"}, {"date__lte=2026-05-12", "AB"},
		{"date__gte=2026-05-11&endDate=2026-05-14T09:00:00Z", "B"},
		{"status=&marketplace=&search_query=&country=DE", "E"},
	}
	orders := []listCase{
		{"order_by=date", "ABCED"}, {"order_by=-date", "DECBA"}, {"order_by=total_amount", "DBEAC"},
		{"order_by=-total_amount", "CAEBD"},
		{"order_by=customer_name,external_id", "DABCE"}, {"order_by=-customer_name,external_id", "ECBDA"},
		{"order_by=status,external_id", "DABEC"}, {"order_by=created_at", "ABCDE"}, {"order_by=-created_at", "EDCBA"},
		{"order_by=-external_id", "ECBAD"}, {"order_by=external_id", "DABCE"},
		{"order_by=-status,-external_id", "CEBAD"}, {"order_by=state,external_id", "DABCE"},
		{"order_by=-state,external_id", "BDACE"},
	}
	pages := []listCase{
		{"page=2&size=2", "BC"}, {"size=3", "DAB"}, {"page=4&size=2", ""}, {"limit=2&offset=1", "AB"}, {"limit=1", "D"},
		{"offset=4", "E"},
	}
	refused := []listCase{
		{"transaction_type=SALES", "invalid_enum"}, {"related_to=a&related_to=b", "not_allowed"},
		{"search_query=" + strings.Repeat("x", 201), "too_long"},
		{"state_code=" + strings.Repeat("x", 51), "too_long"}, {"state=" + strings.Repeat("x", 51), "too_long"},
		{"country=us", "invalid_enum"}, {"status=committed", "invalid_enum"},
		{"processing_status__in=PROCESSED,DONE", "invalid_enum"}, {"address_status__in=OK", "invalid_enum"},
		{"exempt__in=true", "invalid_enum"},
		{"connection_id__in=" + strings.Repeat("x", 256), "too_long"}, {"transaction_source=NOWHERE", "invalid_enum"},
		{"filing_id=a&filing_id=b", "not_allowed"},
		{"customer_id=a&customer_id=b", "not_allowed"}, {"report_row=a&report_row=b", "not_allowed"}, {"marketplace=yes", "invalid_format"},
		{"startDate=yesterday", "invalid_format"}, {"endDate=2026-02-30", "invalid_format"},
		{"startDate=2026-05-02&endDate=2026-05-01", "mismatch"}, {"date__gte=2026-05-01T00:00:00Z", "invalid_format"},
		{"date__lte=tomorrow", "invalid_format"},
		{"order_by=amount", "unknown_order_field"}, {"page=0", "out_of_range"}, {"size=101", "out_of_range"},
		{"limit=0", "out_of_range"}, {"offset=-1", "out_of_range"},
		{"limit=5&page=1", "not_allowed"},
	}
	lists{
		operation: "listTransactions", target: "/v1/transactions", name: "external_id", byName: "external_id", all: "DABCE",
		found: append(append(append([]listCase{}, filters...), orders...), pages...), refused: refused,
	}.check(t, in, shop)

	t.Run("the export follows the same filters", func(t *testing.T) {
		for _, c := range filters {
			csv := string(in.call(shop, "GET", "/v1/transactions/export?format=csv&order_by=external_id&"+c.query, "", 200).body)
			found := ""
			for _, line := range strings.Split(strings.TrimSpace(csv), "\n")[1:] {
				name := strings.Split(line, ",")[1]
				found += name[len(name)-1:]
			}
			require.Equal(t, c.want, found, c.query)
		}
	})
}

func TestEveryParameterOfTheProductList(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.client()
	in.execute("DELETE FROM products WHERE organization_id = $1", shop.organization)
	for name, members := range map[string]string{
		"A": `"name":"Zinc","product_category":"PHYSICAL","product_subcategory":"BOOKS","sku":["ab_1","7"]`,
		"B": `"name":"Yarn","product_category":"CLOTHING","source":"POS","connection_id":"shop-1"`,
		"C": `"name":"100% wool","product_category":"physical","status":"PENDING"`,
	} {
		in.call(shop, "POST", "/v1/products", `{"external_id":"P-`+name+`",`+members+`}`, 200)
	}
	in.execute("UPDATE products SET created_at = created_at - interval '1 hour' WHERE external_id = 'P-C'")
	lists{
		operation: "listProducts", target: "/v1/products", name: "external_id", byName: "external_id", all: "ABC",
		found: []listCase{
			{"query=AB_", "A"}, {"query=100%25", "C"}, {"query=yar", "B"}, {"query=p-", "ABC"},
			{"status__in=PENDING", "C"}, {"status=APPROVED", "AB"},
			{"product_category__in=PHYSICAL", "AC"}, {"product_category__in=Clothing", "B"},
			{"product_subcategory__in=books", "A"}, {"source__in=POS", "B"},
			{"connection_id__in=shop-1,shop-2", "B"}, {"order_by=name", "CBA"},
			{"order_by=created_at,external_id&size=1", "C"}, {"order_by=status,-external_id", "BAC"},
			{"page=2&size=2", "C"},
			{"order_by=-name", "ABC"}, {"order_by=-created_at,external_id&page=3&size=1", "C"},
			{"order_by=-status,external_id", "CAB"}, {"order_by=-external_id", "CBA"}, {"order_by=external_id", "ABC"},
		},
		refused: []listCase{
			{"query=" + strings.Repeat("x", 201), "too_long"}, {"status__in=OLD", "invalid_enum"},
			{"status=OLD", "invalid_enum"},
			{"product_category__in=" + strings.Repeat("x", 256), "too_long"},
			{"product_subcategory__in=" + strings.Repeat("x", 101), "too_long"},
			{"source__in=NOWHERE", "invalid_enum"}, {"connection_id__in=" + strings.Repeat("x", 256), "too_long"},
			{"order_by=sku", "unknown_order_field"}, {"page=x", "invalid_format"}, {"size=0", "out_of_range"},
		},
	}.check(t, in, shop)
}

func TestEveryParameterOfTheCustomerList(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.client()
	for name, members := range map[string]string{
		"A": `"name":"Zoë Ångström","email":"zoe_x@example.com","country":"DE"`,
		"B": `"name":"Bob","country":"US","state":"Texas","source":"POS","connection_id":"shop-1"`,
		"C": `"name":"Ada","country":"US","state":"NY","status":"ARCHIVED"`,
	} {
		in.call(shop, "POST", "/v1/customers", `{"external_id":"K-`+name+`",`+members+`}`, 200)
	}
	in.execute("UPDATE customers SET created_at = created_at - interval '1 hour' WHERE external_id = 'K-B'")
	lists{
		operation: "listCustomers", target: "/v1/customers", name: "external_id", byName: "external_id", all: "ABC",
		found: []listCase{
			{"search_query=ZOË+å", "A"}, {"search_query=zoe_x@", "A"}, {"search_query=k-b", "B"}, {"country=DE", "A"},
			{"country=DE&country=US", "ABC"}, {"country=US", "BC"},
			{"state=NY", "C"}, {"state=tx", "B"}, {"status__in=ARCHIVED", "C"}, {"status=ACTIVE", "AB"},
			{"source__in=POS", "B"}, {"connection_id__in=shop-1", "B"},
			{"order_by=name", "CBA"}, {"order_by=created_at&size=1", "B"}, {"order_by=-external_id&page=2&size=2", "A"},
			{"order_by=-name", "ABC"}, {"order_by=-created_at&page=3&size=1", "B"}, {"order_by=external_id", "ABC"},
		},
		refused: []listCase{
			{"search_query=" + strings.Repeat("x", 201), "too_long"}, {"country=XX", "invalid_enum"},
			{"state=" + strings.Repeat("x", 51), "too_long"}, {"status__in=x", "invalid_enum"},
			{"status=x", "invalid_enum"}, {"source__in=x", "invalid_enum"},
			{"connection_id__in=" + strings.Repeat("x", 256), "too_long"}, {"order_by=mail", "unknown_order_field"},
			{"page=0", "out_of_range"}, {"size=1.5", "invalid_format"},
		},
	}.check(t, in, shop)
}

func TestEveryParameterOfTheExemptionList(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	sale := in.sold(shop)
	var customer struct{ ID string }
	in.call(shop, "POST", "/v1/customers", `{"external_id":"K-1","name":"Zoë"}`, 200).decode(t, &customer)
	for name, members := range map[string]string{
		"A": `"exemption_type":"customer","customer_id":"` + customer.ID +
			`","start_date":"2026-01-01","end_date":"2030-06-30","sales_tax_id":"9%1","jurisdiction":"NY",` +
			`"exemption_category":"GOVERNMENT"`,
		"B": `"exemption_type":"transaction","transaction_id":"` + sale +
			`","start_date":"2026-02-01","end_date":"2030-03-31","jurisdiction":"TX"`,
		"C": `"exemption_type":"customer","customer_id":"` + customer.ID +
			`","start_date":"2026-03-01","country_code":"CA","status":"INACTIVE"`,
	} {
		in.call(shop, "POST", "/v1/exemptions", `{"FEIN":"12-345678`+name+`",`+members+`}`, 200)
	}
	in.execute("UPDATE exemptions SET created_at = created_at - interval '1 hour' WHERE country_code = 'CA'")
	lists{
		operation: "listExemptions", target: "/v1/exemptions", name: "FEIN", byName: "FEIN", all: "ABC",
		found: []listCase{
			{"search_query=zoë", "AC"}, {"search_query=9%25", "A"}, {"search_query=678b", "B"},
			{"status__in=INACTIVE", "C"}, {"status=ACTIVE", "AB"}, {"country_code=CA", "C"},
			{"country_code=US&country_code=CA", "ABC"}, {"jurisdiction=ny", "A"}, {"start_date=2026-02-01", "BC"},
			{"exemption_category__in=GOVERNMENT", "A"}, {"exemption_category__in=NONE", "BC"},
			{"end_date=2030-03-31", "B"}, {"customer_id=" + customer.ID, "AC"},
			{"transaction_id=" + sale, "B"}, {"customer_id=cust_unknown", ""}, {"order_by=end_date", "BAC"},
			{"order_by=-end_date", "ABC"}, {"order_by=-start_date", "CBA"},
			{"order_by=sales_tax_id,-FEIN", "ACB"}, {"order_by=-status,FEIN", "CAB"},
			{"order_by=created_at&size=1", "C"}, {"page=2&size=2", "C"},
			{"order_by=start_date", "ABC"}, {"order_by=-FEIN", "CBA"}, {"order_by=FEIN", "ABC"},
			{"order_by=-sales_tax_id,FEIN", "ABC"}, {"order_by=status,-FEIN", "BAC"},
			{"order_by=-created_at&page=3&size=1", "C"},
		},
		refused: []listCase{
			{"search_query=" + strings.Repeat("x", 201), "too_long"}, {"status__in=OVER", "invalid_enum"},
			{"status=OVER", "invalid_enum"}, {"country_code=XX", "invalid_enum"},
			{"jurisdiction=" + strings.Repeat("x", 11), "too_long"}, {"start_date=2026-02-30", "invalid_format"},
			{"exemption_category__in=OVER", "invalid_enum"},
			{"end_date=x", "invalid_format"}, {"customer_id=a&customer_id=b", "not_allowed"},
			{"transaction_id=a&transaction_id=b", "not_allowed"},
			{"start_date=2026-05-02&end_date=2026-05-01", "mismatch"}, {"order_by=fein", "unknown_order_field"},
			{"page=-1", "out_of_range"}, {"size=101", "out_of_range"},
		},
	}.check(t, in, shop)
}
