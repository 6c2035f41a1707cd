-- +goose Up

-- What every new sale and customer pays for searching is kept small: only what is
-- searched most has trigrams, and what is seldom sent has them only where it is.
-- +goose StatementBegin
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
    DROP INDEX IF EXISTS transactions_text, customers_text;
    CREATE INDEX transactions_text ON transactions USING gin ((external_id COLLATE "default") gin_trgm_ops);
    CREATE INDEX transactions_friendly_text ON transactions USING gin (external_friendly_id gin_trgm_ops) WHERE external_friendly_id IS NOT NULL;
    CREATE INDEX transactions_secondary_text ON transactions USING gin (secondary_external_id gin_trgm_ops) WHERE secondary_external_id IS NOT NULL;
    CREATE INDEX customers_text ON customers USING gin (name gin_trgm_ops);
  END IF;
END $$;
-- +goose StatementEnd
