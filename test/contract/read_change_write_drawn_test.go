package contract_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// drawnSales is how many sales are drawn.
const drawnSales = 100

// drawer draws sales and changes of them, the same ones in every run.
type drawer struct{ *rand.Rand }

func (d drawer) chance(percent int) bool { return d.IntN(100) < percent }

func (d drawer) one(of ...string) string { return of[d.IntN(len(of))] }

func (d drawer) amount(most int) string {
	cents := 1 + d.IntN(most*100)
	return fmt.Sprintf("%d.%02d", cents/100, cents%100)
}

func (d drawer) product() string { return d.one("P-1", "P-1", "FOOD", "FREE", "SHIP", "SHIRT") }

func (d drawer) place() []any {
	return []any{parsed(d.one(newYork, newYork, nashville,
		`{"type":"SHIP_TO","city":"Austin","state":"Texas","postal_code":"78701","country":"US"}`,
		`{"type":"BILL_TO","street_1":"1 Main St","city":"Portland","state":"OR","postal_code":"97205","country":"US"}`,
		`{"type":"SHIP_TO","state":"California","postal_code":"90012"}`))}
}

func (d drawer) discount() map[string]any {
	return map[string]any{"applied_to": d.one("TRANSACTION", "TRANSACTION_ITEM"), "discount_amount": d.amount(2)}
}

func (d drawer) line(name string) record {
	line := record{
		"external_id": name, "external_product_id": d.product(), "date": "2026-05-15T10:00:00Z",
		"amount": d.amount(300), "quantity": d.one("1", "2", "0.5", "0"),
	}
	maybe := func(percent int, members string) {
		if d.chance(percent) {
			for name, value := range parsed(members) {
				line[name] = value
			}
		}
	}
	maybe(10, `{"exempt":true}`)
	maybe(5, `{"exempt":true,"tax_exemption":"EXPORT"}`)
	maybe(10, `{"product_name":"Own name"}`)
	maybe(5, `{"product_description":"Own words"}`)
	maybe(40, `{"tax_amount_imported":"`+d.amount(9)+`"}`)
	maybe(10, `{"tax_items":[{"rate":"0.05","amount":"1.00","name":"tax"}]}`)
	maybe(5, `{"tax_amount_calculated":"3.00","taxable_amount":"2.00"}`)
	if d.chance(25) {
		line["discount_builder"] = d.discount()
	}
	return line
}

// sale is the request of a client.
func (d drawer) sale() record {
	asked := record{
		"type": "SALE", "date": "2026-05-15T10:00:00Z", "total_amount": d.amount(900),
		"customer": map[string]any{"external_id": d.one("PLAIN", "PLAIN", "CERTIFIED", "RESELLER")}, "addresses": d.place(),
	}
	if d.chance(20) {
		asked["addresses"], asked["postal_code"], asked["country"] = []any{}, d.one("10118", "37203"), "US"
	}
	lines := []any{}
	for i := range 1 + d.IntN(4) {
		lines = append(lines, map[string]any(d.line(fmt.Sprintf("L%d", i))))
	}
	asked["transaction_items"] = lines
	for _, m := range []struct {
		percent int
		members string
	}{
		{5, `{"exempt":"FULLY_EXEMPT"}`}, {5, `{"exempt":"PARTIALLY_EXEMPT"}`}, {10, `{"marketplace":true}`},
		{10, `{"requires_exemption":{"exemption_type":"transaction"}}`},
		{10, `{"exemptions":[{"exemption_type":"wholesale","jurisdiction":"NY"}]}`},
		{10, `{"total_tax_amount_imported":"1000.00"}`}, {5, `{"city":"Troy","state":"ny"}`},
		{5, `{"total_tax_liability_amount":"3.00","tax_liability_source":"COLLECTED","taxable_amount":"9.00"}`},
	} {
		if d.chance(m.percent) {
			for name, value := range parsed(m.members) {
				asked[name] = value
			}
		}
	}
	return asked
}

// alter makes the same change in the request and in the answer.
func (d drawer) alter(asked, shown record) (what string) {
	set := func(name string, value any) string {
		asked[name], shown[name] = value, value
		return fmt.Sprint(name, " = ", value)
	}
	i := d.IntN(len(shown.list("transaction_items")))
	setLine := func(name string, value any) string {
		asked.line(i)[name], shown.line(i)[name] = value, value
		return fmt.Sprintf("line %d: %s = %v", i, name, value)
	}
	switch d.IntN(15) {
	case 0, 1:
		return set("addresses", d.place())
	case 2:
		line := d.line("NEW")
		asked["transaction_items"] = append(asked.list("transaction_items"), map[string]any(line))
		shown["transaction_items"] = append(shown.list("transaction_items"), map[string]any(line))
		return fmt.Sprint("a line more: ", line)
	case 3:
		if i > 0 {
			asked["transaction_items"], shown["transaction_items"] = asked.list("transaction_items")[:i],
				shown.list("transaction_items")[:i]
			return "lines less"
		}
		return setLine("amount", d.amount(300))
	case 4:
		return setLine("external_product_id", d.product())
	case 5:
		return set("customer", map[string]any{"external_id": d.one("PLAIN", "CERTIFIED", "RESELLER")})
	case 6:
		return set("date", "2026-05-02T10:00:00Z")
	case 7:
		return setLine("exempt", shown.line(i)["exempt"] == false)
	case 8:
		if shown["exempt"] == "FULLY_EXEMPT" {
			return set("exempt", "NOT_EXEMPT")
		}
		return set("exempt", "FULLY_EXEMPT")
	case 9:
		return setLine("tax_amount_imported", d.amount(9))
	case 10:
		return setLine("discount_builder", nil)
	case 11:
		return setLine("discount_builder", d.discount())
	case 12:
		return set("postal_code", "94103")
	case 13:
		return set("requires_exemption", nil)
	}
	return set("currency", "EUR")
}

// create posts sales and takes them through the stages as one batch.
func (in *installation) create(as credentials, asked []record) (ids []string) {
	in.t.Helper()
	for _, sale := range asked {
		sale["external_id"] = in.next("ORDER")
		body, err := json.Marshal(sale)
		require.NoError(in.t, err)
		var list []struct{ ID string }
		in.call(as, "POST", "/v1/transactions", string(body), 202).decode(in.t, &list)
		ids = append(ids, list[0].ID)
	}
	in.processed(as, ids...)
	return ids
}

// A drawn sale that is read and written back does not change, and one that is read, changed in one field and written
// equals a new sale with that content, to the cent, also when it is written twice.
func TestDrawnSalesAreReadChangedAndWritten(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.grocer()
	in.call(shop, "POST", "/v1/products",
		`{"external_id":"SHIP","name":"Shipping","product_category":"MISCELLANEOUS","product_subcategory":"SHIPPING"}`, 200)
	in.call(shop, "POST", "/v1/products", `{"external_id":"SHIRT","name":"Shirt","product_category":"CLOTHING"}`, 200)
	in.certificate(shop, "CERTIFIED")
	in.call(shop, "PUT", in.certificate(shop, "RESELLER"), `{"reseller":true,"jurisdiction":null}`, 200)
	in.call(shop, "POST", "/v1/customers", `{"external_id":"PLAIN","name":"Ada"}`, 200)

	d := drawer{rand.New(rand.NewPCG(27, 9))}
	asked := make([]record, drawnSales)
	for i := range asked {
		asked[i] = d.sale()
	}
	ids := in.create(shop, asked)
	before := make([]record, drawnSales)
	for i, id := range ids {
		before[i] = in.get(shop, "/v1/transactions/"+id)
		in.putRecord(shop, "/v1/transactions/"+id, before[i])
	}
	in.processed(shop, ids...)
	changes, sent := make([]string, drawnSales), make([]record, drawnSales)
	for i, id := range ids {
		shown := in.get(shop, "/v1/transactions/"+id)
		require.Equal(t, before[i].without("revision", "updated_at"), shown.without("revision", "updated_at"),
			"sale %d: %v", i, asked[i])
		changes[i], sent[i] = d.alter(asked[i], shown), shown
		in.putRecord(shop, "/v1/transactions/"+id, shown)
	}
	for i, id := range ids { // every request arrives once more, half of them later
		if i == drawnSales/2 {
			in.processed(shop, ids...)
		}
		in.putRecord(shop, "/v1/transactions/"+id, sent[i])
	}
	in.processed(shop, ids...)
	for i, fresh := range in.create(shop, asked) {
		own := []string{"id", "transaction_id", "external_id", "revision", "created_at", "updated_at"}
		require.Equal(t,
			in.get(shop, "/v1/transactions/"+fresh).without(own...), in.get(shop, "/v1/transactions/"+ids[i]).without(own...),
			"sale %d: %s, asked for: %v", i, changes[i], asked[i])
	}
	var processed int
	in.query(&processed, `SELECT count(*)
		FROM transactions
		WHERE processing_status = 'PROCESSED' AND total_tax_amount_calculated > 0`)
	require.Greater(t, processed, drawnSales/2, "the sales are not all without tax")
	require.Contains(t, strings.Join(changes, ","), "currency")
}
