-- +goose Up
-- levy: quick
-- Backups of other programs, which `levy backup note` records. compared says that the files were compared with checksums, as
-- levy backup always did. A program of the release before reads them as its own.
ALTER TABLE backups
  ADD COLUMN kind text NOT NULL DEFAULT 'LEVY' CHECK (kind IN ('LEVY', 'SNAPSHOT', 'PGBACKREST', 'WALG', 'BARMAN', 'OTHER')),
  ADD COLUMN compared boolean NOT NULL DEFAULT true;
