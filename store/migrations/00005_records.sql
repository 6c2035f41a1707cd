-- +goose Up

-- Lists of customers and exemptions, and the day on which exemptions expire.
CREATE INDEX customers_created_at ON customers (organization_id, created_at DESC, id DESC);
CREATE INDEX exemptions_end_date ON exemptions (organization_id, end_date, id);
CREATE INDEX exemptions_expiring ON exemptions (organization_id, end_date) WHERE status = 'ACTIVE' AND end_date IS NOT NULL;

-- The moves of an exemption's status, as models.ExemptionStatusMachine lists them.
-- +goose StatementBegin
CREATE FUNCTION check_exemption_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.status, NEW.status) NOT IN (
    ('ACTIVE', 'INACTIVE'), ('ACTIVE', 'EXPIRED'), ('ACTIVE', 'DEACTIVATED'), ('ACTIVE', 'ARCHIVED'),
    ('INACTIVE', 'ACTIVE'), ('INACTIVE', 'DEACTIVATED'), ('INACTIVE', 'ARCHIVED'),
    ('EXPIRED', 'ACTIVE'), ('EXPIRED', 'ARCHIVED'),
    ('DEACTIVATED', 'ACTIVE'), ('DEACTIVATED', 'ARCHIVED')) THEN
    RAISE EXCEPTION 'no move of an exemption from % to %', OLD.status, NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = 'exemptions_status_move';
  END IF;
  RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER exemptions_status_move BEFORE UPDATE OF status ON exemptions
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION check_exemption_move();

-- Documents of exemptions. The content lies apart, in pieces, so that neither a
-- list nor an upload holds a whole document in memory.
CREATE TABLE exemption_attachments (
  organization_id ident NOT NULL,
  id              ident NOT NULL,
  exemption_id    ident NOT NULL,
  filename        text NOT NULL,
  content_type    text NOT NULL CHECK (content_type IN ('application/pdf', 'image/png', 'image/jpeg')),
  size            bigint NOT NULL CHECK (size > 0),
  sha256          bytea NOT NULL CHECK (octet_length(sha256) = 32),
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, exemption_id) REFERENCES exemptions (organization_id, id)
);
CREATE INDEX exemption_attachments_exemption ON exemption_attachments (organization_id, exemption_id, created_at, id);

CREATE TABLE exemption_attachment_pieces (
  organization_id ident NOT NULL,
  attachment_id   ident NOT NULL,
  n               integer NOT NULL,
  content         bytea NOT NULL,
  PRIMARY KEY (organization_id, attachment_id, n),
  FOREIGN KEY (organization_id, attachment_id) REFERENCES exemption_attachments (organization_id, id)
);
-- Documents are packed already.
ALTER TABLE exemption_attachment_pieces ALTER COLUMN content SET STORAGE EXTERNAL;
