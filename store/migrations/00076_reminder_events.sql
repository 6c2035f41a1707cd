-- +goose Up
-- After progress the reminders of an onboarding are counted from one again: each of them is an event, also one that is the
-- first for the second time.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION write_onboarding_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO events (organization_id, type, object_id, record, previous)
  SELECT b.organization_id, 'onboarding.' || t.type, b.organization_id,
         to_jsonb(b) || jsonb_build_object('name', o.name, 'root', o.parent_organization_id IS NULL, 'unlimited', s.disable_onboarding,
           'progress_at', now(), 'steps', (SELECT jsonb_agg(to_jsonb(p) - 'submission_id' ORDER BY p.number) FROM onboarding_steps p
                                            WHERE p.organization_id = b.organization_id)),
         CASE WHEN TG_OP = 'UPDATE' THEN t.changed END
    FROM onboardings b JOIN organizations o ON o.id = b.organization_id
    JOIN organization_settings s ON s.organization_id = b.organization_id
   CROSS JOIN LATERAL (
     SELECT 'step_completed', CASE WHEN TG_OP = 'UPDATE' THEN jsonb_build_object('completed', OLD.completed) END
      WHERE TG_OP = 'INSERT' OR OLD.completed < NEW.completed
     UNION ALL
     SELECT lower(NEW.status), jsonb_build_object('status', OLD.status)
      WHERE TG_OP = 'UPDATE' AND OLD.status <> NEW.status AND NEW.status IN ('COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED')
     UNION ALL
     SELECT 'reminder', NULL WHERE TG_OP = 'UPDATE' AND OLD.version < NEW.version AND OLD.reminded_at IS DISTINCT FROM NEW.reminded_at) t (type, changed)
   WHERE b.organization_id = NEW.organization_id;
  RETURN NULL;
END $$;

DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION write_onboarding_event() SET search_path = %I, pg_temp SET plan_cache_mode = force_generic_plan', current_schema());
END $$;
-- +goose StatementEnd

CREATE OR REPLACE TRIGGER onboardings_write_changed AFTER UPDATE ON onboardings FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR OLD.completed < NEW.completed OR OLD.version < NEW.version AND OLD.reminded_at IS DISTINCT FROM NEW.reminded_at)
  EXECUTE FUNCTION write_onboarding_event();
