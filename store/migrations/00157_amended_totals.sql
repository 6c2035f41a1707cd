-- +goose Up
-- What the return of the period should have been, by an amendment and everything filed before it. NULL until its claim,
-- and for amendments that were claimed before.
ALTER TABLE filings ADD COLUMN amended_totals jsonb;
-- People asked for the amendment: it stays without a transaction.
ALTER TABLE filings ADD COLUMN on_demand boolean NOT NULL DEFAULT false;

CREATE OR REPLACE TRIGGER filings_write_changed AFTER UPDATE ON filings FOR EACH ROW
  WHEN (OLD.updated_at <> NEW.updated_at OR OLD.status <> NEW.status OR OLD.announced_at IS DISTINCT FROM NEW.announced_at
     OR OLD.tax_remitted <> NEW.tax_remitted)
  EXECUTE FUNCTION write_changed_event('filing', '{}',
    '{updated_at,next_check_at,attempt,claimed_at,locked_at,report_hash,reminders,planned,settled,credit_used,prepaid_share,amount_deferred,amended_totals,on_demand}');
