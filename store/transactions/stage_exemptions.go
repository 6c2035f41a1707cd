package transactions

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

var saveExemptions = `
	WITH input AS (
	  SELECT organization_id, id, epoch, exempt, detail::jsonb
	    FROM unnest($1::text[], $2::text[], $3::int[], $8::text[],
	                $9::text[]) AS i(organization_id, id, epoch, exempt, detail)),` + stageHeadNumbered + `,
	updated AS (
	  UPDATE transactions t SET processing_status = 'EXEMPT_DONE', exempt = i.exempt, updated_at = now()
	    FROM locked l JOIN input i USING (organization_id, id)
	   WHERE t.organization_id = l.organization_id AND t.id = l.id
	  RETURNING t.organization_id, t.id, t.epoch, t.revision, t.processing_status),
	lines AS (
	  UPDATE transaction_items x SET exempt = s.exempt, tax_exemption = s.tax_exemption, exemption_id = s.exemption_id
	    FROM unnest($10::text[], $11::text[], $12::int[], $13::boolean[], $14::text[], $15::text[])
	      AS s(organization_id, transaction_id, line_no, exempt, tax_exemption, exemption_id)
	    JOIN updated m ON m.organization_id = s.organization_id AND m.id = s.transaction_id
	   WHERE x.organization_id = s.organization_id AND x.transaction_id = s.transaction_id AND x.line_no = s.line_no
	     AND (x.exempt, x.tax_exemption, x.exemption_id) IS DISTINCT FROM (s.exempt, s.tax_exemption, s.exemption_id)),
	granted AS (
	  INSERT INTO transaction_exemptions (organization_id, transaction_id, exemption_id, linked, applied)
	  SELECT s.organization_id, s.transaction_id, s.exemption_id, false, true
	    FROM unnest($16::text[], $17::text[], $18::text[]) AS s(organization_id, transaction_id, exemption_id)
	    JOIN updated m ON m.organization_id = s.organization_id AND m.id = s.transaction_id
	  ON CONFLICT (organization_id, transaction_id, exemption_id) DO UPDATE SET applied = true),` +
	stageTailNumbered + checkByKeptPlans

// SaveExemptions brings transactions to EXEMPT_DONE with what is exempt and why.
func (s *Store) SaveExemptions(
	ctx context.Context, run models.StageRun, refs []models.Ref, outcomes []models.ExemptionOutcome,
) ([]models.StageState, error) {
	changed := make([]models.Ref, len(outcomes))
	var exempt, detail []*string
	var lineOrganizations, lineTransactions []string
	var lineNumbers []int32
	var lineExempt []bool
	var lineReasons, lineExemptions []*string
	var grantOrganizations, grantTransactions, grants []string
	for i, o := range outcomes {
		changed[i] = o.Ref
		exempt = append(exempt, pg.Text(o.Exempt))
		detail = append(detail, pg.JSON(map[string]any{"exempt": o.Exempt, "exemptions": o.Applied}))
		for _, line := range o.Lines {
			lineOrganizations = append(lineOrganizations, o.Ref.OrganizationID)
			lineTransactions = append(lineTransactions, o.Ref.ID)
			lineNumbers = append(lineNumbers, int32(line.LineNo))
			lineExempt = append(lineExempt, line.Exempt)
			lineReasons = append(lineReasons, pg.Optional(line.TaxExemption))
			lineExemptions = append(lineExemptions, pg.Optional(line.ExemptionID))
		}
		for _, id := range o.Applied {
			grantOrganizations = append(grantOrganizations, o.Ref.OrganizationID)
			grantTransactions = append(grantTransactions, o.Ref.ID)
			grants = append(grants, id)
		}
	}
	return s.saveStage(ctx, run, refs, stageStatement{
		sql: saveExemptions, before: beforeExemptions, changed: changed,
		rows: max(len(changed), len(lineNumbers), len(grants)),
		args: []any{
			exempt, detail, lineOrganizations, lineTransactions, lineNumbers, lineExempt, lineReasons, lineExemptions,
			grantOrganizations, grantTransactions, grants,
		},
	})
}
