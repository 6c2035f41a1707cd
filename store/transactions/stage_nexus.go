package transactions

import (
	"context"
	"fmt"
	"strings"

	"levy/models"
	"levy/store/nexus"
	"levy/store/pg"
)

var saveNexus = `
	WITH input AS (
	  SELECT organization_id, id, epoch, detail::jsonb, exempt_lines::int[]
	    FROM unnest($1::text[], $2::text[], $3::int[], $8::text[], $25::text[]) AS i(organization_id, id, epoch, detail,
	         exempt_lines)),` + stageHeadNumbered + `,
	updated AS (
	  UPDATE transactions t SET processing_status = 'NEXUS_DONE', nexus_exempt_lines = i.exempt_lines,
	         updated_at = now()
	    FROM locked l JOIN input i USING (organization_id, id)
	   WHERE t.organization_id = l.organization_id AND t.id = l.id
	  RETURNING t.organization_id, t.id, t.epoch, t.revision, t.processing_status),` + contribute(9) + `,` +
	stageTailNumbered + checkByKeptPlans

// contribute follows "updated": it writes what transactions contribute in place of what
// they did, and changes the counters by the difference. The columns of the
// contributions are arguments, the first of them number first.
func contribute(first int) string {
	arrays := make([]string, len(contributionColumns))
	for i := range arrays {
		arrays[i] = fmt.Sprintf("$%d::text[]", first+i)
	}
	return keptContributions + `),
	replaced AS (
	  DELETE FROM nexus_contributions c WHERE c.ctid = ANY (ARRAY (SELECT at FROM kept)) RETURNING c.*),
	contributed AS (
	  INSERT INTO nexus_contributions (organization_id, transaction_id, country_code, state_code, currency, day,
	         marketplace,
	         n, amount, exempt_n, exempt_amount, resale_n, resale_amount, collected_tax, sold_at, sold_on)
	  SELECT c.organization_id, c.transaction_id, c.country_code, c.state_code, c.currency, c.day::date,
	         c.marketplace::boolean,
	         c.n::int, c.amount::numeric, c.exempt_n::int, c.exempt_amount::numeric, c.resale_n::int,
	         c.resale_amount::numeric, c.collected_tax::numeric,
	         c.sold_at::timestamptz, c.sold_on::date
	    FROM unnest(` + strings.Join(arrays, ", ") + `)
	      AS c(organization_id, transaction_id, country_code, state_code, currency, day, marketplace,
	           n, amount, exempt_n, exempt_amount, resale_n, resale_amount, collected_tax, sold_at, sold_on)
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
}

// SaveNexus brings transactions to NEXUS_DONE: what each contributes is stored,
// and the counters grow by exactly that. A transaction that still contributes, because
// an obligation queued it again, changes them by the difference.
func (s *Store) SaveNexus(
	ctx context.Context, run models.StageRun, refs []models.Ref, outcomes []models.NexusOutcome,
) ([]models.StageState, error) {
	changed := make([]models.Ref, len(outcomes))
	detail, exemptLines := make([]*string, len(outcomes)), make([]*string, len(outcomes))
	var rows []*contribution
	for i, o := range outcomes {
		changed[i] = o.Ref
		jurisdictions := make([]string, len(o.Contributions))
		for j, c := range o.Contributions {
			jurisdictions[j] = strings.TrimSuffix(c.CountryCode+"-"+c.StateCode, "-") // some countries have no states
			rows = append(rows, &contribution{o.Ref, c})
		}
		detail[i] = pg.JSON(map[string]any{"jurisdictions": jurisdictions})
		exemptLines[i] = pg.Integers(o.ExemptLines)
	}
	args := append(append([]any{detail}, pg.TextArrays(contributionColumns, rows)...), exemptLines)
	return s.saveStage(ctx, run, refs, stageStatement{
		sql: saveNexus, before: beforeNexus, changed: changed, rows: max(len(changed), len(rows)), args: args,
	})
}

type contribution struct {
	ref models.Ref
	models.NexusContribution
}

// contributionColumns follow the arguments $9 to $24 of saveNexus.
var contributionColumns = []pg.Column[contribution]{
	pg.Col("organization_id", "text", func(c *contribution) *string { return pg.Text(c.ref.OrganizationID) }),
	pg.Col("transaction_id", "text", func(c *contribution) *string { return pg.Text(c.ref.ID) }),
	pg.Col("country_code", "text", func(c *contribution) *string { return pg.Text(c.CountryCode) }),
	pg.Col("state_code", "text", func(c *contribution) *string { return pg.Text(c.StateCode) }),
	pg.Col("currency", "text", func(c *contribution) *string { return pg.Text(c.Currency) }),
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
	pg.Col("sold_on", "date", func(c *contribution) *string {
		if c.SoldOn == nil {
			return nil
		}
		return pg.Date(*c.SoldOn)
	}),
}
