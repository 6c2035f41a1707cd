-- +goose Up
-- levy: quick
-- The person, device and connection of the call that has an authority file a return, encrypted, where the authority requires
-- them. A row lives while its return is FILING: the trigger deletes it whichever release settles the return, and by which way.
CREATE TABLE filing_connections (
  organization_id ident NOT NULL,
  filing_id       ident NOT NULL,
  attempt         integer NOT NULL CHECK (attempt > 0),
  connection      bytea NOT NULL,    -- encrypted
  PRIMARY KEY (organization_id, filing_id),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);

ALTER TABLE filing_connections ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON filing_connections USING (organization_id = ANY (
  (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]));

-- +goose StatementBegin
CREATE FUNCTION forget_filing_connection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM filing_connections WHERE organization_id = NEW.organization_id AND filing_id = NEW.id;
  RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER filings_connection AFTER UPDATE OF status ON filings
  FOR EACH ROW WHEN (OLD.status = 'FILING' AND NEW.status <> 'FILING') EXECUTE FUNCTION forget_filing_connection();
