-- +goose Up
-- A refund takes back exactly what its sale was counted as, also where amounts are converted: by the rate of the day of the
-- sale. So contributions of refunds of another day name that day, and their sums are kept by it beside the counters, which
-- they are part of. Refunds that were counted before are given the day by the next nightly recount.
ALTER TABLE nexus_contributions ADD COLUMN sold_on date;

CREATE TABLE nexus_refunds (
  organization_id ident NOT NULL REFERENCES organizations (id),
  country_code    text NOT NULL,
  state_code      text NOT NULL,
  currency        text NOT NULL,
  day             date NOT NULL,
  marketplace     boolean NOT NULL,
  sold_on         date NOT NULL,   -- another day
  amount          numeric(20,2) NOT NULL,
  exempt_amount   numeric(20,2) NOT NULL,
  resale_amount   numeric(20,2) NOT NULL,
  PRIMARY KEY (organization_id, country_code, state_code, currency, day, marketplace, sold_on)
) WITH (fillfactor = 50);

-- Who changes contributions has changed the counters of their days before, in key order: of two that change the same sums
-- here one waits for the other there.
-- +goose StatementBegin
CREATE FUNCTION count_nexus_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  c nexus_contributions := CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
  sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO nexus_refunds AS k (organization_id, country_code, state_code, currency, day, marketplace, sold_on,
         amount, exempt_amount, resale_amount)
  VALUES (c.organization_id, c.country_code, c.state_code, c.currency, c.day, c.marketplace, c.sold_on,
          sign * c.amount, sign * c.exempt_amount, sign * c.resale_amount)
  ON CONFLICT (organization_id, country_code, state_code, currency, day, marketplace, sold_on) DO UPDATE SET
         amount = k.amount + excluded.amount, exempt_amount = k.exempt_amount + excluded.exempt_amount,
         resale_amount = k.resale_amount + excluded.resale_amount;
  RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER nexus_contributions_count_refund AFTER INSERT ON nexus_contributions FOR EACH ROW
  WHEN (NEW.sold_on IS NOT NULL) EXECUTE FUNCTION count_nexus_refund();
CREATE TRIGGER nexus_contributions_uncount_refund AFTER DELETE ON nexus_contributions FOR EACH ROW
  WHEN (OLD.sold_on IS NOT NULL) EXECUTE FUNCTION count_nexus_refund();
