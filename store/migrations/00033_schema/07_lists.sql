-- What lists need to know their totals and to find a page without reading what it skips:
-- counts that every statement keeps exact, the orders of a list, and searches.

-- How many transactions there are of which kind on which day (UTC). Before a transaction is
-- settled only those of its columns are counted that no stage changes; when a filter asks for
-- the others, the few rows in progress are read themselves.
--
-- Every statement that changes transactions appends what it changed, and no statement waits for
-- another; from time to time the changes are rolled up into the counts. Changes and counts
-- together are exact at any moment.
CREATE TABLE transaction_count_changes (
  organization_id   ident NOT NULL,
  day               date NOT NULL,
  settled           boolean NOT NULL,
  type              text NOT NULL,
  status            text NOT NULL,
  source            text NOT NULL,
  marketplace       boolean NOT NULL,
  connection_id     text,
  processing_status text,                       -- this and the following only once settled
  address_status    text,
  exempt            text,
  country           text,
  state             text,                       -- as stored, because the order by state begins with counts
  filing_id         ident,
  n                 integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX transaction_count_changes_organization ON transaction_count_changes (organization_id);

-- The spans "of all" are the same counts without the columns that processing decides, which
-- most lists do not ask for: a fraction of the rows.
CREATE TABLE transaction_counts (
  organization_id   ident NOT NULL,
  span              text NOT NULL CHECK (span IN ('month', 'day', 'month of all', 'day of all')),
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
-- A filter by state or by filing reads only the counts of that state or filing.
CREATE INDEX transaction_counts_state ON transaction_counts (organization_id, span, upper(state), start);
CREATE INDEX transaction_counts_filing ON transaction_counts (organization_id, filing_id, span, start)
  WHERE filing_id IS NOT NULL;

-- A transaction is settled when no stage is going to change it.
CREATE FUNCTION is_settled(processing_status text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT processing_status NOT IN ('NEW', 'UPDATED', 'QUEUED', 'ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE')
$$;

CREATE FUNCTION count_added_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO transaction_count_changes (organization_id, day, settled, type, status, source, marketplace, connection_id,
           processing_status, address_status, exempt, country, state, filing_id, n)
    SELECT t.organization_id, (t.date AT TIME ZONE 'UTC')::date, is_settled(t.processing_status), t.type, t.status, t.source, t.marketplace,
           t.connection_id, CASE WHEN is_settled(t.processing_status) THEN t.processing_status END,
           CASE WHEN is_settled(t.processing_status) THEN t.address_status END, CASE WHEN is_settled(t.processing_status) THEN t.exempt END,
           CASE WHEN is_settled(t.processing_status) THEN t.country END, CASE WHEN is_settled(t.processing_status) THEN t.state END,
           CASE WHEN is_settled(t.processing_status) THEN t.filing_id END, count(*)
      FROM added t
     GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14;
    RETURN NULL;
  END $$;

CREATE FUNCTION count_changed_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO transaction_count_changes (organization_id, day, settled, type, status, source, marketplace, connection_id,
           processing_status, address_status, exempt, country, state, filing_id, n)
    SELECT t.organization_id, (t.date AT TIME ZONE 'UTC')::date, is_settled(t.processing_status), t.type, t.status, t.source, t.marketplace,
           t.connection_id, CASE WHEN is_settled(t.processing_status) THEN t.processing_status END,
           CASE WHEN is_settled(t.processing_status) THEN t.address_status END, CASE WHEN is_settled(t.processing_status) THEN t.exempt END,
           CASE WHEN is_settled(t.processing_status) THEN t.country END, CASE WHEN is_settled(t.processing_status) THEN t.state END,
           CASE WHEN is_settled(t.processing_status) THEN t.filing_id END, sum(t.sign)
      FROM (SELECT -1 AS sign, * FROM removed UNION ALL SELECT 1, * FROM added) t
     GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
    HAVING sum(t.sign) <> 0;
    RETURN NULL;
  END $$;

CREATE TRIGGER transactions_count_added AFTER INSERT ON transactions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_transactions();
CREATE TRIGGER transactions_count_changed AFTER UPDATE ON transactions
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_changed_transactions();

-- Most filters by what processing decides ask for neither a state nor a filing. The same counts
-- without these two are a fraction of the rows. A trigger on the changes that are rolled up
-- keeps them, so that no process has to know of them.
CREATE TABLE transaction_coarse_counts (
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
  n                 bigint NOT NULL,
  PRIMARY KEY (organization_id, span, start, cell)
) WITH (fillfactor = 70);

-- In the order of the key, and after the counts themselves: several processes may roll up at
-- the same time.
CREATE FUNCTION fold_coarse_counts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO transaction_coarse_counts AS c (organization_id, span, start, cell, settled, type, status, source, marketplace, connection_id,
           processing_status, address_status, exempt, country, n)
    SELECT s.organization_id, s.span, s.start,
           md5(ROW(s.settled, s.type, s.status, s.source, s.marketplace, s.connection_id, s.processing_status, s.address_status, s.exempt, s.country)::text)::uuid,
           s.settled, s.type, s.status, s.source, s.marketplace, s.connection_id, s.processing_status, s.address_status, s.exempt, s.country, s.n
      FROM (SELECT f.organization_id, v.span, v.start, f.settled, f.type, f.status, f.source, f.marketplace, f.connection_id,
                   f.processing_status, f.address_status, f.exempt, f.country, sum(f.n) AS n
              FROM folded f CROSS JOIN LATERAL (VALUES ('day', f.day), ('month', date_trunc('month', f.day)::date)) v(span, start)
             GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 HAVING sum(f.n) <> 0) s
     ORDER BY 1, 2, 3, 4
    ON CONFLICT (organization_id, span, start, cell) DO UPDATE SET n = c.n + excluded.n;
    RETURN NULL;
  END $$;
CREATE TRIGGER transaction_count_changes_folded AFTER DELETE ON transaction_count_changes
  REFERENCING OLD TABLE AS folded FOR EACH STATEMENT EXECUTE FUNCTION fold_coarse_counts();

-- How many customers, products and exemptions an organization has by status. Kept like the
-- counts of transactions: changes are appended, rolled up from time to time, and exact together.
CREATE TABLE record_count_changes (
  organization_id ident NOT NULL,
  kind            text NOT NULL,
  status          text NOT NULL,
  n               integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX record_count_changes_organization ON record_count_changes (organization_id);

CREATE TABLE record_counts (
  organization_id ident NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('customers', 'products', 'exemptions')),
  status          text NOT NULL,
  n               bigint NOT NULL,
  PRIMARY KEY (organization_id, kind, status)
) WITH (fillfactor = 70);

CREATE FUNCTION count_added_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_count_changes (organization_id, kind, status, n)
  SELECT r.organization_id, TG_TABLE_NAME, r.status, count(*) FROM added r GROUP BY 1, 3;
  RETURN NULL;
END $$;
CREATE FUNCTION count_removed_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_count_changes (organization_id, kind, status, n)
  SELECT r.organization_id, TG_TABLE_NAME, r.status, -count(*) FROM removed r GROUP BY 1, 3;
  RETURN NULL;
END $$;
CREATE FUNCTION count_changed_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_count_changes (organization_id, kind, status, n)
  SELECT r.organization_id, TG_TABLE_NAME, r.status, sum(r.sign)
    FROM (SELECT -1 AS sign, organization_id, status FROM removed UNION ALL SELECT 1, organization_id, status FROM added) r
   GROUP BY 1, 3 HAVING sum(r.sign) <> 0;
  RETURN NULL;
END $$;

CREATE TRIGGER customers_count_added AFTER INSERT ON customers
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_records();
CREATE TRIGGER customers_count_removed AFTER DELETE ON customers
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_records();
CREATE TRIGGER customers_count_changed AFTER UPDATE ON customers
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_changed_records();
CREATE TRIGGER products_count_added AFTER INSERT ON products
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_records();
CREATE TRIGGER products_count_removed AFTER DELETE ON products
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_records();
CREATE TRIGGER products_count_changed AFTER UPDATE ON products
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_changed_records();
CREATE TRIGGER exemptions_count_added AFTER INSERT ON exemptions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_records();
CREATE TRIGGER exemptions_count_removed AFTER DELETE ON exemptions
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_records();
CREATE TRIGGER exemptions_count_changed AFTER UPDATE ON exemptions
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_changed_records();

-- The orders of the list of transactions besides the date and the external id, which have
-- indexes already. The state has none: stage 1 sets it, and an index on it would make that
-- update write to every index of the table.
CREATE INDEX transactions_created_at ON transactions (organization_id, created_at, id);
CREATE INDEX transactions_total_amount ON transactions (organization_id, total_amount, id);
CREATE INDEX transactions_status ON transactions (organization_id, status, id);

-- Every new transaction and customer pays for searches, so only what is searched most has
-- trigrams, and what is seldom sent has them only where it is.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
    CREATE INDEX transactions_text ON transactions USING gin ((external_id COLLATE "default") gin_trgm_ops);
    CREATE INDEX transactions_friendly_text ON transactions USING gin (external_friendly_id gin_trgm_ops)
      WHERE external_friendly_id IS NOT NULL;
    CREATE INDEX transactions_secondary_text ON transactions USING gin (secondary_external_id gin_trgm_ops)
      WHERE secondary_external_id IS NOT NULL;
    CREATE INDEX customers_text ON customers USING gin (name gin_trgm_ops);
  END IF;
END $$;
