-- +goose Up
-- levy: quick
-- Spreadsheets write 5/4/2026. The whole file shows whether its dates begin with the month, and each row is read by that.
ALTER TABLE transaction_imports ADD COLUMN date_order text NOT NULL DEFAULT '';
ALTER TABLE transaction_imports ADD CONSTRAINT transaction_imports_date_order CHECK (date_order IN ('', 'MDY', 'DMY')) NOT VALID;
-- Workers of the release before would reject such dates. They leave these files to later ones, as files of entries.
DROP TRIGGER transaction_imports_keep_entries ON transaction_imports;
CREATE TRIGGER transaction_imports_keep_entries BEFORE UPDATE ON transaction_imports FOR EACH ROW
  WHEN ((OLD.kind = 'FILING_ENTRIES' OR OLD.date_order <> '') AND NEW.steps = OLD.steps
        AND (NEW.byte_offset <> OLD.byte_offset OR NEW.pass <> OLD.pass OR OLD.status = 'QUEUED' AND NEW.status = 'RUNNING'))
  EXECUTE FUNCTION keep_import_of_entries();
