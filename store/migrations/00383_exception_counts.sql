-- +goose Up
-- levy: quick
-- Exceptions of sales, returns and places, added up by organization, type and reason. Evaluating those of 10,000 organizations took
-- longer than all the rest of the first page. A process adds them up anew for the organizations of exception_changes. Until then
-- readers evaluate the exceptions of these organizations, so what they show is never late. The changes have a table of their own,
-- because processes of the release before take those of figure_changes and add up no exceptions.
CREATE TABLE exception_changes (
  organization_id ident NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX exception_changes_organization ON exception_changes (organization_id);
-- A publication of all tables refuses a DELETE of rows that it cannot identify. These have no primary key.
ALTER TABLE exception_changes REPLICA IDENTITY FULL;

CREATE TABLE organization_exceptions (
  organization_id ident NOT NULL,
  type            text NOT NULL,
  code            text NOT NULL,
  currency        text NOT NULL, -- empty for none
  n               bigint NOT NULL CHECK (n > 0),
  with_amount     bigint NOT NULL CHECK (with_amount BETWEEN 0 AND n),
  amount          numeric(20,2) CHECK (amount <> 'NaN'),
  since           timestamptz, -- of the oldest
  due             date,        -- of the first that is due
  first_since     timestamptz, -- of the oldest of those with this due day
  first_object_id ident NOT NULL,
  PRIMARY KEY (organization_id, type, code, currency)
) WITH (fillfactor = 70);

-- Until when the counts of an organization hold if nothing changes: a return becomes overdue when a day begins. Readers evaluate the
-- exceptions of organizations without a row, and of those whose time has come.
CREATE TABLE exception_counts (
  organization_id ident PRIMARY KEY,
  until           timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX exception_counts_until ON exception_counts (until);

-- The functions act as the owner, as those of figure_changes do.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION name_figure_changes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO figure_changes (organization_id) SELECT DISTINCT organization_id FROM changed;
  IF TG_TABLE_NAME IN ('filings', 'nexus_records') THEN
    INSERT INTO exception_changes (organization_id) SELECT DISTINCT organization_id FROM changed;
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION name_exception_changes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO exception_changes (organization_id) SELECT DISTINCT organization_id FROM changed;
  RETURN NULL;
END $$;
-- +goose StatementEnd
-- Sales change the amounts of places all the time. Only places where tax is owed without a registration are exceptions.
-- +goose StatementBegin
CREATE FUNCTION name_exposure_changes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO figure_changes (organization_id) SELECT DISTINCT organization_id FROM changed;
  INSERT INTO exception_changes (organization_id)
  SELECT organization_id FROM past WHERE enabled AND nexus_met AND status IN ('EXPOSED', 'PENDING_REGISTRATION')
  UNION
  SELECT organization_id FROM changed WHERE enabled AND nexus_met AND status IN ('EXPOSED', 'PENDING_REGISTRATION');
  RETURN NULL;
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION name_exception_changes() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION name_exposure_changes() FROM PUBLIC;

-- +goose StatementBegin
DO $$
DECLARE
  f text;
BEGIN
  FOREACH f IN ARRAY ARRAY['name_figure_changes', 'name_exception_changes', 'name_exposure_changes'] LOOP
    EXECUTE format('ALTER FUNCTION %I() SET search_path = %I, pg_temp', f, current_schema());
  END LOOP;
END $$;
-- +goose StatementEnd

CREATE OR REPLACE TRIGGER nexus_records_updated_figures AFTER UPDATE ON nexus_records
  REFERENCING OLD TABLE AS past NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_exposure_changes();
CREATE TRIGGER transaction_refetches_inserted_exceptions AFTER INSERT ON transaction_refetches
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_exception_changes();
CREATE TRIGGER transaction_refetches_updated_exceptions AFTER UPDATE ON transaction_refetches
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_exception_changes();
CREATE TRIGGER transaction_refetches_deleted_exceptions AFTER DELETE ON transaction_refetches
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_exception_changes();
-- What a return that waits comes to is added up later than its sales change.
CREATE TRIGGER filing_amounts_inserted_exceptions AFTER INSERT ON filing_amounts
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_exception_changes();
CREATE TRIGGER filing_amounts_updated_exceptions AFTER UPDATE ON filing_amounts
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_exception_changes();
CREATE TRIGGER filing_amounts_deleted_exceptions AFTER DELETE ON filing_amounts
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_exception_changes();
-- These decide whether the timer approves returns.
CREATE TRIGGER organization_details_inserted_exceptions AFTER INSERT ON organization_details
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_exception_changes();
CREATE TRIGGER organization_details_updated_exceptions AFTER UPDATE ON organization_details
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_exception_changes();
CREATE TRIGGER organization_settings_inserted_exceptions AFTER INSERT ON organization_settings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_exception_changes();
CREATE TRIGGER organization_settings_updated_exceptions AFTER UPDATE ON organization_settings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_exception_changes();

INSERT INTO exception_changes (organization_id) SELECT id FROM organizations;
