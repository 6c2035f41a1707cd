-- Imports of files of transactions.

-- An import. Everything before its position (byte_offset, line) has its verdict: the position
-- advances in the database transaction that writes what was accepted. While next_check_at is
-- set there is pending work that only the workflow does.
-- What only an import needs is not kept for ever: at forget_at the rejected rows of a finished
-- import are deleted, and one that is paused or failed is cancelled.
CREATE TABLE transaction_imports (
  organization_id ident NOT NULL REFERENCES organizations (id),
  id              ident NOT NULL,
  name            text,
  status          text NOT NULL CHECK (status IN
                    ('UPLOADING', 'QUEUED', 'RUNNING', 'PAUSED', 'COMPLETED', 'CANCELLED', 'FAILED')),
  reason          text,
  api_key_id      ident,
  request_id      text,
  size            bigint NOT NULL DEFAULT 0,
  sha256          bytea CHECK (octet_length(sha256) = 32),
  separator       text NOT NULL DEFAULT ',',
  columns         jsonb NOT NULL DEFAULT '[]',
  header_size     bigint NOT NULL DEFAULT 0,
  header_lines    bigint NOT NULL DEFAULT 0,
  passes          smallint NOT NULL DEFAULT 1 CHECK (passes IN (1, 2)),
  pass            smallint NOT NULL DEFAULT 1 CHECK (pass BETWEEN 1 AND passes),
  byte_offset     bigint NOT NULL DEFAULT 0,
  line            bigint NOT NULL DEFAULT 1,
  rows            bigint NOT NULL DEFAULT 0,
  transactions    bigint NOT NULL DEFAULT 0,
  accepted        bigint NOT NULL DEFAULT 0,
  present         bigint NOT NULL DEFAULT 0,
  conflicting     bigint NOT NULL DEFAULT 0,
  rejected        bigint NOT NULL DEFAULT 0,
  next_check_at   timestamptz,
  created_at      timestamptz NOT NULL,
  started_at      timestamptz,
  updated_at      timestamptz NOT NULL,
  finished_at     timestamptz,
  forget_at       timestamptz,
  PRIMARY KEY (organization_id, id),
  CHECK (status = 'UPLOADING' OR sha256 IS NOT NULL),
  CHECK ((status IN ('COMPLETED', 'CANCELLED')) = (finished_at IS NOT NULL)),
  CHECK (byte_offset <= size OR status = 'UPLOADING'),
  CHECK (transactions = accepted + present + conflicting + rejected)
);
-- The same file is in progress only once.
CREATE UNIQUE INDEX transaction_imports_sha256 ON transaction_imports (organization_id, sha256)
  WHERE status IN ('QUEUED', 'RUNNING', 'PAUSED', 'FAILED');
CREATE INDEX transaction_imports_created_at ON transaction_imports (organization_id, created_at, id);
-- Read across organizations by the processes that start workflows, and by those that delete.
CREATE INDEX transaction_imports_next_check_at ON transaction_imports (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX transaction_imports_forget_at ON transaction_imports (forget_at) WHERE forget_at IS NOT NULL;

CREATE FUNCTION may_move_import(from_state text, to_state text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT from_state || '>' || to_state = ANY (ARRAY[
    'UPLOADING>QUEUED', 'QUEUED>RUNNING', 'QUEUED>PAUSED', 'QUEUED>CANCELLED', 'RUNNING>PAUSED', 'RUNNING>COMPLETED', 'RUNNING>FAILED',
    'RUNNING>CANCELLED', 'PAUSED>QUEUED', 'PAUSED>CANCELLED', 'FAILED>QUEUED', 'FAILED>CANCELLED'])
$$;
CREATE TRIGGER transaction_imports_status_moves AFTER UPDATE OF status ON transaction_imports FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT may_move_import(OLD.status, NEW.status))
  EXECUTE FUNCTION refuse_move();

-- The file, as long as it is needed. Compressing it would take longer than writing it.
CREATE TABLE transaction_import_pieces (
  organization_id ident NOT NULL,
  import_id       ident NOT NULL,
  start           bigint NOT NULL,
  content         bytea NOT NULL,
  PRIMARY KEY (organization_id, import_id, start),
  FOREIGN KEY (organization_id, import_id) REFERENCES transaction_imports (organization_id, id) ON DELETE CASCADE
);
ALTER TABLE transaction_import_pieces ALTER COLUMN content SET STORAGE EXTERNAL;

-- The ids that the file gives to sales it may refund, as long as they are needed.
CREATE TABLE transaction_import_originals (
  organization_id ident NOT NULL,
  import_id       ident NOT NULL,
  file_id         text NOT NULL,
  transaction_id  ident NOT NULL,
  PRIMARY KEY (organization_id, import_id, file_id),
  FOREIGN KEY (organization_id, import_id) REFERENCES transaction_imports (organization_id, id) ON DELETE CASCADE
);

-- The transactions of a file that were not accepted, with their rows.
CREATE TABLE transaction_import_rejections (
  organization_id ident NOT NULL,
  import_id       ident NOT NULL,
  line            bigint NOT NULL,
  external_id     text,
  conflict        boolean NOT NULL,
  faults          jsonb NOT NULL,
  rows            jsonb NOT NULL,
  lines           jsonb NOT NULL,
  PRIMARY KEY (organization_id, import_id, line),
  FOREIGN KEY (organization_id, import_id) REFERENCES transaction_imports (organization_id, id) ON DELETE CASCADE
);
