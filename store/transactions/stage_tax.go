package transactions

import (
	"context"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"

	"levy/internal/packed"
	"levy/models"
	"levy/store/content"
	"levy/store/pg"
	"levy/tax/money"
)

var saveTax = prepareStage(`
	WITH input AS (SELECT * FROM {outcome}),`+stageHead+`,
	updated AS (
	  UPDATE transactions t SET processing_status = i.to_status, processing_reason = i.reason, exempt = i.exempt,
	         subtotal = coalesce(i.subtotal, t.subtotal), total_discount = coalesce(i.discount, t.total_discount),
	         taxable_amount = coalesce(i.taxable, t.taxable_amount),
	         total_tax_amount_calculated = coalesce(i.tax, t.total_tax_amount_calculated),
	         tax_rate_calculated = coalesce(i.rate, t.tax_rate_calculated),
	         total_tax_liability_amount = coalesce(i.liability, t.total_tax_liability_amount),
	         tax_liability_source = coalesce(i.liability_source, t.tax_liability_source),
	         destination_currency = coalesce(i.destination_currency, t.destination_currency),
	         conversion_rate = coalesce(i.conversion_rate, t.conversion_rate),
	         content_version = coalesce(i.content_version, t.content_version),
	         certainty = CASE WHEN i.content_version IS NULL THEN t.certainty ELSE i.certainty END,
	         updated_at = now()
	    FROM locked l JOIN input i USING (organization_id, id)
	   WHERE t.organization_id = l.organization_id AND t.id = l.id
	  RETURNING t.organization_id, t.id, t.epoch, t.revision, t.processing_status, t.tax_date, t.marketplace,
	         t.destination_currency),
	lines AS (
	  UPDATE transaction_items x SET taxable_amount = line.taxable, tax_amount_calculated = line.tax,
	         tax_rate_calculated = line.rate, exempt = line.exempt, tax_exemption = line.tax_exemption,
	         tax_items = line.tax_items, amount = coalesce(line.amount, x.amount),
	         total_discount = coalesce(line.discount, x.total_discount)
	    FROM {line} JOIN updated m ON m.organization_id = line.organization_id AND m.id = line.transaction_id
	   WHERE x.organization_id = line.organization_id AND x.transaction_id = line.transaction_id
	     AND x.line_no = line.line_no),
	explained AS (
	  INSERT INTO transaction_explanations (organization_id, transaction_id, epoch, packed)
	  SELECT m.organization_id, m.id, m.epoch, i.explanation
	    FROM updated m JOIN input i USING (organization_id, id)
	   WHERE i.explanation IS NOT NULL
	  ON CONFLICT (organization_id, transaction_id)
	  DO UPDATE SET epoch = excluded.epoch, packed = excluded.packed, body = NULL),`+
	leavesOfMoved+totalsOfMoved+stageTail+holdFor+`'CALCULATION'`+holdEnd+cacheForeignKeyPlans, taxRows, taxLineRows, totalRows)

// removeFromNexus reverses the contributions of transactions that end in NEEDS_REFETCH, because nexus counts only
// calculated ones.
var removeFromNexus = pg.Prepare(`
	WITH updated AS (
	  SELECT t.organization_id, t.id FROM {ref}
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.id FROM transactions x
	      WHERE x.organization_id = ref.organization_id AND x.id = ref.id AND x.epoch = ref.epoch
	        AND x.processing_status = 'NEEDS_REFETCH' OFFSET 0) t),`+reverseContributions+`
	SELECT 1`, nil, refRows)

// SaveTax sets transactions to PROCESSED with tax, liability and explanation, or to the end status of the outcome with
// their previous amounts. It deletes their outbox rows and makes the refunds due that wait for them.
// Refunds of recalculated sales are calculated again. Superseded transactions are queued again at once.
func (s *Store) SaveTax(
	ctx context.Context, run models.StageRun, refs []models.Ref, outcomes []models.TaxOutcome,
) ([]models.StageState, error) {
	conn, err := s.db.Pipeline(ctx)
	if err != nil {
		return nil, pg.Translate(err)
	}
	defer conn.Release()
	if err := s.addLeaves(ctx, outcomes); err != nil {
		return nil, pg.Translate(err)
	}
	batch := &pgx.Batch{}
	conn.BeginByKey(batch)
	sent, err := content.StillMissing(ctx, conn.Conn(), batch, outcomes)
	if err != nil {
		conn.Rollback(context.WithoutCancel(ctx))
		return nil, err
	}
	if sent {
		batch = &pgx.Batch{}
	}
	late := int64(0)
	again := calculatedAgain(outcomes)
	queueLocks(batch, refs, again)
	queueTax(batch, run, outcomes, &late)
	queueDueRefunds(batch, outcomes)
	queueRefundsAgain(batch, run, again)
	queueSuperseded(batch, run, outcomes)
	states, err := commitStage(ctx, conn, batch, refs)
	conn.Release() // amending uses a connection of its own
	s.filings.AmendAfter(ctx, late, refs)
	return states, err
}

// queueTax adds the statements of stage 4. They add the number of transactions for amendments to late.
func queueTax(batch *pgx.Batch, run models.StageRun, outcomes []models.TaxOutcome, late *int64) {
	if len(outcomes) == 0 {
		return
	}
	changed := make([]models.Ref, len(outcomes))
	var needsRefetch []models.Ref
	var lines []taxLine
	var totals []authorityTotal
	for i := range outcomes {
		o := &outcomes[i]
		changed[i] = o.Ref
		if !o.Calculated() {
			needsRefetch = append(needsRefetch, o.Ref)
		}
		for j := range o.Lines {
			lines = append(lines, taxLine{&o.Ref, &o.Lines[j]})
		}
		for j := range o.Totals {
			totals = append(totals, authorityTotal{&o.Ref, &o.Totals[j]})
		}
	}
	stageSave{saveTax, beforeTax, []pg.Arrays{
		taxRows.Of(outcomes), taxLineRows.Of(lines), totalRows.Of(totals),
	}}.queue(batch, run)
	if needsRefetch != nil {
		removeFromNexus.Queue(batch, nil, refRows.Of(needsRefetch))
	}
	queueNetSales(batch, outcomes)
	queueLate(batch, changed, late)
}

var taxRows = pg.RowsOf("outcome", refColumns(func(o *models.TaxOutcome) *models.Ref { return &o.Ref },
	pg.Col("to_status", "text", func(o *models.TaxOutcome) *string { return (*string)(&o.To) }),
	pg.Col("reason", "text", func(o *models.TaxOutcome) *string { return pg.Optional(o.Reason) }),
	pg.Col("exempt", "text", func(o *models.TaxOutcome) *string { return (*string)(&o.Exempt) }),
	pg.Col("subtotal", "numeric", func(o *models.TaxOutcome) *string { return netAmount(o.Net) }),
	pg.Col("discount", "numeric", func(o *models.TaxOutcome) *string { return netDiscount(o.Net) }),
	pg.Col("taxable", "numeric", calculated(func(o *models.TaxOutcome) decimal.Decimal { return o.TaxableAmount })),
	pg.Col("tax", "numeric", calculated(func(o *models.TaxOutcome) decimal.Decimal { return o.TaxAmount })),
	pg.Col("rate", "numeric", calculated(func(o *models.TaxOutcome) decimal.Decimal { return o.TaxRate })),
	pg.Col("liability", "numeric", calculated(func(o *models.TaxOutcome) decimal.Decimal { return o.LiabilityAmount })),
	pg.Col("liability_source", "text",
		func(o *models.TaxOutcome) *string { return pg.Optional(string(o.LiabilitySource)) }),
	pg.Col("destination_currency", "text",
		func(o *models.TaxOutcome) *string { return pg.Optional(o.DestinationCurrency) }),
	pg.Col("conversion_rate", "numeric",
		calculated(func(o *models.TaxOutcome) decimal.Decimal { return o.ConversionRate })),
	pg.Col("content_version", "text", func(o *models.TaxOutcome) *string { return pg.Optional(o.ContentVersion) }),
	pg.Col("certainty", "jsonb", func(o *models.TaxOutcome) *string {
		if o.Certainty == nil {
			return nil
		}
		return pg.JSON(o.Certainty)
	}),
	pg.Col("detail", "jsonb", func(o *models.TaxOutcome) *string { return pg.JSON(taxDetail(o)) }),
	pg.BytesCol("leaf", func(o *models.TaxOutcome) []byte { return o.Leaf }),
	pg.BytesCol("explanation", func(o *models.TaxOutcome) []byte { return packed.Explanation(o.Explanation) }),
)...)

// calculated returns a column that is NULL unless the outcome is a calculation.
func calculated(of func(*models.TaxOutcome) decimal.Decimal) func(*models.TaxOutcome) *string {
	return func(o *models.TaxOutcome) *string {
		if !o.Calculated() {
			return nil
		}
		return pg.Numeric(of(o))
	}
}

// netAmount and netDiscount return the parts of a net price, NULL for none.
func netAmount(net *models.NetPrice) *string {
	if net == nil {
		return nil
	}
	return pg.Numeric(net.Amount)
}

func netDiscount(net *models.NetPrice) *string {
	if net == nil {
		return nil
	}
	return pg.Numeric(net.Discount)
}

func taxDetail(o *models.TaxOutcome) map[string]any {
	if !o.Calculated() {
		return map[string]any{"reason": o.Reason}
	}
	return map[string]any{
		"taxable_amount": money.Format(o.TaxableAmount), "tax_amount": money.Format(o.TaxAmount),
		"liability": money.Format(o.LiabilityAmount), "content_version": o.ContentVersion,
	}
}

type taxLine struct {
	ref  *models.Ref
	line *models.LineTax
}

var taxLineRows = pg.RowsOf("line", partColumns(func(l *taxLine) *models.Ref { return l.ref },
	pg.Col("line_no", "integer", func(l *taxLine) *string { return pg.Integer(l.line.LineNo) }),
	pg.Col("taxable", "numeric", func(l *taxLine) *string { return pg.Numeric(l.line.TaxableAmount) }),
	pg.Col("tax", "numeric", func(l *taxLine) *string { return pg.Numeric(l.line.TaxAmount) }),
	pg.Col("rate", "numeric", func(l *taxLine) *string { return pg.Numeric(l.line.TaxRate) }),
	pg.Col("exempt", "boolean", func(l *taxLine) *string { return pg.Bool(l.line.Exempt) }),
	pg.Col("tax_exemption", "text", func(l *taxLine) *string { return pg.Optional(l.line.TaxExemption) }),
	pg.Col("tax_items", "jsonb", func(l *taxLine) *string { return pg.JSON(l.line.TaxItems) }),
	pg.Col("amount", "numeric", func(l *taxLine) *string { return netAmount(l.line.Net) }),
	pg.Col("discount", "numeric", func(l *taxLine) *string { return netDiscount(l.line.Net) }),
)...)
