-- +goose Up
-- levy: quick
-- The return of the one-stop shop that has the difference of an amendment, as a correction of its period. A claim writes the rows
-- of its return, and a release deletes them. An amendment is in one return, so nothing is corrected twice. The release before
-- writes none: what it claims corrects nothing, as before.
CREATE TABLE filing_corrections (
  organization_id ident NOT NULL,
  amendment_id    ident NOT NULL,
  filing_id       ident NOT NULL,
  PRIMARY KEY (organization_id, amendment_id),
  FOREIGN KEY (organization_id, amendment_id) REFERENCES filings (organization_id, id),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);
CREATE INDEX filing_corrections_filing ON filing_corrections (organization_id, filing_id);

-- People have entered these differences in the return that was claimed first after them, as its warning said.
INSERT INTO filing_corrections (organization_id, amendment_id, filing_id)
SELECT a.organization_id, a.id, r.id
  FROM filings a
 CROSS JOIN LATERAL (
   SELECT f.id FROM filings f
    WHERE f.organization_id = a.organization_id AND f.registration_id = a.registration_id AND f.filing_category = 'REGULAR'
      AND f.start_date > a.end_date AND f.claimed_at >= a.filed_at
    ORDER BY f.claimed_at, f.id LIMIT 1) r
 WHERE a.country_code = 'ZZ_EU' AND a.filing_category = 'AMENDMENT' AND a.status = 'FILED';
