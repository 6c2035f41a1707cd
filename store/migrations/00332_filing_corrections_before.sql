-- +goose Up
-- levy: quick
-- People have entered these differences in the return that was claimed first after them, as its warning said. This is not in the
-- transaction of migration 330: claims would wait while it reads all returns. What was claimed meanwhile has left them to that one.
INSERT INTO filing_corrections (organization_id, amendment_id, filing_id)
SELECT a.organization_id, a.id, r.id
  FROM filings a
 CROSS JOIN LATERAL (
   SELECT f.id FROM filings f
    WHERE f.organization_id = a.organization_id AND f.registration_id = a.registration_id AND f.filing_category = 'REGULAR'
      AND f.start_date > a.end_date AND f.claimed_at >= a.filed_at
    ORDER BY f.claimed_at, f.id LIMIT 1) r
 WHERE a.country_code = 'ZZ_EU' AND a.filing_category = 'AMENDMENT' AND a.status = 'FILED'
    ON CONFLICT (organization_id, amendment_id) DO UPDATE SET filing_id = excluded.filing_id;
