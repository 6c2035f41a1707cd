-- +goose Up
-- Filters of the console's lists that a person has given a name. query has the parameters of the list, checked when it was
-- saved.
CREATE TABLE saved_views (
  user_id    ident NOT NULL REFERENCES users (id),
  list       text NOT NULL CHECK (list IN ('filings', 'exceptions', 'transactions', 'clients')),
  name_key   text NOT NULL,                      -- the name as it is compared
  name       text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  query      text NOT NULL CHECK (length(query) <= 2000),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, list, name_key)
);
