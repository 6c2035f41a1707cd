package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A class of products has a label, by which people can also type it.
func TestClassesAreSaidInWords(t *testing.T) {
	t.Parallel()
	for code, words := range map[string]string{
		"SOFTWARE_DOWNLOAD": "software download", "CLOTHING_CHILD": "children's clothing", "PHYSICAL": "physical",
	} {
		require.Equal(t, words, className(code))
		require.Equal(t, code, classCode(" "+words))
		require.Equal(t, code, classCode(code))
	}
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/products/categories": `[{"subcategories":[{"tax_class":"CLOTHING"}]}]`,
		"GET /v1/rate_overrides":  `{}`,
		"GET /v1/products":        `{"items":[{"id":"prod_1","tax_class":"SOFTWARE_DOWNLOAD"}]}`,
		"GET /v1/products/prod_1": `{"id":"prod_1","tax_class":"SOFTWARE_DOWNLOAD"}`,
	}
	for _, path := range []string{"/o/org_1/products", "/o/org_1/products/prod_1"} {
		require.Contains(t, visitedWith(t, answers, path, nil).Body.String(), ">software download<", path)
	}
	require.Contains(t, visitedWith(t, answers, "/o/org_1/rates", nil).Body.String(), `<datalist id="tax-class-list">`)
}

// Explanations on pages have the amounts and labels of other pages. Identifiers, state codes and versions do not
// change.
func TestExplanationsAreSaidInWords(t *testing.T) {
	t.Parallel()
	for from, to := range map[string]string{
		"Combined rate 8.875 % on 12345.00 gives 1095.61875, rounded to 1095.62.": "Combined rate 8.875 % on 12,345.00 " +
			"gives 1,095.61875, rounded to 1,095.62.",
		"Line 2: Class CLOTHING_CHILD, from the subcategory of the product.": "Line 2: Class children's clothing, " +
			"from the subcategory of the product.",
		"Class PHYSICAL, of a default product.":               "Class physical, of a default product.",
		"Class MAINTENANCE_PLAN.":                             "Class maintenance plan.",
		"Taxed at the destination, SEATTLE, WA 98109-4999.":   "Taxed at the destination, SEATTLE, WA 98109-4999.",
		"Tax alone is given back: -1000.00 (tax_amount).":     "Tax alone is given back: -1,000.00 (tax).",
		"A refund of transaction txn_01kb5v6m2cf0080000x_y9:": "A refund of transaction txn_01kb5v6m2cf0080000x_y9:",
		"with content 2026.11.1.":                             "with content 2026.11.1.",
		"The return for 2026-10-01 to 2026-10-31, and that 345.00 USD and 12345.00 EUR are paid.": "The return for 1 Oct 2026 to " +
			"31 Oct 2026, and that 345.00 USD and 12,345.00 EUR are paid.",
		"An item below 110.00 USD.  Twice  spaced": "An item below 110.00 USD.  Twice  spaced",
		"": "",
	} {
		require.Equal(t, to, plainText(readable(from)))
	}
}

func TestATransactionIsExplainedInWords(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/transactions/txn_1": `{"id":"txn_1","external_id":"A-1"}`,
		"GET /v1/transactions/txn_1/history": `{}`, "GET /v1/transactions/txn_1/related_transactions": `{}`,
		"GET /v1/transactions/txn_1/revisions": `{}`,
		"GET /v1/transactions/txn_1/explanation": `{"steps":[{"text":"Class DRUGS_RX."},` +
			`{"text":"The tax_amount is 12345.67."}]}`,
	}
	answered := visitedWith(t, answers, "/o/org_1/transactions/txn_1", nil)
	require.Equal(t, http.StatusOK, answered.Code, answered.Body)
	require.Contains(t, answered.Body.String(), "<li>Class prescription drugs.</li><li>The tax is 12,345.67.</li>")
}

// The page of a transaction that needs attention offers to correct its address only if that may be the reason.
func TestTheCorrectionOfferedForATransactionFitsItsReason(t *testing.T) {
	t.Parallel()
	from := ""
	page := func(stages string) string {
		answered := visitedWith(t, map[string]string{"GET /v1/exceptions": `{"items":[]}`,
			"GET /v1/session": anAdmin, "GET /v1/transactions/txn_1": `{"id":"txn_1","processing_status":"NEEDS_REFETCH",` +
				`"processing_reason":"Why.","addresses":[{"type":"SHIP_TO"}]}`,
			"GET /v1/transactions/txn_1/history":              `{"items":[` + stages + `{"stage":"NEEDS_REFETCH"}]}`,
			"GET /v1/transactions/txn_1/explanation":          `{"status":409,"code":"x"}`,
			"GET /v1/transactions/txn_1/related_transactions": `{}`, "GET /v1/transactions/txn_1/revisions": `{}`,
		}, "/o/org_1/transactions/txn_1"+from, nil)
		require.Equal(t, http.StatusOK, answered.Code, answered.Body)
		return answered.Body.String()
	}
	const opened = "<details open data-shown><summary>Correct this address"
	shown := page(`{"stage":"ACCEPTED"},`)
	require.Contains(t, shown, "Why. Correct the address, or process it again once the cause is gone.")
	require.Contains(t, shown, opened)
	require.NotContains(t, shown, "autofocus", "the page is read again while nobody writes")
	from = "?queue="
	require.Regexp(t, `<input id="city-0"[^>]* autofocus`, page(`{"stage":"ACCEPTED"},`), "the first field that may be what is missing")
	shown = page(`{"stage":"EXEMPT_DONE"},{"stage":"NEXUS_DONE"},`)
	require.Contains(t, shown, "Why. It goes on automatically once a missing rate is there.")
	require.NotContains(t, shown, opened)

	for code, offered := range map[string]bool{"ADDRESS": true, "CALCULATION": false} {
		listed := visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/session/views": `{}`,
			"GET /v1/exceptions": `{"items":[{"reason_code":"` + code + `","actions":["updateTransaction"]}]}`,
		}, "/exceptions", nil)
		require.Equal(t, offered, strings.Contains(listed.Body.String(), "Correct the address"), code)
	}
}
