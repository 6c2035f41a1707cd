-- +goose Up
-- Whatever changes of an onboarding has an event, so that its stream can follow the feed: also a step that is done again or
-- refused, and each step that is undone. What the steps were before is part of previous_attributes.

-- The steps that a database transaction changes, as they were before; null for one that it begins. The onboarding itself is
-- changed last, and its event takes them along.
-- +goose StatementBegin
CREATE FUNCTION keep_former_step() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  former jsonb := coalesce(nullif(current_setting('levy.former_steps', true), '')::jsonb, '{}');
BEGIN
  PERFORM set_config('levy.former_steps', (jsonb_build_object(NEW.organization_id || ' ' || NEW.number,
    CASE WHEN TG_OP = 'UPDATE' THEN to_jsonb(OLD) - 'submission_id' END) || former)::text, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION write_onboarding_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  former jsonb := coalesce(nullif(current_setting('levy.former_steps', true), '')::jsonb, '{}');
  changed jsonb;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT coalesce(jsonb_object_agg(e.key, e.value), '{}') INTO changed FROM jsonb_each(to_jsonb(OLD) - '{version,updated_at,next_check_at}'::text[]) e
     WHERE e.value IS DISTINCT FROM to_jsonb(NEW) -> e.key;
    SELECT changed || jsonb_build_object('steps', jsonb_agg(coalesce(f.step, to_jsonb(p) - 'submission_id') ORDER BY p.number)) INTO changed
      FROM onboarding_steps p CROSS JOIN LATERAL (SELECT former -> (p.organization_id || ' ' || p.number) AS step) f
     WHERE p.organization_id = NEW.organization_id AND f.step IS DISTINCT FROM 'null';
  END IF;
  INSERT INTO events (organization_id, type, object_id, record, previous)
  SELECT b.organization_id, 'onboarding.' || t.type, b.organization_id,
         to_jsonb(b) || jsonb_build_object('name', o.name, 'root', o.parent_organization_id IS NULL, 'unlimited', s.disable_onboarding,
           'progress_at', now(), 'steps', (SELECT jsonb_agg(to_jsonb(p) - 'submission_id' ORDER BY p.number) FROM onboarding_steps p
                                            WHERE p.organization_id = b.organization_id)),
         changed
    FROM onboardings b JOIN organizations o ON o.id = b.organization_id
    JOIN organization_settings s ON s.organization_id = b.organization_id
   CROSS JOIN LATERAL unnest(
     CASE WHEN TG_OP = 'INSERT' THEN '{step_completed}'::text[] ELSE coalesce(nullif(array_remove(ARRAY[
       CASE WHEN OLD.completed < NEW.completed THEN 'step_completed' END,
       CASE WHEN OLD.status <> NEW.status AND NEW.status IN ('COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED') THEN lower(NEW.status) END,
       CASE WHEN OLD.reminded_at IS DISTINCT FROM NEW.reminded_at THEN 'reminder' END], NULL), '{}'), '{updated}') END) t (type)
   WHERE b.organization_id = NEW.organization_id;
  RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION write_onboarding_event() SET search_path = %I, pg_temp SET plan_cache_mode = force_generic_plan', current_schema());
END $$;
-- +goose StatementEnd

CREATE TRIGGER onboarding_steps_keep_former AFTER INSERT OR UPDATE ON onboarding_steps FOR EACH ROW EXECUTE FUNCTION keep_former_step();
CREATE OR REPLACE TRIGGER onboardings_write_changed AFTER UPDATE ON onboardings FOR EACH ROW
  WHEN (OLD.version < NEW.version) EXECUTE FUNCTION write_onboarding_event();
