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

// The calculated tax of the return lines by jurisdiction comes from their tax lines. Lines
// are in the currency of the transaction. What a transaction adds to the filing is converted
// as a whole, and its jurisdictions share that amount: each gets the difference of
// two rounded running sums, so that they add up to it to the cent. Where nothing was
// converted each share is the line itself.

// compute works out what the report says of its transactions together.
func (r *filingReport) compute(ctx context.Context) error {
	var err error
	if r.head.Jurisdictions, err = r.jurisdictions(ctx); err != nil {
		return err
	}
	r.head.ContentVersions, err = r.contentVersions(ctx)
	return err
}

// jurisdictions sums the tax lines up by jurisdiction. The code of each is found in
// the explanation of one of its transactions.
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

// codeIn finds the code of a jurisdiction in an explanation; empty when it is not there.
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

// rate is what converts a base in the currency of the transaction into that of the filing. Where
// two authorities share a transaction each has a base of its own, and only one conversion.
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

// places names the jurisdictions as placeOfLine does.
func (r *filingReport) places() []string {
	places := make([]string, len(r.head.Jurisdictions))
	for i, j := range r.head.Jurisdictions {
		places[i] = j.Type + " " + j.Name
	}
	return places
}

// taxesByJurisdiction joins to each return line m its tax by jurisdiction: their places and
// amounts, a place as often as it has lines. $4 has the jurisdictions, as placeOfLine
// writes them. Where the lines add up to what is added they are what is shown; only
// other lines are worked out.
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

// placeColumn finds the column of the tax for a place.
type placeColumn map[string]int

func placeColumns(places []string) placeColumn {
	columns := make(placeColumn, len(places))
	for i, place := range places {
		columns[place] = i
	}
	return columns
}

// write writes the taxes of a transaction into the columns of their places; those
// without one stay empty. Errors: those of tax.ParseTotal and tax.Total.Plus.
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

// placeOfLine names the jurisdiction of a tax line e.
const placeOfLine = "(e ->> 'jurisdiction_type') || ' ' || (e ->> 'jurisdiction_name')"

// sharedUpTo is how much of p.whole belongs to the jurisdictions of a transaction up
// to this one.
func sharedUpTo(p, partition, order string) string {
	all := ""
	if partition != "" {
		all = "PARTITION BY " + partition + " "
	}
	sum := "sum(" + p + ".tax) OVER (" + all
	return "CASE WHEN " + sum + ") = 0 THEN " + sum + "ORDER BY " + order + ") ELSE round(" + p +
		".whole * " + sum + "ORDER BY " + order + ") / " + sum + "), 2) END"
}

// level sorts the types of jurisdictions from the whole to its parts.
func level(table string) string {
	return "array_position(ARRAY['COUNTRY', 'FEDERAL', 'STATE', 'COUNTY', 'CITY', 'SPECIAL', 'OTHER'], " +
		table + ".type)"
}
