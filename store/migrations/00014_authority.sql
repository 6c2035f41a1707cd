-- +goose Up

-- What the simulated authority has received, one row for each submission: a
-- submission that is repeated gets the answer of the first.
CREATE TABLE sandbox_submissions (
  organization_id ident NOT NULL REFERENCES organizations (id),
  kind            text NOT NULL CHECK (kind IN ('RETURN', 'REGISTRATION', 'DEREGISTRATION')),
  record_id       ident NOT NULL,
  attempt         integer NOT NULL CHECK (attempt > 0),
  digest          text NOT NULL,
  answer          jsonb NOT NULL,
  decides_after   interval NOT NULL,
  contacts        integer NOT NULL DEFAULT 1,
  received_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, kind, record_id, attempt)
);

-- Whether a return is approved by the timer is a matter of the organization too: when
-- that changes, the workflows of its filings look again.
-- +goose StatementBegin
CREATE FUNCTION wake_filings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE filings SET next_check_at = now() WHERE organization_id = NEW.organization_id AND status = 'UNFILED';
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER organization_details_wake_filings AFTER UPDATE OF auto_file ON organization_details FOR EACH ROW
  WHEN (OLD.auto_file IS DISTINCT FROM NEW.auto_file) EXECUTE FUNCTION wake_filings();
CREATE TRIGGER organization_settings_wake_filings AFTER UPDATE OF special_tax_circumstances, filing_lookback_periods ON organization_settings FOR EACH ROW
  WHEN (OLD.special_tax_circumstances IS DISTINCT FROM NEW.special_tax_circumstances OR OLD.filing_lookback_periods IS DISTINCT FROM NEW.filing_lookback_periods)
  EXECUTE FUNCTION wake_filings();
