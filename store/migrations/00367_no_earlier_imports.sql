-- +goose Up
-- levy: quick
-- The trigger kept workers from imports that do not know pass 0. Every release since 0.3.0 knows it, and no earlier one runs
-- beside this one.
DROP TRIGGER transaction_imports_refuse_earlier ON transaction_imports;
DROP FUNCTION refuse_earlier_import();
