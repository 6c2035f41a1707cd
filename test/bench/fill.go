package main

import (
	"context"
	"fmt"
	"time"
)

// fillChunk is how many transactions one statement of a fill writes.
const fillChunk = 25000

// fillStates are destinations, the frequent ones more often.
const fillStates = `ARRAY[
	'CA','CA','CA','CA','CA','CA','TX','TX','TX','TX','FL','FL','FL','NY','NY','NY','PA','PA','IL','IL',
	'OH','GA','NC','MI','NJ','VA','WA','AZ','MA','TN','IN','MD','MO','WI','CO','MN','SC','AL','LA','KY','OR','OK',
	'CT','UT','IA','NV','AR','MS','KS','NM','NE','ID','WV','HI','ME','RI','SD','ND','DC','VT','WY']`

// fills write processed sales of one line and one address, twenty for each customer, as if they had come in over a
// year. They write the numbers from $2 to $3 of $4 in all.
var fills = []string{
	`INSERT INTO customers (organization_id, id, external_id, name, status, address_status, source, tax_registrations,
	        created_at, updated_at)
	 SELECT $1, 'cust_' || lpad(n::text, 26, '0'), 'FILL-' || n, 'Customer ' || lpad(n::text, 9, '0'), 'ACTIVE', 'BLANK',
	        'API', '[]', now(), now()
	   FROM generate_series($2::bigint / 20, $3::bigint / 20) n WHERE $4::bigint > 0 ON CONFLICT DO NOTHING`,
	`INSERT INTO transactions (organization_id, id, external_id, type, status, processing_status, epoch, revision, date,
	        tax_date, currency, total_amount, subtotal, total_discount, customer_id, marketplace, exempt_sent, exempt,
	        source, connection_id, total_tax_amount_imported, tax_rate_imported, total_tax_amount_calculated,
	        tax_rate_calculated, total_tax_liability_amount, tax_liability_source, taxable_amount, destination_currency,
	        conversion_rate, city, county, state, postal_code, country, address_status, ambiguous, content_version,
	        created_at, updated_at)
	 SELECT $1, 'txn_' || lpad(n::text, 26, '0'), 'FILL-' || lpad((n * 7919 % 100000007)::text, 12, '0'), 'SALE',
	        CASE WHEN n % 500 = 0 THEN 'CANCELLED' WHEN n % 50 = 0 THEN 'PENDING' ELSE 'COMMITTED' END,
	        CASE WHEN n % 500 = 0 THEN 'EXCLUDED_IN_CALCULATION' WHEN n % 50 = 0 THEN 'PENDING' ELSE 'PROCESSED' END, 1, 1,
	        d, d::date, 'USD', (n * 31 % 50000) / 100.0, 100, 0, 'cust_' || lpad((n / 20)::text, 26, '0'),
	        n % 11 = 0, 'NOT_EXEMPT',
	        CASE WHEN n % 37 = 0 THEN 'FULLY_EXEMPT' ELSE 'NOT_EXEMPT' END, 'API',
	        CASE WHEN n % 4 = 0 THEN 'shop-2' ELSE 'shop-1' END,
	        8.88, 0, 8.88, 0.08875, 8.88, 'CALCULATED', 100, 'USD', 1, 'New York', 'New York County',
	        (` + fillStates + `)[n * 17 % 61 + 1], '10118', 'US',
	        CASE WHEN n % 50 = 7 THEN 'PARTIALLY_VERIFIED' ELSE 'VERIFIED' END, false, 'fill', d, d
	   FROM (SELECT n, date_trunc('day', now()) - interval '365 days' + (n - $4) * interval '365 days' / $5 AS d
	           FROM generate_series($2::bigint, $3::bigint) n) g`,
	`INSERT INTO transaction_items (organization_id, transaction_id, line_no, id, date, external_product_id, product_id,
	        external_id, quantity, amount, total_discount, tax_amount_imported, tax_rate_imported, tax_amount_calculated,
	        tax_rate_calculated, taxable_amount, exempt_sent, exempt, tax_items)
	 SELECT t.organization_id, t.id, 0, 'txi_' || right(t.id, 26), t.date, p.external_id, p.id, 'LINE-1', 1, 100, 0, 8.88,
	        0, 8.88, 0.08875, 100, false, false,
	        '[{"rate":"0.040000000","amount":"4.00","name":"New York","type":"CALCULATED","jurisdiction_type":"STATE",
	           "taxable_amount":"100.00","reason":"TAXABLE"},
	          {"rate":"0.048750000","amount":"4.88","name":"New York City","type":"CALCULATED","jurisdiction_type":"CITY",
	           "taxable_amount":"100.00","reason":"TAXABLE"}]'
	   FROM transactions t JOIN products p ON p.organization_id = t.organization_id AND p.external_id = 'PRODUCT-00-1'
	  WHERE t.organization_id = $1
	    AND t.id BETWEEN 'txn_' || lpad($2::bigint::text, 26, '0') AND 'txn_' || lpad($3::bigint::text, 26, '0')`,
	`INSERT INTO transaction_addresses (organization_id, transaction_id, type, id, street_1, city, state, postal_code,
	        country, is_unincorporated, status)
	 SELECT organization_id, id, 'SHIP_TO', 'addr_' || right(id, 26), '350 5th Ave', city, state, postal_code, country,
	        false, 'VERIFIED'
	   FROM transactions WHERE organization_id = $1
	    AND id BETWEEN 'txn_' || lpad($2::bigint::text, 26, '0') AND 'txn_' || lpad($3::bigint::text, 26, '0')`,
}

// fill adds processed sales until the organization has so many of them, spread over a
// year, and waits until the database is idle.
func (b *bench) fill(ctx context.Context, upTo int) error {
	since := b.filled + 1
	if upTo < since {
		return nil
	}
	began := time.Now()
	for first := since; first <= upTo; first += fillChunk {
		last := min(upTo, first+fillChunk-1)
		for i, sql := range fills {
			args := []any{b.organizationID, first, last}
			switch i {
			case 0:
				args = append(args, since)
			case 1:
				args = append(args, since, upTo-since+1)
			}
			if _, err := b.db.Exec(ctx, sql, args...); err != nil {
				return fmt.Errorf("fill: %w", err)
			}
		}
	}
	b.filled = upTo
	b.say("  %d rows written in %.0f s", upTo-since+1, time.Since(began).Seconds())
	for _, sql := range []string{"VACUUM ANALYZE customers, transactions, transaction_items, transaction_addresses",
		"CHECKPOINT"} {
		if _, err := b.db.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return b.rolledUp(ctx)
}

// rolledUp waits until all changes are rolled up into the counts.
func (b *bench) rolledUp(ctx context.Context) error {
	return until(ctx, "counts rolled up", 100*time.Millisecond, 5*time.Minute,
		func(ctx context.Context) (done bool, err error) {
			err = b.db.QueryRow(ctx, "SELECT NOT EXISTS (SELECT FROM transaction_count_changes)").Scan(&done)
			return done, err
		})
}
