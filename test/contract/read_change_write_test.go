package contract_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// record is a JSON object, as it is read, changed and written.
type record map[string]any

func (in *installation) get(as credentials, path string) (r record) {
	in.t.Helper()
	in.call(as, "GET", path, "", 200).decode(in.t, &r)
	return r
}

func (in *installation) putRecord(as credentials, path string, r record) answer {
	in.t.Helper()
	body, err := json.Marshal(r)
	require.NoError(in.t, err)
	return in.call(as, "PUT", path, string(body), 200)
}

func (r record) list(name string) []any {
	list, _ := r[name].([]any)
	return list
}

// line is a line of a transaction.
func (r record) line(i int) record { return r.list("transaction_items")[i].(map[string]any) }

// without is a copy without members, at any depth.
func (r record) without(names ...string) record {
	copied := record{}
	for name, value := range r {
		copied[name] = stripped(value, names)
	}
	for _, name := range names {
		delete(copied, name)
	}
	return copied
}

func stripped(value any, names []string) any {
	switch v := value.(type) {
	case map[string]any:
		return map[string]any(record(v).without(names...))
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = stripped(v[i], names)
		}
		return list
	}
	return value
}

// sale posts a sale of lines to New York and takes it through the stages.
func (in *installation) sale(as credentials, members string, lines ...string) (path string) {
	in.t.Helper()
	id := in.unprocessed(as, members, lines...)
	in.processed(as, id)
	return "/v1/transactions/" + id
}

// unprocessed posts a sale, and returns its id.
func (in *installation) unprocessed(as credentials, members string, lines ...string) (id string) {
	in.t.Helper()
	sale := record(parsed(fmt.Sprintf(`{"type":"SALE","date":"2026-05-15T10:00:00Z","customer":{"external_id":"C-1"},
		"addresses":[%s],"transaction_items":[%s]}`, newYork, strings.Join(lines, ","))))
	sale["external_id"] = in.next("ORDER")
	maps.Copy(sale, parsed("{"+strings.TrimPrefix(members, ",")+"}"))
	body, err := json.Marshal(sale)
	require.NoError(in.t, err)
	var list []struct{ ID string }
	in.call(as, "POST", "/v1/transactions", string(body), 202).decode(in.t, &list)
	return list[0].ID
}

// rewritten reads a sale, changes it, writes it and takes it through the stages.
func (in *installation) rewritten(as credentials, path string, change func(record)) record {
	in.t.Helper()
	r := in.get(as, path)
	change(r)
	in.putRecord(as, path, r)
	in.processed(as, strings.TrimPrefix(path, "/v1/transactions/"))
	return in.get(as, path)
}

const (
	newYork = `{"type":"SHIP_TO","street_1":"350 5th Ave","city":"New York","state":"NY",` +
		`"postal_code":"10118","country":"US"}`
	nashville = `{"type":"SHIP_TO","city":"Nashville","state":"TN","postal_code":"37203","country":"US"}`
)

func parsed(text string) map[string]any {
	var r map[string]any
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		panic(err)
	}
	return r
}

func lineOf(externalID, product, amount, members string) string {
	return fmt.Sprintf(`{"external_id":%q,"external_product_id":%q,"date":"2026-05-15T10:00:00Z","amount":%q%s}`,
		externalID, product, amount, members)
}

// grocer is a merchant that sells taxed widgets, groceries, and products that are never taxed.
func (in *installation) grocer() credentials {
	in.t.Helper()
	shop := in.client()
	for _, body := range []string{
		`{"external_id":"FOOD","name":"Bread","product_category":"FOOD","product_subcategory":"GROCERY_FOOD"}`,
		`{"external_id":"FREE","name":"Gift","description":"never taxed","product_category":"PHYSICAL","tax_exempt":true}`,
	} {
		in.call(shop, "POST", "/v1/products", body, 200)
	}
	return shop
}

// certificate exempts a customer in New York.
func (in *installation) certificate(as credentials, customer string) (path string) {
	in.t.Helper()
	id := in.call(as, "POST", "/v1/customers", fmt.Sprintf(`{"external_id":%q,"name":"Ada"}`, customer), 200).text(in.t,
		"id")
	return "/v1/exemptions/" + in.call(as, "POST", "/v1/exemptions", fmt.Sprintf(
		`{"exemption_type":"customer","customer_id":%q,"start_date":"2026-01-01","jurisdiction":"NY"}`, id,
	), 200).text(in.t, "id")
}

// An answer may be sent back with one change: values in it that the service decided do not count as requests of the
// client.
func TestASaleIsReadChangedAndWritten(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.grocer()
	unsettled := []string{"revision", "updated_at"}
	widget, gift := lineOf("W", "P-1", "100.00", ""), lineOf("G", "FREE", "10.00", "")
	changed := func(path string, change func(record)) record { return in.rewritten(shop, path, change) }
	none := func(record) {}
	customer := func(externalID string) func(record) {
		return func(r record) { r["customer"] = map[string]any{"external_id": externalID} }
	}

	t.Run("a line is added to a sale that was exempt", func(t *testing.T) {
		path := in.sale(shop, "", gift)
		require.Equal(t, "FULLY_EXEMPT", in.get(shop, path)["exempt"])
		r := changed(path, func(r record) { r["transaction_items"] = append(r.list("transaction_items"), parsed(widget)) })
		require.Equal(t, "PARTIALLY_EXEMPT", r["exempt"])
		require.Equal(t, "8.88", r["total_tax_amount_calculated"])
	})
	t.Run("the address moves to a state that taxes the product", func(t *testing.T) {
		path := in.sale(shop, "", lineOf("F", "FOOD", "100.00", ""))
		require.Equal(t, "PRODUCT", in.get(shop, path).line(0)["tax_exemption"])
		there := func(r record) { r["addresses"] = []any{parsed(nashville)} }
		r, fresh := changed(path, there),
			in.get(shop, in.sale(shop, `,"addresses":[`+nashville+`]`, lineOf("F", "FOOD", "100.00", "")))
		require.NotEqual(t, "0.00", r["total_tax_amount_calculated"])
		require.Equal(t, fresh["total_tax_amount_calculated"], r["total_tax_amount_calculated"])
		require.Equal(t, false, r.line(0)["exempt"])
	})
	t.Run("the same request arrives twice", func(t *testing.T) {
		path := in.sale(shop, "", gift)
		r := in.get(shop, path)
		r.line(0)["external_product_id"] = "P-1"
		for range 2 {
			in.putRecord(shop, path, r)
			require.Equal(t, "NOT_EXEMPT", in.get(shop, path)["exempt"], "before it is processed")
		}
		require.Equal(t, "0.89", changed(path,
			func(now record) { clear(now); maps.Copy(now, r) })["total_tax_amount_calculated"])
		require.Equal(t, "0.89", changed(path,
			func(now record) { clear(now); maps.Copy(now, r) })["total_tax_amount_calculated"], "and afterwards")
		body, err := json.Marshal(r)
		require.NoError(t, err)
		header := http.Header{"Idempotency-Key": {"again"}}
		require.Equal(t, 200, in.send(t,
			request{as: shop, method: "PUT", target: path, body: string(body), header: header}).status)
		require.Equal(t, "NOT_EXEMPT", in.get(shop, path)["exempt"])
		in.execute("DELETE FROM transaction_revisions WHERE transaction_id = $1", r["id"])
		in.putRecord(shop, path, r)
		require.Equal(t, "FULLY_EXEMPT", in.get(shop, path)["exempt"], "without a known version the value is a request")
	})
	t.Run("calculated values do not count as sent", func(t *testing.T) {
		path := in.sale(shop, "", widget)
		var fresh []record
		in.call(shop, "POST", "/v1/transactions", saleBody(in.next("ORDER"), "P-1", 1), 202).decode(t, &fresh)
		asked := fresh[0]
		in.putRecord(shop, path, in.get(shop, path))
		waiting := in.get(shop, path)
		for _, name := range []string{"total_tax_amount_calculated", "tax_rate_calculated",
			"total_tax_liability_amount", "tax_liability_source", "taxable_amount"} {
			require.Equal(t, asked[name], waiting[name], name)
		}
		for _, name := range []string{"tax_amount_calculated", "tax_rate_calculated", "taxable_amount"} {
			require.Equal(t, asked.line(0)[name], waiting.line(0)[name], name)
		}
	})
	t.Run("a line was removed or added meanwhile", func(t *testing.T) {
		path := in.sale(shop, "", widget, gift)
		read := in.get(shop, path)
		changed(path, func(r record) { r["transaction_items"] = r.list("transaction_items")[:1] })
		read.line(1)["external_product_id"] = "P-1"
		r := changed(path, func(now record) { clear(now); maps.Copy(now, read) })
		require.Equal(t, "9.77", r["total_tax_amount_calculated"],
			"the exemption that the answer showed is no request for the line that returns")

		path = in.sale(shop, "", widget)
		read = in.get(shop, path)
		more := func(r record) { r["transaction_items"] = append(r.list("transaction_items"), parsed(gift)) }
		r = changed(path, more)
		more(read)
		again := changed(path, func(now record) { clear(now); maps.Copy(now, read) })
		require.Equal(t, r.without(unsettled...), again.without(unsettled...),
			"the client that adds it did not know that it exists")
	})
	t.Run("the certificate of the customer is deactivated", func(t *testing.T) {
		certificate := in.certificate(shop, "C-2")
		path := in.sale(shop, `,"customer":{"external_id":"C-2"}`, widget)
		require.Equal(t, "CUSTOMER", in.get(shop, path).line(0)["tax_exemption"])
		r := changed(path, none)
		require.Equal(t, "CUSTOMER", r.line(0)["tax_exemption"], "as long as it is valid")
		in.call(shop, "PUT", certificate, `{"status":"INACTIVE"}`, 200)
		r = changed(path, none)
		require.Equal(t, "8.88", r["total_tax_amount_calculated"])
		require.Empty(t, r.list("exemptions"))
	})
	t.Run("the certificate of one customer is none for the next", func(t *testing.T) {
		in.certificate(shop, "C-3")
		path := in.sale(shop, `,"customer":{"external_id":"C-3"}`, widget)
		require.Len(t, in.get(shop, path).list("exemptions"), 1)
		r := changed(path, customer("C-4"))
		require.Equal(t, "8.88", r["total_tax_amount_calculated"])
		var links int
		in.query(&links, "SELECT count(*) FROM transaction_exemptions WHERE transaction_id = $1", r["id"])
		require.Zero(t, links)
	})
	t.Run("an exemption that was asked for is moved with the day of the sale", func(t *testing.T) {
		path := in.sale(shop, `,"requires_exemption":{"exemption_type":"transaction"},`+
			`"exemptions":[{"exemption_type":"wholesale","end_date":"2026-12-31"}]`, widget)
		before := in.get(shop, path)
		require.Equal(t, "WHOLESALE", before.line(0)["tax_exemption"])
		require.Equal(t, before.without(unsettled...), changed(path, none).without(unsettled...))
		r := changed(path, func(r record) { r["date"] = "2026-05-02T10:00:00Z" })
		require.Equal(t, "WHOLESALE", r.line(0)["tax_exemption"], "it begins on the new day")
		r = changed(path, func(r record) { r["exemptions"] = []any{} })
		require.Equal(t, "TRANSACTION", r.line(0)["tax_exemption"], "the removed exemption is gone, the other one stays")
		r = changed(path, func(r record) { r["requires_exemption"], r["exemptions"] = nil, nil })
		require.Equal(t, "8.88", r["total_tax_amount_calculated"])
	})
	t.Run("an exemption that was asked for elsewhere is kept", func(t *testing.T) {
		path := in.sale(shop, `,"exemptions":[{"exemption_type":"wholesale","jurisdiction":"TN"}]`, widget)
		require.Equal(t, "8.88", in.get(shop, path)["total_tax_amount_calculated"])
		r := changed(path, func(r record) { r["addresses"] = []any{parsed(nashville)} })
		require.Equal(t, "WHOLESALE", r.line(0)["tax_exemption"])
	})
	t.Run("a discount stays with its line until it is removed", func(t *testing.T) {
		off := `,"discount_builder":{"external_id":"D","applied_to":"TRANSACTION_ITEM","discount_amount":"20.00"}`
		path := in.sale(shop, "", lineOf("W", "P-1", "100.00", off), lineOf("V", "P-1", "50.00", ""))
		before := in.get(shop, path)
		require.Equal(t, map[string]any{"external_id": "D", "applied_to": "TRANSACTION_ITEM",
			"discount_amount": "20.00"}, before.line(0)["discount_builder"])
		require.Equal(t, before.without(unsettled...), changed(path, none).without(unsettled...))
		r := changed(path, func(r record) { delete(r.line(0), "discount_builder") })
		require.Equal(t, before.without(unsettled...), r.without(unsettled...), "a line that does not send it keeps it")
		r = changed(path, func(r record) { r.line(0)["discount_builder"] = nil })
		require.Equal(t, "0.00", r["total_discount"])
		require.NotContains(t, r.line(0), "discount_builder")
	})
	t.Run("a discount of the whole is spread again", func(t *testing.T) {
		off := `,"discount_builder":{"applied_to":"TRANSACTION","discount_amount":"30.00"}`
		path := in.sale(shop, "", lineOf("W", "P-1", "100.00", off), lineOf("V", "P-1", "50.00", ""))
		r := changed(path, func(r record) { r.line(1)["amount"] = "100.00" })
		require.Equal(t, []any{"15.00", "15.00", "30.00"},
			[]any{r.line(0)["total_discount"], r.line(1)["total_discount"], r["total_discount"]})
	})
	t.Run("the imported tax follows the lines", func(t *testing.T) {
		taxed := lineOf("W", "P-1", "100.00", `,"tax_amount_imported":"8.88"`)
		for _, sent := range []string{"", `,"total_tax_amount_imported":"8.88"`} {
			path := in.sale(shop, sent, taxed)
			r := changed(path, func(r record) {
				r["transaction_items"] = append(r.list("transaction_items"),
					parsed(lineOf("X", "P-1", "10.00", `,"tax_amount_imported":"0.89"`)))
			})
			require.Equal(t, "9.77", r["total_tax_amount_imported"], sent)
		}
		path := in.sale(shop, `,"total_tax_amount_imported":"5.00"`, taxed)
		require.Equal(t, "5.00", changed(path,
			func(r record) { r.line(0)["tax_amount_imported"] = "9.00" })["total_tax_amount_imported"],
			"a total that never was the sum of the lines is the client's")
		require.Equal(t, "9.00", changed(path,
			func(r record) { r["total_tax_amount_imported"] = nil })["total_tax_amount_imported"])
	})
	t.Run("parts of the place are as they were sent", func(t *testing.T) {
		path := in.sale(shop, `,"addresses":[],"postal_code":"10118","country":"US"`, widget)
		require.Equal(t, "NY", in.get(shop, path)["state"])
		r := changed(path, func(r record) { r["postal_code"] = "37203" })
		require.Equal(t, []any{"TN", "Nashville-Davidson"}, []any{r["state"], r["city"]})
		require.NotEqual(t, "INVALID", r["address_status"])
	})
	t.Run("texts of the product follow the product", func(t *testing.T) {
		path := in.sale(shop, "", gift, lineOf("O", "FREE", "1.00", `,"product_name":"Own","product_description":"words"`))
		swap := func(r record) { r.line(0)["external_product_id"], r.line(1)["external_product_id"] = "P-1", "P-1" }
		r := changed(path, swap)
		require.Equal(t, "Widget", r.line(0)["product_name"])
		require.NotContains(t, r.line(0), "product_description")
		require.Equal(t, []any{"Own", "words"}, []any{r.line(1)["product_name"], r.line(1)["product_description"]})
	})
	t.Run("the refund status follows the credit notes", func(t *testing.T) {
		path := in.sale(shop, `,"total_amount":"100.00","refund_status":"PARTIALLY_REFUNDED"`, widget)
		require.Equal(t, "PARTIALLY_REFUNDED", changed(path, none)["refund_status"])
		note := in.call(shop, "POST", path+"/credit_notes",
			strings.Replace(creditNoteBody(in.next("NOTE"), "-100.00"), `"L1"`, `"W"`, 1), 200).text(t, "id")
		require.Equal(t, "FULLY_REFUNDED", changed(path, none)["refund_status"])
		in.putRecord(shop, path+"/credit_notes/"+note, record{"status": "CANCELLED"})
		seen := in.get(shop, path)
		require.NotContains(t, seen, "refund_status")
		seen["refund_status"] = "FULLY_REFUNDED" // the values of an older answer
		in.putRecord(shop, path, seen)
		require.NotContains(t, in.get(shop, path), "refund_status")
	})
	t.Run("credit notes do not forbid an update without changes", func(t *testing.T) {
		path := in.sale(shop, `,"total_amount":"200.00"`, gift,
			lineOf("W", "P-1", "100.00", `,"discount_builder":{"applied_to":"TRANSACTION","discount_amount":"1.00"},
			"tax_items":[{"rate":"0.08","amount":"8.00","name":"tax"}]`))
		in.call(shop, "POST", path+"/credit_notes",
			strings.Replace(creditNoteBody(in.next("NOTE"), "-1.00"), `"L1"`, `"W"`, 1), 200)
		before := in.get(shop, path)
		require.Equal(t, before.without(unsettled...), changed(path, none).without(unsettled...))
	})
	t.Run("lines that were written before their requests were kept", func(t *testing.T) {
		path := in.sale(shop, "", lineOf("W", "P-1", "100.00",
			`,"product_name":"Own","discount_builder":{"applied_to":"TRANSACTION_ITEM","discount_amount":"20.00"}`))
		before := in.get(shop, path)
		in.execute(`UPDATE transaction_items SET sent = '{"unknown": true}' WHERE transaction_id = $1`, before["id"])
		require.Equal(t, before.without(unsettled...), changed(path, none).without(unsettled...))
	})
}
