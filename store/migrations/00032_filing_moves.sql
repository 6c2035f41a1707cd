-- +goose Up

-- Who moves a filing holds its registration, from before the filing is read until the
-- commit: otherwise a stage of processing could miss the claim that the move makes, and
-- its transactions would be in no return. The lock is that of the store, alone and not
-- shared; a move without it is a defect, and refused.
-- +goose StatementBegin
CREATE FUNCTION refuse_move_unheld() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM pg_locks l
    WHERE l.locktype = 'advisory' AND l.pid = pg_backend_pid() AND l.granted AND l.mode = 'ExclusiveLock' AND l.objsubid = 2
      AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
      AND l.classid = 10 AND l.objid = (hashtext(NEW.registration_id)::bigint & 4294967295)::oid;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a filing is moved by somebody who does not hold its registration' USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd

-- Its name comes after that of filings_status_moves: a move that does not exist is
-- refused as such.
CREATE TRIGGER filings_status_moves_held AFTER UPDATE OF status ON filings FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION refuse_move_unheld();
