-- +goose Up
-- Nobody rewrites what was done: the trail takes new rows only, and every row of it is sealed into a chain of its
-- organization. What is sealed next stands in a queue, into which a statement puts the rows that it wrote, in its own
-- database transaction and without waiting for anybody; a process seals them moments later (see store/audit).

-- Who ran a command of the operator, or changed a filing from the Temporal UI.
ALTER TABLE audit ADD COLUMN staff text;

-- The rows that one statement wrote and that are not sealed: the organization and the id of each.
CREATE TABLE audit_unsealed (
  organization_ids text[] NOT NULL,
  ids              text[] NOT NULL CHECK (cardinality(ids) = cardinality(organization_ids))
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- One link of the chain of an organization.
CREATE TABLE audit_seals (
  organization_id ident NOT NULL,
  number          bigint NOT NULL CHECK (number > 0),  -- 1, 2, 3 and so on, without a gap
  sealed_at       timestamptz NOT NULL DEFAULT now(),
  ids             text[] NOT NULL CHECK (cardinality(ids) > 0),
  digests         bytea NOT NULL CHECK (octet_length(digests) = 32 * cardinality(ids)),  -- SHA-256 of each row
  master_key_id   ident NOT NULL,
  seal            bytea NOT NULL CHECK (octet_length(seal) = 32),  -- HMAC of all this and of the seal before
  PRIMARY KEY (organization_id, number)
);

-- +goose StatementBegin
CREATE FUNCTION queue_for_seal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_unsealed (organization_ids, ids)
  SELECT array_agg(organization_id::text), array_agg(id::text) FROM added HAVING count(*) > 0;
  RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER audit_queued AFTER INSERT ON audit
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION queue_for_seal();
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER audit_seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
