-- +goose Up
-- What the audit trail had before rows of it were queued by themselves is sealed too, a thousand rows at a time. This is
-- a migration of its own so that nobody who writes to the trail waits for it.
INSERT INTO audit_unsealed (organization_ids, ids)
SELECT array_agg(organization_id::text ORDER BY organization_id, id), array_agg(id::text ORDER BY organization_id, id)
  FROM (SELECT a.organization_id, a.id, (row_number() OVER (ORDER BY a.organization_id, a.id) - 1) / 1000 AS part
          FROM audit a
         WHERE NOT EXISTS (
           SELECT FROM (SELECT q.* FROM audit_unsealed u, unnest(u.organization_ids, u.ids) AS q (organization_id, id)) q
            WHERE q.organization_id = a.organization_id AND q.id = a.id)) rows
 GROUP BY part;
