package nexus

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/content"
	"levy/store/pg"
)

// nexusRows are the columns that an evaluation writes, with the version that it has read.
var nexusRows = pg.RowsOf("record",
	pg.Col("id", "text", func(r *models.NexusEvaluated) *string { return &r.ID }),
	pg.Col("version", "text", func(r *models.NexusEvaluated) *string { return &r.Version }),
	pg.Col("status", "text", func(r *models.NexusEvaluated) *string { return pg.Text(r.Status) }),
	pg.Col("nexus_type", "text", func(r *models.NexusEvaluated) *string { return pg.Text(r.NexusType) }),
	pg.Col("registration_regime", "text",
		func(r *models.NexusEvaluated) *string { return pg.Text(r.RegistrationRegime) }),
	pg.Col("currency", "text", func(r *models.NexusEvaluated) *string { return pg.Text(r.Currency) }),
	pg.Col("treatment_of_exempt_transactions", "text",
		func(r *models.NexusEvaluated) *string { return pg.Text(r.Treatment) }),
	pg.Col("trigger", "text", func(r *models.NexusEvaluated) *string { return pg.Text(r.Trigger) }),
	pg.Col("sales_or_transactions", "text",
		func(r *models.NexusEvaluated) *string { return pg.Text(r.SalesOrTransactions) }),
	pg.Col("threshold_sales", "numeric", func(r *models.NexusEvaluated) *string {
		if r.ThresholdSales == nil {
			return nil
		}
		return pg.Numeric(*r.ThresholdSales)
	}),
	pg.Col("threshold_transactions", "integer",
		func(r *models.NexusEvaluated) *string { return pg.OptionalInteger(r.ThresholdTransactions) }),
	pg.Col("start_date", "date", func(r *models.NexusEvaluated) *string { return pg.Date(r.StartDate) }),
	pg.Col("period_model", "text", func(r *models.NexusEvaluated) *string { return pg.Text(r.PeriodModel) }),
	pg.Col("marketplace_included", "boolean",
		func(r *models.NexusEvaluated) *string { return pg.Bool(r.MarketplaceIncluded) }),

	pg.Col("period_start_date", "date", func(r *models.NexusEvaluated) *string { return pg.Date(r.PeriodStartDate) }),
	pg.Col("period_end_date", "date", func(r *models.NexusEvaluated) *string { return pg.Date(r.PeriodEndDate) }),
	pg.Col("previous_period_start_date", "date",
		func(r *models.NexusEvaluated) *string { return pg.OptionalDate(r.PreviousPeriodStartDate) }),
	pg.Col("previous_period_end_date", "date",
		func(r *models.NexusEvaluated) *string { return pg.OptionalDate(r.PreviousPeriodEndDate) }),
	pg.Col("transaction_count", "integer",
		func(r *models.NexusEvaluated) *string { return pg.Integer(r.TransactionCount) }),
	pg.Col("previous_transaction_count", "integer",
		func(r *models.NexusEvaluated) *string { return pg.Integer(r.PreviousTransactionCount) }),
	pg.Col("transactions_amount", "numeric",
		func(r *models.NexusEvaluated) *string { return pg.Numeric(r.TransactionsAmount) }),
	pg.Col("previous_transactions_amount", "numeric",
		func(r *models.NexusEvaluated) *string { return pg.Numeric(r.PreviousTransactionsAmount) }),
	pg.Col("total_transactions", "integer",
		func(r *models.NexusEvaluated) *string { return pg.Integer(r.TotalTransactions) }),
	pg.Col("total_transactions_included", "integer",
		func(r *models.NexusEvaluated) *string { return pg.Integer(r.TotalTransactionsIncluded) }),
	pg.Col("total_transactions_exempted", "integer",
		func(r *models.NexusEvaluated) *string { return pg.Integer(r.TotalTransactionsExempted) }),
	pg.Col("total_transactions_marketplace", "integer",
		func(r *models.NexusEvaluated) *string { return pg.Integer(r.TotalTransactionsMarketplace) }),
	pg.Col("calculated_tax_liability", "numeric",
		func(r *models.NexusEvaluated) *string { return pg.Numeric(r.CalculatedTaxLiability) }),
	pg.Col("imported_tax_liability", "numeric",
		func(r *models.NexusEvaluated) *string { return pg.Numeric(r.ImportedTaxLiability) }),
	pg.Col("tax_liability", "numeric", func(r *models.NexusEvaluated) *string { return pg.Numeric(r.TaxLiability) }),

	pg.Col("nexus_met", "boolean", func(r *models.NexusEvaluated) *string { return pg.Bool(r.NexusMet) }),
	pg.Col("economic_nexus_met", "boolean",
		func(r *models.NexusEvaluated) *string { return pg.Bool(r.EconomicNexusMet) }),
	pg.Col("physical_nexus_met", "boolean",
		func(r *models.NexusEvaluated) *string { return pg.Bool(r.PhysicalNexusMet) }),
	pg.Col("collected_tax_nexus_met", "boolean",
		func(r *models.NexusEvaluated) *string { return pg.Bool(r.CollectedTaxNexusMet) }),
	pg.Col("nexus_met_date", "date", func(r *models.NexusEvaluated) *string { return pg.OptionalDate(r.NexusMetDate) }),
	pg.Col("economic_nexus_met_date", "date",
		func(r *models.NexusEvaluated) *string { return pg.OptionalDate(r.EconomicNexusMetDate) }),
	pg.Col("physical_nexus_met_date", "date",
		func(r *models.NexusEvaluated) *string { return pg.OptionalDate(r.PhysicalNexusMetDate) }),
	pg.Col("collected_tax_nexus_met_date", "date",
		func(r *models.NexusEvaluated) *string { return pg.OptionalDate(r.CollectedTaxNexusMetDate) }),
	pg.Col("obligation_start_date", "date",
		func(r *models.NexusEvaluated) *string { return pg.OptionalDate(r.ObligationStartDate) }),
	pg.Col("crossing", "jsonb", func(r *models.NexusEvaluated) *string {
		if r.Crossing == nil {
			return nil
		}
		return pg.JSON(r.Crossing)
	}),
	pg.Col("earliest_transaction_date", "timestamptz",
		func(r *models.NexusEvaluated) *string { return pg.OptionalTimestamp(r.EarliestTransactionDate) }),
	pg.Col("most_recent_transaction_date", "timestamptz",
		func(r *models.NexusEvaluated) *string { return pg.OptionalTimestamp(r.MostRecentTransactionDate) }),
	pg.Col("earliest_collected_date", "timestamptz",
		func(r *models.NexusEvaluated) *string { return pg.OptionalTimestamp(r.EarliestCollectedDate) }),
	pg.Col("predicted_month_from_today", "integer",
		func(r *models.NexusEvaluated) *string { return pg.OptionalInteger(r.PredictedMonthFromToday) }),
	pg.Col("confidence_level", "integer",
		func(r *models.NexusEvaluated) *string { return pg.OptionalInteger(r.ConfidenceLevel) }),
	pg.Col("vda_eligible", "boolean", func(r *models.NexusEvaluated) *string { return pg.Bool(r.VDAEligible) }),
	pg.Col("periods", "jsonb", func(r *models.NexusEvaluated) *string { return pg.JSON(r.Periods) }),
	pg.Col("last_processed_at", "timestamptz",
		func(r *models.NexusEvaluated) *string { return pg.OptionalTimestamp(r.LastProcessedAt) }),
	pg.Col("last_tax_liability_processed_at", "timestamptz",
		func(r *models.NexusEvaluated) *string { return pg.OptionalTimestamp(r.LastTaxLiabilityProcessedAt) }),
	pg.Col("obliged_from", "date", func(r *models.NexusEvaluated) *string { return pg.OptionalDate(r.ObligedFrom) }),
	pg.Col("obliged_until", "date", func(r *models.NexusEvaluated) *string { return pg.OptionalDate(r.ObligedUntil) }),
	pg.Col("obliged_gaps", "jsonb", func(r *models.NexusEvaluated) *string { return GapsText(r.ObligedGaps) }),
	pg.Col("without_rate", "boolean", func(r *models.NexusEvaluated) *string { return pg.Bool(r.WithoutRate) }),
	pg.Col("evaluated", "bigint", func(r *models.NexusEvaluated) *string { return pg.Integer(int(*r.Evaluated)) }),
	pg.Col("evaluated_on", "date", func(r *models.NexusEvaluated) *string { return pg.OptionalDate(r.EvaluatedOn) }),
	pg.Col("content_version", "text", func(r *models.NexusEvaluated) *string { return r.ContentVersion }),
	pg.Col("updated_at", "timestamptz", func(r *models.NexusEvaluated) *string { return pg.Timestamp(r.UpdatedAt) }),
)

// saveNexusRecords writes only records that were not written since they were read. The slower of two evaluations is
// repeated.
var saveNexusRecords = pg.Prepare(`
	WITH record AS (SELECT * FROM {record}),
	v AS (
	  SELECT r.id FROM record
	    JOIN nexus_records r ON r.organization_id = @organization_id AND r.id = record.id
	     AND r.xmin::text = record.version
	   ORDER BY `+RecordOrder("r")+` FOR NO KEY UPDATE OF r)
	UPDATE nexus_records t SET `+nexusRows.Set("id", "version")+`
	  FROM record JOIN v USING (id) WHERE t.organization_id = @organization_id AND t.id = record.id`,
	pg.Names{"organization_id"}, nexusRows)

// RecordOrder returns the lock order of the records of an organization: by place, a whole country before its states. A
// transaction that needs places too locks them after the records, in their order, or releases the records first.
// Registrations come later. alias is that of the records in the statement.
func RecordOrder(alias string) string {
	return fmt.Sprintf("%[1]s.country_code, nullif(%[1]s.state_code, %[1]s.country_code) NULLS FIRST", alias)
}

// removeNexusChanges deletes evaluated changes. Changes that arrived meanwhile remain and are due after a pause, as are
// later sales in the same place: they do not become due earlier. Rows are locked in key order, as the stages do.
var removeNexusChanges = pg.Prepare(`
	WITH seen AS (
	  SELECT change.n, k.organization_id, k.country_code, k.state_code
	    FROM {change}
	    JOIN nexus_changes k USING (organization_id, country_code, state_code)
	   ORDER BY k.organization_id, k.country_code, k.state_code FOR NO KEY UPDATE OF k)
	UPDATE nexus_changes k SET pending = k.pending AND k.n <> s.n, due_at = now() + `+evaluationPause+`
	  FROM seen s WHERE k.organization_id = s.organization_id AND k.country_code = s.country_code
	   AND k.state_code = s.state_code`, nil, changeRows)

// evaluatedChange is an evaluated change of an organization.
type evaluatedChange struct {
	organizationID string
	models.NexusChange
}

var changeRows = pg.RowsOf("change",
	pg.Col("organization_id", "text", func(c *evaluatedChange) *string { return &c.organizationID }),
	pg.Col("country_code", "text", func(c *evaluatedChange) *string { return &c.CountryCode }),
	pg.Col("state_code", "text", func(c *evaluatedChange) *string { return &c.StateCode }),
	pg.Col("n", "bigint", func(c *evaluatedChange) *string { return pg.Integer(int(c.N)) }),
)

// evaluationPause is how long sales in a place wait after an evaluation of it, or if many are counted at once.
// An evaluation costs as much as a sale, so successive sales share one. Decisions of people do not wait.
const evaluationPause = "interval '500 milliseconds'"

// evaluateSoon makes evaluations due at once, also leased ones.
const evaluateSoon = `
	WITH own AS (
	  SELECT organization_id, country_code, state_code FROM nexus_changes
	   WHERE organization_id = $1 AND pending ORDER BY country_code, state_code FOR NO KEY UPDATE)
	UPDATE nexus_changes k SET due_at = now() FROM own o
	 WHERE k.organization_id = o.organization_id AND k.country_code = o.country_code AND k.state_code = o.state_code`

// DeleteEvaluatedChanges deletes changes that evaluations have seen. It crosses organizations.
func (s *Store) DeleteEvaluatedChanges(ctx context.Context, seen []models.NexusSeen) error {
	var changes []evaluatedChange
	for _, of := range seen {
		for _, change := range of.Changes {
			if change.Pending {
				changes = append(changes, evaluatedChange{of.OrganizationID, change})
			}
		}
	}
	if len(changes) == 0 {
		return nil
	}
	_, err := s.db.Exec(ctx, removeNexusChanges.SQL, removeNexusChanges.Values(nil, changeRows.Of(changes))...)
	return pg.Translate(err)
}

// SaveNexusRecords writes the evaluated records that are unchanged since they were read. The evaluated changes remain
// until DeleteEvaluatedChanges. Errors: models.ErrUnavailable if a missing rate has arrived.
func (s *Store) SaveNexusRecords(
	ctx context.Context, c models.NexusCase, evaluated []models.NexusEvaluated,
) (saved int, err error) {
	var missing []models.CurrencyPair
	for i := range evaluated {
		missing = append(missing, evaluated[i].Missing...)
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if err := content.RatesStillMissing(ctx, s.db, &pgx.Batch{}, missing); err != nil {
			return err
		}
		if len(evaluated) == 0 {
			return nil
		}
		tag, err := s.db.Exec(ctx, saveNexusRecords.SQL,
			saveNexusRecords.Values([]any{c.OrganizationID}, nexusRows.Of(evaluated))...)
		saved = int(tag.RowsAffected())
		return err
	})
	if err != nil || saved == len(evaluated) {
		return saved, err
	}
	_, err = s.db.Exec(ctx, evaluateSoon, c.OrganizationID)
	return saved, pg.Translate(err)
}

// LeaseNexus returns organizations whose nexus changed since its evaluation. No other caller gets them until the lease
// ends. It crosses organizations.
func (s *Store) LeaseNexus(ctx context.Context, organizations int, lease time.Duration) ([]string, error) {
	if err := s.rollUpTaxes(ctx); err != nil {
		return nil, err
	}
	if due, err := s.db.Exists(ctx, "nexus_changes WHERE pending AND due_at <= now()"); err != nil || !due {
		return nil, err
	}
	rows, err := s.db.Query(ctx, `
		WITH due AS (
		  SELECT DISTINCT organization_id FROM nexus_changes WHERE pending AND due_at <= now() LIMIT $1),
		leased AS (
		  SELECT k.organization_id, k.country_code, k.state_code FROM nexus_changes k JOIN due USING (organization_id)
		   WHERE k.pending AND k.due_at <= now() FOR NO KEY UPDATE OF k SKIP LOCKED),
		taken AS (
		  UPDATE nexus_changes k SET due_at = now() + make_interval(secs => $2::float8) FROM leased l
		   WHERE k.organization_id = l.organization_id AND k.country_code = l.country_code
		     AND k.state_code = l.state_code
		  RETURNING k.organization_id)
		SELECT DISTINCT organization_id FROM taken`, organizations, lease.Seconds())
	return pg.Collect(rows, err, pgx.RowTo[string])
}

// OrganizationsAfter returns active organizations in the order of their ids.
func (s *Store) OrganizationsAfter(ctx context.Context, after string, limit int) ([]string, error) {
	rows, err := s.db.Query(ctx,
		"SELECT id FROM organizations WHERE id > $1 AND status = 'ACTIVE' ORDER BY id LIMIT $2", after, limit)
	return pg.Collect(rows, err, pgx.RowTo[string])
}

var selectObligations = pg.Prepare(`
	SELECT r.organization_id, r.id, left(n.name, 60), r.country_code || '-' || r.state_code FROM {organization}
	 CROSS JOIN LATERAL (
	   SELECT x.organization_id, x.id, x.country_code, x.state_code FROM nexus_records x
	    WHERE x.organization_id = organization.id AND `+ObligationChanged+` OFFSET 0) r
	  JOIN organizations n ON n.id = r.organization_id
	 ORDER BY 1, 2`, nil, organizationRows)

// organizationRows are the ids of organizations as rows of a statement.
var organizationRows = pg.RowsOf("organization", pg.Col("id", "text", func(id *string) *string { return id }))

// NexusObligations returns the records whose obligation differs from that which decided the liability of their
// transactions.
func (s *Store) NexusObligations(ctx context.Context, organizationIDs []string) ([]models.ChangedObligation, error) {
	rows, err := s.db.Query(ctx, selectObligations.SQL,
		selectObligations.Values(nil, organizationRows.Of(organizationIDs))...)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (c models.ChangedObligation, err error) {
		return c, row.Scan(&c.OrganizationID, &c.NexusID, &c.Organization, &c.Jurisdiction)
	})
}

// ObligationChanged is the condition on a nexus record x that another obligation decided the liability of its
// transactions, or that one is being applied.
const ObligationChanged = `(
	/* guard: nexus: an obligation that is being applied is undecided */ x.applying IS NOT NULL OR (x.obliged_from,
	x.obliged_until, x.obliged_gaps)
	IS DISTINCT FROM (x.applied_from, x.applied_until, x.applied_gaps))`

// GapsText returns the gaps as a JSON list, also if there are none.
func GapsText(gaps []models.Gap) *string {
	if len(gaps) == 0 {
		return pg.Text("[]")
	}
	return pg.JSON(gaps)
}
