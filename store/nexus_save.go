package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
)

// nexusColumns are what an evaluation writes.
var nexusColumns = []column[models.NexusEvaluated]{
	{"id", "text", func(r *models.NexusEvaluated) *string { return text(r.ID) }},
	{"status", "text", func(r *models.NexusEvaluated) *string { return text(r.Status) }},
	{"nexus_type", "text", func(r *models.NexusEvaluated) *string { return text(r.NexusType) }},
	{"registration_regime", "text", func(r *models.NexusEvaluated) *string { return text(r.RegistrationRegime) }},
	{"currency", "text", func(r *models.NexusEvaluated) *string { return text(r.Currency) }},
	{"treatment_of_exempt_transactions", "text", func(r *models.NexusEvaluated) *string { return text(r.Treatment) }},
	{"trigger", "text", func(r *models.NexusEvaluated) *string { return text(r.Trigger) }},
	{"sales_or_transactions", "text", func(r *models.NexusEvaluated) *string { return text(r.SalesOrTransactions) }},
	{"threshold_sales", "numeric", func(r *models.NexusEvaluated) *string {
		if r.ThresholdSales == nil {
			return nil
		}
		return number(*r.ThresholdSales)
	}},
	{"threshold_transactions", "integer", func(r *models.NexusEvaluated) *string { return optionalInteger(r.ThresholdTransactions) }},
	{"start_date", "date", func(r *models.NexusEvaluated) *string { return day(r.StartDate) }},
	{"period_model", "text", func(r *models.NexusEvaluated) *string { return text(r.PeriodModel) }},
	{"marketplace_included", "boolean", func(r *models.NexusEvaluated) *string { return boolean(r.MarketplaceIncluded) }},

	{"period_start_date", "date", func(r *models.NexusEvaluated) *string { return day(r.PeriodStartDate) }},
	{"period_end_date", "date", func(r *models.NexusEvaluated) *string { return day(r.PeriodEndDate) }},
	{"previous_period_start_date", "date", func(r *models.NexusEvaluated) *string { return optionalDay(r.PreviousPeriodStartDate) }},
	{"previous_period_end_date", "date", func(r *models.NexusEvaluated) *string { return optionalDay(r.PreviousPeriodEndDate) }},
	{"transaction_count", "integer", func(r *models.NexusEvaluated) *string { return integer(r.TransactionCount) }},
	{"previous_transaction_count", "integer", func(r *models.NexusEvaluated) *string { return integer(r.PreviousTransactionCount) }},
	{"transactions_amount", "numeric", func(r *models.NexusEvaluated) *string { return number(r.TransactionsAmount) }},
	{"previous_transactions_amount", "numeric", func(r *models.NexusEvaluated) *string { return number(r.PreviousTransactionsAmount) }},
	{"total_transactions", "integer", func(r *models.NexusEvaluated) *string { return integer(r.TotalTransactions) }},
	{"total_transactions_included", "integer", func(r *models.NexusEvaluated) *string { return integer(r.TotalTransactionsIncluded) }},
	{"total_transactions_exempted", "integer", func(r *models.NexusEvaluated) *string { return integer(r.TotalTransactionsExempted) }},
	{"total_transactions_marketplace", "integer", func(r *models.NexusEvaluated) *string { return integer(r.TotalTransactionsMarketplace) }},
	{"calculated_tax_liability", "numeric", func(r *models.NexusEvaluated) *string { return number(r.CalculatedTaxLiability) }},
	{"imported_tax_liability", "numeric", func(r *models.NexusEvaluated) *string { return number(r.ImportedTaxLiability) }},
	{"tax_liability", "numeric", func(r *models.NexusEvaluated) *string { return number(r.TaxLiability) }},

	{"nexus_met", "boolean", func(r *models.NexusEvaluated) *string { return boolean(r.NexusMet) }},
	{"economic_nexus_met", "boolean", func(r *models.NexusEvaluated) *string { return boolean(r.EconomicNexusMet) }},
	{"physical_nexus_met", "boolean", func(r *models.NexusEvaluated) *string { return boolean(r.PhysicalNexusMet) }},
	{"collected_tax_nexus_met", "boolean", func(r *models.NexusEvaluated) *string { return boolean(r.CollectedTaxNexusMet) }},
	{"nexus_met_date", "date", func(r *models.NexusEvaluated) *string { return optionalDay(r.NexusMetDate) }},
	{"economic_nexus_met_date", "date", func(r *models.NexusEvaluated) *string { return optionalDay(r.EconomicNexusMetDate) }},
	{"physical_nexus_met_date", "date", func(r *models.NexusEvaluated) *string { return optionalDay(r.PhysicalNexusMetDate) }},
	{"collected_tax_nexus_met_date", "date", func(r *models.NexusEvaluated) *string { return optionalDay(r.CollectedTaxNexusMetDate) }},
	{"obligation_start_date", "date", func(r *models.NexusEvaluated) *string { return optionalDay(r.ObligationStartDate) }},
	{"crossing", "jsonb", func(r *models.NexusEvaluated) *string {
		if r.Crossing == nil {
			return nil
		}
		return jsonText(r.Crossing)
	}},
	{"earliest_transaction_date", "timestamptz", func(r *models.NexusEvaluated) *string { return optionalInstant(r.EarliestTransactionDate) }},
	{"most_recent_transaction_date", "timestamptz", func(r *models.NexusEvaluated) *string { return optionalInstant(r.MostRecentTransactionDate) }},
	{"earliest_collected_date", "timestamptz", func(r *models.NexusEvaluated) *string { return optionalInstant(r.EarliestCollectedDate) }},
	{"predicted_month_from_today", "integer", func(r *models.NexusEvaluated) *string { return optionalInteger(r.PredictedMonthFromToday) }},
	{"confidence_level", "integer", func(r *models.NexusEvaluated) *string { return optionalInteger(r.ConfidenceLevel) }},
	{"vda_eligible", "boolean", func(r *models.NexusEvaluated) *string { return boolean(r.VDAEligible) }},
	{"periods", "jsonb", func(r *models.NexusEvaluated) *string { return jsonText(r.Periods) }},
	{"last_processed_at", "timestamptz", func(r *models.NexusEvaluated) *string { return optionalInstant(r.LastProcessedAt) }},
	{"last_tax_liability_processed_at", "timestamptz", func(r *models.NexusEvaluated) *string { return optionalInstant(r.LastTaxLiabilityProcessedAt) }},
	{"obliged_from", "date", func(r *models.NexusEvaluated) *string { return optionalDay(r.ObligedFrom) }},
	{"obliged_until", "date", func(r *models.NexusEvaluated) *string { return optionalDay(r.ObligedUntil) }},
	{"obliged_gaps", "jsonb", func(r *models.NexusEvaluated) *string { return gapsText(r.ObligedGaps) }},
	{"without_rate", "boolean", func(r *models.NexusEvaluated) *string { return boolean(r.WithoutRate) }},
	{"evaluated", "bigint", func(r *models.NexusEvaluated) *string { return integer(int(*r.Evaluated)) }},
	{"evaluated_on", "date", func(r *models.NexusEvaluated) *string { return optionalDay(r.EvaluatedOn) }},
	{"content_version", "text", func(r *models.NexusEvaluated) *string { return r.ContentVersion }},
	{"updated_at", "timestamptz", func(r *models.NexusEvaluated) *string { return instant(r.UpdatedAt) }},
}

// saveNexusRecords writes only what nobody has written since it was read: of two
// evaluations the slower one is done again.
var saveNexusRecords = func() string {
	n := len(nexusColumns)
	set := updateFrom("nexus_records", "", nexusColumns)
	return set[:len(set)-len(" WHERE")] + fmt.Sprintf(
		` JOIN unnest($%d::text[], $%d::text[]) AS v(id, version) ON v.id = u.id
		 WHERE t.organization_id = $%d AND t.id = u.id AND t.xmin::text = v.version`, n+1, n+2, n+3)
}()

// seeNexusChanges takes what was seen off the list. What came meanwhile stays, and is due
// after a pause: sales come faster than they are evaluated. Rows are locked in key
// order, as the stages do.
const seeNexusChanges = `
	WITH seen AS (
	  SELECT s.n, k.organization_id, k.country_code, k.state_code
	    FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS s(organization_id, country_code, state_code, n)
	    JOIN nexus_changes k USING (organization_id, country_code, state_code)
	   ORDER BY k.organization_id, k.country_code, k.state_code FOR NO KEY UPDATE OF k)
	UPDATE nexus_changes k SET pending = k.pending AND k.n <> s.n, due_at = now() + CASE WHEN k.n <> s.n THEN make_interval(secs => $5::float8) ELSE interval '0' END
	  FROM seen s WHERE k.organization_id = s.organization_id AND k.country_code = s.country_code AND k.state_code = s.state_code`

// nexusPause is the least time between two evaluations of an organization that
// sells without a pause.
const nexusPause = 500 * time.Millisecond

// SeeNexusChanges takes changes off the list that evaluations have seen. It crosses
// organizations by nature.
func (s *Store) SeeNexusChanges(ctx context.Context, seen []models.NexusSeen) error {
	var organizations, countries, states []string
	var numbers []int64
	for _, of := range seen {
		for _, change := range of.Changes {
			if change.Pending {
				organizations, countries, states = append(organizations, of.OrganizationID), append(countries, change.CountryCode), append(states, change.StateCode)
				numbers = append(numbers, change.N)
			}
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	_, err := s.pool.Exec(ctx, seeNexusChanges, organizations, countries, states, numbers, nexusPause.Seconds())
	return translate(err)
}

// SaveNexusRecords writes what was evaluated where the records still are as they
// were read; the changes that were seen stay on the list. Errors: models.ErrUnavailable
// when a rate that was missing has arrived.
func (s *Store) SaveNexusRecords(ctx context.Context, c models.NexusCase, evaluated []models.NexusEvaluated) (saved int, err error) {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return 0, translate(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // nothing after a commit
	var missing []models.CurrencyPair
	for i := range evaluated {
		missing = append(missing, evaluated[i].Missing...)
	}
	if err := ratesStillMissing(ctx, tx, &pgx.Batch{}, missing); err != nil {
		return 0, err
	}
	if len(evaluated) > 0 {
		rows := make([]*models.NexusEvaluated, len(evaluated))
		ids, versions := make([]string, len(evaluated)), make([]string, len(evaluated))
		for i := range evaluated {
			rows[i], ids[i], versions[i] = &evaluated[i], evaluated[i].ID, evaluated[i].Version
		}
		tag, err := tx.Exec(ctx, saveNexusRecords, append(textArrays(nexusColumns, rows), ids, versions, c.OrganizationID)...)
		if err != nil {
			return 0, translate(err)
		}
		saved = int(tag.RowsAffected())
	}
	if saved < len(evaluated) {
		_, err = tx.Exec(ctx, "UPDATE nexus_changes SET due_at = now() WHERE organization_id = $1 AND pending", c.OrganizationID)
		if err != nil {
			return 0, translate(err)
		}
	}
	return saved, translate(tx.Commit(ctx))
}

// LeaseNexus lists organizations whose nexus changed since it was evaluated; nobody
// else gets them until the lease ends. It crosses organizations by nature.
func (s *Store) LeaseNexus(ctx context.Context, organizations int, lease time.Duration) ([]string, error) {
	if err := s.foldNexusTaxes(ctx); err != nil {
		return nil, translate(err)
	}
	rows, err := s.pool.Query(ctx, `
		WITH due AS (
		  SELECT DISTINCT organization_id FROM nexus_changes WHERE pending AND due_at <= now() LIMIT $1),
		leased AS (
		  SELECT k.organization_id, k.country_code, k.state_code FROM nexus_changes k JOIN due USING (organization_id)
		   WHERE k.pending AND k.due_at <= now() FOR NO KEY UPDATE OF k SKIP LOCKED),
		taken AS (
		  UPDATE nexus_changes k SET due_at = now() + make_interval(secs => $2::float8) FROM leased l
		   WHERE k.organization_id = l.organization_id AND k.country_code = l.country_code AND k.state_code = l.state_code
		  RETURNING k.organization_id)
		SELECT DISTINCT organization_id FROM taken`, organizations, lease.Seconds())
	if err != nil {
		return nil, translate(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return ids, translate(err)
}

// OrganizationsAfter lists organizations that live, in the order of their ids.
func (s *Store) OrganizationsAfter(ctx context.Context, after string, limit int) ([]string, error) {
	rows, err := s.pool.Query(ctx, "SELECT id FROM organizations WHERE id > $1 AND status = 'ACTIVE' ORDER BY id LIMIT $2", after, limit)
	if err != nil {
		return nil, translate(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return ids, translate(err)
}

// NexusObligations lists records whose obligation is not the one that the liability
// of their transactions was decided by.
func (s *Store) NexusObligations(ctx context.Context, organizationIDs []string) ([]models.NexusRef, error) {
	rows, err := s.pool.Query(ctx, `
		SELECT r.organization_id, r.id FROM unnest($1::text[]) AS o(id)
		 CROSS JOIN LATERAL (
		   SELECT x.organization_id, x.id FROM nexus_records x
		    WHERE x.organization_id = o.id AND `+obligationMoved+` OFFSET 0) r
		 ORDER BY 1, 2`, organizationIDs)
	if err != nil {
		return nil, translate(err)
	}
	refs, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (r models.NexusRef, err error) {
		return r, row.Scan(&r.OrganizationID, &r.NexusID)
	})
	return refs, translate(err)
}
