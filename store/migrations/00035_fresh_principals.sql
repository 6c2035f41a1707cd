-- +goose Up

-- Processes keep for some seconds what a key stands for: its organization, what that owes and where it is
-- registered. Whatever changes one of these tells all of them, with the database transaction of the change.
-- +goose StatementBegin
CREATE FUNCTION tell_principals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('levy_principals', to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END) ->> TG_ARGV[0]);
  RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER registrations_tell_new AFTER INSERT ON registrations FOR EACH ROW
  WHEN (NEW.status IN ('REGISTERED', 'DEREGISTERING'))
  EXECUTE FUNCTION tell_principals('organization_id');
CREATE TRIGGER registrations_tell AFTER UPDATE ON registrations FOR EACH ROW
  WHEN ((OLD.status, OLD.registration_date, OLD.oss_type, OLD.oss_member_state_of_identification_code)
        IS DISTINCT FROM (NEW.status, NEW.registration_date, NEW.oss_type, NEW.oss_member_state_of_identification_code))
  EXECUTE FUNCTION tell_principals('organization_id');
CREATE TRIGGER nexus_records_tell AFTER UPDATE ON nexus_records FOR EACH ROW
  WHEN ((OLD.enabled, OLD.obliged_from, OLD.obliged_until, OLD.obliged_gaps)
        IS DISTINCT FROM (NEW.enabled, NEW.obliged_from, NEW.obliged_until, NEW.obliged_gaps))
  EXECUTE FUNCTION tell_principals('organization_id');
CREATE TRIGGER organization_settings_tell AFTER UPDATE ON organization_settings FOR EACH ROW
  WHEN ((OLD.rounding_unit, OLD.enable_business_address_fallback)
        IS DISTINCT FROM (NEW.rounding_unit, NEW.enable_business_address_fallback))
  EXECUTE FUNCTION tell_principals('organization_id');
CREATE TRIGGER organization_details_tell_new AFTER INSERT ON organization_details FOR EACH ROW
  WHEN (NEW.place IS NOT NULL)
  EXECUTE FUNCTION tell_principals('organization_id');
CREATE TRIGGER organization_details_tell AFTER UPDATE ON organization_details FOR EACH ROW
  WHEN ((OLD.place, OLD.business_address) IS DISTINCT FROM (NEW.place, NEW.business_address))
  EXECUTE FUNCTION tell_principals('organization_id');
CREATE TRIGGER api_keys_tell AFTER UPDATE OF revoked_at, expires_at ON api_keys FOR EACH ROW
  WHEN ((OLD.revoked_at, OLD.expires_at) IS DISTINCT FROM (NEW.revoked_at, NEW.expires_at))
  EXECUTE FUNCTION tell_principals('organization_id');
CREATE TRIGGER organizations_tell AFTER UPDATE OF status ON organizations FOR EACH ROW
  WHEN (OLD.status <> NEW.status)
  EXECUTE FUNCTION tell_principals('id');
CREATE TRIGGER rate_limits_tell AFTER INSERT OR UPDATE OR DELETE ON rate_limits FOR EACH ROW
  EXECUTE FUNCTION tell_principals('organization_id');
