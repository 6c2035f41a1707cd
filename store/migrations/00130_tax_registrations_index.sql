-- +goose NO TRANSACTION
-- +goose Up
-- Whether an organization has any customer with a tax registration: nearly none has, and then no stage reads customers.
DROP INDEX CONCURRENTLY IF EXISTS customers_with_tax_registrations;
CREATE INDEX CONCURRENTLY customers_with_tax_registrations ON customers (organization_id) WHERE tax_registrations <> '[]';
