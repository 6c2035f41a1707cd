-- +goose Up
-- Figures of the first page that would take too long to add up for many organizations when they are read. A process adds
-- them up anew for the organizations of figure_changes, so accepting and processing pay only for the row that names the
-- organization. levy check recounts all of them.
CREATE TABLE figure_changes (
  organization_id ident NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX figure_changes_organization ON figure_changes (organization_id);
-- A publication of all tables refuses a DELETE of rows that it cannot identify. These have no primary key.
ALTER TABLE figure_changes REPLICA IDENTITY FULL;

-- What returns that are not claimed yet add up to.
CREATE TABLE filing_amounts (
  organization_id ident NOT NULL,
  filing_id       ident NOT NULL,
  amount          numeric(20,2) NOT NULL CHECK (amount <> 'NaN'),
  PRIMARY KEY (organization_id, filing_id)
) WITH (fillfactor = 70);

-- FILED: filed returns by the month in which they were due. EXPOSED: tax of days where nexus is met without a
-- registration. UNTAXABLE: sales that cannot be processed, by the month in which this was found.
CREATE TABLE organization_figures (
  organization_id ident NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('FILED', 'EXPOSED', 'UNTAXABLE')),
  month           date NOT NULL CHECK (extract(day FROM month) = 1),
  currency        text NOT NULL,
  amount          numeric(20,2) NOT NULL CHECK (amount <> 'NaN'),
  n               bigint NOT NULL,
  PRIMARY KEY (organization_id, kind, month, currency)
) WITH (fillfactor = 70);

-- The functions act as the owner. The roles of the service get their rights to new tables only after the last migration, and
-- a running release writes before that.
-- +goose StatementBegin
CREATE FUNCTION name_figure_changes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO figure_changes (organization_id) SELECT DISTINCT organization_id FROM changed;
  RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION name_all_figure_changes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF EXISTS (SELECT FROM changed) THEN
    INSERT INTO figure_changes (organization_id) SELECT id FROM organizations;
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION name_figure_changes() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION name_all_figure_changes() FROM PUBLIC;

-- +goose StatementBegin
DO $$
DECLARE
  f text;
BEGIN
  FOREACH f IN ARRAY ARRAY['name_figure_changes', 'name_all_figure_changes'] LOOP
    EXECUTE format('ALTER FUNCTION %I() SET search_path = %I, pg_temp', f, current_schema());
  END LOOP;
END $$;
-- +goose StatementEnd

-- The tables are locked in the order in which a claim writes them.
CREATE TRIGGER filings_inserted_figures AFTER INSERT ON filings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_figure_changes();
CREATE TRIGGER filings_updated_figures AFTER UPDATE ON filings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_figure_changes();
CREATE TRIGGER filings_deleted_figures AFTER DELETE ON filings
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_figure_changes();
CREATE TRIGGER nexus_records_inserted_figures AFTER INSERT ON nexus_records
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_figure_changes();
CREATE TRIGGER nexus_records_updated_figures AFTER UPDATE ON nexus_records
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_figure_changes();
CREATE TRIGGER nexus_records_deleted_figures AFTER DELETE ON nexus_records
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_figure_changes();
-- Returns in euros are converted by these rates.
CREATE TRIGGER fx_rates_figures AFTER INSERT ON fx_rates
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_all_figure_changes();
CREATE TRIGGER fx_rates_updated_figures AFTER UPDATE ON fx_rates
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_all_figure_changes();
-- Counts of sales that are rolled up name every organization whose sales changed, after the sales were committed.
CREATE TRIGGER transaction_count_changes_figures AFTER DELETE ON transaction_count_changes
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_figure_changes();

INSERT INTO figure_changes (organization_id) SELECT id FROM organizations;
