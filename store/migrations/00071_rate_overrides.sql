-- +goose Up
-- Rates that an organization set for a jurisdiction itself. They are never changed: what ends or was wrong is deleted,
-- with its row in the audit trail, and set anew. Of two for one thing on one day the one set last counts.
CREATE TABLE rate_overrides (
  organization_id   ident NOT NULL REFERENCES organizations (id),
  id                ident NOT NULL,
  jurisdiction_id   text NOT NULL,          -- of the tax content
  country_code      text NOT NULL,
  state_code        text NOT NULL,          -- empty where the country has no states
  jurisdiction_type text NOT NULL,
  jurisdiction_name text NOT NULL,
  tax_class         text NOT NULL,          -- empty: the general rate
  rate              numeric(12, 9) NOT NULL CHECK (rate BETWEEN 0 AND 1),
  start_date        date NOT NULL,
  end_date          date,
  reason            text NOT NULL CHECK (reason <> ''),
  created_at        timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT rate_overrides_days CHECK (end_date IS NULL OR start_date <= end_date)
);
-- New content asks for those of the jurisdictions that it changes.
CREATE INDEX rate_overrides_jurisdiction ON rate_overrides (jurisdiction_id);

ALTER TABLE rate_overrides ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON rate_overrides USING (organization_id = ANY (
  (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]));

-- Estimates use what the principal of a key says: every process hears that it changed.
CREATE TRIGGER rate_overrides_tell AFTER INSERT OR UPDATE OR DELETE ON rate_overrides FOR EACH ROW
  EXECUTE FUNCTION tell_principals('organization_id');
