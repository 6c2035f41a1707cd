-- +goose Up
-- Backups that `levy backup` took of this database, written down after the fact: so one that is restored does not
-- know itself. place is the folder as the command named it; verified says that a server was started on a copy.
CREATE TABLE backups (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  began_at        timestamptz NOT NULL,
  ended_at        timestamptz NOT NULL,
  place           text NOT NULL,
  end_lsn         text NOT NULL,
  bytes           bigint NOT NULL,
  schema_version  bigint NOT NULL,
  content_version text NOT NULL,
  verified        boolean NOT NULL
);
CREATE INDEX backups_began_at ON backups (began_at);
