package contract_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// roundedBody is the end of a sale or an estimate: equal lines to an address.
func roundedBody(address, amount string, lines int) string {
	line := fmt.Sprintf(`{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z","amount":%s},`, amount)
	return `"date":"2026-05-15T10:00:00Z","addresses":[{"type":"SHIP_TO",` + address + `,"country":"US"}],` +
		`"customer":{"external_id":"C-1"},"transaction_items":[` + strings.TrimSuffix(strings.Repeat(line, lines), ",") + `]}`
}

const (
	inHouston = `"street_1":"1 Main St","city":"Houston","state":"TX","postal_code":"77002"`
	inDenver  = `"city":"Denver","state":"CO","postal_code":"80202"`
	inSanJose = `"city":"San Jose","state":"CA","postal_code":"95113"`
)

// The unit of rounding is chosen by the organization, or for one document.
func TestTheUnitOfRoundingIsChosen(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	in.call(shop, "POST", "/v1/registrations",
		`{"country_code":"US","state_code":"TX","filing_frequency":"MONTHLY","registration_date":"2026-01-01",`+
			`"imported":true}`, 200)
	choose := func(unit string) {
		in.call(shop, "POST", "/v1/organizations/"+shop.organization+"/settings",
			fmt.Sprintf(`{"tax_rounding":%q}`, unit), 200)
	}
	estimate := func(members string) answer { return in.call(shop, "POST", "/v1/tax/estimate", "{"+members, 200) }
	parts := func(a answer) (amounts []string) {
		for _, row := range a.member(t, "tax_breakdown").([]any) {
			amounts = append(amounts, row.(map[string]any)["amount"].(string))
		}
		return amounts
	}
	small := roundedBody(inHouston, "0.05", 1000)
	const byDocument = `"tax_rounding":"TAX_PER_DOCUMENT",`

	t.Run("an estimate", func(t *testing.T) {
		a := estimate(small)
		require.Equal(t, []string{"TAX_PER_LINE", "0.00"}, []string{a.text(t, "tax_rounding"), a.text(t, "total_tax_amount")})
		require.Contains(t, string(a.body), `"ROUNDING_UNIT"`)
		require.Contains(t, string(a.body), "by line the tax is 0.00, by document 4.13")

		a = estimate(byDocument + small)
		require.Equal(t, "4.13", a.text(t, "total_tax_amount"))
		require.Equal(t, []string{"3.13", "0.50", "0.50"}, parts(a))
		require.Equal(t, "4.13", a.text(t, "tax_to_collect"), "the registration covers all of it")

		ten := roundedBody(inDenver, "0.45", 10)
		require.Equal(t, "0.40", estimate(ten).text(t, "total_tax_amount"))
		require.Equal(t, "0.41", estimate(byDocument+ten).text(t, "total_tax_amount"))
		require.NotContains(t, string(estimate(ten).body), "ROUNDING_UNIT")
		in.call(shop, "POST", "/v1/tax/estimate", `{"tax_rounding":"PER_CENT",`+ten, 400)
	})

	t.Run("a currency without cents", func(t *testing.T) {
		yen := `"currency":"JPY",` + roundedBody(inSanJose, "1005", 1)
		require.Equal(t, "101.00", estimate(yen).text(t, "total_tax_amount"))
		require.Equal(t, "101.00", estimate(`"simulate_active_registration":true,`+yen).text(t, "tax_to_collect"))
		for _, part := range parts(estimate(yen)) {
			require.True(t, strings.HasSuffix(part, ".00"), part)
		}
	})

	sell := func(members string) string {
		var made []struct{ ID string }
		in.call(shop, "POST", "/v1/transactions", fmt.Sprintf(`{"external_id":%q,"type":"SALE",`, in.next("ORDER"))+members,
			202).decode(t, &made)
		in.processed(shop, made[0].ID)
		return "/v1/transactions/" + made[0].ID
	}
	rounded := func(path string) [2]string {
		a := in.get(shop, path)
		return [2]string{a["tax_rounding"].(string), a["total_tax_amount_calculated"].(string)}
	}
	lines := roundedBody(inHouston, "0.60", 10) // 0.0495 each, 0.495 together

	t.Run("a sale keeps the unit that was in force when it was recorded", func(t *testing.T) {
		choose("TAX_PER_LINE")
		path := sell(lines)
		require.Equal(t, [2]string{"TAX_PER_LINE", "0.50"}, rounded(path))
		choose("JURISDICTION_PER_LINE") // 0.04 + 0.01 + 0.01
		later := sell(lines)
		require.Equal(t, [2]string{"JURISDICTION_PER_LINE", "0.60"}, rounded(later))
		in.call(shop, "POST", path+"/reprocess", "", 202)
		in.processed(shop, strings.TrimPrefix(path, "/v1/transactions/"))
		require.Equal(t, [2]string{"TAX_PER_LINE", "0.50"}, rounded(path), "whatever the setting is now")

		body := in.get(shop, path)
		in.putRecord(shop, path, body)
		in.processed(shop, strings.TrimPrefix(path, "/v1/transactions/"))
		require.Equal(t, [2]string{"TAX_PER_LINE", "0.50"}, rounded(path), "a change that does not name it keeps it")
		body["tax_rounding"] = nil
		in.putRecord(shop, path, body)
		in.processed(shop, strings.TrimPrefix(path, "/v1/transactions/"))
		require.Equal(t, [2]string{"JURISDICTION_PER_LINE", "0.60"}, rounded(path), "null is the setting")
		choose("TAX_PER_LINE")
		require.Equal(t, "TAX_PER_LINE", in.get(shop, "/v1/organizations/"+shop.organization+"/settings")["tax_rounding"])
	})

	t.Run("a sale by document, its places and its notes", func(t *testing.T) {
		path := sell(byDocument + roundedBody(inHouston, "0.05", 1000))
		require.Equal(t, [2]string{"TAX_PER_DOCUMENT", "4.13"}, rounded(path))
		explained := in.call(shop, "GET", path+"/explanation", "", 200)
		require.Contains(t, string(explained.body), `"unit":"TAX_PER_DOCUMENT"`)
		require.Contains(t, string(explained.body), "once for the whole document")
		require.Equal(t, "4.13", in.get(shop, path)["total_tax_liability_amount"])
	})

	t.Run("notes give back what was allocated to the lines", func(t *testing.T) {
		path := sell(byDocument + strings.Replace(lines, `"amount"`, `"external_id":"L1","amount"`, 1))
		id := strings.TrimPrefix(path, "/v1/transactions/")
		first := in.get(shop, path)["transaction_items"].([]any)[0].(map[string]any)["tax_amount_calculated"].(string)
		note := in.credit(shop, id, noteBody(in.next("NOTE"), "COMMITTED", "-0.65", noteLine("L1", "P-1", "1", "-0.60", "0")))
		in.processed(shop, note.ID)
		require.Equal(t, "-"+first, in.read(shop, note.ID).Tax)
		body := in.get(shop, path)
		in.putRecord(shop, path, body) // equal values
		body["tax_rounding"] = "TAX_PER_LINE"
		other, err := json.Marshal(body)
		require.NoError(t, err)
		in.call(shop, "PUT", path, string(other), 409)
	})
}
