package validate

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract/problem"
)

// messageOf is the sentence about the only fault of a request.
func messageOf(t *testing.T, method, path, body string) string {
	t.Helper()
	r := setup(t).send(method, path, body)
	var p struct{ Errors []problem.FieldError }
	require.NoError(t, json.Unmarshal(r.Body.Bytes(), &p), r.Body.String())
	require.Len(t, p.Errors, 1, r.Body.String())
	return p.Errors[0].Message
}

func TestARefusalNamesTheNearestValuesOfTheSet(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ method, path, body, message string }{
		{"POST", "/v1/transactions", edit("type", "SALES"),
			"type must be one of SALE, FULL_CREDIT_NOTE, PARTIAL_CREDIT_NOTE, TAX_REFUND, ARCHIVE. Nearest: SALE."},
		{"GET", "/v1/transactions?order_by=-dat", "",
			"order_by must be one of date, -date, state, -state, customer_name, -customer_name, status, -status, " +
				"total_amount, -total_amount, created_at, -created_at, external_id, -external_id. Nearest: -date."},
		{"GET", "/v1/transactions?status=committed", "",
			"status must be one of PENDING, COMMITTED, CANCELLED, FULLY_REFUNDED, PARTIALLY_REFUNDED, " +
				"INVALID, ARCHIVED. Nearest: COMMITTED."},
	} {
		require.Equal(t, test.message, messageOf(t, test.method, test.path, test.body))
	}
	const first50 = `^currency must be one of 162 values: AED, AFN, ([A-Z]{3}, ){47}[A-Z]{3} and 112 more\.`
	require.Regexp(t, first50+` Nearest: USD\.$`, messageOf(t, "POST", "/v1/transactions", edit("currency", "usd")))
	require.Regexp(t, first50+` Nearest: USD, UZS\.$`, messageOf(t, "POST", "/v1/transactions", edit("currency", "UDS")))
	nothingLike := messageOf(t, "POST", "/v1/transactions", edit("currency", strings.Repeat("x", 60)))
	require.Regexp(t, first50+"$", nothingLike)
	require.Equal(t, nothingLike, messageOf(t, "POST", "/v1/transactions", edit("currency", strings.Repeat("USD", 1000))))
}

// A request with many faults does not have its values compared without an end.
func TestTheNumberOfComparedValuesIsLimited(t *testing.T) {
	t.Parallel()
	rows := strings.Repeat(edit("currency", "usd")+",", 2*maxCompared)
	r := setup(t).send("POST", "/v1/transactions/batch", `{"transactions":[`+rows[:len(rows)-1]+`]}`)
	require.Equal(t, 200, r.Code)
	c, err := compiled()
	require.NoError(t, err)
	run := c.checker.Begin(testNow)
	defer c.checker.End(run)
	s := &schema{listed: []string{"USD", "AUD", "EUR", "GBP"}}
	for range maxCompared {
		require.Contains(t, run.notInSetMessage(s, "usd"), "Nearest: USD")
	}
	require.Equal(t, "The value must be one of USD, AUD, EUR, GBP.", run.notInSetMessage(s, "usd"))
}

func TestDistanceCountsEdits(t *testing.T) {
	t.Parallel()
	for pair, edits := range map[[2]string]int{
		{"", ""}: 0, {"a", ""}: 1, {"", "ab"}: 2, {"usd", "usd"}: 0, {"uds", "usd"}: 1, {"usd", "used"}: 1,
		{"kitten", "sitting"}: 3, {"date", "-date"}: 1,
	} {
		require.Equal(t, edits, distance(pair[0], pair[1]), pair)
	}
}

func TestLimitsOfListsAreSaidInTheSingularAndPlural(t *testing.T) {
	t.Parallel()
	require.Equal(t, "At least 1 entry is needed.",
		messageOf(t, "POST", "/v1/transactions", edit("transaction_items", []any{})))
	ids := strings.TrimSuffix(strings.Repeat(`"x",`, 101), ",")
	require.Equal(t, "At most 100 entries are allowed.",
		messageOf(t, "POST", "/v1/transactions/archive", `{"transaction_ids":[`+ids+`]}`))
}
