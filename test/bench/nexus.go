package main

import (
	"context"
	"fmt"
	"time"

	sdkclient "go.temporal.io/sdk/client"

	"levy/workflows"
)

// nexusReads is how often the list of nexus records is asked for.
const nexusReads = 500

// measureNexus posts sales one at a time and measures from the 202 until the nexus
// records know of it and of its taxes. Then it reads the list of records.
func (b *bench) measureNexus(ctx context.Context) error {
	b.say("Accepted to counted by nexus when idle, %d times", b.Idle)
	if err := b.ensure(ctx, true); err != nil {
		return err
	}
	if err := until(ctx, "nexus at rest", 100*time.Millisecond, time.Minute, b.nexusAtRest); err != nil {
		return err
	}
	var fresh latencies
	for range b.Idle {
		if _, _, err := b.sales.post(ctx, load{clients: 1, count: 1}); err != nil {
			return err
		}
		began := time.Now()
		err := until(ctx, "counted by nexus", 2*time.Millisecond, time.Minute, b.nexusAtRest)
		if err != nil {
			return err
		}
		fresh = append(fresh, time.Since(began))
	}
	b.say("  p50 %.0f ms, p99 %.0f ms", fresh.percentile(50), fresh.percentile(99))
	b.report.atMost("accepted to counted by nexus when idle, p50", "ms", fresh.percentile(50), 1000)
	b.report.atMost("accepted to counted by nexus when idle, p99", "ms", fresh.percentile(99), 1000)

	var reads latencies
	for range nexusReads {
		took, err := b.get(ctx, "/v1/nexus")
		if err != nil {
			return err
		}
		reads = append(reads, took)
	}
	b.say("  GET /v1/nexus: p50 %.1f ms, p99 %.1f ms", reads.percentile(50), reads.percentile(99))
	b.report.note("GET /v1/nexus: p50 %.1f ms, p99 %.1f ms.", reads.percentile(50), reads.percentile(99))
	return nil
}

// nexusAtRest reports whether nexus was evaluated with all that was accepted.
func (b *bench) nexusAtRest(ctx context.Context) (rest bool, err error) {
	err = b.db.QueryRow(ctx, `SELECT NOT EXISTS (SELECT FROM nexus_changes WHERE pending)
		  AND NOT EXISTS (SELECT FROM outbox)`).Scan(&rest)
	return rest, err
}

// statesOfPlanned is in how many places an organization of this measurement is registered. Its registrations look like
// imported ones, in force since the first of last month. They have no known due days. So no reminder is due on any day,
// as none is on the first of a month.
const statesOfPlanned = 35

const plannedOrganizations = `
	INSERT INTO organizations (id, external_id, name, name_key, status, is_test, billing_plan, disable_emails,
	                           onboarding_status, created_at, updated_at)
	SELECT 'org_' || lpad(n::text, 26, '0'), n, 'Planned ' || n, 'planned ' || n, 'ACTIVE', true, 'FREE', false,
	       'COMPLETED', now(), now()
	  FROM generate_series(1, $1::int) n`

const plannedRegistrations = `
	WITH made AS (
	  INSERT INTO registrations (organization_id, id, country_code, state_code, state_name, status, filing_frequency,
	                             registration_import_type, registration_date, auto_registered, do_not_file,
	                             registrations_regime, imported, initial_sync, vda, sst_import, amount_fees,
	                             third_party_enabled, two_factor_enabled, marked_collecting, changed, created_at,
	                             updated_at)
	  SELECT 'org_' || lpad((1 + n / $2)::text, 26, '0'), 'regs_' || lpad(n::text, 26, '0'), s.country_code, s.state_code,
	         s.state_code, 'REGISTERED', 'MONTHLY', 'REGULAR',
	         date_trunc('month', now() AT TIME ZONE 'UTC' - interval '1 month')::date,
	         false, false, 'STANDARD', true, false, false, false, 0, false, false, false, false, now(), now()
	    FROM generate_series(0, $1::int - 1) n
	    JOIN (SELECT country_code, state_code, row_number() OVER (ORDER BY country_code, state_code) - 1 AS k
	            FROM (SELECT DISTINCT country_code, state_code FROM nexus_records
	                   WHERE country_code NOT IN ('US', 'ZZ_EU')) d) s ON s.k = n % $2
	  RETURNING organization_id, id)
	INSERT INTO registration_frequencies (organization_id, registration_id, from_date, filing_frequency)
	SELECT organization_id, id, '1900-01-01', 'MONTHLY' FROM made`

// measurePlan runs the calendar on a day on which many registrations have a period to file. It measures until each has
// its filing, and until each filing has its workflow.
func (b *bench) measurePlan(ctx context.Context) error {
	b.say("Filings of %d registrations, planned on one day", b.Registrations)
	if err := b.ensure(ctx, true); err != nil {
		return err
	}
	organizations := (b.Registrations + statesOfPlanned - 1) / statesOfPlanned
	if _, err := b.db.Exec(ctx, plannedOrganizations, organizations); err != nil {
		return err
	}
	if _, err := b.db.Exec(ctx, plannedRegistrations, b.Registrations, statesOfPlanned); err != nil {
		return err
	}
	temporal, err := b.temporalClient()
	if err != nil {
		return err
	}
	defer temporal.Close()
	done := func(what string) func(context.Context) (bool, error) {
		return func(ctx context.Context) (bool, error) {
			var n int
			err := b.db.QueryRow(ctx, "SELECT count(*) FROM filings WHERE organization_id LIKE 'org_0000%' AND "+what).Scan(&n)
			return n == b.Registrations, err
		}
	}
	began := time.Now()
	if err := temporal.ScheduleClient().GetHandle(ctx, "plan-filings").Trigger(ctx,
		sdkclient.ScheduleTriggerOptions{}); err != nil {
		return err
	}
	if err := until(ctx, "every registration has its filing", 20*time.Millisecond, 10*time.Minute,
		done("true")); err != nil {
		return err
	}
	planned := time.Since(began).Seconds()
	if err := until(ctx, "every filing has its workflow", 100*time.Millisecond, time.Hour,
		done("next_check_at > now() + interval '1 hour'")); err != nil {
		return err
	}
	if err := until(ctx, "every workflow has begun", 100*time.Millisecond, time.Hour,
		nothingToBegin(temporal)); err != nil {
		return err
	}
	took := time.Since(began).Seconds()
	b.say("  planned in %.1f s; all workflows wait for what is next after %.1f s, %.0f/s", planned, took,
		float64(b.Registrations)/took)
	b.report.note("Filings of %d registrations: planned in %.1f s; "+
		"all workflows wait for what is next after %.1f s, %.0f starts/s.",
		b.Registrations, planned, took, float64(b.Registrations)/took)
	return b.measureMemory(ctx, fmt.Sprintf("with %d returns in progress", b.Registrations), 150)
}

// nothingToBegin reports whether no run of a filing waits for its first task.
func nothingToBegin(temporal sdkclient.Client) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		queue, err := temporal.DescribeTaskQueueEnhanced(ctx, sdkclient.DescribeTaskQueueEnhancedOptions{
			TaskQueue:      workflows.FilingsQueue,
			TaskQueueTypes: []sdkclient.TaskQueueType{sdkclient.TaskQueueTypeWorkflow}, ReportStats: true,
		})
		if err != nil {
			return false, err
		}
		for _, version := range queue.VersionsInfo { //nolint:staticcheck // the workers have no versions
			if version.TypesInfo[sdkclient.TaskQueueTypeWorkflow].Stats.ApproximateBacklogCount > 0 {
				return false, nil
			}
		}
		return true, nil
	}
}
