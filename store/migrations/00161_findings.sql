-- +goose Up
-- What the lines of a return show besides their sums, for people who approve it: by how much tax was over- and
-- under-collected, which lines are on days without an obligation, and which tax of places is not certain.
ALTER TABLE filings
  ADD COLUMN amount_over_collected numeric(20,2) NOT NULL DEFAULT 0 CHECK (amount_over_collected <> 'NaN'),
  ADD COLUMN amount_under_collected numeric(20,2) NOT NULL DEFAULT 0 CHECK (amount_under_collected <> 'NaN'),
  ADD COLUMN over_collected_count bigint NOT NULL DEFAULT 0,
  ADD COLUMN under_collected_count bigint NOT NULL DEFAULT 0,
  ADD COLUMN no_obligation_count bigint NOT NULL DEFAULT 0,
  ADD COLUMN no_obligation_sales numeric(20,2) NOT NULL DEFAULT 0 CHECK (no_obligation_sales <> 'NaN'),
  ADD COLUMN uncertain_count bigint NOT NULL DEFAULT 0,
  ADD COLUMN uncertain_tax numeric(20,2) NOT NULL DEFAULT 0 CHECK (uncertain_tax <> 'NaN');
-- NULL: nothing to say of the line.
ALTER TABLE filing_transactions
  ADD COLUMN over_collected numeric(20,2),
  ADD COLUMN under_collected numeric(20,2),
  ADD COLUMN no_obligation boolean,
  ADD COLUMN uncertain boolean;
-- The findings of a sealed report. NULL: it was sealed before.
ALTER TABLE filing_reports ADD COLUMN findings jsonb;

CREATE OR REPLACE TRIGGER filings_write_changed AFTER UPDATE ON filings FOR EACH ROW
  WHEN (OLD.updated_at <> NEW.updated_at OR OLD.status <> NEW.status OR OLD.announced_at IS DISTINCT FROM NEW.announced_at
     OR OLD.tax_remitted <> NEW.tax_remitted)
  EXECUTE FUNCTION write_changed_event('filing', '{}',
    '{updated_at,next_check_at,attempt,claimed_at,locked_at,report_hash,reminders,planned,settled,credit_used,credit_claimed,prepaid_share,amount_deferred,amended_totals,on_demand,over_collected_count,under_collected_count,no_obligation_count,no_obligation_sales,uncertain_count,uncertain_tax}');
