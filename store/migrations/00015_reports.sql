-- +goose Up

-- What the report of a filed return says beside its members. With FILED it is fixed,
-- together with filings.report_hash, which covers it.
CREATE TABLE filing_reports (
  organization_id  ident NOT NULL,
  filing_id        ident NOT NULL,
  content_versions text[] NOT NULL, -- by which the members were taxed, sorted
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

-- A report that is fixed stays what it is.
CREATE TRIGGER filings_report_fixed BEFORE UPDATE OF report_hash ON filings FOR EACH ROW
  WHEN (OLD.report_hash IS NOT NULL AND NEW.report_hash IS DISTINCT FROM OLD.report_hash)
  EXECUTE FUNCTION refuse_move();
