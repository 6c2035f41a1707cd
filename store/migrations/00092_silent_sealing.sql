-- +goose Up
-- `levy keys seal` encrypts numbers that a version from before stored in clear text. To nobody is that a change of the
-- record: while the setting levy.sealing is on, which ends with its database transaction, no event is written.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION write_changed_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  was jsonb := to_jsonb(OLD) - TG_ARGV[1]::text[];
  is_now jsonb := to_jsonb(NEW) - TG_ARGV[1]::text[];
  silent text[] := TG_ARGV[2]::text[];
  organization text := coalesce(is_now ->> 'organization_id', is_now ->> 'id');
  last_event text := current_setting('levy.last_event', true);
  changed jsonb;
  written text;
  n bigint;
BEGIN
  IF current_setting('levy.sealing', true) = 'on' THEN
    RETURN NULL;
  END IF;
  SELECT jsonb_object_agg(e.key, e.value) INTO changed FROM jsonb_each(was) e
   WHERE e.value IS DISTINCT FROM is_now -> e.key AND e.key <> ALL (silent);
  IF changed IS NULL THEN
    RETURN NULL;
  END IF;
  IF split_part(last_event, ' ', 1) = is_now ->> 'id' THEN
    UPDATE events e
       SET record = is_now, previous = changed || e.previous, -- of a new record there is none
           type = CASE WHEN e.previous IS NULL THEN e.type
                       ELSE coalesce(TG_ARGV[0] || '.' || (event_types(TG_ARGV[0], is_now || changed || e.previous, is_now))[1], e.type) END
     WHERE e.organization_id = organization AND e.sequence = split_part(last_event, ' ', 2)::bigint AND e.created_at >= now();
    IF FOUND THEN
      RETURN NULL;
    END IF;
  END IF;
  WITH told AS (
    INSERT INTO events (organization_id, type, object_id, record, previous)
    SELECT organization, TG_ARGV[0] || '.' || t, is_now ->> 'id', is_now, changed FROM unnest(event_types(TG_ARGV[0], was, is_now)) t
    RETURNING object_id || ' ' || sequence AS event)
  SELECT count(*), max(t.event) INTO n, written FROM told t;
  IF n = 1 THEN
    PERFORM set_config('levy.last_event', written, true);
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION write_changed_event() SET search_path = %I, pg_temp SET plan_cache_mode = force_generic_plan', current_schema());
END $$;
-- +goose StatementEnd
