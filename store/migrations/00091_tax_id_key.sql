-- +goose Up
-- Keys of the installation, each wrapped by a master key. The key of tax ids encrypts the numbers of exemptions, customers,
-- organizations, registrations, returns and transactions: it outlives the data keys of organizations, since tax law keeps
-- certificates and registrations. It is in use from the start where nothing is from before; else from `levy keys seal` on,
-- when no process is left of a version that cannot read what it encrypts. That command encrypts older numbers, too, and
-- notes when it has been through all of them.
CREATE TABLE installation_keys (
  id            text PRIMARY KEY,
  master_key_id ident NOT NULL,
  wrapped       bytea NOT NULL CHECK (octet_length(wrapped) = 60),
  created_at    timestamptz NOT NULL DEFAULT now(),
  in_use_at     timestamptz,
  sealed_at     timestamptz
);
-- +goose StatementBegin
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM organizations) THEN -- nothing is from before
    ALTER TABLE installation_keys ALTER in_use_at SET DEFAULT now(), ALTER sealed_at SET DEFAULT now();
  END IF;
END $$;
-- +goose StatementEnd
