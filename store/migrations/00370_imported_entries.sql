-- +goose Up
-- levy: quick
-- Files of entries of returns. An entry may have the client's own number, which a repeated file has again, and one from a file
-- has the import and its line.
ALTER TABLE filing_entries ADD COLUMN external_id ident;
ALTER TABLE filing_entries ADD COLUMN import_id ident;
ALTER TABLE filing_entries ADD COLUMN import_line bigint;
ALTER TABLE transaction_imports ADD COLUMN kind text NOT NULL DEFAULT 'TRANSACTIONS';
ALTER TABLE transaction_imports ADD CONSTRAINT transaction_imports_kind CHECK (kind IN ('TRANSACTIONS', 'FILING_ENTRIES')) NOT VALID;
-- How often a worker has advanced the import.
ALTER TABLE transaction_imports ADD COLUMN steps bigint NOT NULL DEFAULT 0;
-- Workers of the release before would take the rows for sales and reject them. They count no step, so they fail as if they had
-- lost a race, and try until a worker of this release takes the import.
-- +goose StatementBegin
CREATE FUNCTION keep_import_of_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'this import waits for a worker of a later release' USING ERRCODE = 'serialization_failure';
END $$;
-- +goose StatementEnd
CREATE TRIGGER transaction_imports_keep_entries BEFORE UPDATE ON transaction_imports FOR EACH ROW
  WHEN (OLD.kind = 'FILING_ENTRIES' AND NEW.steps = OLD.steps
        AND (NEW.byte_offset <> OLD.byte_offset OR NEW.pass <> OLD.pass OR OLD.status = 'QUEUED' AND NEW.status = 'RUNNING'))
  EXECUTE FUNCTION keep_import_of_entries();
