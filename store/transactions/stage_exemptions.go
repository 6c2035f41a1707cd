package transactions

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

var saveExemptions = prepareStage(`
	WITH input AS (SELECT * FROM {outcome}),`+stageHead+`,
	updated AS (
	  UPDATE transactions t SET processing_status = 'EXEMPT_DONE', exempt = i.exempt, updated_at = now()
	    FROM locked l JOIN input i USING (organization_id, id)
	   WHERE t.organization_id = l.organization_id AND t.id = l.id
	  RETURNING t.organization_id, t.id, t.epoch, t.revision, t.processing_status),
	lines AS (
	  UPDATE transaction_items x SET exempt = line.exempt, tax_exemption = line.tax_exemption,
	         exemption_id = line.exemption_id
	    FROM {line} JOIN updated m ON m.organization_id = line.organization_id AND m.id = line.transaction_id
	   WHERE x.organization_id = line.organization_id AND x.transaction_id = line.transaction_id
	     AND x.line_no = line.line_no
	     AND (x.exempt, x.tax_exemption, x.exemption_id)
	         IS DISTINCT FROM (line.exempt, line.tax_exemption, line.exemption_id)),
	granted AS (
	  INSERT INTO transaction_exemptions (organization_id, transaction_id, exemption_id, linked, applied)
	  SELECT applied.organization_id, applied.transaction_id, applied.exemption_id, false, true
	    FROM {applied} JOIN updated m ON m.organization_id = applied.organization_id AND m.id = applied.transaction_id
	  ON CONFLICT (organization_id, transaction_id, exemption_id) DO UPDATE SET applied = true),`+
	stageTail+cacheForeignKeyPlans, exemptionRows, exemptLineRows, appliedRows)

// SaveExemptions sets transactions to EXEMPT_DONE with their exempt lines and the reasons.
func (s *Store) SaveExemptions(
	ctx context.Context, run models.StageRun, refs []models.Ref, outcomes []models.ExemptionOutcome,
) ([]models.StageState, error) {
	var lines []exemptLine
	var applied []appliedExemption
	for i := range outcomes {
		o := &outcomes[i]
		for j := range o.Lines {
			lines = append(lines, exemptLine{&o.Ref, &o.Lines[j]})
		}
		for _, id := range o.Applied {
			applied = append(applied, appliedExemption{&o.Ref, id})
		}
	}
	return s.saveStage(ctx, run, refs, stageSave{saveExemptions, beforeExemptions, []pg.Arrays{
		exemptionRows.Of(outcomes), exemptLineRows.Of(lines), appliedRows.Of(applied),
	}})
}

var exemptionRows = pg.RowsOf("outcome", refColumns(func(o *models.ExemptionOutcome) *models.Ref { return &o.Ref },
	pg.Col("exempt", "text", func(o *models.ExemptionOutcome) *string { return (*string)(&o.Exempt) }),
	pg.Col("detail", "jsonb", func(o *models.ExemptionOutcome) *string {
		return pg.JSON(map[string]any{"exempt": o.Exempt, "exemptions": o.Applied})
	}),
)...)

type exemptLine struct {
	ref  *models.Ref
	line *models.LineExemption
}

var exemptLineRows = pg.RowsOf("line", partColumns(func(l *exemptLine) *models.Ref { return l.ref },
	pg.Col("line_no", "integer", func(l *exemptLine) *string { return pg.Integer(l.line.LineNo) }),
	pg.Col("exempt", "boolean", func(l *exemptLine) *string { return pg.Bool(l.line.Exempt) }),
	pg.Col("tax_exemption", "text", func(l *exemptLine) *string { return pg.Optional(l.line.TaxExemption) }),
	pg.Col("exemption_id", "text", func(l *exemptLine) *string { return pg.Optional(l.line.ExemptionID) }),
)...)

type appliedExemption struct {
	ref *models.Ref
	id  string
}

var appliedRows = pg.RowsOf("applied", partColumns(func(a *appliedExemption) *models.Ref { return a.ref },
	pg.Col("exemption_id", "text", func(a *appliedExemption) *string { return &a.id }),
)...)
