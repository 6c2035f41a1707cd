-- +goose Up

-- Answers to requests that carried an Idempotency-Key, each written in the database
-- transaction of its effect. A row without a status is a request under way whose
-- effect is committed elsewhere; it lapses with its lease.
CREATE TABLE idempotency_keys (
  organization_id ident NOT NULL REFERENCES organizations (id),
  key_hash        bytea NOT NULL CHECK (octet_length(key_hash) = 32), -- of the key and of the organization that owns the API key
  fingerprint     bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
  status          smallint CHECK (status BETWEEN 200 AND 299),
  body            bytea,
  lease           text,                          -- who works on it
  created_at      timestamptz NOT NULL DEFAULT now(),
  expires_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, key_hash),
  CHECK ((status IS NULL) = (lease IS NOT NULL))
);
CREATE INDEX idempotency_keys_expires_at ON idempotency_keys (expires_at);

-- Reference rates: so much of a currency is one euro. They belong to the
-- installation, as the tax content does.
CREATE TABLE fx_rates (
  currency    text NOT NULL CHECK (currency ~ '^[A-Z]{3}$' AND currency <> 'EUR'),
  day         date NOT NULL,
  rate        numeric(21,9) NOT NULL CHECK (rate > 0 AND rate <> 'NaN'),
  source      text NOT NULL,
  imported_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (currency, day)
);

-- Limits of single organizations, where they differ from those of the installation.
CREATE TABLE rate_limits (
  organization_id ident PRIMARY KEY REFERENCES organizations (id),
  per_minute      integer NOT NULL CHECK (per_minute > 0),
  burst           integer NOT NULL CHECK (burst > 0)
);
