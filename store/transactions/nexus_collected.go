package transactions

import (
	"slices"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/rules"
	"levy/store/nexus"
	"levy/store/pg"
)

var selectNexusRefunds = pg.Prepare(`
	SELECT key.organization_id, key.id, n.id, n.tax_date, n.total_tax_amount_imported, n.processing_status,
	       n.processing_status = ANY (@calculated::text[]) OR (
	         SELECT count(*) FROM nexus_contributions c
	          WHERE c.organization_id = n.organization_id AND c.transaction_id = n.id) > 0
	  FROM {key}`+refundsOfSale+`
	 ORDER BY key.organization_id, key.id, n.id`, pg.Names{"calculated"}, keyRows)

// queueNexusRefunds adds the statement that reads what COMMITTED refunds of sales take off their collected tax. of
// returns the list of a sale.
func queueNexusRefunds(batch *pgx.Batch, sales pg.Arrays, of func(pg.Key) *[]models.NexusRefund) {
	selectNexusRefunds.Queue(batch, []any{models.CalculatedStates}, sales).Query(func(rows pgx.Rows) error {
		var at pg.Key
		var r models.NexusRefund
		var status models.ProcessingStatus
		_, err := pgx.ForEachRow(rows, []any{
			&at.OrganizationID, &at.Name, &r.ID, &r.Day, &r.Collected, &status, &r.Counted,
		}, func() error {
			r.Moving = !status.Terminal()
			*of(at) = append(*of(at), r)
			return nil
		})
		return err
	})
}

// collectedOf is what a refund adds to the collected tax that nexus counts.
type collectedOf struct {
	ref       models.Ref
	collected decimal.Decimal
}

var collectedRows = pg.RowsOf("collected", partColumns(func(c *collectedOf) *models.Ref { return &c.ref },
	pg.Col("tax", "numeric", func(c *collectedOf) *string { return pg.Numeric(c.collected) }))...)

// saveCollected changes the collected tax of contributions, and the counters by the difference. The caller holds the
// credit totals of the sales, so that no other process does so.
var saveCollected = pg.Prepare(`
	WITH wrong AS (
	  SELECT collected.organization_id, collected.transaction_id, c.at, c.before, collected.tax FROM {collected}
	   CROSS JOIN LATERAL (
	     SELECT x.ctid AS at, x.collected_tax AS before FROM nexus_contributions x
	      WHERE x.organization_id = collected.organization_id AND x.transaction_id = collected.transaction_id OFFSET 0) c
	   WHERE c.before <> collected.tax),
	deltas AS (
	  UPDATE nexus_contributions c SET collected_tax = w.tax
	    FROM wrong w
	   WHERE c.organization_id = w.organization_id AND c.transaction_id = w.transaction_id AND c.ctid = w.at
	  RETURNING c.organization_id, c.country_code, c.state_code, c.currency, c.day, c.marketplace, 0 AS n,
	         0.00 AS amount, 0 AS exempt_n, 0.00 AS exempt_amount, 0 AS resale_n, 0.00 AS resale_amount,
	         w.tax - w.before AS collected_tax)`+nexus.CountDeltas+`
	SELECT 1`, nil, collectedRows)

// queueCollected adds the statement that counts the collected tax of the decided refunds of sales anew. Stage 3 did so
// without a lock: refunds that were in it at the same time did not see each other.
func (o *originals) queueCollected(batch *pgx.Batch) error {
	var rows []collectedOf
	for _, sale := range o.collected {
		original := o.of[pg.KeyOf(sale.OrganizationID, sale.ID)]
		refunds := make([]models.NexusRefund, len(original.Refunds))
		for i, r := range original.Refunds {
			refunds[i] = models.NexusRefund{ID: r.ID, Day: r.Day, Collected: r.Collected, Counted: r.Calculated}
		}
		of, err := collectedAnew(sale, original.Sold.Collected, refunds)
		if err != nil {
			return err
		}
		rows = append(rows, of...)
	}
	// guard: nexus: stage 4 counts the collected tax of refunds under the lock of their sale
	if rows != nil {
		saveCollected.Queue(batch, nil, collectedRows.Of(rows))
	}
	return nil
}

// collectedAnew returns what counted refunds of a sale add to the collected tax that nexus counts. Errors:
// money.ErrOverflow.
func collectedAnew(sale models.Ref, sold decimal.Decimal, refunds []models.NexusRefund) (rows []collectedOf, err error) {
	of, err := rules.CollectedOfRefunds(sold, refunds)
	if err != nil {
		return nil, err
	}
	for _, r := range refunds {
		if collected, counted := of[r.ID]; counted {
			rows = append(rows, collectedOf{models.Ref{OrganizationID: sale.OrganizationID, ID: r.ID}, collected})
		}
	}
	return rows, nil
}

// queueOthersForNexus adds the statement that reads the refunds of a sale, if one with collected tax changes.
func (c *creditCall) queueOthersForNexus(batch *pgx.Batch, before *models.Transaction) {
	if before.Status == models.StatusCommitted && !before.TotalTaxAmountImported.IsZero() {
		queueNexusRefunds(batch, keyRows.Of([]models.Ref{c.account.Sale.Ref()}),
			func(pg.Key) *[]models.NexusRefund { return &c.others })
	}
}

// queueCollected adds the statement that counts the collected tax of the other refunds of a sale anew. A changed one does
// not count until it is processed.
func (c *creditCall) queueCollected(batch *pgx.Batch, before *models.Transaction) error {
	others := slices.DeleteFunc(c.others, func(r models.NexusRefund) bool { return r.ID == before.ID })
	rows, err := collectedAnew(c.account.Sale.Ref(), c.account.Sale.TotalTaxAmountImported, others)
	// guard: nexus: the other refunds take back what a changed one took
	if err == nil && rows != nil {
		saveCollected.Queue(batch, nil, collectedRows.Of(rows))
	}
	return err
}

// leaveSettled drops refunds with collected tax while one of the same sale is in processing: its last stage counts all of
// them anew.
func leaveSettled(transactions []models.Transaction) []models.Transaction {
	settled := make([]models.Transaction, 0, len(transactions))
	for _, t := range transactions {
		moving := t.Original != nil && slices.ContainsFunc(t.Original.NexusRefunds,
			func(r models.NexusRefund) bool { return r.Moving })
		// guard: nexus: refunds in processing are not recounted
		if moving {
			continue
		}
		settled = append(settled, t)
	}
	return settled
}
