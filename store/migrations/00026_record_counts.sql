-- +goose Up

-- How many customers, products and exemptions an organization has by status, so that
-- their lists know their totals without reading them all. As with transactions, every
-- statement adds what it changed, nobody waits for anybody, and now and then changes
-- are folded into the counts; both together are exact at any moment.
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

-- +goose StatementBegin
CREATE FUNCTION count_added_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_count_changes (organization_id, kind, status, n)
  SELECT r.organization_id, TG_TABLE_NAME, r.status, count(*) FROM added r GROUP BY 1, 3;
  RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION count_removed_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_count_changes (organization_id, kind, status, n)
  SELECT r.organization_id, TG_TABLE_NAME, r.status, -count(*) FROM removed r GROUP BY 1, 3;
  RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION count_changed_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_count_changes (organization_id, kind, status, n)
  SELECT r.organization_id, TG_TABLE_NAME, r.status, sum(r.sign)
    FROM (SELECT -1 AS sign, organization_id, status FROM removed UNION ALL SELECT 1, organization_id, status FROM added) r
   GROUP BY 1, 3 HAVING sum(r.sign) <> 0;
  RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
DECLARE kind text;
BEGIN
  FOREACH kind IN ARRAY ARRAY['customers', 'products', 'exemptions'] LOOP
    EXECUTE format('LOCK TABLE %I IN SHARE ROW EXCLUSIVE MODE', kind);
    EXECUTE format('CREATE TRIGGER %1$s_count_added AFTER INSERT ON %1$I REFERENCING NEW TABLE AS added
                    FOR EACH STATEMENT EXECUTE FUNCTION count_added_records()', kind);
    EXECUTE format('CREATE TRIGGER %1$s_count_removed AFTER DELETE ON %1$I REFERENCING OLD TABLE AS removed
                    FOR EACH STATEMENT EXECUTE FUNCTION count_removed_records()', kind);
    EXECUTE format('CREATE TRIGGER %1$s_count_changed AFTER UPDATE ON %1$I REFERENCING OLD TABLE AS removed NEW TABLE AS added
                    FOR EACH STATEMENT EXECUTE FUNCTION count_changed_records()', kind);
    EXECUTE format('INSERT INTO record_counts SELECT organization_id, %1$L, status, count(*) FROM %1$I GROUP BY 1, 3', kind);
  END LOOP;
END $$;
-- +goose StatementEnd
