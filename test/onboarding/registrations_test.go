package onboarding_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"

	"levy/test/testbed"
)

// sellOutOfState posts a sale to Washington that crosses its threshold.
func (c *client) sellOutOfState() {
	c.t.Helper()
	product, err := c.call(c.bed.API, c.key, c.id, "POST", "/v1/products",
		`{"external_id":"P-1","name":"Widget","product_category":"PHYSICAL"}`)
	require.NoError(c.t, err)
	require.Equal(c.t, http.StatusOK, product.status, product.raw)
	sale, err := c.call(c.bed.API, c.key, c.id, "POST", "/v1/transactions",
		`{"external_id":"S-1","type":"SALE","date":"2026-02-03T10:00:00Z","total_amount":100001,"currency":"USD",
		"customer":{"external_id":"C-1","name":"Ada"},
		"addresses":[{"type":"SHIP_TO","street_1":"400 Broad St","city":"Seattle","state":"WA","postal_code":"98109",
			"country":"US"}],
		"transaction_items":[{"date":"2026-02-03T10:00:00Z","external_product_id":"P-1","amount":100001}]}`)
	require.NoError(c.t, err)
	require.Equal(c.t, http.StatusAccepted, sale.status, sale.raw)
}

// waitRegistration waits until the registration for Washington has one of the given statuses.
func (c *client) waitRegistration(statuses ...string) {
	c.t.Helper()
	c.bed.Eventually(fmt.Sprintf("the registration is one of %v", statuses), func(context.Context) (bool, error) {
		rows := c.bed.Rows(`SELECT status
			FROM registrations
			WHERE organization_id = $1 AND state_code = 'WA' AND auto_registered`, c.id)
		for _, status := range statuses {
			if len(rows) == 1 && rows[0]["status"] == status {
				return true, nil
			}
		}
		return false, fmt.Errorf("%v", rows)
	})
}

// A client with auto_register crosses a threshold during its onboarding: the registration waits, begins with the last
// step, and is cancelled with an onboarding that is undone, after the data and before its key.
func TestRegistrationsFollowTheOnboarding(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	bed.Worker.Start()
	stays, goes := newClient(t, bed, "Acme Trading"), newClient(t, bed, "Kestrel & Daughters")
	for _, c := range []*client{stays, goes} {
		c.upTo(3)
		c.sellOutOfState()
	}
	for _, c := range []*client{stays, goes} {
		c.waitRegistration("UNREGISTERED")
		c.upFrom(4, 7)
	}
	stays.upFrom(8, 8)
	stays.waitRegistration("PROCESSING", "VALIDATING", "REGISTERED", "AWAITING_CLARIFICATION")

	require.Equal(t, http.StatusOK, goes.cancel().status)
	before := append(append([]string{}, stepActivities[:7]...), "EndOnboarding")
	goes.requireUndone(bed.Temporal(), 7, 7, before, enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED)
	goes.waitRegistration("CANCELLED")
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM transactions WHERE organization_id = $1", goes.id), "records stay")
	stays.waitRegistration("PROCESSING", "VALIDATING", "REGISTERED", "AWAITING_CLARIFICATION")
}
