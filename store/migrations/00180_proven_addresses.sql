-- +goose Up
-- An address is written by those who invite, and belongs to the person who proves it. So several accounts may have one
-- address: each is reached by a link of its own, with the roles that those who made the link could give. One of them at
-- most is proven: by a link that the operator of the installation made, or at the OpenID provider. email_key stays
-- unique, for processes of earlier releases: of an account that shares its address, the id follows it.
ALTER TABLE users
  ADD COLUMN address_key ident,                  -- the address as it is compared; NULL: email_key is that
  ADD COLUMN proven_at   timestamptz;
-- People from before count as they are: addresses were unique, so each belongs to the account that has opened a link
-- or signed in at the provider. An account that nobody has opened yet is not proven.
UPDATE users SET proven_at = updated_at WHERE password_hash IS NOT NULL OR provider_subject IS NOT NULL;
-- The role that a person gets by opening the link; NULL: none, the account has its roles. Opening a link of the operator
-- proves the address, and ends what others hold of its accounts.
ALTER TABLE sign_in_links
  ADD COLUMN by_operator     boolean NOT NULL DEFAULT false,
  ADD COLUMN organization_id ident,
  ADD COLUMN role            text CHECK (role IN ('viewer', 'preparer', 'approver', 'admin')),
  ADD COLUMN staff_role      text CHECK (staff_role IN ('auditor', 'operator'));
