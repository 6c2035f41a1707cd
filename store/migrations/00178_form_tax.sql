-- +goose Up
-- What the form of a return computes of the tax lines, taxable x rate, beside the tax that is accrued. NULL: as the tax,
-- also of totals of earlier releases. beyond_rounding marks lines whose two taxes differ by more than roundings explain;
-- NULL where there is nothing to say.
ALTER TABLE transaction_totals ADD COLUMN form_tax numeric(20,6), ADD COLUMN beyond_rounding boolean;
ALTER TABLE filing_transactions ADD COLUMN form_tax numeric(20,6), ADD COLUMN beyond_rounding boolean;
ALTER TABLE filings
  ADD COLUMN form_difference numeric(20,2) NOT NULL DEFAULT 0 CHECK (form_difference <> 'NaN'),
  ADD COLUMN beyond_rounding_count bigint NOT NULL DEFAULT 0;

CREATE OR REPLACE TRIGGER filings_write_changed AFTER UPDATE ON filings FOR EACH ROW
  WHEN (OLD.updated_at <> NEW.updated_at OR OLD.status <> NEW.status OR OLD.announced_at IS DISTINCT FROM NEW.announced_at
     OR OLD.tax_remitted <> NEW.tax_remitted)
  EXECUTE FUNCTION write_changed_event('filing', '{}',
    '{updated_at,next_check_at,attempt,claimed_at,locked_at,report_hash,reminders,planned,settled,credit_used,credit_claimed,prepaid_share,amount_deferred,amended_totals,on_demand,over_collected_count,under_collected_count,no_obligation_count,no_obligation_sales,uncertain_count,uncertain_tax,form_difference,beyond_rounding_count}');
