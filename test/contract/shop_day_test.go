package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// dayOf returns the tax date of a stored transaction.
func (in *installation) dayOf(as credentials, id string) string {
	in.t.Helper()
	return in.call(as, "GET", "/v1/transactions/"+id, "", 200).text(in.t, "tax_date")
}

// A sale belongs to the day on which it happens in the shop, in the same way at every door.
func TestTheDayOfTheShopAtEveryDoor(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	sale := func(members string) string {
		return fmt.Sprintf(`{"external_id":%q,"type":"SALE","customer":{"external_id":"C-1"},"addresses":[%s],%s,
			"transaction_items":[{"external_product_id":"P-1","date":"2026-06-30T12:00:00Z","amount":100}]}`,
			in.next("ORDER"), newYork, members)
	}
	for _, c := range []struct{ why, members, want string }{
		{"the zone of the shop", `"date":"2026-07-01T04:30:00Z","shop_date_tz":"America/Chicago"`, "2026-06-30"},
		{"the offset is the shop's own", `"date":"2026-06-30T23:30:00-05:00"`, "2026-06-30"},
		{"the zone before the offset", `"date":"2026-06-30T23:30:00-05:00","shop_date_tz":"UTC"`, "2026-07-01"},
		{"the day before the zone", `"date":"2026-07-01T04:30:00Z","shop_date":"2026-07-01",
			"shop_date_tz":"America/Chicago"`, "2026-07-01"},
		{"an offset of zero is none", `"date":"2026-07-01T04:30:00+00:00"`, "2026-07-01"},
		{"no offset", `"date":"2026-07-01T04:30:00"`, "2026-07-01"},
	} {
		t.Run(c.why, func(t *testing.T) {
			var made []struct{ ID, Date string }
			in.call(shop, "POST", "/v1/transactions", sale(c.members), 202).decode(t, &made)
			require.Equal(t, c.want, in.dayOf(shop, made[0].ID))
			require.True(t, strings.HasPrefix(made[0].Date, "2026-07-01T04:30:00Z"), "an answer has the instant")

			var batch struct {
				Items []struct {
					ID string `json:"transaction_id"`
				}
			}
			in.call(shop, "POST", "/v1/transactions/batch", `{"transactions":[`+sale(c.members)+`]}`, 200).decode(t, &batch)
			require.Equal(t, c.want, in.dayOf(shop, batch.Items[0].ID))

			estimate := in.call(shop, "POST", "/v1/tax/estimate", fmt.Sprintf(`{"amount":100,%s,"shipping_address":
				{"city":"New York","state":"NY","postal_code":"10118","country":"US"}}`, c.members), 200)
			require.Equal(t, c.want, estimate.text(t, "tax_date"))
			require.Empty(t, estimate.header.Get("Levy-Ignored-Fields"))
		})
	}
	t.Run("an unknown zone", func(t *testing.T) {
		const members = `"date":"2026-07-01T04:30:00Z","shop_date_tz":"America/Springfield"`
		for target, body := range map[string]string{
			"/v1/transactions": sale(members),
			"/v1/tax/estimate": `{"amount":100,` + members + `,"shipping_address":{"country":"US","state":"NY"}}`,
		} {
			refused := in.call(shop, "POST", target, body, 400)
			require.Contains(t, string(refused.body), `"invalid_format"`)
			require.Contains(t, string(refused.body), `body.shop_date_tz`)
		}
	})
	t.Run("a day that is not that of the date", func(t *testing.T) {
		refused := in.call(shop, "POST", "/v1/tax/estimate", `{"amount":100,"date":"2026-07-01T04:30:00Z",
			"shop_date":"2026-06-29","shipping_address":{"country":"US","state":"NY"}}`, 400)
		require.Contains(t, string(refused.body), `"mismatch"`)
	})
}

// Santa Clara County raises its tax on 2026-04-01: the day of the shop decides the rate of the estimate and of the sale.
func TestTheDayOfTheShopSelectsTheRate(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	const lines = `"addresses":[{"type":"SHIP_TO","city":"San Jose","state":"CA","postal_code":"95113","country":"US"}],
		"transaction_items":[{"external_product_id":"P-1","date":"2026-03-31T12:00:00Z","amount":100}],
		"customer":{"external_id":"C-1"}}`
	for _, c := range []struct{ when, tax string }{
		{`"date":"2026-03-31T22:00:00-07:00",`, "9.38"},
		{`"date":"2026-04-01T05:00:00Z","shop_date":"2026-03-31",`, "9.38"},
		{`"date":"2026-04-01T05:00:00Z","shop_date_tz":"America/Los_Angeles",`, "9.38"},
		{`"date":"2026-04-01T05:00:00Z",`, "10.00"},
	} {
		require.Equal(t, c.tax, in.asProcessed(t, shop, c.when+lines).Tax, c.when)
	}
}

func TestTheDayOfARefundIsThatOfTheShop(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	plain, zoned := in.sold(shop), in.posted(shop, `"shop_date_tz":"America/Chicago",`)
	in.processed(shop, zoned)
	line := `{"external_id":"L1","external_product_id":"P-1","quantity":0,"amount":1,"date":"2026-06-30T12:00:00Z"}`
	note := func(original, members string) string {
		return in.call(shop, "POST", "/v1/transactions/"+original+"/credit_notes", fmt.Sprintf(`{"external_id":%q,
			"status":"COMMITTED","currency":"USD","total_amount":1.09,%s,"transaction_items":[%s]}`,
			in.next("NOTE"), members, line), 200).text(t, "id")
	}
	posted := func(kind, original, members string) string {
		var made []struct{ ID string }
		in.call(shop, "POST", "/v1/transactions", fmt.Sprintf(`{"external_id":%q,"type":%q,"related_to":%q,
			"total_amount":0.09,%s,"customer":{"external_id":"C-1"},"addresses":[],"transaction_items":[%s]}`,
			in.next("NOTE"), kind, original, members, strings.Replace(line, `"amount":1`, `"amount":0`, 1)), 202).
			decode(t, &made)
		return made[0].ID
	}
	for _, c := range []struct{ why, original, members, want string }{
		{"its own day", plain, `"date":"2026-07-01T04:45:00Z","shop_date":"2026-06-30"`, "2026-06-30"},
		{"its own zone", plain, `"date":"2026-07-01T04:45:00Z","shop_date_tz":"America/Chicago"`, "2026-06-30"},
		{"its own offset", zoned, `"date":"2026-07-01T04:45:00+09:00"`, "2026-07-01"},
		{"the zone of its original", zoned, `"date":"2026-07-01T04:45:00Z"`, "2026-06-30"},
		{"its own zone before that of the original", zoned, `"date":"2026-07-01T04:45:00Z","shop_date_tz":"UTC"`,
			"2026-07-01"},
		{"no zone anywhere", plain, `"date":"2026-07-01T04:45:00Z"`, "2026-07-01"},
	} {
		require.Equal(t, c.want, in.dayOf(shop, note(c.original, c.members)), "a credit note has %s", c.why)
		require.Equal(t, c.want, in.dayOf(shop, posted("TAX_REFUND", c.original, c.members)), "a tax refund has %s", c.why)
	}

	t.Run("a change decides only what it changes", func(t *testing.T) {
		id := note(plain, `"date":"2026-06-30T23:45:00-05:00"`)
		path := "/v1/transactions/" + plain + "/credit_notes/" + id
		for _, c := range []struct{ why, body, want string }{
			{"what is read", `{"date":"2026-07-01T04:45:00Z"}`, "2026-06-30"},
			{"another field", `{"description":"words"}`, "2026-06-30"},
			{"a day", `{"shop_date":"2026-07-01"}`, "2026-07-01"},
			{"another instant", `{"date":"2026-07-02T04:45:00Z"}`, "2026-07-02"},
			{"a zone", `{"shop_date_tz":"America/Chicago"}`, "2026-07-01"},
			{"another instant, in the stored zone", `{"date":"2026-07-03T04:45:00Z"}`, "2026-07-02"},
			{"no zone", `{"shop_date_tz":null}`, "2026-07-03"},
		} {
			in.call(shop, "PUT", path, c.body, 200)
			require.Equal(t, c.want, in.dayOf(shop, id), c.why)
		}
		in.call(shop, "PUT", path, `{"shop_date":"2026-07-09"}`, 400)
	})
}

// The tax date of a sale is decided once: it stays until the instant, the day or the zone changes.
func TestAChangedSaleKeepsItsDay(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	path := "/v1/transactions/" + in.posted(shop, `"shop_date":"2026-05-14","shop_date_tz":"America/Chicago",`)
	for _, c := range []struct {
		why    string
		change record
		want   string
	}{
		{"nothing", record{}, "2026-05-14"},
		{"the same instant written with an offset", record{"date": "2026-05-15T05:00:00-05:00"}, "2026-05-14"},
		{"the day removed", record{"shop_date": nil}, "2026-05-15"},
		{"another instant, in the stored zone", record{"date": "2026-05-16T04:59:00Z"}, "2026-05-15"},
		{"the zone removed", record{"shop_date_tz": nil}, "2026-05-16"},
		{"the same instant with an offset says no day", record{"date": "2026-05-15T23:59:00-05:00"}, "2026-05-16"},
		{"another instant with an offset", record{"date": "2026-05-15T23:58:00-05:00"}, "2026-05-15"},
		{"what is read", record{}, "2026-05-15"},
	} {
		body := in.get(shop, path)
		for name, value := range c.change {
			body[name] = value
		}
		in.putRecord(shop, path, body)
		require.Equal(t, c.want, in.get(shop, path)["tax_date"], c.why)
	}

	t.Run("a stored day falls away with its instant", func(t *testing.T) {
		path := "/v1/transactions/" + in.posted(shop, `"shop_date":"2026-05-14",`)
		body := in.get(shop, path)
		delete(body, "shop_date")
		in.putRecord(shop, path, body)
		require.Equal(t, "2026-05-14", in.get(shop, path)["tax_date"], "the same instant")
		body["date"] = "2026-06-20T10:00:00Z"
		in.putRecord(shop, path, body)
		require.Equal(t, "2026-06-20", in.get(shop, path)["tax_date"])
		require.NotContains(t, in.get(shop, path), "shop_date")
	})
}
