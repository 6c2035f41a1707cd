package filings

import (
	"github.com/jackc/pgx/v5"

	"levy/models"
)

// previousOf is the FROM of the filed returns p of the period of an amendment f: the regular return and its earlier
// amendments. The sum of previouslyPaid is what the authority has for the period besides fees and penalties. Credit that
// they left counts as paid back as far as another return has taken it; u has what the amendment itself takes.
const (
	previousOf = `
	  FROM filings f
	  JOIN filings p ON p.organization_id = f.organization_id AND p.registration_id = f.registration_id AND p.id <> f.id
	   AND (p.id = f.amends_filing_id OR p.amends_filing_id = f.amends_filing_id)
	   AND (p.status = 'FILED' OR p.id = f.amends_filing_id AND p.claimed_at IS NOT NULL)
	  LEFT JOIN filing_credits u ON u.organization_id = p.organization_id AND u.used_by = f.id AND u.credit_of = p.id
	 WHERE f.filing_category = 'AMENDMENT' AND f.organization_id = $1`
	previouslyPaid = `CASE p.status WHEN 'FILED' THEN p.tax_remitted
	       ELSE p.total_tax_liability + p.amount_adjusted - p.amount_discounts + p.amount_fees + p.amount_penalties
	            - p.amount_prepaid - p.amount_credit_applied + p.amount_credit_carried END
	       - p.amount_fees - p.amount_penalties + p.amount_prepaid + p.amount_credit_applied
	       - p.credit_used - p.credit_claimed + coalesce(u.amount, 0)`
)

// previousTotals adds up what was filed before the amendments $2 of an organization $1.
const previousTotals = `
	SELECT f.id, sum(p.amount_sales), sum(p.total_taxable_sales), sum(p.amount_calculated), sum(p.amount_tax_collected),
	       sum(p.total_tax_liability), sum(` + previouslyPaid + `)` + previousOf + ` AND f.id = ANY ($2)
	 GROUP BY f.id`

// fixAmendedTotals stores the amended totals of a claimed amendment. models.Filing.Amends decides the same for a live one.
const fixAmendedTotals = `
	UPDATE filings SET amended_totals = t.totals
	  FROM (
	    SELECT f.id, jsonb_build_object(
	             'amount_sales', (f.amount_sales + sum(p.amount_sales))::text,
	             'total_taxable_sales', (f.total_taxable_sales + sum(p.total_taxable_sales))::text,
	             'amount_calculated', (f.amount_calculated + sum(p.amount_calculated))::text,
	             'amount_tax_collected', (f.amount_tax_collected + sum(p.amount_tax_collected))::text,
	             'total_tax_liability', (f.total_tax_liability + sum(p.total_tax_liability))::text,
	             'previously_reported_liability', sum(p.total_tax_liability)::text,
	             'previously_paid', sum(` + previouslyPaid + `)::text) AS totals` + previousOf + ` AND f.id = $2
	     GROUP BY f.organization_id, f.id) t
	 WHERE filings.organization_id = $1 AND filings.id = t.id`

// intoAmended returns a reader of the rows of previousTotals. It amends the live filings, whose sums were read before.
func intoAmended(byID map[string]*models.Filing) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for rows.Next() {
			var id string
			var p models.AmendedTotals
			if err := rows.Scan(&id, &p.AmountSales, &p.TotalTaxableSales, &p.AmountCalculated, &p.AmountTaxCollected,
				&p.PreviouslyReportedLiability, &p.PreviouslyPaid); err != nil {
				return err
			}
			byID[id].Amends(p)
		}
		return rows.Err()
	}
}
