package filings

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/models/report"
	"levy/store/pg"
)

// VerifyReport computes the report of a FILED filing again from the stored data, and compares it. It compares the hash,
// the totals with the return lines, the jurisdictions and versions with the tax lines, and each line with its
// transaction. The result is nil before FILED. Errors: models.ErrNotFound.
func (s *Store) VerifyReport(
	ctx context.Context, scope models.Scope, filingID string,
) (head *report.Head, result *report.Result, err error) {
	err = s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		r, err := openReport(ctx, s.db, tx, scope, filingID)
		if err != nil {
			return err
		}
		if head = &r.head; head.Hash == nil {
			return nil
		}
		result, err = r.verify(ctx)
		return err
	})
	return head, result, err
}

// SealedReport reports whether the report of a FILED filing, as it is stored, has its hash, and returns the hash: ""
// before FILED. It reads in the snapshot of the caller. Errors: models.ErrNotFound.
func (s *Store) SealedReport(
	ctx context.Context, tx pg.Querier, scope models.Scope, filingID string,
) (hash string, holds bool, err error) {
	r, err := openReport(ctx, s.db, tx, scope, filingID)
	if err != nil || r.head.Hash == nil {
		return "", false, err
	}
	check, err := report.NewCheck(&r.head)
	if err == nil {
		err = r.transactions(ctx, report.Reader{Transaction: check.Transaction})
	}
	if err != nil {
		return "", false, err
	}
	result, err := check.Result()
	return *r.head.Hash, err == nil && result.Same(), err
}

func (r *filingReport) verify(ctx context.Context) (*report.Result, error) {
	check, err := report.NewCheck(&r.head)
	if err != nil {
		return nil, err
	}
	if err := r.transactions(ctx, report.Reader{Transaction: check.Transaction}); err != nil {
		return nil, err
	}
	result, err := check.Result()
	if err != nil {
		return nil, err
	}
	now := *r
	if err := now.compute(ctx); err != nil {
		return nil, pg.Translate(err)
	}
	result.Compare(
		"content_versions", strings.Join(r.head.ContentVersions, ", "),
		strings.Join(now.head.ContentVersions, ", "),
	)
	found := now.head.Jurisdictions
	if r.early() {
		found = asEarly(found)
	}
	compareJurisdictions(result, r.head.Jurisdictions, found)
	return result, pg.Translate(r.compareLines(ctx, result))
}

// asEarly returns jurisdictions as an earlier release has sealed them: with calculated tax, and those of tax lines only.
func asEarly(all []report.Jurisdiction) []report.Jurisdiction {
	early := []report.Jurisdiction{}
	for _, j := range all {
		if *j.TaxCalculated != "0.00" || *j.TaxableCalculated != "0.00" || j.TaxAmount == "0.00" {
			early = append(early, report.Jurisdiction{
				Type: j.Type, Name: j.Name, Code: j.Code, TaxAmount: *j.TaxCalculated, TaxableAmount: *j.TaxableCalculated,
			})
		}
	}
	return early
}

func compareJurisdictions(result *report.Result, stated, found []report.Jurisdiction) {
	amounts := func(j report.Jurisdiction) string {
		text := j.TaxAmount + " on " + j.TaxableAmount
		if j.TaxCalculated != nil {
			text += ", calculated " + *j.TaxCalculated + " on " + *j.TaxableCalculated
		}
		return text
	}
	type place struct{ kind, name string }
	remaining := map[place]report.Jurisdiction{}
	for _, j := range found {
		remaining[place{j.Type, j.Name}] = j
	}
	for _, j := range stated {
		where := fmt.Sprintf("jurisdiction %s %s", j.Type, j.Name)
		now, is := remaining[place{j.Type, j.Name}]
		delete(remaining, place{j.Type, j.Name})
		if !is {
			result.Add(report.Difference{Where: where, Stated: amounts(j), Found: "nothing"})
			continue
		}
		result.Compare(where, amounts(j), amounts(now))
	}
	for _, j := range found {
		if _, is := remaining[place{j.Type, j.Name}]; is {
			result.Add(report.Difference{
				Where: fmt.Sprintf("jurisdiction %s %s", j.Type, j.Name), Stated: "nothing", Found: amounts(j),
			})
		}
	}
}

// documentAmounts are the sales and the collected tax of a transaction t in the currency of its destination, as
// rules.NetSales and rules.Signed compute them.
const documentAmounts = `
	   SELECT CASE WHEN t.type = 'TAX_REFUND' THEN 0
	          WHEN t.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE') THEN -abs(net) ELSE net END AS sales,
	          CASE WHEN t.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND') THEN -abs(imported)
	            ELSE imported END AS collected
	     FROM (SELECT round(t.subtotal * t.conversion_rate, 2) - round(t.total_discount * t.conversion_rate,
	       2) AS net,
	                  round(t.total_tax_amount_imported * t.conversion_rate, 2) AS imported) c`

// selectDifferences reads the differences between lines of a return and the current transactions.
const selectDifferences = `
	SELECT m.transaction_id, d.what, coalesce(d.stated, 'nothing'), coalesce(d.found, 'nothing')
	  FROM filing_transactions m
	  JOIN transactions t ON t.organization_id = m.organization_id AND t.id = m.transaction_id
	  LEFT JOIN transaction_totals x ON x.organization_id = m.organization_id
	    AND x.transaction_id = m.transaction_id AND x.epoch = m.epoch
	   AND x.country_code = $3 AND x.state_code = $4
	  LEFT JOIN filing_rates r ON r.organization_id = m.organization_id AND r.filing_id = m.filing_id
	    AND r.currency = x.currency
	 CROSS JOIN LATERAL (
	   SELECT sum(i.amount) AS subtotal, sum(i.total_discount) AS discount, sum(i.tax_amount_calculated) AS tax,
	          sum((SELECT sum((e ->> 'amount')::numeric) FROM jsonb_array_elements(i.tax_items) e
	            WHERE e ->> 'type' = 'CALCULATED')) AS lines
	     FROM transaction_items i WHERE i.organization_id = m.organization_id
	       AND i.transaction_id = m.transaction_id OFFSET 0) i
	 CROSS JOIN LATERAL (` + documentAmounts + `) document
	 -- What was converted into the currency of the return is compared before that.
	 CROSS JOIN LATERAL (
	   SELECT CASE WHEN c THEN x.sales ELSE m.sales END::numeric(20,2) AS sales, CASE WHEN c THEN x.taxable
	          ELSE m.taxable END::numeric(20,2) AS taxable,
	          CASE WHEN c THEN x.tax ELSE m.tax END::numeric(20,2) AS tax, CASE WHEN c THEN x.collected
	            ELSE m.collected END::numeric(20,2) AS collected,
	          CASE WHEN c THEN x.liability ELSE m.liability END::numeric(20,2) AS liability
	     FROM (SELECT x.currency <> $5) g (c)) own
	 -- In Canada two authorities share a document: each has a part of it. A refund that was converted may have taken
	 -- what roundings had left of its sale.
	 CROSS JOIN LATERAL (
	   SELECT $3 = '` + models.Canada + `' OR t.conversion_rate <> 1
	     AND t.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND') AS shared) a
	 CROSS JOIN LATERAL (VALUES
	   ('version', m.epoch::text, t.epoch::text),
	   ('tax_date', m.tax_date::text, t.tax_date::text),
	   ('marketplace', m.marketplace::text, t.marketplace::text),
	   ('net_amount', m.sales::text, CASE WHEN x.currency <> $5 THEN coalesce(round(x.sales / r.rate, 2), m.sales)
	   ELSE x.sales END::numeric(20,2)::text),
	   ('taxable_amount', m.taxable::text, CASE
	   WHEN x.currency <> $5 THEN coalesce(round(x.taxable / r.rate, 2), m.taxable)
	   ELSE x.taxable END::numeric(20,2)::text),
	   ('tax_calculated', m.tax::text, CASE WHEN x.currency <> $5 THEN coalesce(round(x.tax / r.rate, 2), m.tax)
	   ELSE x.tax END::numeric(20,2)::text),
	   ('tax_collected', m.collected::text, CASE
	   WHEN x.currency <> $5 THEN coalesce(round(x.collected / r.rate, 2), m.collected)
	   ELSE x.collected END::numeric(20,2)::text),
	   ('tax_liability', m.liability::text, CASE
	   WHEN x.currency <> $5 THEN coalesce(round(x.liability / r.rate, 2), m.liability)
	   ELSE x.liability END::numeric(20,2)::text),
	   ('subtotal of the lines', t.subtotal::text, i.subtotal::text),
	   ('discount of the lines', t.total_discount::text, i.discount::text),
	   ('tax of the lines', t.total_tax_amount_calculated::text, i.tax::text),
	   ('net of the transaction', own.sales::text, CASE WHEN a.shared THEN own.sales
	   ELSE document.sales::numeric(20,2) END::text),
	   ('taxable of the transaction', own.taxable::text, CASE WHEN a.shared THEN own.taxable
	   ELSE round(t.taxable_amount * t.conversion_rate, 2) END::text),
	   ('tax of the transaction', own.tax::text, CASE WHEN a.shared THEN own.tax
	   ELSE round(t.total_tax_amount_calculated * t.conversion_rate, 2) END::text),
	   -- A refund takes off no more than what was collected and is left.
	   ('collected by the transaction', own.collected::text, CASE WHEN a.shared THEN own.collected
	   WHEN t.type <> 'SALE' AND own.collected BETWEEN document.collected AND 0 THEN own.collected
	   ELSE document.collected::numeric(20,2) END::text),
	   ('liability of the transaction', own.liability::text, CASE WHEN a.shared THEN own.liability
	   ELSE round(t.total_tax_liability_amount * t.conversion_rate, 2) END::text),
	   ('tax of the jurisdictions', t.total_tax_amount_calculated::text, coalesce(i.lines, 0.00)::text)) AS d(what,
	   stated, found)
	 WHERE m.organization_id = $1 AND m.filing_id = $2 AND d.stated IS DISTINCT FROM d.found
	 ORDER BY m.transaction_id LIMIT $6`

// compareLines compares each line with the current transaction. It must be unchanged since the claim and add the same
// amounts, and its lines must still add up to them.
func (r *filingReport) compareLines(ctx context.Context, result *report.Result) error {
	f := &r.head.Filing
	rows, err := r.tx.Query(ctx, selectDifferences,
		r.scope.OrganizationID, f.ID, f.CountryCode, f.StateCode, f.Currency, report.MaxDifferences+1)
	if err != nil {
		return err
	}
	var id, what, stated, found string
	_, err = pgx.ForEachRow(rows, []any{&id, &what, &stated, &found}, func() error {
		result.Add(report.Difference{Where: strings.Join([]string{id, what}, " "), Stated: stated, Found: found})
		return nil
	})
	return err
}
