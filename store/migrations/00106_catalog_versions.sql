-- +goose Up
-- Processes keep in memory what estimates have read of an organization: products, customers, exemptions. Before each use they
-- read whether any of it has changed since, in one statement with what they do not have. A change of what estimates read of a
-- record that is there appends a random number in its own database transaction. All numbers of an organization together, by
-- XOR, are its version: they tell a state of its records from every other, also after a restore, which would set a count
-- back. Records that are new change nothing: what was not found is not kept.
--
-- As with the counts of lists no writer waits for another, and from time to time the numbers are rolled up, which does not
-- change the version.
CREATE TABLE catalog_version_changes (
  organization_id ident NOT NULL,
  token           bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX catalog_version_changes_organization ON catalog_version_changes (organization_id);

CREATE TABLE catalog_versions (
  organization_id ident PRIMARY KEY,
  token           bigint NOT NULL
) WITH (fillfactor = 70);

-- +goose StatementBegin
CREATE FUNCTION change_catalog_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO catalog_version_changes (organization_id, token)
  VALUES (CASE TG_OP WHEN 'INSERT' THEN NEW.organization_id ELSE OLD.organization_id END, hashtextextended(gen_random_uuid()::text, 0));
  RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER products_change_version AFTER UPDATE ON products FOR EACH ROW
  WHEN ((OLD.external_id, OLD.tax_class, OLD.classification, OLD.tax_exempt)
        IS DISTINCT FROM (NEW.external_id, NEW.tax_class, NEW.classification, NEW.tax_exempt))
  EXECUTE FUNCTION change_catalog_version();
CREATE TRIGGER products_end_version AFTER DELETE ON products FOR EACH ROW EXECUTE FUNCTION change_catalog_version();

CREATE TRIGGER customers_change_version AFTER UPDATE ON customers FOR EACH ROW
  WHEN ((OLD.id, OLD.external_id, OLD.tax_registrations) IS DISTINCT FROM (NEW.id, NEW.external_id, NEW.tax_registrations))
  EXECUTE FUNCTION change_catalog_version();
CREATE TRIGGER customers_end_version AFTER DELETE ON customers FOR EACH ROW EXECUTE FUNCTION change_catalog_version();

-- Exemptions made for one transaction are none of an estimate.
CREATE TRIGGER exemptions_begin_version AFTER INSERT ON exemptions FOR EACH ROW
  WHEN (NEW.customer_id IS NOT NULL AND NEW.transaction_id IS NULL)
  EXECUTE FUNCTION change_catalog_version();
CREATE TRIGGER exemptions_change_version AFTER UPDATE ON exemptions FOR EACH ROW
  WHEN ((OLD.transaction_id IS NULL OR NEW.transaction_id IS NULL) AND
        (OLD.id, OLD.customer_id, OLD.transaction_id, OLD.exemption_type, OLD.start_date, OLD.end_date, OLD.country_code,
         OLD.jurisdiction, OLD.reseller, OLD.status) IS DISTINCT FROM
        (NEW.id, NEW.customer_id, NEW.transaction_id, NEW.exemption_type, NEW.start_date, NEW.end_date, NEW.country_code,
         NEW.jurisdiction, NEW.reseller, NEW.status))
  EXECUTE FUNCTION change_catalog_version();
CREATE TRIGGER exemptions_end_version AFTER DELETE ON exemptions FOR EACH ROW
  WHEN (OLD.transaction_id IS NULL) EXECUTE FUNCTION change_catalog_version();
