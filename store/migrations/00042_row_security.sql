-- +goose NO TRANSACTION
-- +goose Up
-- A second lock on what must never be seen by another organization, should a statement forget to say whose records it
-- wants: the API's role sees the rows of the organizations that its statement was sent with (see store/pg/security.go).
-- Only tables that are read by key have it: transactions, customers and what belongs to them are searched by indexes of
-- trigrams, which cannot be used behind it.
--
-- It is not forced on the owner. No service acts as the owner: every connection takes on a role that `levy migrate` made,
-- and for which row-level security always counts. The owner is who migrates, makes backups (pg_dump refuses tables that
-- show it a part) and runs the processes of the release before this one, which know nothing of roles.

-- Each table is closed in a database transaction of its own: with the locks of two of them it would wait for statements
-- that read both, while those wait for it.

-- +goose StatementBegin
DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['personal_data', 'data_keys', 'bank_details', 'organization_details', 'api_keys', 'registrations',
    'registration_frequencies', 'exemption_attachments', 'exemption_attachment_pieces', 'audit', 'audit_seals'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('DROP POLICY IF EXISTS own_organization ON %I', t); -- of an attempt that waited too long for the next table
    -- The list is read once for a statement, not once for a row.
    EXECUTE format($policy$CREATE POLICY own_organization ON %I USING (organization_id = ANY (
      (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]))$policy$, t);
    COMMIT;
  END LOOP;
END $$;
-- +goose StatementEnd

-- A request presents a key without its organization: this is the one question about other organizations that the API's
-- role may ask. It answers with an id, and only to who has the hash of a key.
CREATE OR REPLACE FUNCTION organization_of_key(hashes bytea[]) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT k.organization_id::text FROM api_keys k WHERE k.hash = ANY (hashes)
$$;
REVOKE EXECUTE ON FUNCTION organization_of_key(bytea[]) FROM PUBLIC;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION organization_of_key(bytea[]) SET search_path = %I, pg_temp', current_schema());
END $$;
-- +goose StatementEnd
