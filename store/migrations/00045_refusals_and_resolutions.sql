-- +goose Up
-- Calls of a step that were refused are counted apart from those that were accepted. Steps of a time before count both in
-- attempts: which were which is not known.
ALTER TABLE onboarding_steps ADD COLUMN refused integer NOT NULL DEFAULT 0;

-- A return that the timer approves waits while a transaction of its days cannot be processed. When nothing of its days is
-- held any more its workflow reads it again. One that somebody is changing is not waited for: he looks himself, and the
-- workflow does within ten minutes.
-- +goose StatementBegin
CREATE FUNCTION wake_resolved_filings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM resolved) THEN
    RETURN NULL;
  END IF;
  UPDATE filings w SET next_check_at = now()
    FROM (SELECT f.organization_id, f.id
            FROM filings f JOIN organization_details d ON d.organization_id = f.organization_id AND d.auto_file
           WHERE f.organization_id IN (SELECT r.organization_id FROM resolved r) AND f.status = 'UNFILED'
             AND EXISTS (SELECT FROM resolved r
                          WHERE r.organization_id = f.organization_id AND r.tax_date BETWEEN f.start_date AND f.end_date)
             AND NOT EXISTS (SELECT FROM transaction_refetches h
                              WHERE h.organization_id = f.organization_id AND h.tax_date BETWEEN f.start_date AND f.end_date)
             FOR NO KEY UPDATE OF f SKIP LOCKED) due
   WHERE w.organization_id = due.organization_id AND w.id = due.id;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER transaction_refetches_wake_filings AFTER DELETE ON transaction_refetches
  REFERENCING OLD TABLE AS resolved FOR EACH STATEMENT EXECUTE FUNCTION wake_resolved_filings();
