-- +goose Up
-- What is true of an installation since it was made. Until now defaults of installation_keys said it, so that the schema
-- of installations differed.
CREATE TABLE installation (
  single              boolean PRIMARY KEY DEFAULT true CHECK (single),
  tax_ids_from_before boolean NOT NULL         -- there were organizations before tax ids were encrypted
);
INSERT INTO installation (tax_ids_from_before)
SELECT NOT EXISTS (SELECT FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
                    WHERE d.adrelid = 'installation_keys'::regclass AND a.attname = 'in_use_at');
ALTER TABLE installation_keys ALTER in_use_at DROP DEFAULT, ALTER sealed_at DROP DEFAULT;
