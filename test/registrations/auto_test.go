package registrations_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// sellOutOfState posts a sale to Washington that crosses its threshold.
func (b *bed) sellOutOfState(externalID string) {
	b.t.Helper()
	sale := testbed.Sale(externalID, 1)
	sale["date"] = "2026-02-03T10:00:00Z"
	sale["total_amount"] = "100001.00"
	sale["addresses"] = []any{map[string]any{"type": "SHIP_TO", "street_1": "400 Broad St", "city": "Seattle",
		"state": "WA", "postal_code": "98109", "country": "US"}}
	sale["transaction_items"] = []any{map[string]any{"date": "2026-02-03T10:00:00Z",
		"external_product_id": testbed.Product, "amount": "100001.00"}}
	answer := b.Post("/v1/transactions", sale)
	require.Equal(b.t, http.StatusAccepted, answer.Status, string(answer.Body))
}

// From the sale that crosses the threshold to the confirmed registration no person is needed. While the organization
// is not onboarded, the registration waits.
func TestASaleThatCrossesTheThresholdLeadsToARegistration(t *testing.T) {
	t.Parallel()
	b := newBed(t, true)
	b.API.Start()
	b.Worker.Start()
	b.Exec("UPDATE organization_details SET auto_register = true WHERE organization_id = $1", b.OrganizationID)
	b.sellOutOfState("S-1")
	b.Eventually("a registration waits for the onboarding", func(context.Context) (bool, error) {
		return b.Count(`SELECT count(*)
			FROM registrations
			WHERE state_code = 'WA' AND auto_registered AND status = 'UNREGISTERED'`) == 1, nil
	})
	path := "/v1/registrations/" + b.Rows("SELECT id FROM registrations")[0]["id"].(string)
	b.waitFor(path, "ONBOARDING")
	require.Equal(t, 1, b.Count(`SELECT count(*)
		FROM nexus_records
		WHERE country_code = 'US' AND state_code = 'WA' AND status = 'PENDING_REGISTRATION' AND crossing IS NOT NULL`))

	// The last step of an onboarding writes this.
	b.Exec("UPDATE organizations SET onboarding_status = 'COMPLETED' WHERE id = $1", b.OrganizationID)
	b.Exec("UPDATE registrations SET changed = true, next_check_at = now()")
	b.wait(path, "REGISTERED")
	b.waitEnded(path)
	b.sellOutOfState("S-2")
	b.Eventually("the second sale is counted", func(context.Context) (bool, error) {
		return b.Count(`SELECT count(*)
			FROM nexus_records
			WHERE country_code = 'US' AND state_code = 'WA' AND status = 'REGISTERED' AND transaction_count = 2`) == 1, nil
	})
	require.Equal(t, 1, b.Count("SELECT count(*) FROM registrations"))
}
