-- +goose Up

-- A claim writes a million members. That each has its transaction and its filing is
-- asked once for all that a statement writes: row by row it took longer than writing
-- them. The promise is that of a foreign key: what is referred to is locked until the
-- members are committed, and is not deleted while there are any.
ALTER TABLE filing_transactions
  DROP CONSTRAINT filing_transactions_organization_id_filing_id_fkey,
  DROP CONSTRAINT filing_transactions_organization_id_transaction_id_fkey;

-- +goose StatementBegin
CREATE FUNCTION check_members() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  members bigint;
  known   bigint;
BEGIN
  SELECT count(*) INTO members FROM added;
  SELECT count(*) INTO known FROM (
    SELECT 1 FROM added a JOIN transactions t ON t.organization_id = a.organization_id AND t.id = a.transaction_id FOR KEY SHARE OF t) k;
  IF known <> members THEN
    RAISE EXCEPTION 'a member of a filing has no transaction' USING ERRCODE = 'foreign_key_violation', TABLE = 'filing_transactions';
  END IF;
  PERFORM 1 FROM filings f JOIN (SELECT DISTINCT organization_id, filing_id FROM added) a
       ON f.organization_id = a.organization_id AND f.id = a.filing_id FOR KEY SHARE OF f;
  IF EXISTS (SELECT 1 FROM (SELECT DISTINCT organization_id, filing_id FROM added) a
              WHERE NOT EXISTS (SELECT 1 FROM filings f WHERE f.organization_id = a.organization_id AND f.id = a.filing_id)) THEN
    RAISE EXCEPTION 'a member has no filing' USING ERRCODE = 'foreign_key_violation', TABLE = 'filing_transactions';
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER filing_transactions_added AFTER INSERT ON filing_transactions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_members();
CREATE TRIGGER filing_transactions_changed AFTER UPDATE ON filing_transactions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_members();

-- +goose StatementBegin
CREATE FUNCTION keep_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM filing_transactions m
              WHERE m.organization_id = OLD.organization_id AND CASE TG_TABLE_NAME WHEN 'filings' THEN m.filing_id = OLD.id ELSE m.transaction_id = OLD.id END) THEN
    RAISE EXCEPTION '% is of a filing with members', OLD.id USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER transactions_of_filings_stay AFTER DELETE ON transactions FOR EACH ROW EXECUTE FUNCTION keep_members();
CREATE TRIGGER transactions_of_filings_keep_id AFTER UPDATE OF organization_id, id ON transactions FOR EACH ROW
  WHEN (OLD.organization_id <> NEW.organization_id OR OLD.id <> NEW.id) EXECUTE FUNCTION keep_members();
CREATE TRIGGER filings_with_members_stay AFTER DELETE ON filings FOR EACH ROW EXECUTE FUNCTION keep_members();
CREATE TRIGGER filings_with_members_keep_id AFTER UPDATE OF organization_id, id ON filings FOR EACH ROW
  WHEN (OLD.organization_id <> NEW.organization_id OR OLD.id <> NEW.id) EXECUTE FUNCTION keep_members();

-- Moves the members of a filing that have one state to another one; those of a claim
-- are its own from then on. Thousands at a time: what the counts of transactions see of
-- a statement has to fit into memory.
-- +goose StatementBegin
CREATE FUNCTION move_members(organization ident, filing ident, from_state text, to_state text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  chunk ident[];
  last ident := '';
BEGIN
  LOOP
    chunk := ARRAY(SELECT m.transaction_id FROM filing_transactions m
                   WHERE m.organization_id = organization AND m.filing_id = filing AND m.transaction_id > last
                   ORDER BY m.transaction_id LIMIT 20000);
    EXIT WHEN chunk = '{}';
    PERFORM 1 FROM transactions t WHERE t.organization_id = organization AND t.id = ANY (chunk) ORDER BY t.id FOR NO KEY UPDATE;
    UPDATE transactions t SET processing_status = to_state, filing_id = filing, updated_at = now()
     WHERE t.organization_id = organization AND t.id = ANY (chunk) AND t.processing_status = from_state
       AND (from_state = 'PROCESSED' OR t.filing_id = filing);
    last := chunk[cardinality(chunk)];
  END LOOP;
END $$;
-- +goose StatementEnd

-- By what a return in euro took its sales in other currencies: units of the currency
-- for one euro, as it was known when the members were claimed.
CREATE TABLE filing_rates (
  organization_id ident NOT NULL,
  filing_id       ident NOT NULL,
  currency        text NOT NULL,
  rate            numeric NOT NULL CHECK (rate > 0 AND rate <> 'NaN'),
  PRIMARY KEY (organization_id, filing_id, currency),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);
