-- +goose Up
-- The ledger proves itself: accepted versions of transactions, decided liabilities and filed returns have a leaf, a keyed
-- hash, in the chain of the audit trail (see store/audit and package ledger). That of a version or return is in its row
-- of the trail. NULL: the row is of another record, or a release before has written it.
ALTER TABLE audit ADD COLUMN leaf bytea;

-- Leaves of decided liabilities, and of records from before, wait here for their seal, each with its organization.
CREATE TABLE ledger_unsealed (
  number           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- later ones of a record have higher numbers
  organization_ids text[] NOT NULL,
  leaves           bytea NOT NULL CHECK (octet_length(leaves) = 37 * cardinality(organization_ids))
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- A link of the chain may have such leaves beside rows of the trail, or instead of them.
ALTER TABLE audit_seals ADD COLUMN leaves bytea;
ALTER TABLE audit_seals
  DROP CONSTRAINT audit_seals_ids_check,
  ADD CONSTRAINT audit_seals_not_empty CHECK (cardinality(ids) > 0 OR leaves IS NOT NULL) NOT VALID,
  ADD CONSTRAINT audit_seals_leaves CHECK (leaves IS NULL OR octet_length(leaves) > 0 AND octet_length(leaves) % 37 = 0) NOT VALID;

-- Records from before get their leaf from levy audit cover. It notes the last transaction of each organization that it
-- has seen, so that it goes on after an interruption. A sealed leaf says that all have theirs, see store/audit.
CREATE TABLE ledger_coverage (
  organization_id   ident PRIMARY KEY REFERENCES organizations (id),
  after_transaction text NOT NULL DEFAULT '',
  transactions      bigint NOT NULL DEFAULT 0, -- that it has seen
  done_at           timestamptz
);
-- Whether records from before may have no leaf.
ALTER TABLE installation ADD COLUMN ledger_from_before boolean NOT NULL DEFAULT false;
UPDATE installation SET ledger_from_before = true WHERE EXISTS (SELECT FROM organizations);
