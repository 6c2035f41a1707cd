package store

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"levy/models"
)

// contributingStates are those in which a transaction contributes to nexus.
var contributingStates = append([]models.ProcessingStatus{models.ProcessingNexusDone}, models.CalculatedStates...)

// recountAtOnce bounds the transactions of one step.
const recountAtOnce = 500

// RecountContributions compares what the next transactions of an organization
// contribute with what they must contribute, by decide; with repair it also puts it
// right, and keeps what it found. The transactions are held meanwhile, so that what is
// processed at the same time is no difference.
func (s *Store) RecountContributions(ctx context.Context, run models.StageRun, organizationID, after string, repair bool,
	decide func(models.Transaction) (models.NexusOutcome, error),
) (models.NexusRecountStep, error) {
	var step models.NexusRecountStep
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return step, translate(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // nothing after a commit
	refs, err := holdContributors(ctx, tx, organizationID, after)
	if err != nil || len(refs) == 0 {
		return step, translate(err)
	}
	step.Counted = len(refs)
	if len(refs) == recountAtOnce {
		step.Next = refs[len(refs)-1].ID
	}
	stored, err := storedContributions(ctx, tx, organizationID, refs)
	if err != nil {
		return step, translate(err)
	}
	states := make([]string, len(contributingStates))
	for i, state := range contributingStates {
		states[i] = string(state)
	}
	transactions, err := s.load(ctx, refs, states, loadItems, loadResellers)
	if err != nil {
		return step, err
	}
	var wrong []models.NexusOutcome
	for _, t := range transactions {
		outcome, err := decide(t)
		if err != nil {
			return step, err
		}
		differences := differing(outcome, stored[t.ID])
		if len(differences) > 0 {
			wrong = append(wrong, outcome)
			step.Differences = append(step.Differences, differences...)
		}
	}
	if len(wrong) == 0 || !repair {
		return step, nil
	}
	if err := replaceContributions(ctx, tx, wrong); err != nil {
		return step, translate(err)
	}
	if err := keepRepairs(ctx, tx, run, step.Differences); err != nil {
		return step, translate(err)
	}
	return step, translate(tx.Commit(ctx))
}

func holdContributors(ctx context.Context, tx pgx.Tx, organizationID, after string) ([]models.Ref, error) {
	rows, err := tx.Query(ctx, `
		SELECT t.organization_id, t.id, t.epoch FROM (
		  SELECT x.organization_id, x.id FROM transactions x
		   WHERE x.organization_id = $1 AND x.id > $2 AND x.processing_status = ANY ($3) ORDER BY x.id LIMIT $4) p
		 CROSS JOIN LATERAL (
		   SELECT y.* FROM transactions y WHERE y.organization_id = p.organization_id AND y.id = p.id AND y.processing_status = ANY ($3) FOR NO KEY UPDATE) t
		 ORDER BY t.id`, organizationID, after, contributingStates, recountAtOnce)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r models.Ref, err error) {
		return r, row.Scan(&r.OrganizationID, &r.ID, &r.Epoch)
	})
}

func storedContributions(ctx context.Context, tx pgx.Tx, organizationID string, refs []models.Ref) (map[string][]models.NexusContribution, error) {
	_, ids, _ := refArrays(refs)
	rows, err := tx.Query(ctx, `
		SELECT c.transaction_id, c.country_code, c.state_code, c.currency, c.day, c.marketplace, c.n, c.amount, c.exempt_n, c.exempt_amount,
		       c.resale_n, c.resale_amount, c.collected_tax, c.sold_at
		  FROM (SELECT $1::text AS organization_id, id FROM unnest($2::text[]) AS u(id) OFFSET 0) r -- no constant, as in selectPage
		 CROSS JOIN LATERAL (
		   SELECT x.* FROM nexus_contributions x WHERE x.organization_id = r.organization_id AND x.transaction_id = r.id OFFSET 0) c`, organizationID, ids)
	if err != nil {
		return nil, err
	}
	stored := map[string][]models.NexusContribution{}
	var id string
	var c models.NexusContribution
	_, err = pgx.ForEachRow(rows, []any{&id, &c.CountryCode, &c.StateCode, &c.Currency, &c.Day, &c.Marketplace, &c.Count, &c.Amount, &c.ExemptCount,
		&c.ExemptAmount, &c.ResaleCount, &c.ResaleAmount, &c.CollectedTax, &c.SoldAt}, func() error {
		stored[id] = append(stored[id], c)
		return nil
	})
	return stored, err
}

// differing lists what of a transaction is stored and must not be, and the other way.
func differing(outcome models.NexusOutcome, stored []models.NexusContribution) (differences []models.NexusDifference) {
	difference := func(c models.NexusContribution, found, expected any) {
		id := outcome.Ref.ID
		differences = append(differences, models.NexusDifference{
			OrganizationID: outcome.Ref.OrganizationID, Kind: models.NexusDifferenceContribution, TransactionID: &id,
			CountryCode: c.CountryCode, StateCode: c.StateCode, Currency: c.Currency, Day: c.Day, Marketplace: c.Marketplace,
			Found: json.RawMessage(*jsonText(found)), Expected: json.RawMessage(*jsonText(expected)),
		})
	}
	for _, want := range outcome.Contributions {
		i := slices.IndexFunc(stored, func(c models.NexusContribution) bool {
			return c.CountryCode == want.CountryCode && c.StateCode == want.StateCode
		})
		if i < 0 {
			difference(want, nil, want)
			continue
		}
		if !want.Equal(stored[i]) {
			difference(want, stored[i], want)
		}
		stored = slices.Delete(slices.Clone(stored), i, i+1)
	}
	for _, left := range stored {
		difference(left, left, nil)
	}
	return differences
}

// replaceContributions writes what transactions must contribute, and changes the
// counters by the difference.
func replaceContributions(ctx context.Context, tx pgx.Tx, outcomes []models.NexusOutcome) error {
	var organizationIDs, ids []string
	var rows []*contribution
	for _, o := range outcomes {
		organizationIDs, ids = append(organizationIDs, o.Ref.OrganizationID), append(ids, o.Ref.ID)
		for _, c := range o.Contributions {
			rows = append(rows, &contribution{o.Ref, c})
		}
	}
	_, err := tx.Exec(ctx, `
		WITH moved AS (SELECT organization_id, id FROM unnest($16::text[], $17::text[]) AS m(organization_id, id)),`+contribute(1)+`
		SELECT 1`, append(textArrays(contributionColumns, rows), organizationIDs, ids)...)
	return err
}

// selectCounterDifferences compares counters with what was contributed: both are
// written together, so that one look at them shows what is really different.
const selectCounterDifferences = `
	WITH sums AS (
	  SELECT organization_id, country_code, state_code, currency, day, marketplace, sum(n) AS n, sum(amount) AS amount, sum(exempt_n) AS exempt_n,
	         sum(exempt_amount) AS exempt_amount, sum(resale_n) AS resale_n, sum(resale_amount) AS resale_amount, sum(collected_tax) AS collected_tax
	    FROM nexus_contributions WHERE organization_id = $1 GROUP BY 1, 2, 3, 4, 5, 6),
	both_sides AS (
	  SELECT organization_id, country_code, state_code, currency, day, marketplace, coalesce(s.n, 0) AS n, coalesce(s.amount, 0) AS amount,
	         coalesce(s.exempt_n, 0) AS exempt_n, coalesce(s.exempt_amount, 0) AS exempt_amount, coalesce(s.resale_n, 0) AS resale_n,
	         coalesce(s.resale_amount, 0) AS resale_amount, coalesce(s.collected_tax, 0) AS collected_tax,
	         coalesce(k.n, 0) AS kn, coalesce(k.amount, 0) AS kamount, coalesce(k.exempt_n, 0) AS kexempt_n, coalesce(k.exempt_amount, 0) AS kexempt_amount,
	         coalesce(k.resale_n, 0) AS kresale_n, coalesce(k.resale_amount, 0) AS kresale_amount, coalesce(k.collected_tax, 0) AS kcollected_tax
	    FROM sums s FULL JOIN (SELECT * FROM nexus_counters WHERE organization_id = $1) k
	   USING (organization_id, country_code, state_code, currency, day, marketplace)),
	wrong AS (
	  SELECT * FROM both_sides
	   WHERE (n, amount, exempt_n, exempt_amount, resale_n, resale_amount, collected_tax)
	      <> (kn, kamount, kexempt_n, kexempt_amount, kresale_n, kresale_amount, kcollected_tax))`

const listCounterDifferences = selectCounterDifferences + selectWrong

const selectWrong = `
	SELECT organization_id, country_code, state_code, currency, day, marketplace,
	       jsonb_build_object('n', kn, 'amount', kamount, 'exempt_n', kexempt_n, 'exempt_amount', kexempt_amount, 'resale_n', kresale_n,
	                          'resale_amount', kresale_amount, 'collected_tax', kcollected_tax),
	       jsonb_build_object('n', n, 'amount', amount, 'exempt_n', exempt_n, 'exempt_amount', exempt_amount, 'resale_n', resale_n,
	                          'resale_amount', resale_amount, 'collected_tax', collected_tax)
	  FROM wrong ORDER BY country_code, state_code, currency, day, marketplace`

// repairCounters adds what is missing: whatever is counted meanwhile stays counted.
const repairCounters = selectCounterDifferences + `,
	deltas AS (
	  SELECT organization_id, country_code, state_code, currency, day, marketplace, n - kn AS n, amount - kamount AS amount, exempt_n - kexempt_n AS exempt_n,
	         exempt_amount - kexempt_amount AS exempt_amount, resale_n - kresale_n AS resale_n, resale_amount - kresale_amount AS resale_amount,
	         collected_tax - kcollected_tax AS collected_tax
	    FROM wrong)` + countDeltas + selectWrong

// RecountCounters compares the counters of an organization with the sums of what was
// contributed, and the taxes of days with the totals of its transactions; with repair
// it also puts them right, and keeps what it found.
func (s *Store) RecountCounters(ctx context.Context, run models.StageRun, organizationID string, repair bool) ([]models.NexusDifference, error) {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return nil, translate(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // nothing after a commit
	statement := listCounterDifferences
	if repair {
		statement = repairCounters
	}
	differences, err := collectDifferences(ctx, tx, models.NexusDifferenceCounter, statement, organizationID)
	if err != nil {
		return nil, translate(err)
	}
	taxes, err := recountTaxes(ctx, tx, organizationID, repair)
	if err != nil {
		return nil, translate(err)
	}
	differences = append(differences, taxes...)
	if repair && len(differences) > 0 {
		if err := keepRepairs(ctx, tx, run, differences); err != nil {
			return nil, translate(err)
		}
	}
	return differences, translate(errors.Join(tx.Commit(ctx)))
}

func collectDifferences(ctx context.Context, tx pgx.Tx, kind, statement, organizationID string) ([]models.NexusDifference, error) {
	rows, err := tx.Query(ctx, statement, organizationID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (d models.NexusDifference, err error) {
		d.Kind = kind
		return d, row.Scan(&d.OrganizationID, &d.CountryCode, &d.StateCode, &d.Currency, &d.Day, &d.Marketplace, &d.Found, &d.Expected)
	})
}

// keepRepairs writes down what was found and put right.
func keepRepairs(ctx context.Context, tx pgx.Tx, run models.StageRun, differences []models.NexusDifference) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO nexus_repairs (organization_id, workflow_id, run_id, kind, transaction_id, country_code, state_code, currency, day, marketplace, found, expected)
		SELECT organization_id, $2, $3, kind, transaction_id, country_code, state_code, currency, day, marketplace, coalesce(found, 'null'), coalesce(expected, 'null')
		  FROM jsonb_to_recordset($1) AS d(organization_id text, kind text, transaction_id text, country_code text, state_code text, currency text,
		       day timestamptz, marketplace boolean, found jsonb, expected jsonb)`, *jsonText(differences), run.WorkflowID, run.RunID)
	return err
}
