-- +goose Up
-- A day on which all collected tax was given back adds up to nothing in the counters, although the first sale with collected
-- tax may be among its sales. Refunds of their sale's day that take back tax name the day here, and it keeps its name. Days
-- from before this table are named when one of their refunds is counted again.
CREATE TABLE nexus_returned_days (
  organization_id ident NOT NULL,
  country_code    text NOT NULL,
  state_code      text NOT NULL,
  day             date NOT NULL,
  PRIMARY KEY (organization_id, country_code, state_code, day)
);

-- +goose StatementBegin
CREATE FUNCTION name_nexus_returned_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO nexus_returned_days (organization_id, country_code, state_code, day)
  VALUES (NEW.organization_id, NEW.country_code, NEW.state_code, NEW.day) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER nexus_contributions_returned AFTER INSERT OR UPDATE OF collected_tax ON nexus_contributions FOR EACH ROW
  WHEN (NEW.collected_tax < 0 AND NEW.sold_on IS NULL) EXECUTE FUNCTION name_nexus_returned_day();
