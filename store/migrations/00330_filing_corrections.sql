-- +goose Up
-- levy: quick
-- The return of the one-stop shop that has the difference of an amendment, as a correction of its period. A claim writes the rows
-- of its return, and a release deletes them. An amendment is in one return, so nothing is corrected twice. A trigger writes and
-- deletes them, because workers of the release before claim and release returns until the last one ends.
CREATE TABLE filing_corrections (
  organization_id ident NOT NULL,
  amendment_id    ident NOT NULL,
  filing_id       ident NOT NULL,
  PRIMARY KEY (organization_id, amendment_id),
  FOREIGN KEY (organization_id, amendment_id) REFERENCES filings (organization_id, id),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);
CREATE INDEX filing_corrections_filing ON filing_corrections (organization_id, filing_id);

-- +goose StatementBegin
-- A claim locks the registration of its return. It takes as many amendments as mostCorrections of store/filings says.
CREATE FUNCTION keep_corrections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.claimed_at IS NULL THEN
    DELETE FROM filing_corrections WHERE organization_id = NEW.organization_id AND filing_id = NEW.id;
  ELSE
    INSERT INTO filing_corrections (organization_id, amendment_id, filing_id)
    SELECT a.organization_id, a.id, NEW.id FROM filings a
     WHERE a.organization_id = NEW.organization_id AND a.registration_id = NEW.registration_id
       AND a.filing_category = 'AMENDMENT' AND a.status = 'FILED' AND a.end_date < NEW.start_date
       AND NOT EXISTS (
         SELECT FROM filing_corrections c WHERE c.organization_id = a.organization_id AND c.amendment_id = a.id)
     ORDER BY a.end_date, a.id LIMIT 500;
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER filings_corrections AFTER UPDATE OF claimed_at ON filings FOR EACH ROW
  WHEN (NEW.country_code = 'ZZ_EU' AND NEW.filing_category = 'REGULAR' AND NEW.claimed_at IS DISTINCT FROM OLD.claimed_at)
  EXECUTE FUNCTION keep_corrections();
