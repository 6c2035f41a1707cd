-- +goose Up

-- When a sale was made, so that the sales of a day are read in their order, and the
-- first and the last of them without the others.
ALTER TABLE nexus_contributions ADD COLUMN sold_at timestamptz;
UPDATE nexus_contributions c SET sold_at = t.date FROM transactions t WHERE t.organization_id = c.organization_id AND t.id = c.transaction_id;
ALTER TABLE nexus_contributions ALTER COLUMN sold_at SET NOT NULL;
DROP INDEX nexus_contributions_day;
CREATE INDEX nexus_contributions_day ON nexus_contributions (organization_id, country_code, state_code, day, sold_at, transaction_id);

-- The taxes of each day and authority: the sums of transaction_totals. Every statement
-- that writes totals adds what it changed, and nobody waits for anybody; who looks for
-- changed nexus folds the changes into the sums first, and has the nexus there
-- evaluated again. Both together are exact at any moment.
CREATE TABLE nexus_tax_changes (
  organization_id ident NOT NULL,
  country_code    text NOT NULL,
  state_code      text NOT NULL,
  member_code     text NOT NULL,
  currency        text NOT NULL,
  day             date NOT NULL,
  tax             numeric(20,2) NOT NULL,
  collected       numeric(20,2) NOT NULL,
  liability       numeric(20,2) NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX nexus_tax_changes_organization ON nexus_tax_changes (organization_id);

CREATE TABLE nexus_taxes (
  organization_id ident NOT NULL REFERENCES organizations (id),
  country_code    text NOT NULL,
  state_code      text NOT NULL,
  member_code     text NOT NULL,
  currency        text NOT NULL,
  day             date NOT NULL,
  tax             numeric(20,2) NOT NULL CHECK (tax <> 'NaN'),
  collected       numeric(20,2) NOT NULL CHECK (collected <> 'NaN'),
  liability       numeric(20,2) NOT NULL CHECK (liability <> 'NaN'),
  PRIMARY KEY (organization_id, country_code, state_code, day, member_code, currency)
) WITH (fillfactor = 70);

-- +goose StatementBegin
CREATE FUNCTION add_nexus_taxes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO nexus_tax_changes (organization_id, country_code, state_code, member_code, currency, day, tax, collected, liability)
  SELECT organization_id, country_code, state_code, member_code, currency, tax_date, sum(tax), sum(collected), sum(liability)
    FROM added GROUP BY 1, 2, 3, 4, 5, 6 HAVING (sum(tax), sum(collected), sum(liability)) <> (0, 0, 0);
  RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION remove_nexus_taxes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO nexus_tax_changes (organization_id, country_code, state_code, member_code, currency, day, tax, collected, liability)
  SELECT organization_id, country_code, state_code, member_code, currency, tax_date, -sum(tax), -sum(collected), -sum(liability)
    FROM removed GROUP BY 1, 2, 3, 4, 5, 6 HAVING (sum(tax), sum(collected), sum(liability)) <> (0, 0, 0);
  RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER transaction_totals_add_nexus_taxes AFTER INSERT ON transaction_totals
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_nexus_taxes();
CREATE TRIGGER transaction_totals_remove_nexus_taxes AFTER DELETE ON transaction_totals
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION remove_nexus_taxes();

-- Totals are those of calculated transactions from now on: what is under way, or
-- archived, has none.
DELETE FROM transaction_totals x USING transactions t
 WHERE t.organization_id = x.organization_id AND t.id = x.transaction_id
   AND (t.epoch <> x.epoch OR t.processing_status NOT IN ('PROCESSED', 'FILING_STARTED', 'FILING_DONE', 'LOCKED'));
DELETE FROM nexus_tax_changes;
INSERT INTO nexus_taxes (organization_id, country_code, state_code, member_code, currency, day, tax, collected, liability)
SELECT organization_id, country_code, state_code, member_code, currency, tax_date, sum(tax), sum(collected), sum(liability)
  FROM transaction_totals GROUP BY 1, 2, 3, 4, 5, 6;

ALTER TABLE nexus_repairs DROP CONSTRAINT nexus_repairs_kind_check;
ALTER TABLE nexus_repairs ADD CHECK (kind IN ('CONTRIBUTION', 'COUNTER', 'TAX'));
