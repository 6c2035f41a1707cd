package storetest

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
)

// The customer of all sales.
const customerOfNewYork = `
	INSERT INTO customers (organization_id, id, external_id, status, address_status, source, tax_registrations,
	       created_at, updated_at)
	VALUES ($1::text, 'cust_' || repeat('0', 26), 'C-N', 'ACTIVE', 'BLANK', 'OTHER', '[]', now(), now())
	ON CONFLICT DO NOTHING`

// soldInNewYork are the sales with the numbers $2 to $3: of 100.00 USD to New York City on the days of January 2026.
// Every tenth is a refund of 33.33, and every seventh goes through a marketplace. Their ids sort by their numbers.
const soldInNewYork = `
	(SELECT n, 'txn_' || lpad(n::text, 26, '0') AS id, date '2026-01-01' + (n % 31)::int AS day,
	        n % 7 = 0 AS marketplace, n % 10 = 0 AS note,
	        CASE WHEN n % 10 = 0 THEN -33.33 ELSE 100.00 END AS net,
	        CASE WHEN n % 10 = 0 THEN 33.33 ELSE 100.00 END AS subtotal,
	        CASE WHEN n % 10 = 0 THEN -2.96 ELSE 8.88 END AS tax,
	        CASE WHEN n % 10 = 0 THEN 0.00 ELSE 8.88 END AS collected
	   FROM generate_series($2::bigint, $3::bigint) n) s`

// The rows of a processed sale that a claim reads and writes.
var claimedInNewYork = []string{
	`INSERT INTO transactions (organization_id, id, external_id, type, status, processing_status, epoch, revision, date,
	        tax_date, currency, total_amount, subtotal, total_discount, customer_id, marketplace, exempt_sent, exempt,
	        source, total_tax_amount_imported, tax_rate_imported, total_tax_amount_calculated, tax_rate_calculated,
	        total_tax_liability_amount, tax_liability_source, taxable_amount, destination_currency, conversion_rate, city,
	        state, postal_code, country, address_status, ambiguous, place, content_version, created_at, updated_at)
	 SELECT $1::text, id, 'ORDER-' || n, CASE WHEN note THEN 'PARTIAL_CREDIT_NOTE' ELSE 'SALE' END, 'COMMITTED',
	        'PROCESSED', 1, 1, day, day, 'USD',
	        subtotal + collected, subtotal, 0, 'cust_' || repeat('0', 26), marketplace, 'NOT_EXEMPT', 'NOT_EXEMPT',
	        'API', collected, 0,
	        tax, 0.08875, CASE WHEN marketplace THEN 0 ELSE tax END, 'CALCULATED', net,
	        'USD', 1, 'New York', 'NY', '10118', 'US', 'VERIFIED', false, '{"country":"US","state":"NY"}', '2026.11.1',
	        now(), now()
	   FROM ` + soldInNewYork,
	`INSERT INTO transaction_totals (organization_id, transaction_id, epoch, country_code, state_code, member_code,
	        tax_date, marketplace, currency, sales, taxable, tax, collected, liability, form_tax)
	 SELECT $1::text, id, 1, 'US', 'NY', 'US', day, marketplace, 'USD', net, net, tax, collected,
	        CASE WHEN marketplace THEN 0 ELSE tax END, CASE WHEN NOT marketplace THEN net * 0.08875 END
	   FROM ` + soldInNewYork,
}

// The other rows of a processed sale: lines with their taxes, and explanations.
var explainedInNewYork = []string{
	`INSERT INTO transaction_items (organization_id, transaction_id, line_no, id, date, external_product_id, product_id,
	        quantity, amount, total_discount, tax_amount_imported, tax_rate_imported, tax_amount_calculated,
	        tax_rate_calculated, taxable_amount, exempt_sent, exempt, tax_items)
	 SELECT $1::text, s.id, 0, 'txi_' || lpad(s.n::text, 26, '0'), s.day, p.external_id, p.id, 1, s.subtotal, 0,
	        s.collected, 0, s.tax, 0.08875,
	        s.net, false, false, CASE WHEN s.note THEN l.note ELSE l.sale END
	   FROM products p
	  CROSS JOIN (
	    SELECT jsonb_agg(line || jsonb_build_object('amount', sold, 'taxable_amount', '100.00')) AS sale,
	           jsonb_agg(line || jsonb_build_object('amount', given, 'taxable_amount', '-33.33')) AS note
	      FROM (VALUES
	        ('{"type":"CALCULATED","rule_id":"us-ny-general","name":"New York sales tax","jurisdiction_type":"STATE",
	           "jurisdiction_name":"New York","rate":"0.04","reason":"TAXABLE"}'::jsonb, '4.00', '-1.33'),
	        ('{"type":"CALCULATED","rule_id":"us-ny-nyc-general","name":"New York City sales tax",
	           "jurisdiction_type":"CITY","jurisdiction_name":"New York City","rate":"0.045","reason":"TAXABLE"}', '4.50', '-1.50'),
	        ('{"type":"CALCULATED","rule_id":"us-ny-mctd-general","name":"MCTD sales tax","jurisdiction_type":"SPECIAL",
	           "jurisdiction_name":"Metropolitan Commuter Transportation District","rate":"0.00375","reason":"TAXABLE"}',
	         '0.38', '-0.13')) v(line, sold, given)) l
	  CROSS JOIN ` + soldInNewYork + `
	  WHERE p.organization_id = $1::text AND p.external_id = 'P-1'`,
	`INSERT INTO transaction_explanations (organization_id, transaction_id, epoch, body)
	 SELECT $1::text, id, 1, '{"jurisdictions":[
	   {"jurisdiction_type":"STATE","jurisdiction_name":"New York","country":"US","state":"NY","code":"36"},
	   {"jurisdiction_type":"CITY","jurisdiction_name":"New York City","country":"US","state":"NY","code":"8081"},
	   {"jurisdiction_type":"SPECIAL","jurisdiction_name":"Metropolitan Commuter Transportation District",
	    "country":"US","state":"NY","code":"8061"}]}'
	   FROM ` + soldInNewYork,
}

// FiguresInNewYork writes the figures of the sales of an organization, as a run in the background would.
const FiguresInNewYork = `
	UPDATE transaction_totals x SET figure_place = 'New York City, Metropolitan Commuter Transportation District',
	       figure_keys = ARRAY(SELECT level || CASE WHEN x.sales < 0 THEN '|REFUND|' ELSE '|SALE|' END ||
	         CASE WHEN x.marketplace THEN 'MARKETPLACE' ELSE 'OWN' END || '|UNKNOWN||PHYSICAL|' || name
	         FROM unnest(ARRAY['STATE|0.04', 'CITY|0.045', 'SPECIAL|0.00375'],
	           ARRAY['New York', 'New York City', 'Metropolitan Commuter Transportation District']) AS k (level, name)),
	       figure_gross = ARRAY[x.sales, 0, 0], figure_taxable = ARRAY[x.taxable, x.taxable, x.taxable],
	       figure_tax = ARRAY[x.tax - 4.88 * sign(x.tax), 4.50 * sign(x.tax), 0.38 * sign(x.tax)],
	       figure_owed = ARRAY[x.liability - 4.88 * sign(x.liability), 4.50 * sign(x.liability), 0.38 * sign(x.liability)]
	 WHERE organization_id = $1`

// SellInNewYork writes n processed sales of January 2026, with their lines, tax lines, explanations and totals.
func SellInNewYork(ctx context.Context, conn *pgx.Conn, organizationID string, n int) error {
	return sellInNewYork(ctx, conn, organizationID, n, slices.Concat(claimedInNewYork, explainedInNewYork))
}

// SellForClaim writes the rows of SellInNewYork that a claim reads and writes.
func SellForClaim(ctx context.Context, conn *pgx.Conn, organizationID string, n int) error {
	return sellInNewYork(ctx, conn, organizationID, n, claimedInNewYork)
}

// salesPerTransaction is how many sales a database transaction writes. Their counts must fit into memory.
const salesPerTransaction = 25_000

// sellInNewYork uses cached plans by key for the checks of foreign keys. The tables were empty when they were analyzed,
// so a new plan for each check would read all rows.
func sellInNewYork(ctx context.Context, conn *pgx.Conn, organizationID string, n int, statements []string) error {
	if _, err := conn.Exec(ctx, customerOfNewYork, organizationID); err != nil {
		return err
	}
	for first := 1; first <= n; first += salesPerTransaction {
		last := min(n, first+salesPerTransaction-1)
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_generic_plan; "+
				"SET LOCAL synchronous_commit = off"); err != nil {
				return err
			}
			for _, sql := range statements {
				if _, err := tx.Exec(ctx, sql, organizationID, first, last); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
