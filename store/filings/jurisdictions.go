package filings

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"levy/internal/packed"
	"levy/models"
	"levy/models/report"
	"levy/store/pg"
	"levy/tax"
	"levy/tax/money"
)

// A return owes by place what its transactions owe there. A transaction stores its places, unless its calculated tax lines
// share its liability. Each line then gets the difference of two rounded running sums, so that the shares add up exactly.
// For an ordinary sale these are the tax lines themselves.
//
// Tax lines are in the currency of the transaction. The amount that a transaction adds to the filing is converted as a
// whole, and its jurisdictions share it in the same way.

// compute computes the parts of the report about all transactions together.
func (r *filingReport) compute(ctx context.Context) error {
	var err error
	if r.head.Jurisdictions, err = r.jurisdictions(ctx); err != nil {
		return err
	}
	r.head.ContentVersions, err = r.contentVersions(ctx)
	return err
}

// likeItsLines is the condition on a return line m that it owes what its tax lines say, or nothing.
const likeItsLines = "(m.places IS NULL AND (m.liability = m.tax OR m.liability = 0))"

// owesNothing is the condition on a return line m that it is no sale of the return. The marketplace
// remits its tax, or there was no obligation on its day. $4 and $5 are the authority.
const owesNothing = `CASE WHEN m.liability_case IS NOT NULL THEN m.liability_case IN (1, 3) ELSE (m.marketplace
	  OR m.collected = 0 AND m.liability = 0 AND m.tax <> 0 AND (m.related_to IS NULL OR EXISTS (
	    SELECT FROM transactions s
	      JOIN transaction_totals o ON o.organization_id = s.organization_id AND o.transaction_id = s.id
	       AND o.epoch = s.epoch AND o.country_code = $4 AND o.state_code = $5
	     WHERE s.organization_id = $1 AND s.id = m.related_to AND o.collected = 0 AND o.liability = 0))) END`

// jurisdictions sums up the amounts by jurisdiction. The code of each comes from the explanation of one of its
// transactions. Lines of early releases may owe something and name no place: the whole state does then.
func (r *filingReport) jurisdictions(ctx context.Context) ([]report.Jurisdiction, error) {
	f := &r.head.Filing
	inOrder := level("p") + `, p.name COLLATE "C"`
	shared := sharedUpTo("p", "p.transaction_id", inOrder)
	rows, err := r.tx.Query(ctx, `
		WITH members AS MATERIALIZED (
		  SELECT m.transaction_id, m.tax, m.liability, m.collected, m.marketplace, m.taxable, m.places, m.own_liability,
		         m.liability_case, t.related_to, t.conversion_rate, t.taxable_amount,
		         t.conversion_rate = 1 AND t.destination_currency = $3 AS unconverted
		    FROM (`+r.lines+`) m JOIN transactions t ON t.organization_id = $1 AND t.id = m.transaction_id),
		plain AS (
		  SELECT e ->> 'jurisdiction_type' AS type, e ->> 'jurisdiction_name' AS name, NULL AS code,
		         sum((e ->> 'amount')::numeric) FILTER (WHERE m.liability = m.tax) AS owed,
		         sum((e ->> 'taxable_amount')::numeric) FILTER (WHERE NOT `+owesNothing+`) AS taxable,
		         sum((e ->> 'amount')::numeric) AS calculated,
		         sum((e ->> 'taxable_amount')::numeric) AS taxable_calculated, min(m.transaction_id) AS example
		    FROM members m
		    JOIN transaction_items i ON i.organization_id = $1 AND i.transaction_id = m.transaction_id
		   CROSS JOIN LATERAL jsonb_array_elements(i.tax_items) e
		   WHERE e ->> 'type' = 'CALCULATED' AND `+r.own+` AND m.unconverted AND `+likeItsLines+`
		   GROUP BY 1, 2),
		parts AS (
		  SELECT m.transaction_id, m.tax AS whole, m.liability, m.places IS NOT NULL AS placed, `+owesNothing+` AS free,
		         e ->> 'jurisdiction_type' AS type, e ->> 'jurisdiction_name' AS name,
		         sum((e ->> 'amount')::numeric) AS tax, sum(CASE WHEN m.unconverted
		           THEN (e ->> 'taxable_amount')::numeric
		           ELSE round((e ->> 'taxable_amount')::numeric * `+r.rate()+`, 2) END) AS taxable
		    FROM members m
		    JOIN transaction_items i ON i.organization_id = $1 AND i.transaction_id = m.transaction_id
		   CROSS JOIN LATERAL jsonb_array_elements(i.tax_items) e
		   WHERE e ->> 'type' = 'CALCULATED' AND `+r.own+` AND NOT (m.unconverted AND `+likeItsLines+`)
		   GROUP BY 1, 2, 3, 4, 5, 6, 7),
		shared AS (
		  SELECT p.*, `+shared+` AS calculated_to, `+strings.ReplaceAll(shared, "p.whole", "p.liability")+` AS owed_to
		    FROM parts p),
		converted AS (
		  SELECT type, name, NULL AS code,
		         CASE WHEN placed THEN 0 ELSE owed_to - lag(owed_to, 1, 0) OVER w END AS owed,
		         CASE WHEN free THEN 0 ELSE taxable END AS taxable,
		         calculated_to - lag(calculated_to, 1, 0) OVER w AS calculated, taxable AS taxable_calculated,
		         transaction_id AS example
		    FROM shared p WINDOW w AS (PARTITION BY transaction_id ORDER BY `+inOrder+`)),
		places AS (
		  SELECT p.*, CASE WHEN p.liability = p.whole THEN sum(p.tax) OVER (PARTITION BY p.transaction_id ORDER BY `+inOrder+`)
		         ELSE `+shared+` END AS owed_to
		    FROM (SELECT m.transaction_id, m.liability AS whole, m.own_liability AS liability, e.type, e.name, e.code,
		                 e.amount AS tax
		            FROM members m
		           CROSS JOIN LATERAL jsonb_to_recordset(m.places) AS e (type text, name text, code text, amount numeric)
		           WHERE m.places IS NOT NULL) p),
		placed AS (
		  SELECT type, name, code, owed_to - lag(owed_to, 1, 0) OVER (PARTITION BY transaction_id ORDER BY `+inOrder+`) AS owed,
		         0 AS taxable, 0 AS calculated, 0 AS taxable_calculated, transaction_id AS example
		    FROM places p),
		unplaced AS (
		  SELECT CASE WHEN $4 IN ('US', 'CA') AND $4 <> $5 THEN 'STATE' ELSE 'COUNTRY' END AS type, $6 AS name, NULL AS code,
		         sum(m.liability) AS owed, 0 AS taxable, 0 AS calculated, 0 AS taxable_calculated,
		         min(m.transaction_id) AS example
		    FROM members m WHERE m.places IS NULL AND m.tax = 0 AND m.liability <> 0
		  HAVING count(*) > 0),
		together AS (
		  SELECT type, name, max(code) AS code, sum(owed) AS owed, sum(taxable) AS taxable, sum(calculated) AS calculated,
		         sum(taxable_calculated) AS taxable_calculated, min(example) AS example
		    FROM (SELECT * FROM plain UNION ALL SELECT * FROM converted UNION ALL SELECT * FROM placed
		          UNION ALL SELECT * FROM unplaced) b
		   GROUP BY 1, 2)
		SELECT b.type, b.name, coalesce(b.code, ''), coalesce(b.taxable, 0)::numeric(20,2)::text,
		       coalesce(b.owed, 0)::numeric(20,2)::text,
		       b.calculated::numeric(20,2)::text, b.taxable_calculated::numeric(20,2)::text, e.explanation
		  FROM together b LEFT JOIN LATERAL (
		    SELECT `+packed.Column("x")+` AS explanation FROM transaction_explanations x
		     WHERE x.organization_id = $1 AND x.transaction_id = b.example LIMIT 1) e ON true
		 ORDER BY `+level("b")+`, b.name COLLATE "C"`, r.scope.OrganizationID, f.ID, f.Currency, f.CountryCode,
		cmp.Or(valueOf(f.StateCode), f.CountryCode), cmp.Or(valueOf(f.StateName), valueOf(f.StateCode), f.CountryCode))
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (j report.Jurisdiction, err error) {
		var explanation packed.JSON
		if err := row.Scan(&j.Type, &j.Name, &j.Code, &j.TaxableAmount, &j.TaxAmount, &j.TaxCalculated,
			&j.TaxableCalculated, &explanation); err != nil {
			return j, err
		}
		code, err := codeIn(explanation, j)
		j.Code = cmp.Or(code, j.Code)
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
		return "m.conversion_rate"
	}
	return "coalesce(m.taxable / nullif(m.taxable_amount, 0), 0)"
}

func scanJurisdiction(row pgx.CollectableRow) (j report.Jurisdiction, err error) {
	return j, row.Scan(&j.Type, &j.Name, &j.Code, &j.TaxableAmount, &j.TaxAmount, &j.TaxCalculated, &j.TaxableCalculated)
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

// taxesByJurisdiction joins to each return line m what it owes by jurisdiction: places and amounts, a place once for each
// of its tax lines. $4 has the jurisdictions as placeOfLine writes them, $5 the place of what names none. If the amounts
// add up to the liability, they are the result. Otherwise the statement computes the shares. A report of an early
// release has calculated tax instead. Most transactions have their tax lines (l), few have places or name none (o).
func (r *filingReport) taxesByJurisdiction() string {
	whole, places := "m.liability", "m.places"
	if r.early() {
		whole, places = "m.tax", "NULL::jsonb"
	}
	return strings.NewReplacer("{whole}", whole, "{places}", places).Replace(`
		  LEFT JOIN LATERAL (
		    SELECT array_agg(` + placeOfLine + `) AS places, array_agg(e ->> 'amount') AS taxes,
		           sum((e ->> 'amount')::numeric) AS whole
		      FROM transaction_items i CROSS JOIN LATERAL jsonb_array_elements(i.tax_items) e
		     WHERE i.organization_id = $1 AND i.transaction_id = m.transaction_id AND e ->> 'type' = 'CALCULATED'
		       AND {places} IS NULL AND ` + r.own + `) l ON true
		  LEFT JOIN LATERAL (
		    SELECT array_agg(e.place) AS places, array_agg(e.amount::text) AS taxes, sum(e.amount) AS whole
		      FROM (SELECT p.type || ' ' || p.name AS place, p.amount
		              FROM jsonb_to_recordset({places}) AS p (type text, name text, amount numeric)
		            UNION ALL
		            SELECT $5, m.liability WHERE {places} IS NULL) e
		     WHERE {places} IS NOT NULL OR {whole} <> 0 AND m.tax = 0) o ON true
		  LEFT JOIN LATERAL (
		    SELECT array_agg(s.place ORDER BY s.position) AS places,
		           array_agg((s.up_to - s.before)::numeric(20,2)::text ORDER BY s.position) AS taxes
		      FROM (SELECT u.*, lag(u.up_to, 1, 0) OVER (ORDER BY u.position) AS before
		              FROM (SELECT p.position, p.place, ` + sharedUpTo("p", "", "p.position") + ` AS up_to
		                      FROM (SELECT g.place, array_position($4::text[], g.place) AS position,
		                        sum(g.tax::numeric) AS tax, {whole} AS whole
		                              FROM unnest(l.places || o.places, l.taxes || o.taxes) AS g(place, tax) GROUP BY 1, 2) p
		                     WHERE p.position IS NOT NULL) u) s
		     WHERE coalesce(l.whole, 0) + coalesce(o.whole, 0) <> {whole}) x ON true`)
}

// early reports whether an earlier release has sealed the report: with calculated tax by jurisdiction.
func (r *filingReport) early() bool {
	return r.head.Hash != nil && len(r.head.Jurisdictions) > 0 && r.head.Jurisdictions[0].TaxCalculated == nil
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

// wholePlace is the place of what names none: the whole state or country.
func (r *filingReport) wholePlace() string {
	f := &r.head.Filing
	state := cmp.Or(valueOf(f.StateCode), f.CountryCode)
	kind := "COUNTRY"
	if (f.CountryCode == models.UnitedStates || f.CountryCode == models.Canada) && state != f.CountryCode {
		kind = "STATE"
	}
	return kind + " " + cmp.Or(valueOf(f.StateName), state)
}
