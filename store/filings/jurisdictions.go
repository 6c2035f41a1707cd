package filings

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"levy/internal/packed"
	"levy/models"
	"levy/models/report"
	"levy/store/pg"
	"levy/tax"
	"levy/tax/money"
)

// The calculated tax of the return lines by jurisdiction comes from their tax lines. Tax lines are in the currency of
// the transaction. The amount that a transaction adds to the filing is converted as a whole, and its jurisdictions
// share it. Each gets the difference of two rounded running sums, so that the shares add up exactly.
// Without a conversion each share is the tax line itself.

// compute computes the parts of the report about all transactions together.
func (r *filingReport) compute(ctx context.Context) error {
	var err error
	if r.head.Jurisdictions, err = r.jurisdictions(ctx); err != nil {
		return err
	}
	r.head.ContentVersions, err = r.contentVersions(ctx)
	return err
}

// jurisdictions sums up the tax lines by jurisdiction. The code of each comes from the explanation of one of its
// transactions.
func (r *filingReport) jurisdictions(ctx context.Context) ([]report.Jurisdiction, error) {
	rows, err := r.tx.Query(ctx, `
		WITH members AS NOT MATERIALIZED (`+r.lines+`),
		plain AS (
		  SELECT e ->> 'jurisdiction_type' AS type, e ->> 'jurisdiction_name' AS name,
		         sum((e ->> 'amount')::numeric) AS tax,
		         sum((e ->> 'taxable_amount')::numeric) AS taxable, min(m.transaction_id) AS example
		    FROM members m
		    JOIN transactions t ON t.organization_id = $1 AND t.id = m.transaction_id AND t.conversion_rate = 1
		      AND t.destination_currency = $3
		    JOIN transaction_items i ON i.organization_id = $1 AND i.transaction_id = m.transaction_id
		   CROSS JOIN LATERAL jsonb_array_elements(i.tax_items) e
		   WHERE e ->> 'type' = 'CALCULATED' AND `+r.own+`
		   GROUP BY 1, 2),
		parts AS (
		  SELECT m.transaction_id, m.tax AS whole, e ->> 'jurisdiction_type' AS type, e ->> 'jurisdiction_name' AS name,
		         sum((e ->> 'amount')::numeric) AS tax, sum(round((e ->> 'taxable_amount')::numeric * `+
		r.rate()+`, 2)) AS taxable
		    FROM members m
		    JOIN transactions t ON t.organization_id = $1 AND t.id = m.transaction_id
		      AND (t.conversion_rate <> 1 OR t.destination_currency <> $3)
		    JOIN transaction_items i ON i.organization_id = $1 AND i.transaction_id = m.transaction_id
		   CROSS JOIN LATERAL jsonb_array_elements(i.tax_items) e
		   WHERE e ->> 'type' = 'CALCULATED' AND `+r.own+`
		   GROUP BY 1, 2, 3, 4),
		shared AS (
		  SELECT p.*, `+sharedUpTo("p", `p.transaction_id`, level("p")+`, p.name COLLATE "C"`)+` AS up_to FROM parts p),
		converted AS (
		  SELECT type, name, up_to - lag(up_to, 1, 0) OVER (PARTITION BY transaction_id ORDER BY `+level("s")+
		`, name COLLATE "C") AS tax, taxable,
		         transaction_id AS example
		    FROM shared s),
		together AS (
		  SELECT type, name, sum(tax) AS tax, sum(taxable) AS taxable, min(example) AS example
		    FROM (SELECT type, name, tax, taxable, example FROM plain UNION ALL SELECT type, name, tax, taxable, example
		      FROM converted) b
		   GROUP BY 1, 2)
		SELECT b.type, b.name, b.taxable::numeric(20,2)::text, b.tax::numeric(20,2)::text, e.explanation
		  FROM together b LEFT JOIN LATERAL (
		    SELECT `+packed.Column("x")+` AS explanation FROM transaction_explanations x
		     WHERE x.organization_id = $1 AND x.transaction_id = b.example LIMIT 1) e ON true
		 ORDER BY `+level("b")+`, b.name COLLATE "C"`, r.scope.OrganizationID, r.head.Filing.ID, r.head.Filing.Currency)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (j report.Jurisdiction, err error) {
		var explanation packed.JSON
		if err := row.Scan(&j.Type, &j.Name, &j.TaxableAmount, &j.TaxAmount, &explanation); err != nil {
			return j, err
		}
		j.Code, err = codeIn(explanation, j)
		return j, err
	})
}

// codeIn returns the code of a jurisdiction in an explanation; "" if it is not there.
func codeIn(explanation packed.JSON, wanted report.Jurisdiction) (string, error) {
	if explanation == nil {
		return "", nil
	}
	var e struct{ Jurisdictions []tax.JurisdictionRef }
	if err := json.Unmarshal(explanation, &e); err != nil {
		return "", fmt.Errorf("read an explanation: %w", err)
	}
	for _, j := range e.Jurisdictions {
		if string(j.JurisdictionType) == wanted.Type && j.JurisdictionName == wanted.Name {
			return j.Code, nil
		}
	}
	return "", nil
}

// rate returns the expression that converts a base from the currency of the transaction to that of the filing. If two
// authorities share a transaction, each has its own base, and there is only one rate.
func (r *filingReport) rate() string {
	if r.head.Filing.CountryCode == models.Canada {
		return "t.conversion_rate"
	}
	return "coalesce(m.taxable / nullif(t.taxable_amount, 0), 0)"
}

func scanJurisdiction(row pgx.CollectableRow) (j report.Jurisdiction, err error) {
	return j, row.Scan(&j.Type, &j.Name, &j.Code, &j.TaxableAmount, &j.TaxAmount)
}

func (r *filingReport) contentVersions(ctx context.Context) ([]string, error) {
	versions := []string{}
	err := r.tx.QueryRow(ctx, `
		SELECT coalesce(array_agg(v ORDER BY v COLLATE "C"), '{}')
		  FROM (SELECT DISTINCT t.content_version AS v FROM (`+r.lines+
		`) m JOIN transactions t ON t.organization_id = $1 AND t.id = m.transaction_id
		         WHERE t.content_version IS NOT NULL) d`, r.scope.OrganizationID, r.head.Filing.ID).Scan(&versions)
	return versions, err
}

// places returns the names of the jurisdictions as placeOfLine has them.
func (r *filingReport) places() []string {
	places := make([]string, len(r.head.Jurisdictions))
	for i, j := range r.head.Jurisdictions {
		places[i] = j.Type + " " + j.Name
	}
	return places
}

// taxesByJurisdiction joins to each return line m its tax by jurisdiction: their places and amounts,
// a place once for each of its tax lines. $4 has the jurisdictions as placeOfLine writes them. If the tax lines add up
// to the amount in the return, they are the result. Otherwise the shares are computed.
func taxesByJurisdiction(own string) string {
	return `
		  LEFT JOIN LATERAL (
		    SELECT array_agg(` + placeOfLine + `) AS places, array_agg(e ->> 'amount') AS taxes,
		           sum((e ->> 'amount')::numeric) AS whole
		      FROM transaction_items i CROSS JOIN LATERAL jsonb_array_elements(i.tax_items) e
		     WHERE i.organization_id = $1 AND i.transaction_id = m.transaction_id AND e ->> 'type' = 'CALCULATED'
		       AND ` + own + `) l ON true
		  LEFT JOIN LATERAL (
		    SELECT array_agg(s.place ORDER BY s.position) AS places,
		           array_agg((s.up_to - s.before)::numeric(20,2)::text ORDER BY s.position) AS taxes
		      FROM (SELECT u.*, lag(u.up_to, 1, 0) OVER (ORDER BY u.position) AS before
		              FROM (SELECT p.position, p.place, ` + sharedUpTo("p", "", "p.position") + ` AS up_to
		                      FROM (SELECT g.place, array_position($4::text[], g.place) AS position,
		                        sum(g.tax::numeric) AS tax, m.tax AS whole
		                              FROM unnest(l.places, l.taxes) AS g(place, tax) GROUP BY 1, 2) p
		                     WHERE p.position IS NOT NULL) u) s
		     WHERE l.whole <> m.tax) x ON true`
}

// placeColumn maps a place to the column of its tax.
type placeColumn map[string]int

func placeColumns(places []string) placeColumn {
	columns := make(placeColumn, len(places))
	for i, place := range places {
		columns[place] = i
	}
	return columns
}

// write writes the taxes of a transaction into the columns of their places. The other columns stay empty. Errors:
// those of tax.ParseTotal and tax.Total.Plus.
func (c placeColumn) write(to, places, taxes []string) error {
	clear(to)
	for i, place := range places {
		column, is := c[place]
		if !is {
			continue
		}
		sum, err := money.ParseTotal(taxes[i])
		if err == nil && to[column] != "" {
			var before money.Total
			if before, err = money.ParseTotal(to[column]); err == nil {
				sum, err = sum.Plus(before)
			}
		}
		if err != nil {
			return err
		}
		to[column] = sum.String()
	}
	return nil
}

// placeOfLine is the name of the jurisdiction of a tax line e.
const placeOfLine = "(e ->> 'jurisdiction_type') || ' ' || (e ->> 'jurisdiction_name')"

// sharedUpTo returns the expression for the part of p.whole that belongs to the jurisdictions of a transaction up to
// this one.
func sharedUpTo(p, partition, order string) string {
	all := ""
	if partition != "" {
		all = "PARTITION BY " + partition + " "
	}
	sum := "sum(" + p + ".tax) OVER (" + all
	return "CASE WHEN " + sum + ") = 0 THEN " + sum + "ORDER BY " + order + ") ELSE round(" + p +
		".whole * " + sum + "ORDER BY " + order + ") / " + sum + "), 2) END"
}

// level returns the expression that sorts types of jurisdictions from the largest to the smallest.
func level(table string) string {
	return "array_position(ARRAY['COUNTRY', 'FEDERAL', 'STATE', 'COUNTY', 'CITY', 'SPECIAL', 'OTHER'], " +
		table + ".type)"
}
