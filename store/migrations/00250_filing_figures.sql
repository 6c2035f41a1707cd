-- +goose Up
-- Figures: what a transaction says to a return, divided by what forms ask for (see rules/figures.go). Each total has
-- them as arrays of one length: a key, and the amounts of it. NULL: an earlier release has decided the total, and a run in
-- the background writes them.
ALTER TABLE transaction_totals
  ADD COLUMN figure_place   text, -- the jurisdictions below the authority
  ADD COLUMN figure_keys    text[],
  ADD COLUMN figure_gross   numeric(20,2)[],
  ADD COLUMN figure_taxable numeric(20,2)[],
  ADD COLUMN figure_tax     numeric(20,2)[],
  ADD COLUMN figure_owed    numeric(20,2)[];

-- Their sums over the transactions of a claimed return, in its currency.
CREATE TABLE filing_figures (
  organization_id ident NOT NULL,
  filing_id       ident NOT NULL,
  place           text NOT NULL,
  key             text NOT NULL,
  transactions    bigint NOT NULL,
  gross           numeric(20,2) NOT NULL CHECK (gross <> 'NaN'),
  taxable         numeric(20,2) NOT NULL CHECK (taxable <> 'NaN'),
  tax             numeric(20,2) NOT NULL CHECK (tax <> 'NaN'),
  owed            numeric(20,2) NOT NULL CHECK (owed <> 'NaN'),
  PRIMARY KEY (organization_id, filing_id, place, key),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);
-- How complete these sums are. A claimed return without a row is from an earlier release.
CREATE TABLE filing_freezes (
  organization_id ident NOT NULL,
  filing_id       ident NOT NULL,
  missing         bigint NOT NULL CHECK (missing >= 0), -- transactions without figures
  frozen_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, filing_id),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);
