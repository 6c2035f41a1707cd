-- +goose NO TRANSACTION
-- +goose Up
-- Two registrations at one authority, such as one that ended and the one that follows it, may be planned at once, and each
-- reads what there is before the other has written: so one plan of an authority writes after the other, and a return
-- of days for which another registration has one is not made. The next plan makes what is left of them.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION keep_planned_apart() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(13, hashtext(NEW.organization_id || ' ' || NEW.country_code || ' ' || NEW.state_code));
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
-- +goose StatementEnd
CREATE OR REPLACE TRIGGER filings_planned_apart BEFORE INSERT ON filings FOR EACH ROW
  WHEN (NEW.planned) EXECUTE FUNCTION keep_planned_apart();

-- A return that the plan has made is never made again, whatever became of it, unless its registration was to begin
-- later and does not any more.
DROP INDEX CONCURRENTLY IF EXISTS filings_planned_once;
CREATE UNIQUE INDEX CONCURRENTLY filings_planned_once
  ON filings (organization_id, registration_id, filing_category, start_date, end_date)
  WHERE planned AND cancelled_reason IS DISTINCT FROM 'REGISTERED_LATER';
DROP INDEX CONCURRENTLY IF EXISTS filings_planned;
