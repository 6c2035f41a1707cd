-- +goose NO TRANSACTION
-- +goose Up
-- What of a registration is a credit or a prepayment is read by every return of it.
DROP INDEX CONCURRENTLY IF EXISTS filings_credit;
CREATE INDEX CONCURRENTLY filings_credit ON filings (organization_id, registration_id, end_date)
  WHERE status = 'FILED' AND CASE WHEN filing_category = 'PREPAYMENT' THEN tax_remitted ELSE amount_credit_carried END
    > credit_used + credit_claimed;
