-- +goose Up
-- Where the events of an organization are sent, and what became of each (see store/webhooks).

-- An endpoint, and how far its deliveries are. Everything of the feed up to its cursor has its delivery. While next_check_at
-- is set there is work that only the workflow does; until rests_until nobody needs to look for new events: a run works on
-- it, or it asked for a pause.
CREATE TABLE webhook_endpoints (
  organization_id  ident NOT NULL REFERENCES organizations (id),
  id               ident NOT NULL,
  url              text NOT NULL,
  description      text,
  enabled_events   jsonb NOT NULL DEFAULT '["*"]',
  status           text NOT NULL CHECK (status IN ('ENABLED', 'DISABLED')),
  disabled_reason  text CHECK (disabled_reason IN ('MANUAL', 'FAILING', 'GONE')),
  include_clients  boolean NOT NULL,
  signature_scheme text NOT NULL CHECK (signature_scheme IN ('v1', 'v1a')),
  public_key       text,
  secret           sealed NOT NULL,
  former_secret    sealed,
  former_until     timestamptz,
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  deleted_at       timestamptz,                        -- its deliveries are deleted piece by piece, and then the row
  cursor_sequence  bigint NOT NULL DEFAULT 0,
  cursor_at        timestamptz NOT NULL DEFAULT now(), -- no event behind the cursor was written before
  next_check_at    timestamptz,
  rests_until      timestamptz,
  failing_since    timestamptz,                        -- the first failure after the last success
  concurrency      smallint NOT NULL DEFAULT 8,
  setbacks         smallint NOT NULL DEFAULT 0,
  paused_until     timestamptz,
  PRIMARY KEY (organization_id, id),
  CHECK ((status = 'DISABLED') = (disabled_reason IS NOT NULL)),
  CHECK ((former_secret IS NULL) = (former_until IS NULL)),
  CHECK ((signature_scheme = 'v1a') = (public_key IS NOT NULL))
);
-- Read across organizations by the processes that start workflows.
CREATE INDEX webhook_endpoints_next_check_at ON webhook_endpoints (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX webhook_endpoints_enabled ON webhook_endpoints (organization_id, id) WHERE status = 'ENABLED';

-- A span of the feed that is sent to an endpoint once more. Everything up to its cursor has its delivery.
CREATE TABLE webhook_replays (
  organization_id ident NOT NULL,
  endpoint_id     ident NOT NULL,
  id              ident NOT NULL,
  types           jsonb NOT NULL,
  since_at        timestamptz NOT NULL,
  until_at        timestamptz NOT NULL,
  until_sequence  bigint NOT NULL,
  cursor_sequence bigint NOT NULL DEFAULT 0,
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, endpoint_id, id),
  FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints (organization_id, id) ON DELETE CASCADE
);

-- An event for an endpoint, with the last of its attempts. Of the event it has the place in the feed.
CREATE TABLE webhook_deliveries (
  organization_id       ident NOT NULL,
  endpoint_id           ident NOT NULL,
  id                    ident NOT NULL,
  event_organization_id ident NOT NULL,
  sequence              bigint NOT NULL,
  event_at              timestamptz NOT NULL,
  type                  text NOT NULL,
  replay_id             ident,
  status                text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED')),
  tries                 smallint NOT NULL DEFAULT 0,
  attempts              jsonb NOT NULL DEFAULT '[]',
  next_attempt_at       timestamptz DEFAULT now(),
  created_at            timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, endpoint_id, id),
  FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints (organization_id, id),
  CHECK ((status = 'PENDING') = (next_attempt_at IS NOT NULL))
) WITH (fillfactor = 80);
-- An event is delivered to an endpoint once, and once more for each replay.
CREATE UNIQUE INDEX webhook_deliveries_event ON webhook_deliveries (organization_id, endpoint_id, sequence, replay_id) NULLS NOT DISTINCT;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (organization_id, endpoint_id, next_attempt_at) WHERE status = 'PENDING';
CREATE INDEX webhook_deliveries_created_at ON webhook_deliveries (organization_id, endpoint_id, created_at, id);

-- +goose StatementBegin
DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['webhook_endpoints', 'webhook_replays', 'webhook_deliveries'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format($policy$CREATE POLICY own_organization ON %I USING (organization_id = ANY (
      (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]))$policy$, t);
  END LOOP;
END $$;
-- +goose StatementEnd

-- It is checked of their task queue, too, whether Temporal hands work to workers.
INSERT INTO engine_checks (name) VALUES ('heartbeat/webhooks') ON CONFLICT DO NOTHING;
