-- +goose Up
-- One plan of an organization writes after the other, whatever its returns are. Plans of several organizations have
-- these in the order of their ids in every release: none wait for each other.
-- +goose StatementBegin
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
-- +goose StatementEnd
