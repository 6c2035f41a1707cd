-- +goose Up
-- When something leaves a period that was skipped, what remains may owe something. The nearest that remain on either
-- side of its day are noted: one of them is in the period, if anything is, whatever days that has. So it may also be a
-- period of which a return is only just written as skipped, by somebody who holds the registration, or one that was
-- noted already and waits for what is processed. The one-stop shop leaves out what a return of its own covers, such as
-- the sales at home, which are nearer than all others. The API sees no registrations here, unless it names them.
--
-- When something leaves a period of which the return is claimed, it was an amendment's, or is about to be: it is noted
-- itself, and whoever takes the note sees whether that amendment has anything left.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION note_skipped() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  undecided text[];
BEGIN
  IF NOT EXISTS (SELECT FROM removed) THEN
    RETURN NULL;
  END IF;
  SELECT array_agg(h.id) FILTER (WHERE NOT pg_try_advisory_xact_lock_shared(10, hashtext(h.id)))
    INTO undecided
    FROM (SELECT DISTINCT r.id::text
            FROM (SELECT DISTINCT organization_id, country_code, state_code FROM removed WHERE liability <> 0) x
            JOIN registrations r ON r.organization_id = x.organization_id AND r.country_code = x.country_code
             AND r.state_code = x.state_code) h;
  -- The order lets two statements that note the same transactions wait for each other, but not both.
  INSERT INTO late_transactions (organization_id, registration_id, transaction_id)
  WITH left_of AS MATERIALIZED (
    SELECT x.*, r.id AS registration_id, r.id = ANY (undecided) IS TRUE AS undecided, f.claimed, f.skipped,
           CASE r.oss_type WHEN 'UNION' THEN r.oss_member_state_of_identification_code END AS home
      FROM (SELECT organization_id, country_code, state_code, tax_date, bool_or(liability <> 0) AS owed
              FROM removed GROUP BY 1, 2, 3, 4) x
      JOIN registrations r ON r.organization_id = x.organization_id AND r.country_code = x.country_code
       AND r.state_code = x.state_code
     CROSS JOIN LATERAL (
       SELECT coalesce(bool_or(f.claimed_at IS NOT NULL), false) AS claimed,
              coalesce(bool_or(f.status = 'SKIPPED'), false) AS skipped
         FROM filings f
        WHERE f.organization_id = x.organization_id AND f.registration_id = r.id AND f.filing_category = 'REGULAR'
          AND f.start_date BETWEEN x.tax_date - 366 AND x.tax_date AND f.end_date >= x.tax_date) f)
  SELECT x.organization_id, x.registration_id, o.transaction_id
    FROM left_of x
   CROSS JOIN LATERAL (
     (SELECT t.transaction_id FROM transaction_totals t
       WHERE t.organization_id = x.organization_id AND t.country_code = x.country_code AND t.state_code = x.state_code
         AND t.tax_date BETWEEN x.tax_date - 366 AND x.tax_date AND t.liability <> 0
         AND (t.member_code = x.home) IS NOT TRUE
         AND (t.country_code <> 'ZZ_EU' OR NOT EXISTS (
           SELECT FROM registrations o
            WHERE o.organization_id = t.organization_id AND o.country_code = t.member_code
              AND o.status IN ('REGISTERED', 'DEREGISTERING', 'DEREGISTERED')
              AND t.tax_date BETWEEN o.registration_date AND coalesce(o.deregistration_date, 'infinity')))
       ORDER BY t.tax_date DESC LIMIT 1)
     UNION ALL
     (SELECT t.transaction_id FROM transaction_totals t
       WHERE t.organization_id = x.organization_id AND t.country_code = x.country_code AND t.state_code = x.state_code
         AND t.tax_date BETWEEN x.tax_date + 1 AND x.tax_date + 366 AND t.liability <> 0
         AND (t.member_code = x.home) IS NOT TRUE
         AND (t.country_code <> 'ZZ_EU' OR NOT EXISTS (
           SELECT FROM registrations o
            WHERE o.organization_id = t.organization_id AND o.country_code = t.member_code
              AND o.status IN ('REGISTERED', 'DEREGISTERING', 'DEREGISTERED')
              AND t.tax_date BETWEEN o.registration_date AND coalesce(o.deregistration_date, 'infinity')))
       ORDER BY t.tax_date LIMIT 1)) o -- no period has more days
   WHERE x.owed AND (x.undecided OR x.skipped)
  UNION
  SELECT x.organization_id, x.registration_id, k.transaction_id
    FROM left_of x JOIN removed k USING (organization_id, country_code, state_code, tax_date)
   WHERE x.claimed
   ORDER BY 1, 2, 3
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION note_skipped() SET search_path = %I, pg_temp', current_schema());
END $$;
-- +goose StatementEnd

-- Those that are open already are looked at once.
INSERT INTO late_transactions (organization_id, registration_id, transaction_id)
SELECT f.organization_id, f.registration_id, min(c.transaction_id)
  FROM filings f JOIN filing_causes c ON c.organization_id = f.organization_id AND c.filing_id = f.id
 WHERE f.filing_category = 'AMENDMENT' AND f.status IN ('UNFILED', 'PAUSED')
 GROUP BY 1, 2
ON CONFLICT DO NOTHING;
