-- +goose Up
-- People may sign in at an OpenID provider instead of with a password: the account there is bound to the person with
-- the first sign-in, and from then on decides alone who it is.
ALTER TABLE users ADD COLUMN provider_issuer text, ADD COLUMN provider_subject text;
ALTER TABLE users ADD CONSTRAINT users_provider_check CHECK ((provider_issuer IS NULL) = (provider_subject IS NULL));
ALTER TABLE users DROP CONSTRAINT users_check;
ALTER TABLE users ADD CONSTRAINT users_check CHECK (status <> 'ACTIVE' OR password_hash IS NOT NULL OR provider_subject IS NOT NULL);
