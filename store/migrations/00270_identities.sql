-- +goose NO TRANSACTION
-- +goose Up
-- levy: concurrent
-- Logical replication and change data capture make a publication of all tables. It refuses every UPDATE and DELETE of a
-- table whose rows it cannot identify. These have no primary key. Their rows are short, so the whole row is the identity.
-- Each statement takes its lock for a moment.
ALTER TABLE transaction_count_changes REPLICA IDENTITY FULL;
ALTER TABLE record_count_changes REPLICA IDENTITY FULL;
ALTER TABLE boundary_zips REPLICA IDENTITY FULL;
ALTER TABLE boundary_streets REPLICA IDENTITY FULL;
ALTER TABLE nexus_tax_changes REPLICA IDENTITY FULL;
ALTER TABLE audit_unsealed REPLICA IDENTITY FULL;
ALTER TABLE catalog_version_changes REPLICA IDENTITY FULL;
