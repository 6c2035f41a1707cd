-- +goose Up
-- levy: quick
-- Letters of authorities about a registration or one of its returns. The person in charge of one is in exception_notes, as of
-- every exception, so that the queue and the notice name the same person.
CREATE TABLE notices (
  organization_id ident NOT NULL REFERENCES organizations (id),
  id              ident NOT NULL,
  registration_id ident NOT NULL,
  filing_id       ident,
  country_code    text NOT NULL,
  state_code      text NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('ASSESSMENT', 'PENALTY', 'INFORMATION_REQUEST', 'RATE_CHANGE',
                    'FREQUENCY_CHANGE', 'REFUND', 'OTHER')),
  authority       text NOT NULL CHECK (authority <> ''),
  reference       text,          -- by which the authority knows the letter
  amount          numeric(20, 2) CHECK (amount >= 0),
  currency        text,
  received_date   date NOT NULL,
  due_date        date,          -- NULL: the letter sets no day
  description     text,
  status          text NOT NULL CHECK (status IN ('OPEN', 'IN_PROGRESS', 'ANSWERED', 'CLOSED')),
  answer          text,
  answered_at     timestamptz,
  revision        integer NOT NULL CHECK (revision >= 1),
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, registration_id) REFERENCES registrations (organization_id, id),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id),
  CONSTRAINT notices_amount_currency CHECK ((amount IS NULL) = (currency IS NULL)),
  CONSTRAINT notices_answer CHECK (status NOT IN ('ANSWERED', 'CLOSED') OR answer IS NOT NULL)
);
CREATE INDEX notices_registration ON notices (organization_id, registration_id);
CREATE INDEX notices_filing ON notices (organization_id, filing_id) WHERE filing_id IS NOT NULL;
CREATE INDEX notices_open ON notices (organization_id) WHERE status IN ('OPEN', 'IN_PROGRESS');

-- The transitions of the status of a notice, as models.NoticeTransitions lists them.
CREATE FUNCTION may_move_notice(from_state text, to_state text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT from_state || '>' || to_state = ANY (ARRAY[
    'OPEN>IN_PROGRESS', 'OPEN>ANSWERED', 'OPEN>CLOSED', 'IN_PROGRESS>OPEN', 'IN_PROGRESS>ANSWERED', 'IN_PROGRESS>CLOSED',
    'ANSWERED>IN_PROGRESS', 'ANSWERED>CLOSED', 'CLOSED>IN_PROGRESS'])
$$;
CREATE TRIGGER notices_status_moves AFTER UPDATE OF status ON notices FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT may_move_notice(OLD.status, NEW.status))
  EXECUTE FUNCTION refuse_move();

CREATE TRIGGER notices_write_created AFTER INSERT ON notices REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_created_events('notice', '{}');
CREATE TRIGGER notices_write_changed AFTER UPDATE ON notices FOR EACH ROW
  EXECUTE FUNCTION write_changed_event('notice', '{}', '{updated_at}');

-- The letters themselves. Pieces are encrypted, as documents of returns are.
CREATE TABLE notice_documents (
  organization_id ident NOT NULL,
  id              ident NOT NULL,
  notice_id       ident NOT NULL,
  filename        text NOT NULL,
  content_type    text NOT NULL CHECK (content_type IN ('application/pdf', 'image/png', 'image/jpeg')),
  size            bigint NOT NULL CHECK (size > 0),
  sha256          bytea NOT NULL CHECK (octet_length(sha256) = 32), -- of the letter in clear
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, notice_id) REFERENCES notices (organization_id, id)
);
CREATE INDEX notice_documents_notice ON notice_documents (organization_id, notice_id, created_at, id);
CREATE TABLE notice_document_pieces (
  organization_id ident NOT NULL,
  document_id     ident NOT NULL,
  n               integer NOT NULL,
  content         bytea NOT NULL,
  PRIMARY KEY (organization_id, document_id, n),
  FOREIGN KEY (organization_id, document_id) REFERENCES notice_documents (organization_id, id)
);
-- Letters are compressed already.
ALTER TABLE notice_document_pieces ALTER COLUMN content SET STORAGE EXTERNAL;
-- What is stored counts for the quotas, as documents of exemptions do.
CREATE TRIGGER notice_document_pieces_stored AFTER INSERT ON notice_document_pieces REFERENCING NEW TABLE AS pieces
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored();
CREATE TRIGGER notice_document_pieces_deleted AFTER DELETE ON notice_document_pieces REFERENCING OLD TABLE AS pieces
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted();

ALTER TABLE notices ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON notices USING (organization_id = ANY (
  (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]));
ALTER TABLE notice_documents ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON notice_documents USING (organization_id = ANY (
  (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]));
ALTER TABLE notice_document_pieces ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON notice_document_pieces USING (organization_id = ANY (
  (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]));
