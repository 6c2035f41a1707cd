-- +goose Up
-- levy: quick
-- The second thing by which the person of a session last proved who uses it, such as a code or a passkey. NULL: none, or not
-- known. The release before writes none.
ALTER TABLE sessions ADD COLUMN second_proof text;
