-- What claims, releases and reports of filings write.

-- Changes the processing status of the transactions of a filing; those of a claim belong to the
-- filing from then on. Thousands at a time: what the counts of transactions see of a statement
-- has to fit into memory.
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

-- Transactions that a filing released.
CREATE TABLE filing_releases (
  organization_id ident NOT NULL,
  transaction_id  ident NOT NULL,
  filing_id       ident NOT NULL,
  claimed_at      timestamptz NOT NULL,
  released_at     timestamptz NOT NULL,
  PRIMARY KEY (organization_id, transaction_id, filing_id, claimed_at),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);

-- Releases the transactions of a filing, thousands at a time like move_members: the release of a
-- return of a million transactions has to fit into the memory that claimed it. A transaction
-- that another filing has claimed too follows that filing from now on. What others release while
-- this function waits for its locks is seen by the statement after them.
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

-- Transactions that were processed when the return of their period was claimed already, or just
-- being claimed. Whoever takes such a row opens or finds the amendment, or sees that there is
-- nothing to amend.
CREATE TABLE late_transactions (
  organization_id ident NOT NULL,
  registration_id ident NOT NULL,
  transaction_id  ident NOT NULL,
  at              timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, registration_id, transaction_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX late_transactions_at ON late_transactions (at);

-- Why there is an amendment.
CREATE TABLE filing_causes (
  organization_id ident NOT NULL,
  filing_id       ident NOT NULL,
  transaction_id  ident NOT NULL,
  reason          text NOT NULL CHECK (reason IN ('LATE', 'CHANGED', 'CREDIT_NOTE')),
  at              timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, filing_id, transaction_id),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);

-- The rates by which a return in euro converted its sales in other currencies: units of the
-- currency for one euro, as known when the lines were claimed.
CREATE TABLE filing_rates (
  organization_id ident NOT NULL,
  filing_id       ident NOT NULL,
  currency        text NOT NULL,
  rate            numeric NOT NULL CHECK (rate > 0 AND rate <> 'NaN'),
  PRIMARY KEY (organization_id, filing_id, currency),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);

-- What the report of a filed return says beside its lines. It becomes final with FILED, together
-- with filings.report_hash, which covers it.
CREATE TABLE filing_reports (
  organization_id  ident NOT NULL,
  filing_id        ident NOT NULL,
  content_versions text[] NOT NULL, -- by which the transactions were taxed, sorted
  PRIMARY KEY (organization_id, filing_id),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);

-- What each jurisdiction gets of a filed return, in the currency of the filing.
CREATE TABLE filing_jurisdictions (
  organization_id   ident NOT NULL,
  filing_id         ident NOT NULL,
  position          integer NOT NULL, -- in the report
  jurisdiction_type text NOT NULL,
  jurisdiction_name text NOT NULL,
  code              text NOT NULL,
  taxable           numeric(20,2) NOT NULL CHECK (taxable <> 'NaN'),
  tax               numeric(20,2) NOT NULL CHECK (tax <> 'NaN'),
  PRIMARY KEY (organization_id, filing_id, position),
  UNIQUE (organization_id, filing_id, jurisdiction_type, jurisdiction_name),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);

-- A final report never changes.
CREATE TRIGGER filings_report_fixed BEFORE UPDATE OF report_hash ON filings FOR EACH ROW
  WHEN (OLD.report_hash IS NOT NULL AND NEW.report_hash IS DISTINCT FROM OLD.report_hash)
  EXECUTE FUNCTION refuse_move();
