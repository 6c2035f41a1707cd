package webhooks_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// Deliveries are narrowed down to those whose latest attempt failed, whether another one follows or not, and to recent
// ones.
func TestDeliveriesAreListedByFailureAndTime(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope := storetest.Organization(t, address)
	ref := endpoint(t, s, scope)
	leaseTwo(t, s, address, ref)
	s.Webhooks.OnPause(func() {})
	count := func(filter models.WebhookDeliveryFilter) int64 {
		list, err := s.Webhooks.ListWebhookDeliveries(t.Context(), scope, ref.ID, filter, models.Page{Limit: 10})
		require.NoError(t, err)
		sums, err := s.Webhooks.WebhookDeliverySums(t.Context(), scope, []string{ref.ID, "whep_other"}, filter.Since)
		require.NoError(t, err)
		if filter.Failed {
			require.Equal(t, list.Total, sums[ref.ID].Failed)
		} else {
			require.Equal(t, list.Total, sums[ref.ID].Count)
		}
		return list.Total
	}
	failed := models.WebhookDeliveryFilter{Failed: true}
	require.EqualValues(t, 2, count(models.WebhookDeliveryFilter{}))
	require.Zero(t, count(failed), "neither was tried")
	storetest.Execute(t, address, `UPDATE webhook_deliveries SET tries = 1
		WHERE id = (SELECT min(id) FROM webhook_deliveries WHERE endpoint_id = $1)`, ref.ID)
	require.EqualValues(t, 1, count(failed), "another attempt follows")
	storetest.Execute(t, address, "UPDATE webhook_deliveries SET status = 'FAILED', next_attempt_at = NULL WHERE endpoint_id = $1", ref.ID)
	require.EqualValues(t, 2, count(failed))
	storetest.Execute(t, address, "UPDATE webhook_deliveries SET status = 'DELIVERED' WHERE endpoint_id = $1", ref.ID)
	require.Zero(t, count(failed))

	recent := models.WebhookDeliveryFilter{Since: time.Now().Add(-time.Hour)}
	require.EqualValues(t, 2, count(recent))
	storetest.Execute(t, address, "UPDATE webhook_deliveries SET created_at = created_at - interval '2 hours' WHERE endpoint_id = $1", ref.ID)
	require.Zero(t, count(recent))
}
