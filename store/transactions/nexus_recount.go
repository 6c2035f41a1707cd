package transactions

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/nexus"
	"levy/store/pg"
)

// contributingStates are the statuses in which a transaction contributes to nexus.
var contributingStates = append([]models.ProcessingStatus{models.ProcessingNexusDone}, models.CalculatedStates...)

// recountRows is the most transactions of one step.
const recountRows = 500

// RecountContributions compares the stored contributions of the next transactions of an organization with those that
// decide returns. It reads without locks. Only transactions that seem to differ are locked and compared once more,
// because a stage may have written between two reads. With repair it corrects differences and records them.
func (s *Store) RecountContributions(
	ctx context.Context, r models.NexusRecount, decide func(models.Transaction) (models.NexusOutcome, error),
) (models.NexusRecountStep, error) {
	var step models.NexusRecountStep
	refs, err := s.contributors(ctx, r, &step)
	if err != nil || len(refs) == 0 {
		return step, pg.Translate(err)
	}
	wrong, _, err := s.compareContributions(ctx, refs, decide)
	if err != nil || len(wrong) == 0 {
		return step, pg.Translate(err)
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		step.Differences, err = s.repairContributions(ctx, r, idsOf(wrong), decide)
		return err
	})
	return step, err
}

func idsOf(outcomes []models.NexusOutcome) []string {
	ids := make([]string, len(outcomes))
	for i := range outcomes {
		ids[i] = outcomes[i].Ref.ID
	}
	return ids
}

// repairContributions locks transactions, compares them, and with repair corrects those that differ.
func (s *Store) repairContributions(
	ctx context.Context, r models.NexusRecount, ids []string,
	decide func(models.Transaction) (models.NexusOutcome, error),
) ([]models.NexusDifference, error) {
	refs, err := lockContributors(ctx, s.db, r.OrganizationID, ids)
	if err != nil || len(refs) == 0 {
		return nil, err
	}
	wrong, differences, err := s.compareContributions(ctx, refs, decide)
	if err != nil || len(wrong) == 0 || !r.Repair {
		return differences, err
	}
	if err := replaceContributions(ctx, s.db, wrong); err != nil || len(differences) == 0 {
		return differences, err
	}
	return differences, nexus.SaveRepairs(ctx, s.db, r.Run, differences)
}

// compareContributions returns the expected outcomes of the transactions that differ, and their differences.
func (s *Store) compareContributions(
	ctx context.Context, refs []models.Ref, decide func(models.Transaction) (models.NexusOutcome, error),
) (wrong []models.NexusOutcome, differences []models.NexusDifference, err error) {
	stored, err := storedContributions(ctx, s.db, refs)
	if err != nil {
		return nil, nil, err
	}
	transactions, err := s.loadContributors(ctx, refs)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range transactions {
		outcome, err := decide(t)
		if err != nil {
			return nil, nil, err
		}
		found := differencesOf(outcome, stored[t.ID])
		if len(found) > 0 || lacksSaleDay(outcome, stored[t.ID]) {
			wrong, differences = append(wrong, outcome), append(differences, found...)
		}
	}
	return wrong, differences, nil
}

// loadContributors returns transactions with the data that their contribution depends on.
func (s *Store) loadContributors(ctx context.Context, refs []models.Ref) ([]models.Transaction, error) {
	states := make([]string, len(contributingStates))
	for i, state := range contributingStates {
		states[i] = string(state)
	}
	transactions, err := s.load(ctx, refs, states, loadItems, loadResellers)
	if err != nil {
		return nil, err
	}
	if err := s.withOriginals(ctx, transactions, (*originals).queueNexus); err != nil {
		return nil, err
	}
	return leaveSettled(transactions), nil
}

// contributes is the condition on a transaction x that it contributes to nexus.
const contributes = `x.processing_status = ANY ($3)
	AND (x.gross_amount IS NULL OR x.processing_status <> 'NEXUS_DONE')` // stage 4 stores the net prices

const (
	// The page has all transactions, those without contribution too, so that many of them do not make it long.
	selectContributorsAfter = `
		SELECT x.organization_id, x.id, x.epoch, ` + contributes + ` FROM transactions x
		 WHERE x.organization_id = $1 AND x.id > $2 ORDER BY x.id LIMIT $4`

	// A change of a sale can change what its refunds contribute.
	selectContributorsOf = `
		SELECT x.organization_id, x.id, x.epoch, ` + contributes + ` FROM transactions x
		 WHERE x.organization_id = $1 AND x.id = ANY (ARRAY(
		   SELECT unnest($2::text[])
		    UNION SELECT r.id FROM transactions r WHERE r.organization_id = $1 AND r.related_to = ANY ($2)))
		 ORDER BY x.id`

	lockContributorsOf = `
		SELECT t.organization_id, t.id, t.epoch FROM (SELECT DISTINCT unnest($2::text[]) AS id ORDER BY 1) p
		 CROSS JOIN LATERAL (
		   SELECT x.* FROM transactions x WHERE x.organization_id = $1 AND x.id = p.id AND ` + contributes + `
		      FOR NO KEY UPDATE) t
		 ORDER BY t.id`
)

// contributors returns the next transactions that contribute, and says in the step where the page ends.
func (s *Store) contributors(
	ctx context.Context, r models.NexusRecount, step *models.NexusRecountStep,
) (refs []models.Ref, err error) {
	sql, args := selectContributorsAfter, []any{r.OrganizationID, r.After, contributingStates, recountRows}
	if r.IDs != nil {
		sql, args = selectContributorsOf, []any{r.OrganizationID, r.IDs, contributingStates}
	}
	rows, err := s.db.Query(ctx, sql, args...)
	var ref models.Ref
	var counts bool
	n := 0
	err = pg.ForEach(rows, err, []any{&ref.OrganizationID, &ref.ID, &ref.Epoch, &counts}, func() error {
		n++
		step.Page = append(step.Page, ref.ID)
		if counts {
			refs = append(refs, ref)
		}
		return nil
	})
	step.Counted = len(refs)
	if r.IDs == nil && n == recountRows {
		step.Next = ref.ID
	}
	return refs, err
}

func lockContributors(ctx context.Context, tx pg.Querier, organizationID string, ids []string) ([]models.Ref, error) {
	rows, err := tx.Query(ctx, lockContributorsOf, organizationID, ids, contributingStates)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (r models.Ref, err error) {
		return r, row.Scan(&r.OrganizationID, &r.ID, &r.Epoch)
	})
}

var selectContributions = pg.Prepare(`
	SELECT c.transaction_id, c.country_code, c.state_code, c.currency, c.day, c.marketplace, c.n, c.amount,
	       c.exempt_n, c.exempt_amount,
	       c.resale_n, c.resale_amount, c.collected_tax, c.sold_at, c.sold_on
	  FROM (SELECT * FROM {key} OFFSET 0) r -- no constant, as in selectPage
	 CROSS JOIN LATERAL (
	   SELECT x.* FROM nexus_contributions x
	    WHERE x.organization_id = r.organization_id AND x.transaction_id = r.id OFFSET 0) c`, nil, keyRows)

func storedContributions(
	ctx context.Context, tx pg.Querier, refs []models.Ref,
) (map[string][]models.NexusContribution, error) {
	rows, err := tx.Query(ctx, selectContributions.SQL, selectContributions.Values(nil, keyRows.Of(refs))...)
	stored := map[string][]models.NexusContribution{}
	var id string
	var c models.NexusContribution
	err = pg.ForEach(rows, err,
		[]any{&id, &c.CountryCode, &c.StateCode, &c.Currency, &c.Day, &c.Marketplace, &c.Count, &c.Amount, &c.ExemptCount,
			&c.ExemptAmount, &c.ResaleCount, &c.ResaleAmount, &c.CollectedTax, &c.SoldAt, &c.SoldOn}, func() error {
			stored[id] = append(stored[id], c)
			return nil
		})
	return stored, err
}

// lacksSaleDay reports whether a refund was counted by a version that did not store the day of its sale.
// The recount adds that day, although it is no difference.
func lacksSaleDay(outcome models.NexusOutcome, stored []models.NexusContribution) bool {
	for i, c := range outcome.Contributions {
		if c.SoldOn != nil && i < len(stored) && stored[i].SoldOn == nil {
			return true
		}
	}
	return false
}

// differencesOf returns the differences between the expected and the stored contributions of a transaction.
func differencesOf(outcome models.NexusOutcome, stored []models.NexusContribution) (differences []models.NexusDifference) {
	difference := func(c models.NexusContribution, found, expected any) {
		id := outcome.Ref.ID
		differences = append(differences, models.NexusDifference{
			OrganizationID: outcome.Ref.OrganizationID, Kind: models.NexusDifferenceContribution, TransactionID: &id,
			CountryCode: c.CountryCode, StateCode: c.StateCode, Currency: c.Currency, Day: c.Day, Marketplace: c.Marketplace,
			Found: json.RawMessage(*pg.JSON(found)), Expected: json.RawMessage(*pg.JSON(expected)),
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

var saveContributions = pg.Prepare(`
	WITH updated AS (SELECT organization_id, id FROM {ref}),`+contribute+`
	SELECT 1`, nil, refRows, contributionRows)

// replaceContributions writes the expected contributions of transactions, and changes the counters by the difference.
func replaceContributions(ctx context.Context, tx pg.Querier, outcomes []models.NexusOutcome) error {
	refs := make([]models.Ref, len(outcomes))
	for i := range outcomes {
		refs[i] = outcomes[i].Ref
	}
	_, err := tx.Exec(ctx, saveContributions.SQL,
		saveContributions.Values(nil, refRows.Of(refs), contributionRows.Of(contributionsOf(outcomes)))...)
	return err
}
