-- +goose Up
-- What happened to the records of an organization, in an order that never changes (see store/events). A row is written in
-- the database transaction of the change. Its number is drawn after that transaction has its id: so every transaction that
-- began to write after a number was seen draws a higher one, which is how readers know what can still appear.
CREATE SEQUENCE event_sequence;

CREATE TABLE events (
  organization_id ident NOT NULL,
  sequence        bigint NOT NULL DEFAULT (CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('event_sequence') END),
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  type            text NOT NULL,
  object_id       ident NOT NULL,
  -- What the answer is made from: the row as the change left it, and the former values of the columns that it changed. Of
  -- a transaction only what its processing changes: lines and addresses are with the transaction.
  record          jsonb NOT NULL,
  previous        jsonb,
  request_id      text,                                            -- NULL: that of the audit trail, see written_by
  written_by      xid8 NOT NULL DEFAULT pg_current_xact_id(),      -- the database transaction
  PRIMARY KEY (organization_id, sequence, created_at)
) PARTITION BY RANGE (created_at);

-- Whoever asks for seldom types does not read past those that every sale has.
CREATE INDEX events_seldom ON events (organization_id, sequence)
  WHERE type NOT IN ('transaction.created', 'transaction.updated', 'transaction.processed', 'transaction.locked');

-- What no day of its own was made for: nothing, unless the daily job has not run for weeks.
CREATE TABLE events_unplanned PARTITION OF events DEFAULT;

ALTER TABLE events ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON events USING (organization_id = ANY (
  (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]));

-- The request of an event is that of the audit trail, which the same database transaction wrote.
ALTER TABLE audit ADD COLUMN written_by xid8;
ALTER TABLE audit ALTER COLUMN written_by SET DEFAULT pg_current_xact_id();

-- Days are made ahead, and dropped when they are older than what is kept. Only the owner of the tables may do that; who
-- may run these functions may have it done.
-- +goose StatementBegin
CREATE FUNCTION make_event_days(ahead integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  day date;
  name text;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('event days'), 0);
  FOR day IN SELECT today + n FROM generate_series(0, ahead) n LOOP
    name := 'events_' || to_char(day, 'YYYYMMDD');
    CONTINUE WHEN to_regclass(name) IS NOT NULL OR EXISTS (
      SELECT FROM events_unplanned u WHERE u.created_at >= day::timestamp AT TIME ZONE 'UTC' AND u.created_at < (day + 1)::timestamp AT TIME ZONE 'UTC');
    EXECUTE format('CREATE TABLE %I (LIKE events INCLUDING ALL)', name);
    EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name,
      day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
    made := made + 1;
  END LOOP;
  RETURN made;
END $$;

CREATE FUNCTION drop_event_days(kept integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  before date := (now() AT TIME ZONE 'UTC')::date - kept;
  name text;
  dropped integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('event days'), 0);
  FOR name IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'events'::regclass AND c.relname ~ '^events_[0-9]{8}$' AND to_date(right(c.relname, 8), 'YYYYMMDD') < before
     ORDER BY 1
  LOOP
    EXECUTE format('DROP TABLE %I', name);
    dropped := dropped + 1;
  END LOOP;
  DELETE FROM events_unplanned WHERE created_at < before::timestamp AT TIME ZONE 'UTC';
  RETURN dropped;
END $$;

DO $$
BEGIN
  -- A statement that waits for the table holds up all that come after it.
  EXECUTE format('ALTER FUNCTION make_event_days(integer) SET search_path = %I, pg_temp SET lock_timeout = ''1s''', current_schema());
  EXECUTE format('ALTER FUNCTION drop_event_days(integer) SET search_path = %I, pg_temp SET lock_timeout = ''1s''', current_schema());
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION make_event_days(integer), drop_event_days(integer) FROM PUBLIC;
SELECT make_event_days(30);
