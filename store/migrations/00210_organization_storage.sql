-- +goose Up
-- What an organization stores, inside the quota of its partner: bytes of documents and of files of imports, counted by the
-- triggers that count those of the partner. most is its own quota; without one that of the installation counts.
CREATE TABLE organization_storage (
  organization_id ident PRIMARY KEY REFERENCES organizations (id),
  bytes           bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0),
  most            bigint CHECK (most >= 0)
);

LOCK TABLE exemption_attachment_pieces, transaction_import_pieces IN SHARE ROW EXCLUSIVE MODE;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_stored() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO organization_storage AS s (organization_id, bytes)
  SELECT p.organization_id, sum(octet_length(p.content)) FROM pieces p GROUP BY 1 ORDER BY 1
      ON CONFLICT (organization_id) DO UPDATE SET bytes = s.bytes + excluded.bytes;
  INSERT INTO partner_storage AS s (organization_id, bytes)
  SELECT coalesce(o.parent_organization_id, o.id), sum(octet_length(p.content))
    FROM pieces p JOIN organizations o ON o.id = p.organization_id GROUP BY 1 ORDER BY 1
      ON CONFLICT (organization_id) DO UPDATE SET bytes = s.bytes + excluded.bytes;
  RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_deleted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  UPDATE organization_storage s SET bytes = s.bytes - d.bytes
    FROM (SELECT p.organization_id AS id, sum(octet_length(p.content)) AS bytes FROM pieces p GROUP BY 1) d
   WHERE s.organization_id = d.id;
  UPDATE partner_storage s SET bytes = s.bytes - d.bytes
    FROM (SELECT coalesce(o.parent_organization_id, o.id) AS id, sum(octet_length(p.content)) AS bytes
            FROM pieces p JOIN organizations o ON o.id = p.organization_id GROUP BY 1) d
   WHERE s.organization_id = d.id;
  RETURN NULL;
END $$;
-- +goose StatementEnd

-- CREATE OR REPLACE forgets the search path.
-- +goose StatementBegin
DO $$
DECLARE
  f text;
BEGIN
  FOREACH f IN ARRAY ARRAY['count_stored', 'count_deleted'] LOOP
    EXECUTE format('ALTER FUNCTION %I() SET search_path = %I, pg_temp', f, current_schema());
  END LOOP;
END $$;
-- +goose StatementEnd

-- The lock keeps others from writing pieces until this has counted what is there.
INSERT INTO organization_storage (organization_id, bytes)
SELECT p.organization_id, sum(p.bytes)
  FROM (SELECT organization_id, octet_length(content) AS bytes FROM exemption_attachment_pieces
         UNION ALL SELECT organization_id, octet_length(content) FROM transaction_import_pieces) p GROUP BY 1;
