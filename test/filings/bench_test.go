package filings_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	sdkclient "go.temporal.io/sdk/client"

	"levy/models"
	"levy/test/testbed"
	"levy/workflows"
)

const usStates = "AL AR AZ CA CO CT DC FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS NC ND NE NJ NM NV NY OH OK PA RI SC SD TN TX UT VA VT WA WI WV WY AK PR DE NH"

// manyRegistrations writes the registrations of organizations with one in each state.
func manyRegistrations(tb testing.TB, b *testbed.Bed, organizations int, from string) {
	tb.Helper()
	ctx := context.Background()
	tx, err := b.DB.Begin(ctx)
	require.NoError(tb, err)
	for range organizations {
		org := models.NewID(models.PrefixOrganization)
		batch := &pgx.Batch{}
		batch.Queue(`INSERT INTO organizations SELECT (jsonb_populate_record(o, jsonb_build_object('id', $2::text, 'external_id', $2::text, 'name', $2::text, 'name_key', $2::text))).*
			FROM organizations o WHERE id = $1`, b.OrganizationID, org)
		batch.Queue(`INSERT INTO organization_settings SELECT (jsonb_populate_record(s, jsonb_build_object('organization_id', $2::text))).*
			FROM organization_settings s WHERE organization_id = $1`, b.OrganizationID, org)
		for _, state := range strings.Fields(usStates) {
			id := models.NewID(models.PrefixRegistration)
			batch.Queue(`INSERT INTO registrations (organization_id, id, country_code, state_code, state_name, status, filing_frequency, registration_import_type,
				registration_date, auto_registered, do_not_file, registrations_regime, imported, initial_sync, vda, sst_import, amount_fees, third_party_enabled,
				two_factor_enabled, marked_collecting, created_at, updated_at)
				VALUES ($1, $2, 'US', $3, $3, 'REGISTERED', 'MONTHLY', 'REGULAR', $4, false, false, 'STANDARD', true, false, false, false, 0, false, false, false, now(), now())`,
				org, id, state, from)
			batch.Queue("INSERT INTO registration_frequencies VALUES ($1, $2, '1900-01-01', 'MONTHLY')", org, id)
		}
		require.NoError(tb, tx.SendBatch(ctx, batch).Close())
	}
	require.NoError(tb, tx.Commit(ctx))
}

// BenchmarkTenThousandFilings is the first of a month: the plan of 10,000
// registrations, and the start of as many workflows.
func BenchmarkTenThousandFilings(b *testing.B) {
	const organizations, filings = 200, 10_000
	bed := testbed.New(b, testbed.Options{})
	manyRegistrations(b, bed, organizations, monthBefore(1))
	require.Equal(b, filings, bed.Count("SELECT count(*) FROM registrations"))
	temporal := bed.Temporal()
	bed.Worker.Start()
	for b.Loop() {
		began := time.Now()
		handle := temporal.ScheduleClient().GetHandle(context.Background(), "plan-filings")
		require.NoError(b, handle.Trigger(context.Background(), triggerNow))
		wait(b, bed, "SELECT count(*) FROM filings", filings)
		planned := time.Now()
		wait(b, bed, "SELECT count(*) FROM filings WHERE next_check_at > now() + interval '1 hour'", filings)
		b.ReportMetric(planned.Sub(began).Seconds(), "s/plan")
		b.ReportMetric(filings/time.Since(planned).Seconds(), "starts/s")
	}
	again := time.Now()
	_, err := temporal.ExecuteWorkflow(context.Background(), planNow, workflows.PlanFilingsName, workflows.PlanFilingsInput{})
	require.NoError(b, err)
	require.NoError(b, temporal.GetWorkflow(context.Background(), planNow.ID, "").Get(context.Background(), nil))
	b.ReportMetric(time.Since(again).Seconds(), "s/second-plan")
}

func wait(b *testing.B, bed *testbed.Bed, query string, n int) {
	b.Helper()
	deadline := time.Now().Add(10 * time.Minute)
	for bed.Count(query) < n {
		require.True(b, time.Now().Before(deadline), fmt.Sprint(query, ": ", bed.Count(query)))
	}
}

var (
	triggerNow = sdkclient.ScheduleTriggerOptions{}
	planNow    = sdkclient.StartWorkflowOptions{ID: "plan-again", TaskQueue: workflows.FilingsQueue}
)
