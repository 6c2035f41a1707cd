package transactions

import (
	"context"
	"strings"

	"levy/models"
	"levy/store/nexus"
	"levy/store/pg"
)

var saveNexus = prepareStage(`
	WITH input AS (SELECT * FROM {outcome}),`+stageHead+`,
	updated AS (
	  UPDATE transactions t SET processing_status = 'NEXUS_DONE', nexus_exempt_lines = i.exempt_lines,
	         updated_at = now()
	    FROM locked l JOIN input i USING (organization_id, id)
	   WHERE t.organization_id = l.organization_id AND t.id = l.id
	  RETURNING t.organization_id, t.id, t.epoch, t.revision, t.processing_status),`+contribute+`,`+
	stageTail+cacheForeignKeyPlans, nexusRows, contributionRows)

// contribute follows "updated". It replaces the contributions of transactions, and changes the counters by the
// difference.
const contribute = currentContributions + `),
	replaced AS (
	  DELETE FROM nexus_contributions c WHERE c.ctid = ANY (ARRAY (SELECT at FROM kept)) RETURNING c.*),
	contributed AS (
	  INSERT INTO nexus_contributions (organization_id, transaction_id, country_code, state_code, currency, day,
	         marketplace,
	         n, amount, exempt_n, exempt_amount, resale_n, resale_amount, collected_tax, sold_at, sold_on)
	  SELECT c.organization_id, c.transaction_id, c.country_code, c.state_code, c.currency, c.day, c.marketplace,
	         c.n, c.amount, c.exempt_n, c.exempt_amount, c.resale_n, c.resale_amount, c.collected_tax, c.sold_at, c.sold_on
	    FROM (SELECT * FROM {contribution}) c
	    JOIN updated m ON m.organization_id = c.organization_id AND m.id = c.transaction_id
	   WHERE (SELECT count(*) FROM replaced) >= 0 -- after they are gone
	  RETURNING *),
	deltas AS (
	  SELECT organization_id, country_code, state_code, currency, day, marketplace, n, amount, exempt_n, exempt_amount,
	         resale_n, resale_amount, collected_tax
	    FROM contributed
	  UNION ALL
	  SELECT organization_id, country_code, state_code, currency, day, marketplace, -n, -amount, -exempt_n,
	         -exempt_amount, -resale_n, -resale_amount, -collected_tax
	    FROM replaced)` + nexus.CountDeltas

// SaveNexus sets transactions to NEXUS_DONE. It stores the contribution of each, and the counters grow by exactly that.
// A transaction that an obligation queued again still has a contribution and changes the counters by the difference.
func (s *Store) SaveNexus(
	ctx context.Context, run models.StageRun, refs []models.Ref, outcomes []models.NexusOutcome,
) ([]models.StageState, error) {
	return s.saveStage(ctx, run, refs, stageSave{saveNexus, beforeNexus, []pg.Arrays{
		nexusRows.Of(outcomes), contributionRows.Of(contributionsOf(outcomes)),
	}})
}

var nexusRows = pg.RowsOf("outcome", refColumns(func(o *models.NexusOutcome) *models.Ref { return &o.Ref },
	pg.Col("exempt_lines", "integer[]", func(o *models.NexusOutcome) *string { return pg.Integers(o.ExemptLines) }),
	pg.Col("detail", "jsonb", func(o *models.NexusOutcome) *string {
		jurisdictions := make([]string, len(o.Contributions))
		for i, c := range o.Contributions {
			jurisdictions[i] = strings.TrimSuffix(c.CountryCode+"-"+c.StateCode, "-") // some countries have no states
		}
		return pg.JSON(map[string]any{"jurisdictions": jurisdictions})
	}),
)...)

type contribution struct {
	ref *models.Ref
	*models.NexusContribution
}

func contributionsOf(outcomes []models.NexusOutcome) (rows []contribution) {
	for i := range outcomes {
		o := &outcomes[i]
		for j := range o.Contributions {
			rows = append(rows, contribution{&o.Ref, &o.Contributions[j]})
		}
	}
	return rows
}

var contributionRows = pg.RowsOf("contribution", partColumns(func(c *contribution) *models.Ref { return c.ref },
	pg.Col("country_code", "text", func(c *contribution) *string { return &c.CountryCode }),
	pg.Col("state_code", "text", func(c *contribution) *string { return &c.StateCode }),
	pg.Col("currency", "text", func(c *contribution) *string { return &c.Currency }),
	pg.Col("day", "date", func(c *contribution) *string { return pg.Date(c.Day) }),
	pg.Col("marketplace", "boolean", func(c *contribution) *string { return pg.Bool(c.Marketplace) }),
	pg.Col("n", "integer", func(c *contribution) *string { return pg.Integer(c.Count) }),
	pg.Col("amount", "numeric", func(c *contribution) *string { return pg.Numeric(c.Amount) }),
	pg.Col("exempt_n", "integer", func(c *contribution) *string { return pg.Integer(c.ExemptCount) }),
	pg.Col("exempt_amount", "numeric", func(c *contribution) *string { return pg.Numeric(c.ExemptAmount) }),
	pg.Col("resale_n", "integer", func(c *contribution) *string { return pg.Integer(c.ResaleCount) }),
	pg.Col("resale_amount", "numeric", func(c *contribution) *string { return pg.Numeric(c.ResaleAmount) }),
	pg.Col("collected_tax", "numeric", func(c *contribution) *string { return pg.Numeric(c.CollectedTax) }),
	pg.Col("sold_at", "timestamptz", func(c *contribution) *string { return pg.Timestamp(c.SoldAt) }),
	pg.Col("sold_on", "date", func(c *contribution) *string { return pg.OptionalDate(c.SoldOn) }),
)...)
