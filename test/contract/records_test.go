package contract_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// soldYesterday makes a processed sale of 100.00 in New York, on a day that is over everywhere.
func (in *installation) soldYesterday(as credentials, product string) string {
	in.t.Helper()
	over := time.Now().UTC().AddDate(0, 0, -2).Format(time.RFC3339)
	body := strings.ReplaceAll(saleBody(in.next("ORDER"), product, 1), "2026-05-15T10:00:00Z", over)
	var list []struct{ ID string }
	in.call(as, "POST", "/v1/transactions", body, 202).decode(in.t, &list)
	in.processed(as, list[0].ID)
	return list[0].ID
}

func TestThePreviewOfAReclassification(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	id, externalID := in.product(client)
	path := "/v1/products/" + id + "/reclassification_preview"
	empty := in.call(client, "POST", path, `{"product_category":"FOOD"}`, 200)
	require.Equal(t, []any{}, empty.member(t, "states"))

	for range 3 {
		in.soldYesterday(client, externalID)
	}
	in.soldYesterday(client, "P-1") // another product
	before := in.call(client, "GET", "/v1/products/"+id, "", 200)
	for body, want := range map[string][]any{
		`{"product_category":"FOOD","product_subcategory":"GROCERY_FOOD"}`: {"26.64", "0.00",
			"-26.64"}, // groceries are not taxed there
		`{"tax_exempt":true}`:            {"26.64", "0.00", "-26.64"},
		`{"product_category":"DIGITAL"}`: nil,
		`{}`:                             {"26.64", "26.64", "0.00"},
	} {
		a := in.call(client, "POST", path, body, 200)
		states, _ := a.member(t, "states").([]any)
		require.Len(t, states, 1, body)
		state, _ := states[0].(map[string]any)
		require.Equal(t, []any{"US", "NY", "USD", 3.0},
			[]any{state["country_code"], state["state_code"], state["currency"], state["lines"]})
		if want != nil {
			require.Equal(t, want, []any{state["tax_before"], state["tax_after"], state["difference"]}, body)
		}
	}
	require.Equal(t, string(before.body), string(in.call(client, "GET", "/v1/products/"+id, "", 200).body),
		"nothing is written")
	in.call(client, "POST", path, `{"product_category":"MAGIC"}`, 400)
	in.execute("UPDATE transactions SET date = now() - interval '32 days'")
	require.EqualValues(t, 0, in.call(client, "POST", path, `{}`, 200).member(t, "lines"), "only the last 30 days")
}

// A setting of the operator applies to the next calculation.
func TestTheRoundingUnitTakesEffect(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	unit := func() any {
		a := in.call(client, "GET", "/v1/transactions/"+in.soldYesterday(client, "P-1")+"/explanation", "", 200)
		items, _ := a.member(t, "items").([]any)
		item, _ := items[0].(map[string]any)
		rounding, _ := item["rounding"].(map[string]any)
		return rounding["unit"]
	}
	require.Equal(t, "TAX_PER_LINE", unit())
	o, err := in.store.Organizations.Configure(t.Context(), models.Scope{OrganizationID: client.organization},
		models.Actor{}, func(o *models.Organization) {
			o.Settings.RoundingUnit, o.BillingPlan, o.Settings.FilingLookbackPeriods = "JURISDICTION_PER_LINE", "GROWTH", 3
		})
	require.NoError(t, err)
	require.Equal(t, client.organization, o.ID)
	require.Equal(t, "JURISDICTION_PER_LINE", unit())
	shown := in.call(in.root, "GET", "/v1/organizations/"+client.organization, "", 200)
	require.Equal(t, "GROWTH", shown.text(t, "billing_plan"))
	settings, _ := shown.member(t, "settings").(map[string]any)
	require.EqualValues(t, 3, settings["filing_lookback_periods"])
}
