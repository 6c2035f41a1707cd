-- +goose Up
-- A return is skipped while nothing is owed for its period. When a transaction leaves the period, such as a refund that is
-- archived or gets another date, what remains may owe something, and no stage of processing sees it. One of those that
-- remain is noted then, of the other sign: whoever takes the note sees whether the period needs another return. As a stage
-- does it, the registration is held until the commit, shared and without waiting; while somebody else holds it, the
-- return may be about to be skipped.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION note_skipped() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  undecided text[];
BEGIN
  IF NOT EXISTS (SELECT FROM removed WHERE liability <> 0) THEN
    RETURN NULL;
  END IF;
  SELECT array_agg(h.registration_id) FILTER (WHERE NOT pg_try_advisory_xact_lock_shared(10, hashtext(h.registration_id)))
    INTO undecided
    FROM (SELECT DISTINCT f.registration_id::text
            FROM (SELECT DISTINCT organization_id, country_code, state_code, tax_date FROM removed WHERE liability <> 0) x
            JOIN filings f ON f.organization_id = x.organization_id AND f.country_code = x.country_code
             AND f.state_code = x.state_code AND f.end_date >= x.tax_date
             AND f.start_date BETWEEN x.tax_date - 366 AND x.tax_date -- none has more days, which an index can tell
             AND f.filing_category = 'REGULAR' AND f.status IN ('UNFILED', 'PAUSED', 'ISSUE', 'SKIPPED')) h;
  -- Each period is searched once for each sign, however many of its days something has left. The order lets two
  -- statements that note the same transactions wait for each other, but not both.
  INSERT INTO late_transactions (organization_id, registration_id, transaction_id)
  SELECT DISTINCT p.organization_id, p.registration_id, o.transaction_id
    FROM (
      SELECT DISTINCT f.organization_id, f.registration_id, f.country_code, f.state_code, f.start_date, f.end_date, x.sign
        FROM (SELECT DISTINCT organization_id, country_code, state_code, tax_date, sign(liability) AS sign
                FROM removed WHERE liability <> 0) x
        JOIN filings f ON f.organization_id = x.organization_id AND f.country_code = x.country_code
         AND f.state_code = x.state_code AND f.end_date >= x.tax_date
         AND f.start_date BETWEEN x.tax_date - 366 AND x.tax_date
         AND f.filing_category = 'REGULAR' AND (f.status = 'SKIPPED' OR f.registration_id = ANY (undecided))) p
   CROSS JOIN LATERAL (
     SELECT t.transaction_id FROM transaction_totals t
      WHERE t.organization_id = p.organization_id AND t.country_code = p.country_code AND t.state_code = p.state_code
        AND t.tax_date BETWEEN p.start_date AND p.end_date AND sign(t.liability) = -p.sign LIMIT 1) o
   ORDER BY 1, 2, 3
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE OR REPLACE TRIGGER transaction_totals_note_skipped AFTER DELETE ON transaction_totals
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION note_skipped();
