-- +goose Up
-- The watch of webhooks reads what happened lately in all organizations. Days that are over do not need the index; days
-- that are made later have it by the table. Those that were made ahead are empty: only of today rows are read for it, which
-- takes a second for a million.
CREATE INDEX IF NOT EXISTS events_sequence ON ONLY events (sequence);
-- +goose StatementBegin
DO $$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  day text;
BEGIN
  FOR day IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'events'::regclass
       AND CASE WHEN c.relname ~ '^events_[0-9]{8}$' THEN to_date(right(c.relname, 8), 'YYYYMMDD') ELSE today END >= today
     ORDER BY 1
  LOOP
    EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON %I (sequence)', day || '_sequence_idx', day);
    EXECUTE format('ALTER INDEX events_sequence ATTACH PARTITION %I', day || '_sequence_idx');
  END LOOP;
END $$;
-- +goose StatementEnd
