-- +goose Up

-- How many transactions there are of which kind on which day (UTC), so that a list
-- knows its total and where a page begins without reading what it skips. Only what a
-- transaction keeps while it is under way is counted before it is settled; for the
-- rest, which every stage changes, those few rows are asked themselves.
--
-- Every statement that changes transactions adds what it changed, and nobody waits
-- for anybody; now and then the changes are folded into the counts. Both together
-- are exact at any moment.
CREATE TABLE transaction_count_changes (
  organization_id   ident NOT NULL,
  day               date NOT NULL,
  settled           boolean NOT NULL,
  type              text NOT NULL,
  status            text NOT NULL,
  source            text NOT NULL,
  marketplace       boolean NOT NULL,
  connection_id     text,
  processing_status text,                       -- these only once settled
  address_status    text,
  exempt            text,
  country           text,
  state             text,                       -- in upper case, as lists look for it
  filing_id         ident,
  n                 integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX transaction_count_changes_organization ON transaction_count_changes (organization_id);

CREATE TABLE transaction_counts (
  organization_id   ident NOT NULL,
  span              text NOT NULL CHECK (span IN ('month', 'day')),
  start             date NOT NULL,
  cell              uuid NOT NULL,              -- the hash of all that follows but n
  settled           boolean NOT NULL,
  type              text NOT NULL,
  status            text NOT NULL,
  source            text NOT NULL,
  marketplace       boolean NOT NULL,
  connection_id     text,
  processing_status text,
  address_status    text,
  exempt            text,
  country           text,
  state             text,
  filing_id         ident,
  n                 bigint NOT NULL,
  PRIMARY KEY (organization_id, span, start, cell)
) WITH (fillfactor = 70);

-- A transaction is settled when no stage is going to change it.
CREATE FUNCTION is_settled(processing_status text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT processing_status NOT IN ('NEW', 'UPDATED', 'QUEUED', 'ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE')
$$;

-- +goose StatementBegin
CREATE FUNCTION count_added_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO transaction_count_changes (organization_id, day, settled, type, status, source, marketplace, connection_id,
         processing_status, address_status, exempt, country, state, filing_id, n)
  SELECT t.organization_id, (t.date AT TIME ZONE 'UTC')::date, is_settled(t.processing_status), t.type, t.status, t.source, t.marketplace,
         t.connection_id, CASE WHEN is_settled(t.processing_status) THEN t.processing_status END,
         CASE WHEN is_settled(t.processing_status) THEN t.address_status END, CASE WHEN is_settled(t.processing_status) THEN t.exempt END,
         CASE WHEN is_settled(t.processing_status) THEN t.country END, CASE WHEN is_settled(t.processing_status) THEN upper(t.state) END,
         CASE WHEN is_settled(t.processing_status) THEN t.filing_id END, count(*)
    FROM added t
   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14;
  RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION count_changed_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO transaction_count_changes (organization_id, day, settled, type, status, source, marketplace, connection_id,
         processing_status, address_status, exempt, country, state, filing_id, n)
  SELECT t.organization_id, (t.date AT TIME ZONE 'UTC')::date, is_settled(t.processing_status), t.type, t.status, t.source, t.marketplace,
         t.connection_id, CASE WHEN is_settled(t.processing_status) THEN t.processing_status END,
         CASE WHEN is_settled(t.processing_status) THEN t.address_status END, CASE WHEN is_settled(t.processing_status) THEN t.exempt END,
         CASE WHEN is_settled(t.processing_status) THEN t.country END, CASE WHEN is_settled(t.processing_status) THEN upper(t.state) END,
         CASE WHEN is_settled(t.processing_status) THEN t.filing_id END, sum(t.sign)
    FROM (SELECT -1 AS sign, * FROM removed UNION ALL SELECT 1, * FROM added) t
   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
  HAVING sum(t.sign) <> 0;
  RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER transactions_count_added AFTER INSERT ON transactions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_transactions();
CREATE TRIGGER transactions_count_changed AFTER UPDATE ON transactions
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_changed_transactions();

-- Transactions that are there already.
INSERT INTO transaction_count_changes (organization_id, day, settled, type, status, source, marketplace, connection_id,
         processing_status, address_status, exempt, country, state, filing_id, n)
  SELECT t.organization_id, (t.date AT TIME ZONE 'UTC')::date, is_settled(t.processing_status), t.type, t.status, t.source, t.marketplace,
         t.connection_id, CASE WHEN is_settled(t.processing_status) THEN t.processing_status END,
         CASE WHEN is_settled(t.processing_status) THEN t.address_status END, CASE WHEN is_settled(t.processing_status) THEN t.exempt END,
         CASE WHEN is_settled(t.processing_status) THEN t.country END, CASE WHEN is_settled(t.processing_status) THEN upper(t.state) END,
         CASE WHEN is_settled(t.processing_status) THEN t.filing_id END, count(*)
    FROM transactions t
   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14;

-- The orders of the list besides the date and the external id, which have theirs. The
-- state has none: stage 1 sets it, and an index on it would make that update write to
-- every index of the table.
CREATE INDEX transactions_created_at ON transactions (organization_id, created_at, id);
CREATE INDEX transactions_total_amount ON transactions (organization_id, total_amount, id);
CREATE INDEX transactions_status ON transactions (organization_id, status, id);
CREATE INDEX customers_name ON customers (organization_id, name, id);

-- Trigrams find parts of texts. Without the extension searching reads every row.
-- +goose StatementBegin
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX transactions_text ON transactions USING gin
    ((external_id COLLATE "default") gin_trgm_ops, external_friendly_id gin_trgm_ops, secondary_external_id gin_trgm_ops);
  CREATE INDEX customers_text ON customers USING gin (name gin_trgm_ops, (external_id COLLATE "default") gin_trgm_ops, email gin_trgm_ops);
EXCEPTION WHEN feature_not_supported OR undefined_file OR insufficient_privilege THEN
  RAISE NOTICE 'this server has no pg_trgm: searches will be slow';
END $$;
-- +goose StatementEnd
