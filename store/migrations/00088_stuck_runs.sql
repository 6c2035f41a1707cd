-- +goose Up
-- 'stuck': do all open runs get their workflow tasks?
INSERT INTO engine_checks (name) VALUES ('stuck') ON CONFLICT DO NOTHING;
