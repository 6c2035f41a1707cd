-- +goose Up
-- When something leaves a period that was skipped, what remains may owe something. The nearest that remain on either
-- side of its day are noted: one of them is in the period, if anything is, whatever days that has. So it may also be a
-- period of which a return is only just written as skipped, by somebody who holds the registration, or one that was
-- noted already and waits for what is processed. The one-stop shop leaves out what a return of its own covers, such as
-- the sales at home, which are nearer than all others. The API sees no registrations here, unless it names them.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION note_skipped() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  undecided text[];
BEGIN
  IF NOT EXISTS (SELECT FROM removed WHERE liability <> 0) THEN
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
  SELECT DISTINCT x.organization_id, r.id, o.transaction_id
    FROM (SELECT DISTINCT organization_id, country_code, state_code, tax_date FROM removed WHERE liability <> 0) x
    JOIN registrations r ON r.organization_id = x.organization_id AND r.country_code = x.country_code
     AND r.state_code = x.state_code
   CROSS JOIN LATERAL (
     (SELECT t.transaction_id FROM transaction_totals t
       WHERE t.organization_id = x.organization_id AND t.country_code = x.country_code AND t.state_code = x.state_code
         AND t.tax_date BETWEEN x.tax_date - 366 AND x.tax_date AND t.liability <> 0
         AND (r.oss_type = 'UNION' AND r.oss_member_state_of_identification_code = t.member_code) IS NOT TRUE
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
         AND (r.oss_type = 'UNION' AND r.oss_member_state_of_identification_code = t.member_code) IS NOT TRUE
         AND (t.country_code <> 'ZZ_EU' OR NOT EXISTS (
           SELECT FROM registrations o
            WHERE o.organization_id = t.organization_id AND o.country_code = t.member_code
              AND o.status IN ('REGISTERED', 'DEREGISTERING', 'DEREGISTERED')
              AND t.tax_date BETWEEN o.registration_date AND coalesce(o.deregistration_date, 'infinity')))
       ORDER BY t.tax_date LIMIT 1)) o -- no period has more days
   WHERE r.id = ANY (undecided) OR EXISTS (
     SELECT FROM filings f
      WHERE f.organization_id = x.organization_id AND f.registration_id = r.id AND f.filing_category = 'REGULAR'
        AND f.status = 'SKIPPED' AND f.start_date BETWEEN x.tax_date - 366 AND x.tax_date AND f.end_date >= x.tax_date)
   ORDER BY 1, 2, 3
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

-- One plan of an organization writes after the other, whatever its returns are. Plans of several organizations have
-- these in the order of their ids in every release: none wait for each other.
CREATE OR REPLACE FUNCTION keep_planned_apart() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(13, hashtext(NEW.organization_id));
  IF EXISTS (
    SELECT 1 FROM registrations r
      JOIN filings f ON f.organization_id = r.organization_id AND f.registration_id = r.id
     WHERE r.organization_id = NEW.organization_id AND r.country_code = NEW.country_code
       AND r.state_code = NEW.state_code AND r.id <> NEW.registration_id
       AND f.filing_category = NEW.filing_category AND f.status NOT IN ('SKIPPED', 'CANCELLED')
       AND f.start_date <= NEW.end_date AND f.end_date >= NEW.start_date) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;

DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION note_skipped() SET search_path = %I, pg_temp', current_schema());
END $$;
-- +goose StatementEnd
