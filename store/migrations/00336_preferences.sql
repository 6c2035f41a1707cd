-- +goose Up
-- levy: quick
-- How the console looks to a person, as the person has set it. The release before knows none, and shows its own form.
CREATE TABLE preferences (
  user_id       ident PRIMARY KEY REFERENCES users (id),
  theme         text NOT NULL CHECK (theme IN ('SYSTEM', 'LIGHT', 'DARK')),
  date_format   text NOT NULL CHECK (date_format IN ('DAY_MONTH_YEAR', 'MONTH_DAY_YEAR', 'ISO')),
  number_format text NOT NULL CHECK (number_format IN ('COMMA', 'SPACE', 'APOSTROPHE', 'NONE')),
  time_zone     text NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 64),
  page_size     smallint CHECK (page_size BETWEEN 10 AND 100), -- NULL: each list has its own
  updated_at    timestamptz NOT NULL
);
