-- +goose Up
-- levy: quick
-- The file that an authority gets of an attempt. A row is written once, before anything is handed over, and never changes: a
-- repetition reads its bytes. Ids are those by which an authority recognises what it gets again.
CREATE TABLE filing_documents (
  organization_id ident NOT NULL,
  filing_id       ident NOT NULL,
  attempt         integer NOT NULL CHECK (attempt > 0),
  layout          text NOT NULL,
  media_type      text NOT NULL,
  file_name       text NOT NULL,
  transmitter     text NOT NULL,
  transmission_id text NOT NULL,
  document_id     text NOT NULL,
  day             date NOT NULL,          -- of filing, by the calendar of the authority
  content         bytea NOT NULL,         -- encrypted: it has numbers and names of people
  sha256          text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'), -- of what it is in clear text
  findings        jsonb NOT NULL,
  built_at        timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, filing_id, attempt),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);
-- No transmission has the id of another one.
CREATE UNIQUE INDEX filing_documents_transmission ON filing_documents (transmitter, transmission_id);
CREATE UNIQUE INDEX filing_documents_document ON filing_documents (transmitter, document_id);

ALTER TABLE filing_documents ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON filing_documents USING (organization_id = ANY (
  (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]));
