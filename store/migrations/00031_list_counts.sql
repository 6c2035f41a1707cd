-- +goose NO TRANSACTION
-- +goose Up

-- What a list needs of the counts, without reading all of them. The block is carried out
-- as a whole or not at all, and once; the indexes are built while others write.
-- +goose StatementBegin
DO $$
BEGIN
  IF to_regclass('transaction_coarse_counts') IS NOT NULL THEN
    RETURN;
  END IF;

  -- The order by state begins with counts: they tell states apart as they are stored,
  -- and no longer in upper case. What was counted until now is corrected.
  LOCK TABLE transactions IN SHARE ROW EXCLUSIVE MODE;
  CREATE OR REPLACE FUNCTION count_added_transactions() RETURNS trigger LANGUAGE plpgsql AS $f$
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
  END $f$;
  CREATE OR REPLACE FUNCTION count_changed_transactions() RETURNS trigger LANGUAGE plpgsql AS $f$
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
  END $f$;
  INSERT INTO transaction_count_changes (organization_id, day, settled, type, status, source, marketplace, connection_id,
         processing_status, address_status, exempt, country, state, filing_id, n)
  SELECT t.organization_id, (t.date AT TIME ZONE 'UTC')::date, true, t.type, t.status, t.source, t.marketplace, t.connection_id,
         t.processing_status, t.address_status, t.exempt, t.country, v.state, t.filing_id, sum(v.n)
    FROM transactions t CROSS JOIN LATERAL (VALUES (upper(t.state), -1), (t.state, 1)) v(state, n)
   WHERE t.state <> upper(t.state) AND is_settled(t.processing_status)
   GROUP BY 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14;

  -- Most filters by what processing decides ask for neither a state nor a filing. The
  -- same counts without these two are a fraction of the rows. They are kept by a trigger
  -- on what is folded, so that no process has to know of them, an older one neither.
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

  -- In key order, and after the counts themselves: several processes may fold at once.
  CREATE FUNCTION fold_coarse_counts() RETURNS trigger LANGUAGE plpgsql AS $f$
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
  END $f$;
  -- From here on nobody folds until the counts that are there have been added up.
  CREATE TRIGGER transaction_count_changes_folded AFTER DELETE ON transaction_count_changes
    REFERENCING OLD TABLE AS folded FOR EACH STATEMENT EXECUTE FUNCTION fold_coarse_counts();
  INSERT INTO transaction_coarse_counts (organization_id, span, start, cell, settled, type, status, source, marketplace, connection_id,
         processing_status, address_status, exempt, country, n)
  SELECT organization_id, span, start,
         md5(ROW(settled, type, status, source, marketplace, connection_id, processing_status, address_status, exempt, country)::text)::uuid,
         settled, type, status, source, marketplace, connection_id, processing_status, address_status, exempt, country, sum(n)
    FROM transaction_counts WHERE span IN ('month', 'day')
   GROUP BY organization_id, span, start, settled, type, status, source, marketplace, connection_id, processing_status, address_status, exempt, country
  HAVING sum(n) <> 0;
END $$;
-- +goose StatementEnd

-- A filter by state or filing reads the counts of these alone. An index whose building
-- was broken off is there, and of no use.
DROP INDEX CONCURRENTLY IF EXISTS transaction_counts_state;
CREATE INDEX CONCURRENTLY transaction_counts_state ON transaction_counts (organization_id, span, upper(state), start);
DROP INDEX CONCURRENTLY IF EXISTS transaction_counts_filing;
CREATE INDEX CONCURRENTLY transaction_counts_filing ON transaction_counts (organization_id, filing_id, span, start) WHERE filing_id IS NOT NULL;
