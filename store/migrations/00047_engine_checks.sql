-- +goose Up
-- What processes check of Temporal, one of them for all: whether it hands work to workers, and whether runs
-- ended that their records still need. due_at is when it is checked next, done_at when it last succeeded, by the
-- clock of the database; run_id is the run by which Temporal was last checked.
CREATE TABLE engine_checks (
  name    ident PRIMARY KEY,
  due_at  timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz NOT NULL DEFAULT now(),
  run_id  ident
) WITH (fillfactor = 50);
INSERT INTO engine_checks (name) VALUES ('heartbeat'), ('runs');
