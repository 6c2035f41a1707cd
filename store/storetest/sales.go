package storetest

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// A customer and n processed sales of 100.00 USD to New York City on the days of
// January 2026, with their lines, tax lines, explanations and totals. Every tenth is
// a refund of 33.33 and every seventh goes through a marketplace. Their ids sort in
// the order of their numbers.
var soldInNewYork = []string{
	`INSERT INTO customers (organization_id, id, external_id, status, address_status, source, tax_registrations, created_at, updated_at)
	 VALUES ($1, 'cust_' || repeat('0', 26), 'C-N', 'ACTIVE', 'BLANK', 'OTHER', '[]', now(), now()) ON CONFLICT DO NOTHING`,
	`CREATE TEMPORARY TABLE sold ON COMMIT DROP AS
	 SELECT n, 'txn_' || lpad(n::text, 26, '0') AS id, date '2026-01-01' + (n % 31)::int AS day, n % 7 = 0 AS marketplace, n % 10 = 0 AS note,
	        CASE WHEN n % 10 = 0 THEN -33.33 ELSE 100.00 END AS net, CASE WHEN n % 10 = 0 THEN 33.33 ELSE 100.00 END AS subtotal,
	        CASE WHEN n % 10 = 0 THEN -1.33 ELSE 4.00 END AS state, CASE WHEN n % 10 = 0 THEN -1.50 ELSE 4.50 END AS city,
	        CASE WHEN n % 10 = 0 THEN -0.13 ELSE 0.38 END AS district, CASE WHEN n % 10 = 0 THEN 0.00 ELSE 8.88 END AS collected
	   FROM generate_series(1, $1) n`,
	`INSERT INTO transactions (organization_id, id, external_id, type, status, processing_status, epoch, revision, date, tax_date, currency,
	        total_amount, subtotal, total_discount, customer_id, marketplace, exempt_sent, exempt, source, total_tax_amount_imported, tax_rate_imported,
	        total_tax_amount_calculated, tax_rate_calculated, total_tax_liability_amount, tax_liability_source, taxable_amount,
	        destination_currency, conversion_rate, city, state, postal_code, country, address_status, ambiguous, place, content_version, created_at, updated_at)
	 SELECT $1, id, 'ORDER-' || n, CASE WHEN note THEN 'PARTIAL_CREDIT_NOTE' ELSE 'SALE' END, 'COMMITTED', 'PROCESSED', 1, 1, day, day, 'USD',
	        subtotal + collected, subtotal, 0, 'cust_' || repeat('0', 26), marketplace, 'NOT_EXEMPT', 'NOT_EXEMPT', 'API', collected, 0,
	        state + city + district, 0.08875, CASE WHEN marketplace THEN 0 ELSE state + city + district END, 'CALCULATED', net,
	        'USD', 1, 'New York', 'NY', '10118', 'US', 'VERIFIED', false, '{"country":"US","state":"NY"}', '2026.11.1', now(), now()
	   FROM sold`,
	`INSERT INTO transaction_items (organization_id, transaction_id, line_no, id, date, external_product_id, product_id, quantity, amount, total_discount,
	        tax_amount_imported, tax_rate_imported, tax_amount_calculated, tax_rate_calculated, taxable_amount, exempt_sent, exempt, tax_items)
	 SELECT $1, s.id, 0, 'txi_' || lpad(s.n::text, 26, '0'), s.day, p.external_id, p.id, 1, s.subtotal, 0, s.collected, 0, s.state + s.city + s.district, 0.08875,
	        s.net, false, false, jsonb_build_array(
	          jsonb_build_object('type', 'CALCULATED', 'rule_id', 'us-ny-general', 'name', 'New York sales tax', 'jurisdiction_type', 'STATE',
	            'jurisdiction_name', 'New York', 'rate', '0.04', 'amount', s.state::text, 'taxable_amount', s.net::text, 'reason', 'TAXABLE'),
	          jsonb_build_object('type', 'CALCULATED', 'rule_id', 'us-ny-nyc-general', 'name', 'New York City sales tax', 'jurisdiction_type', 'CITY',
	            'jurisdiction_name', 'New York City', 'rate', '0.045', 'amount', s.city::text, 'taxable_amount', s.net::text, 'reason', 'TAXABLE'),
	          jsonb_build_object('type', 'CALCULATED', 'rule_id', 'us-ny-mctd-general', 'name', 'MCTD sales tax', 'jurisdiction_type', 'SPECIAL',
	            'jurisdiction_name', 'Metropolitan Commuter Transportation District', 'rate', '0.00375', 'amount', s.district::text, 'taxable_amount', s.net::text, 'reason', 'TAXABLE'))
	   FROM sold s JOIN products p ON p.organization_id = $1 AND p.external_id = 'P-1'`,
	`INSERT INTO transaction_explanations (organization_id, transaction_id, epoch, body)
	 SELECT $1, id, 1, '{"jurisdictions":[
	   {"jurisdiction_type":"STATE","jurisdiction_name":"New York","country":"US","state":"NY","code":"36"},
	   {"jurisdiction_type":"CITY","jurisdiction_name":"New York City","country":"US","state":"NY","code":"8081"},
	   {"jurisdiction_type":"SPECIAL","jurisdiction_name":"Metropolitan Commuter Transportation District","country":"US","state":"NY","code":"8061"}]}'
	   FROM sold`,
	`INSERT INTO transaction_totals (organization_id, transaction_id, epoch, country_code, state_code, member_code, tax_date, marketplace, currency,
	        sales, taxable, tax, collected, liability)
	 SELECT $1, id, 1, 'US', 'NY', 'US', day, marketplace, 'USD', net, net, state + city + district, collected,
	        CASE WHEN marketplace THEN 0 ELSE state + city + district END
	   FROM sold`,
}

// SellInNewYork writes n processed sales of January 2026 at once, one statement for
// each table, so that a million of them take a minute or two.
func SellInNewYork(ctx context.Context, conn *pgx.Conn, organizationID string, n int) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		for i, sql := range soldInNewYork {
			argument := any(organizationID)
			if i == 1 { // the one that counts
				argument = n
			}
			if _, err := tx.Exec(ctx, sql, argument); err != nil {
				return err
			}
		}
		return nil
	})
}
