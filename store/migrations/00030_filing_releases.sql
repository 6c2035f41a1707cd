-- +goose Up

-- Gives the members of a filing back, thousands at a time, as move_members moves them: a
-- return of a million transactions has to be taken back in the memory that claimed it. A
-- transaction that another filing holds follows that one from now on. What others
-- release while this one waits for its locks it sees with the statement behind them.
-- +goose StatementBegin
CREATE FUNCTION release_members(organization ident, filing ident) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  chunk ident[];
  since timestamptz;
BEGIN
  SELECT f.claimed_at INTO since FROM filings f WHERE f.organization_id = organization AND f.id = filing;
  LOOP
    chunk := ARRAY(SELECT m.transaction_id FROM filing_transactions m
                   WHERE m.organization_id = organization AND m.filing_id = filing
                     AND m.transaction_id > coalesce(chunk[cardinality(chunk)], '')
                   ORDER BY m.transaction_id LIMIT 20000);
    EXIT WHEN chunk = '{}';
    PERFORM 1 FROM transactions t WHERE t.organization_id = organization AND t.id = ANY (chunk) ORDER BY t.id FOR NO KEY UPDATE;
    WITH released AS (
      DELETE FROM filing_transactions m
       WHERE m.organization_id = organization AND m.filing_id = filing AND m.transaction_id = ANY (chunk)
      RETURNING m.transaction_id),
    noted AS (
      INSERT INTO filing_releases (organization_id, transaction_id, filing_id, claimed_at, released_at)
      SELECT organization, r.transaction_id, filing, since, now() FROM released r),
    followed AS (
      SELECT r.transaction_id, o.filing_id, o.status
        FROM released r
        LEFT JOIN LATERAL (
          SELECT m.filing_id, g.status FROM filing_transactions m
            JOIN filings g ON g.organization_id = m.organization_id AND g.id = m.filing_id
           WHERE m.organization_id = organization AND m.transaction_id = r.transaction_id AND m.filing_id <> filing
           ORDER BY g.claimed_at, g.id LIMIT 1) o ON true)
    UPDATE transactions t
       SET filing_id = o.filing_id, updated_at = now(),
           processing_status = CASE WHEN o.filing_id IS NULL THEN 'PROCESSED' WHEN o.status = 'FILED' THEN 'FILING_DONE' ELSE t.processing_status END
      FROM followed o
     WHERE t.organization_id = organization AND t.id = o.transaction_id AND t.filing_id = filing AND t.processing_status = 'FILING_STARTED';
  END LOOP;
END $$;
-- +goose StatementEnd
