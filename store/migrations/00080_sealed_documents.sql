-- +goose Up
-- Each document of an exemption is encrypted under a key of its own, which stands beside it, wrapped by a master key: tax
-- law keeps certificates, also when the data key of their organization is destroyed. Without a key a document is in clear
-- text: a version from before stored it, and `levy keys seal` encrypts it.
ALTER TABLE exemption_attachments
  ADD COLUMN master_key_id ident,
  ADD COLUMN wrapped bytea CHECK (octet_length(wrapped) = 60),
  ADD CONSTRAINT exemption_attachments_key CHECK ((master_key_id IS NULL) = (wrapped IS NULL));
