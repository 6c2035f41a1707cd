-- The tax content: its versions, boundary files, and reference rates of currencies. It belongs
-- to the installation, not to an organization.

-- Snapshots of the tax content. A row never changes: what was calculated with a version can be
-- calculated again.
CREATE TABLE content_versions (
  version      ident PRIMARY KEY,
  base_version ident REFERENCES content_versions (version), -- null: shipped with a program
  pack         bytea NOT NULL,                              -- all tables, compressed
  note         text NOT NULL,
  sources      jsonb NOT NULL,                              -- imported files: name, sha256, rows
  recorded_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
-- Compressed already.
ALTER TABLE content_versions ALTER COLUMN pack SET STORAGE EXTERNAL;
CREATE INDEX content_versions_recorded ON content_versions (recorded_at);

-- Which version was in force when: the last row counts.
CREATE TABLE content_activations (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  version      ident NOT NULL REFERENCES content_versions (version),
  reason       text NOT NULL,
  activated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Imports of boundary files. Their records are stored under the id of the import; they count
-- once a content version that names the import is active.
CREATE TABLE boundary_loads (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  state      text NOT NULL,
  file       text NOT NULL,
  sha256     bytea NOT NULL CHECK (octet_length(sha256) = 32),
  records    bigint NOT NULL DEFAULT 0, -- of the file that are stored already
  complete   boolean NOT NULL DEFAULT false,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (state, sha256)
);

-- The distinct sets of jurisdictions of one import, as "type:code|type:code".
CREATE TABLE boundary_sets (
  load_id bigint NOT NULL REFERENCES boundary_loads (id) ON DELETE CASCADE,
  set_no  integer NOT NULL,
  codes   ident NOT NULL,
  PRIMARY KEY (load_id, set_no)
);

-- Ranges of ZIP+4. block is the ZIP with the digits that low and high have in common: every
-- block that contains a ZIP+4 is found by five look-ups. Dates are yyyymmdd, both ends included.
CREATE TABLE boundary_zips (
  load_id    bigint NOT NULL,
  block      ident NOT NULL,
  kind       "char" NOT NULL, -- Z or 4
  low        smallint NOT NULL,
  high       smallint NOT NULL,
  valid_from integer NOT NULL,
  valid_to   integer NOT NULL,
  set_no     integer NOT NULL
);
CREATE INDEX boundary_zips_block ON boundary_zips (load_id, block);

-- Ranges of house numbers.
CREATE TABLE boundary_streets (
  load_id    bigint NOT NULL,
  low        bigint NOT NULL,
  high       bigint NOT NULL,
  valid_from integer NOT NULL,
  valid_to   integer NOT NULL,
  set_no     integer NOT NULL,
  side       "char" NOT NULL, -- Odd, Even or Both
  zip        ident NOT NULL,
  name       ident NOT NULL,
  kind       ident NOT NULL,
  before     ident NOT NULL,
  after      ident NOT NULL
);
CREATE INDEX boundary_streets_name ON boundary_streets (load_id, zip, name);

-- Reference rates: units of the currency for one euro.
CREATE TABLE fx_rates (
  currency    text NOT NULL CHECK (currency ~ '^[A-Z]{3}$' AND currency <> 'EUR'),
  day         date NOT NULL,
  rate        numeric(21,9) NOT NULL CHECK (rate > 0 AND rate <> 'NaN'),
  source      text NOT NULL,
  imported_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (currency, day)
);

-- The latest reference rate on a day, or of the 7 days before it, by which a return in euro
-- converts a sale in another currency.
CREATE FUNCTION euro_rate(code text, on_day date) RETURNS numeric LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT rate FROM fx_rates WHERE currency = code AND day BETWEEN on_day - 7 AND on_day ORDER BY day DESC LIMIT 1
$$;
