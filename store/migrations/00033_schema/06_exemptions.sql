-- Exemptions of customers and transactions, with their documents.

CREATE TABLE exemptions (
  organization_id ident NOT NULL REFERENCES organizations (id),
  id              ident NOT NULL,
  exemption_type  text NOT NULL CHECK (exemption_type IN ('customer', 'wholesale', 'transaction')),
  start_date      date NOT NULL,
  end_date        date CHECK (end_date >= start_date),
  customer_id     ident,
  transaction_id  ident,
  country_code    text NOT NULL,
  jurisdiction    text,
  reseller        boolean NOT NULL,
  fein            text,
  sales_tax_id    text,
  status          text NOT NULL CHECK (status IN ('ACTIVE', 'INACTIVE', 'EXPIRED', 'DEACTIVATED', 'ARCHIVED')),
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id),
  CHECK (customer_id IS NOT NULL OR transaction_id IS NOT NULL)
);
CREATE INDEX exemptions_customer ON exemptions (organization_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX exemptions_transaction ON exemptions (organization_id, transaction_id) WHERE transaction_id IS NOT NULL;
CREATE INDEX exemptions_end_date ON exemptions (organization_id, end_date, id);
CREATE INDEX exemptions_expiring ON exemptions (organization_id, end_date)
  WHERE status = 'ACTIVE' AND end_date IS NOT NULL;

-- The transitions of the status of an exemption, as models.ExemptionStatusMachine lists them.
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
CREATE TRIGGER exemptions_status_move BEFORE UPDATE OF status ON exemptions
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION check_exemption_move();

-- The exemptions that a transaction asked for (linked) or was granted (applied).
CREATE TABLE transaction_exemptions (
  organization_id ident NOT NULL,
  transaction_id  ident NOT NULL,
  exemption_id    ident NOT NULL,
  linked          boolean NOT NULL,
  applied         boolean NOT NULL,
  PRIMARY KEY (organization_id, transaction_id, exemption_id),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id),
  FOREIGN KEY (organization_id, exemption_id) REFERENCES exemptions (organization_id, id)
);

-- Documents of exemptions. Their content is stored apart, in pieces, so that neither a list nor
-- an upload holds a whole document in memory.
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
-- Documents are compressed already.
ALTER TABLE exemption_attachment_pieces ALTER COLUMN content SET STORAGE EXTERNAL;
