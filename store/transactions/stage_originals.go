package transactions

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"

	"levy/internal/packed"
	"levy/models"
	"levy/store/pg"
	"levy/tax"
)

// loadWithOriginals is load with the originals of the refunds among the transactions. For a batch of sales it sends no
// more statements.
func (s *Store) loadWithOriginals(
	ctx context.Context, refs []models.Ref, before []string, parts ...stagePart,
) ([]models.Transaction, error) {
	transactions, err := s.load(ctx, refs, before, parts...)
	if err != nil {
		return nil, err
	}
	return transactions, s.withOriginals(ctx, transactions, (*originals).queue)
}

// withOriginals gives the refunds among the transactions their originals, with the data that queue reads.
func (s *Store) withOriginals(
	ctx context.Context, transactions []models.Transaction, queue func(*originals, *pgx.Batch),
) error {
	originals := originalsOf(transactions)
	if len(originals.of) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	queue(originals, batch)
	return pg.Translate(s.db.SendBatch(ctx, batch).Close())
}

// originals are the sales that refunds of a batch refer to. Refunds of one sale share it.
type originals struct {
	of        map[pg.Key]*models.Original
	refs      []models.Ref
	collected []models.Ref // those with refunds that have collected tax
}

// keys returns the originals as rows of statements.
func (o *originals) keys() pg.Arrays { return keyRows.Of(o.refs) }

func originalsOf(transactions []models.Transaction) *originals {
	o := &originals{of: map[pg.Key]*models.Original{}}
	for i := range transactions {
		t := &transactions[i]
		if !t.Type.IsCredit() || t.RelatedTo == nil {
			continue
		}
		at := pg.KeyOf(t.OrganizationID, *t.RelatedTo)
		if o.of[at] == nil {
			o.of[at] = &models.Original{ID: *t.RelatedTo}
			o.refs = append(o.refs, models.Ref{OrganizationID: t.OrganizationID, ID: *t.RelatedTo})
		}
		t.Original = o.of[at]
		if sale := (models.Ref{OrganizationID: t.OrganizationID, ID: *t.RelatedTo}); !t.TotalTaxAmountImported.IsZero() &&
			!slices.Contains(o.collected, sale) {
			o.collected = append(o.collected, sale)
		}
	}
	return o
}

var selectOriginals = pg.Prepare(`
	SELECT t.organization_id, t.id, t.processing_status, t.place, t.origin
	  FROM {key}
	 CROSS JOIN LATERAL (
	   SELECT x.* FROM transactions x WHERE x.organization_id = key.organization_id AND x.id = key.id OFFSET 0) t`, nil, keyRows)

var selectOriginalItems = pg.Prepare(`
	SELECT i.organization_id, i.transaction_id, i.line_no, i.id, i.exempt, i.tax_exemption, i.exemption_id,
	       i.external_product_id, i.amount, i.total_discount, i.tax_amount_imported, i.tax_amount_calculated
	  FROM {key}
	 CROSS JOIN LATERAL (
	   SELECT x.* FROM transaction_items x WHERE x.organization_id = key.organization_id
	     AND x.transaction_id = key.id OFFSET 0) i
	 ORDER BY i.organization_id, i.transaction_id, i.line_no`, nil, keyRows)

// queue adds the statements that read the status, the place and the exempt lines of the originals.
func (o *originals) queue(batch *pgx.Batch) {
	keys := o.keys()
	selectOriginals.Queue(batch, nil, keys).Query(func(rows pgx.Rows) error {
		var at pg.Key
		var status models.ProcessingStatus
		var place, origin []byte
		_, err := pgx.ForEachRow(rows, []any{&at.OrganizationID, &at.Name, &status, &place, &origin}, func() error {
			original := o.of[at]
			original.ProcessingStatus = status
			if err := unmarshalOptional(place, &original.Place); err != nil {
				return err
			}
			return unmarshalOptional(origin, &original.Origin)
		})
		return err
	})
	selectOriginalItems.Queue(batch, nil, keys).Query(func(rows pgx.Rows) error {
		var i models.TransactionItem
		_, err := pgx.ForEachRow(rows, []any{
			&i.OrganizationID, &i.TransactionID, &i.LineNo, &i.ID, &i.Exempt, &i.TaxExemption, &i.ExemptionID,
			&i.ExternalProductID, &i.Amount, &i.TotalDiscount, &i.TaxAmountImported, &i.TaxAmountCalculated,
		}, func() error {
			original := o.of[pg.KeyOf(i.OrganizationID, i.TransactionID)]
			original.Items = append(original.Items, i)
			return nil
		})
		return err
	})
}

var selectOriginalNexus = pg.Prepare(`
	SELECT key.organization_id, key.id, t.nexus_exempt_lines, t.tax_date, t.total_tax_amount_imported
	  FROM {key}
	 CROSS JOIN LATERAL (
	   SELECT x.nexus_exempt_lines, x.tax_date, x.total_tax_amount_imported FROM transactions x WHERE x.organization_id = key.organization_id
	     AND x.id = key.id OFFSET 0) t`, nil, keyRows)

// queueNexus adds the statements that read which lines of the originals are exempt sales for nexus, and when they were
// sold. For refunds with collected tax they also read what is left of that.
func (o *originals) queueNexus(batch *pgx.Batch) {
	selectOriginalNexus.Queue(batch, nil, o.keys()).Query(func(rows pgx.Rows) error {
		var at pg.Key
		var lines []int
		var sold time.Time
		var collected decimal.Decimal
		_, err := pgx.ForEachRow(rows, []any{&at.OrganizationID, &at.Name, &lines, &sold, &collected}, func() error {
			o.of[at].NexusExemptLines, o.of[at].TaxDate, o.of[at].Sold.Collected = lines, sold, collected
			return nil
		})
		return err
	})
	if len(o.collected) > 0 {
		queueNexusRefunds(batch, keyRows.Of(o.collected), func(at pg.Key) *[]models.NexusRefund {
			return &o.of[at].NexusRefunds
		})
	}
}

// queueTaxedAtHome adds the statement that finds the originals between member states of the European Union that were
// taxed at the origin.
func (o *originals) queueTaxedAtHome(batch *pgx.Batch) {
	o.queueExplanations(batch, func(original *models.Original, explanation []byte) (err error) {
		original.TaxedAtHome, err = taxedAtHome(explanation)
		return err
	})
}

func taxedAtHome(explanation []byte) (bool, error) {
	var e struct {
		Sourcing struct{ Rule tax.SourcingRule }
		Input    struct {
			Origin, Destination struct{ Country string }
		}
	}
	if err := json.Unmarshal(explanation, &e); err != nil {
		return false, fmt.Errorf("read the explanation of the original: %w", err)
	}
	from := e.Input.Origin.Country
	to := e.Input.Destination.Country
	return e.Sourcing.Rule == tax.SourcingOrigin && from != "" && to != "" && from != to, nil
}

var selectOriginalExplanations = pg.Prepare(`
	SELECT key.organization_id, key.id, e.explanation
	  FROM {key}
	 CROSS JOIN LATERAL (
	   SELECT `+packed.Column("x")+` AS explanation FROM transaction_explanations x
	    WHERE x.organization_id = key.organization_id AND x.transaction_id = key.id OFFSET 0) e`, nil, keyRows)

// queueExplanations adds the statement that reads the explanations of the originals.
func (o *originals) queueExplanations(batch *pgx.Batch, take func(*models.Original, []byte) error) {
	selectOriginalExplanations.Queue(batch, nil, o.keys()).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var at pg.Key
			var explanation packed.JSON
			if err := rows.Scan(&at.OrganizationID, &at.Name, &explanation); err != nil {
				return err
			}
			if err := take(o.of[at], explanation); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

// queueTaken adds the statements that read what stage 4 decided about the originals and their refunds.
func (o *originals) queueTaken(batch *pgx.Batch) {
	o.queueExplanations(batch, func(original *models.Original, explanation []byte) (err error) {
		original.Explanation = explanation
		original.TaxedAtHome, err = taxedAtHome(explanation)
		return err
	})
	o.queueSold(batch)
	queueRefunds(batch, o.keys(), func(at pg.Key) *[]models.DecidedRefund { return &o.of[at].Refunds })
}

var selectSold = pg.Prepare(`
	SELECT key.organization_id, key.id, t.subtotal - t.total_discount, t.taxable_amount, t.total_tax_amount_calculated,
	       t.total_tax_amount_imported, t.total_tax_liability_amount
	  FROM {key}
	 CROSS JOIN LATERAL (
	   SELECT x.* FROM transactions x WHERE x.organization_id = key.organization_id AND x.id = key.id OFFSET 0) t`,
	nil, keyRows)

var selectSoldTotals = pg.Prepare(`
	SELECT key.organization_id, key.id, `+totalColumns+`
	  FROM {key}
	 CROSS JOIN LATERAL (
	   SELECT x.epoch FROM transactions x WHERE x.organization_id = key.organization_id AND x.id = key.id OFFSET 0) t
	 CROSS JOIN LATERAL (
	   SELECT x.* FROM transaction_totals x WHERE x.organization_id = key.organization_id
	     AND x.transaction_id = key.id AND x.epoch = t.epoch OFFSET 0) s`, nil, keyRows)

var selectImported = pg.Prepare(`
	SELECT key.organization_id, key.id, i.tax_items
	  FROM {key}
	 CROSS JOIN LATERAL (
	   SELECT x.tax_items FROM transaction_items x WHERE x.organization_id = key.organization_id
	     AND x.transaction_id = key.id AND x.tax_items @? '$[*] ? (@.type != "CALCULATED")'
	    ORDER BY x.line_no OFFSET 0) i`, nil, keyRows)

// queueSold adds the statements that read the amounts of the originals, also in returns, and their imported tax lines.
func (o *originals) queueSold(batch *pgx.Batch) {
	keys := o.keys()
	selectSold.Queue(batch, nil, keys).Query(func(rows pgx.Rows) error {
		var at pg.Key
		var a models.ReturnAmounts
		_, err := pgx.ForEachRow(rows, []any{
			&at.OrganizationID, &at.Name, &a.Sales, &a.Taxable, &a.Tax, &a.Collected, &a.Liability,
		}, func() error {
			o.of[at].Sold = a
			return nil
		})
		return err
	})
	selectSoldTotals.Queue(batch, nil, keys).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var at pg.Key
			a, err := scanTotal(rows, &at.OrganizationID, &at.Name)
			if err != nil {
				return err
			}
			o.of[at].SoldTotals = append(o.of[at].SoldTotals, a)
		}
		return rows.Err()
	})
	selectImported.Queue(batch, nil, keys).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var at pg.Key
			var i models.TransactionItem
			if err := rows.Scan(&at.OrganizationID, &at.Name, &i.TaxItems); err != nil {
				return err
			}
			o.of[at].Imported = append(o.of[at].Imported, i)
		}
		return rows.Err()
	})
}
