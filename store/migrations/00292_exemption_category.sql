-- +goose Up
-- levy: quick
-- Why a buyer is exempt, in the words of returns. NULL: no one has said it, and that of a reseller is RESALE.
ALTER TABLE exemptions ADD COLUMN exemption_category text;

-- Processes keep exemptions in memory for estimates, whose explanations have the category.
DROP TRIGGER exemptions_change_version ON exemptions;
CREATE TRIGGER exemptions_change_version AFTER UPDATE ON exemptions FOR EACH ROW
  WHEN ((OLD.transaction_id IS NULL OR NEW.transaction_id IS NULL) AND
        (OLD.id, OLD.customer_id, OLD.transaction_id, OLD.exemption_type, OLD.start_date, OLD.end_date, OLD.country_code,
         OLD.jurisdiction, OLD.reseller, OLD.status, OLD.exemption_category) IS DISTINCT FROM
        (NEW.id, NEW.customer_id, NEW.transaction_id, NEW.exemption_type, NEW.start_date, NEW.end_date, NEW.country_code,
         NEW.jurisdiction, NEW.reseller, NEW.status, NEW.exemption_category))
  EXECUTE FUNCTION change_catalog_version();
