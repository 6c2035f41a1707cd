-- +goose Up
-- What a partner stores with its clients: bytes of documents and of files of imports. Triggers count, so that no way of
-- writing or deleting them forgets it, and a partner's row lets those that store at the same moment follow each other.
-- They act as the owner: the roles of the service see rows of a closed table only where a statement names them.
CREATE TABLE partner_storage (
  organization_id ident PRIMARY KEY REFERENCES organizations (id), -- the partner
  bytes           bigint NOT NULL CHECK (bytes >= 0)
);

-- +goose StatementBegin
CREATE FUNCTION count_stored() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO partner_storage AS s (organization_id, bytes)
  SELECT coalesce(o.parent_organization_id, o.id), sum(octet_length(p.content))
    FROM pieces p JOIN organizations o ON o.id = p.organization_id GROUP BY 1 ORDER BY 1
      ON CONFLICT (organization_id) DO UPDATE SET bytes = s.bytes + excluded.bytes;
  RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION count_deleted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  UPDATE partner_storage s SET bytes = s.bytes - d.bytes
    FROM (SELECT coalesce(o.parent_organization_id, o.id) AS id, sum(octet_length(p.content)) AS bytes
            FROM pieces p JOIN organizations o ON o.id = p.organization_id GROUP BY 1) d
   WHERE s.organization_id = d.id;
  RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
DECLARE
  f text;
  t text;
BEGIN
  FOREACH f IN ARRAY ARRAY['count_stored', 'count_deleted'] LOOP
    EXECUTE format('ALTER FUNCTION %I() SET search_path = %I, pg_temp', f, current_schema());
  END LOOP;
  FOREACH t IN ARRAY ARRAY['exemption_attachment_pieces', 'transaction_import_pieces'] LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS pieces FOR EACH STATEMENT EXECUTE FUNCTION count_stored()', t || '_stored', t);
    EXECUTE format('CREATE TRIGGER %I AFTER DELETE ON %I REFERENCING OLD TABLE AS pieces FOR EACH STATEMENT EXECUTE FUNCTION count_deleted()', t || '_deleted', t);
  END LOOP;
END $$;
-- +goose StatementEnd

-- The triggers keep others from writing pieces until this has counted what is there.
INSERT INTO partner_storage (organization_id, bytes)
SELECT coalesce(o.parent_organization_id, o.id), sum(p.bytes)
  FROM (SELECT organization_id, octet_length(content) AS bytes FROM exemption_attachment_pieces
         UNION ALL SELECT organization_id, octet_length(content) FROM transaction_import_pieces) p
  JOIN organizations o ON o.id = p.organization_id GROUP BY 1;
