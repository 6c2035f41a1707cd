-- +goose NO TRANSACTION
-- +goose Up
-- Who changes a record writes its events: triggers do it, so that no way of changing it can forget them. They act as the
-- owner of the table of events: the role of the API sees rows of it only where a statement names it.
-- Each trigger is made in a database transaction of its own: with the locks of two tables it would wait for statements that
-- write both, while those wait for it. What an attempt that waited too long has made is made again.

-- An exemption is announced once for each last day, a return once when it can be approved.
ALTER TABLE exemptions ADD COLUMN IF NOT EXISTS announced_end date;
ALTER TABLE filings ADD COLUMN IF NOT EXISTS announced_at timestamptz;

-- What a change of a record is called; NULL for one that nobody is told of.
CREATE OR REPLACE FUNCTION event_types(kind text, was jsonb, now jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE kind
    WHEN 'organization' THEN ARRAY[CASE WHEN was ->> 'status' <> now ->> 'status' AND now ->> 'status' = 'ARCHIVED' THEN 'archived' ELSE 'updated' END]
    WHEN 'product' THEN ARRAY[CASE WHEN was ->> 'status' <> now ->> 'status' AND now ->> 'status' = 'ARCHIVED' THEN 'archived' ELSE 'updated' END]
    WHEN 'api_key' THEN array_remove(ARRAY[
      CASE WHEN was ->> 'rotated_to' IS NULL AND now ->> 'rotated_to' IS NOT NULL THEN 'rotated' END,
      CASE WHEN was ->> 'revoked_at' IS NULL AND now ->> 'revoked_at' IS NOT NULL THEN 'revoked' END], NULL)
    WHEN 'exemption' THEN ARRAY[CASE
      WHEN was ->> 'status' <> now ->> 'status' AND now ->> 'status' = 'EXPIRED' THEN 'expired'
      WHEN was ->> 'announced_end' IS DISTINCT FROM now ->> 'announced_end' THEN 'expiring'
      ELSE 'updated' END]
    WHEN 'registration' THEN ARRAY[CASE WHEN was ->> 'status' = now ->> 'status' THEN 'updated' ELSE CASE now ->> 'status'
      WHEN 'REGISTERED' THEN 'registered' WHEN 'DEREGISTERED' THEN 'deregistered' WHEN 'CANCELLED' THEN 'cancelled' ELSE 'updated' END END]
    WHEN 'filing' THEN ARRAY[CASE
      WHEN was ->> 'status' <> now ->> 'status' THEN CASE
        WHEN was ->> 'status' = 'UNFILED' AND now ->> 'status' = 'FILING' THEN 'approved'
        WHEN was ->> 'status' = 'PAUSED' AND now ->> 'status' = 'UNFILED' THEN 'resumed'
        WHEN now ->> 'status' IN ('FILED', 'PAUSED', 'SKIPPED', 'CANCELLED', 'ISSUE') THEN lower(now ->> 'status')
        ELSE 'updated' END
      WHEN was ->> 'announced_at' IS NULL AND now ->> 'announced_at' IS NOT NULL THEN 'ready_for_approval'
      ELSE 'updated' END]
    WHEN 'nexus' THEN array_remove(ARRAY[
      CASE WHEN was ->> 'disregarded_at' IS NULL AND now ->> 'disregarded_at' IS NOT NULL THEN 'disregarded'
           WHEN was ->> 'disregarded_at' IS NOT NULL AND now ->> 'disregarded_at' IS NULL THEN 'undisregarded' END,
      CASE WHEN was ->> 'status' <> now ->> 'status' THEN 'status_changed' END], NULL)
    ELSE ARRAY['updated'] END
$$;

-- +goose StatementBegin
-- Arguments: the kind, columns that events do not have, and columns of which a change alone is no event.
--
-- What a database transaction changes of a record in several statements is one change: the setting levy.last_event, which
-- ends with it, has the record and the number of the event that it wrote last, and a further change goes into that event.
CREATE OR REPLACE FUNCTION write_created_events() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  written text;
  n bigint;
BEGIN
  -- Not RETURNING ... INTO, which is an error for several rows.
  WITH told AS (
    INSERT INTO events (organization_id, type, object_id, record)
    SELECT a.organization_id, TG_ARGV[0] || '.created', a.id, to_jsonb(a) - TG_ARGV[1]::text[] FROM added a ORDER BY a.organization_id, a.id
    RETURNING object_id || ' ' || sequence AS event)
  SELECT count(*), max(t.event) INTO n, written FROM told t;
  IF n = 1 THEN
    PERFORM set_config('levy.last_event', written, true);
  END IF;
  RETURN NULL;
END $$;

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

CREATE OR REPLACE FUNCTION write_deleted_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO events (organization_id, type, object_id, record) VALUES (OLD.organization_id, TG_ARGV[0] || '.deleted', OLD.id, to_jsonb(OLD));
  RETURN NULL;
END $$;

-- A nexus record that begins with a status.
CREATE OR REPLACE FUNCTION write_nexus_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO events (organization_id, type, object_id, record, previous)
  VALUES (NEW.organization_id, 'nexus.status_changed', NEW.id, to_jsonb(NEW), '{"status": "NOT_EXPOSED"}');
  RETURN NULL;
END $$;

-- The parts of an organization are written one after the other: the event waits for the end of the database transaction.
CREATE OR REPLACE FUNCTION write_organization_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO events (organization_id, type, object_id, record)
  SELECT o.id, 'organization.created', o.id, to_jsonb(o) - 'name_key' || jsonb_build_object('settings', to_jsonb(s))
    FROM organizations o LEFT JOIN organization_settings s ON s.organization_id = o.id WHERE o.id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION write_settings_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO events (organization_id, type, object_id, record, previous)
  SELECT o.id, 'organization.updated', o.id, to_jsonb(o) - 'name_key' || jsonb_build_object('settings', to_jsonb(NEW)),
         jsonb_build_object('settings', to_jsonb(OLD))
    FROM organizations o WHERE o.id = NEW.organization_id AND to_jsonb(NEW) - 'updated_at' <> to_jsonb(OLD) - 'updated_at';
  RETURN NULL;
END $$;

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
     SELECT 'reminder', NULL WHERE TG_OP = 'UPDATE' AND OLD.reminders < NEW.reminders) t (type, changed)
   WHERE b.organization_id = NEW.organization_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION write_content_events() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO events (organization_id, type, object_id, record)
  SELECT o.id, 'content.activated', NEW.version,
         jsonb_build_object('content_version', NEW.version, 'reason', NEW.reason, 'activated_at', NEW.activated_at)
    FROM organizations o WHERE o.status = 'ACTIVE' ORDER BY o.id;
  RETURN NULL;
END $$;

-- Every sale has these two: they write what processing changes of it without a new version, and leave the rest where it is.
CREATE OR REPLACE FUNCTION write_new_transactions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO events (organization_id, type, object_id, record)
  SELECT a.organization_id, CASE WHEN a.type IN ('SALE', 'ARCHIVE') THEN 'transaction' ELSE 'credit_note' END || '.created', a.id,
         jsonb_build_object('revision', a.revision, 'epoch', a.epoch, 'status', a.status, 'processing_status', a.processing_status,
           'exempt', a.exempt, 'address_status', a.address_status, 'updated_at', a.updated_at)
    FROM added a ORDER BY a.organization_id, a.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION write_changed_transactions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM added a WHERE a.processing_status NOT IN ('ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE', 'FILING_STARTED', 'FILING_DONE')
                  OR a.processing_reason IS NOT NULL) THEN
    RETURN NULL; -- on the way
  END IF;
  INSERT INTO events (organization_id, type, object_id, record, previous)
  SELECT c.organization_id, c.type, c.id, c.record, c.previous
    FROM (
      SELECT a.organization_id, a.id, CASE WHEN a.processing_status = 'LOCKED' AND r.processing_status = 'FILING_DONE'
           -- A return may lock very many; what else they show stays as it is from now on.
           THEN jsonb_build_object('revision', a.revision, 'epoch', a.epoch, 'status', a.status, 'processing_status', a.processing_status,
                  'refund_status', a.refund_status, 'updated_at', a.updated_at, 'rest', true)
           ELSE jsonb_strip_nulls(jsonb_build_object('revision', a.revision, 'epoch', a.epoch, 'status', a.status,
           'processing_status', a.processing_status, 'processing_reason', a.processing_reason, 'refund_status', a.refund_status,
           'filing_id', a.filing_id, 'updated_at', a.updated_at, 'address_status', a.address_status, 'exempt', a.exempt,
           'ambiguous', a.ambiguous, 'city', a.city, 'county', a.county, 'state', a.state, 'postal_code', a.postal_code,
           'country', a.country, 'content_version', a.content_version, 'certainty', a.certainty, 'total_tax_amount_calculated', a.total_tax_amount_calculated,
           'tax_rate_calculated', a.tax_rate_calculated, 'total_tax_liability_amount', a.total_tax_liability_amount,
           'tax_liability_source', a.tax_liability_source, 'taxable_amount', a.taxable_amount,
           'destination_currency', a.destination_currency, 'conversion_rate', a.conversion_rate)) END AS record,
             CASE WHEN a.processing_status = 'LOCKED' AND r.processing_status = 'FILING_DONE' THEN jsonb_build_object('processing_status', r.processing_status)
                  WHEN a.revision = r.revision THEN jsonb_build_object('status', r.status, 'processing_status', r.processing_status,
                    'processing_reason', r.processing_reason, 'refund_status', r.refund_status, 'filing_id', r.filing_id)
                  ELSE to_jsonb(r) - '{place,origin,sent}'::text[] END AS previous,
             CASE
               WHEN a.revision <> r.revision THEN CASE WHEN a.type IN ('SALE', 'ARCHIVE') THEN 'transaction' ELSE 'credit_note' END || '.updated'
               WHEN a.status = 'ARCHIVED' AND r.status <> 'ARCHIVED' THEN 'transaction.archived'
               WHEN a.processing_status <> r.processing_status AND (
                      a.processing_status = 'PROCESSED' AND r.processing_status = 'NEXUS_DONE' OR a.processing_status = 'EXCLUDED_IN_CALCULATION')
                 THEN CASE WHEN a.type IN ('SALE', 'ARCHIVE') THEN 'transaction' ELSE 'credit_note' END || '.processed'
               WHEN a.processing_status = 'NEEDS_REFETCH' AND r.processing_status <> 'NEEDS_REFETCH'
                 OR a.processing_reason IS NOT NULL AND r.processing_reason IS NULL AND a.processing_status <> 'NEEDS_REFETCH'
                    AND a.processing_status = r.processing_status THEN 'transaction.needs_attention'
               WHEN a.processing_status = 'LOCKED' AND r.processing_status <> 'LOCKED' THEN 'transaction.locked'
               WHEN a.status <> r.status OR a.refund_status IS DISTINCT FROM r.refund_status
                 THEN CASE WHEN a.type IN ('SALE', 'ARCHIVE') THEN 'transaction' ELSE 'credit_note' END || '.updated'
             END AS type
        FROM added a JOIN removed r ON r.organization_id = a.organization_id AND r.id = a.id) c
   WHERE c.type IS NOT NULL ORDER BY c.organization_id, c.id;
  RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
DECLARE
  f regprocedure;
BEGIN
  -- Plans are kept: statements of the service are planned anew each time, and these are the same for every table.
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p
            WHERE p.pronamespace = current_schema()::regnamespace AND p.prosecdef AND p.proname LIKE 'write\_%' LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp SET plan_cache_mode = force_generic_plan', f, current_schema());
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', f);
  END LOOP;
END $$;
-- +goose StatementEnd

DROP TRIGGER IF EXISTS organizations_write_created ON organizations;
CREATE CONSTRAINT TRIGGER organizations_write_created AFTER INSERT ON organizations DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION write_organization_event();
CREATE OR REPLACE TRIGGER organizations_write_changed AFTER UPDATE ON organizations FOR EACH ROW
  WHEN (OLD.onboarding_status = NEW.onboarding_status) EXECUTE FUNCTION write_changed_event('organization', '{name_key}', '{updated_at}');
CREATE OR REPLACE TRIGGER organization_settings_write_changed AFTER UPDATE ON organization_settings FOR EACH ROW EXECUTE FUNCTION write_settings_event();

DROP TRIGGER IF EXISTS onboardings_write_created ON onboardings;
CREATE CONSTRAINT TRIGGER onboardings_write_created AFTER INSERT ON onboardings DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.completed = 1) EXECUTE FUNCTION write_onboarding_event();
CREATE OR REPLACE TRIGGER onboardings_write_changed AFTER UPDATE ON onboardings FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR OLD.completed < NEW.completed OR OLD.reminders < NEW.reminders) EXECUTE FUNCTION write_onboarding_event();

CREATE OR REPLACE TRIGGER api_keys_write_created AFTER INSERT ON api_keys REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_created_events('api_key', '{hash}');
CREATE OR REPLACE TRIGGER api_keys_write_changed AFTER UPDATE OF rotated_to, revoked_at ON api_keys
  FOR EACH ROW EXECUTE FUNCTION write_changed_event('api_key', '{hash}', '{last_used_at}');

CREATE OR REPLACE TRIGGER products_write_created AFTER INSERT ON products REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_created_events('product', '{}');
CREATE OR REPLACE TRIGGER products_write_changed AFTER UPDATE ON products FOR EACH ROW EXECUTE FUNCTION write_changed_event('product', '{}', '{updated_at}');

CREATE OR REPLACE TRIGGER customers_write_created AFTER INSERT ON customers REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_created_events('customer', '{}');
CREATE OR REPLACE TRIGGER customers_write_changed AFTER UPDATE ON customers FOR EACH ROW EXECUTE FUNCTION write_changed_event('customer', '{}', '{updated_at}');

CREATE OR REPLACE TRIGGER exemptions_write_created AFTER INSERT ON exemptions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_created_events('exemption', '{}');
CREATE OR REPLACE TRIGGER exemptions_write_changed AFTER UPDATE ON exemptions FOR EACH ROW EXECUTE FUNCTION write_changed_event('exemption', '{}', '{updated_at}');

CREATE OR REPLACE TRIGGER transactions_write_created AFTER INSERT ON transactions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_new_transactions();
CREATE OR REPLACE TRIGGER transactions_write_changed AFTER UPDATE ON transactions REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_changed_transactions();

CREATE OR REPLACE TRIGGER physical_nexus_write_created AFTER INSERT ON physical_nexus REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_created_events('physical_nexus', '{}');
CREATE OR REPLACE TRIGGER physical_nexus_write_changed AFTER UPDATE ON physical_nexus
  FOR EACH ROW EXECUTE FUNCTION write_changed_event('physical_nexus', '{}', '{updated_at}');
CREATE OR REPLACE TRIGGER physical_nexus_write_deleted AFTER DELETE ON physical_nexus FOR EACH ROW EXECUTE FUNCTION write_deleted_event('physical_nexus');

CREATE OR REPLACE TRIGGER nexus_records_write_created AFTER INSERT ON nexus_records FOR EACH ROW
  WHEN (NEW.status <> 'NOT_EXPOSED') EXECUTE FUNCTION write_nexus_event();
CREATE OR REPLACE TRIGGER nexus_records_write_changed AFTER UPDATE ON nexus_records FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR (OLD.disregarded_at IS NULL) <> (NEW.disregarded_at IS NULL))
  EXECUTE FUNCTION write_changed_event('nexus', '{}', '{updated_at}');

CREATE OR REPLACE TRIGGER registrations_write_created AFTER INSERT ON registrations REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_created_events('registration', '{password,password_metadata}');
CREATE OR REPLACE TRIGGER registrations_write_changed AFTER UPDATE ON registrations FOR EACH ROW WHEN (OLD.updated_at <> NEW.updated_at OR OLD.status <> NEW.status)
  EXECUTE FUNCTION write_changed_event('registration', '{password,password_metadata}',
    '{updated_at,next_check_at,changed,attempt,authority,authority_reference}');

CREATE OR REPLACE TRIGGER filings_write_created AFTER INSERT ON filings REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_created_events('filing', '{}');
CREATE OR REPLACE TRIGGER filings_write_changed AFTER UPDATE ON filings FOR EACH ROW
  WHEN (OLD.updated_at <> NEW.updated_at OR OLD.status <> NEW.status OR OLD.announced_at IS DISTINCT FROM NEW.announced_at)
  EXECUTE FUNCTION write_changed_event('filing', '{}',
    '{updated_at,next_check_at,attempt,claimed_at,locked_at,report_hash,reminders,planned}');

CREATE OR REPLACE TRIGGER content_activations_write AFTER INSERT ON content_activations FOR EACH ROW EXECUTE FUNCTION write_content_events();
