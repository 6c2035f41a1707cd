-- +goose Up

-- Products carry the merchant's own tax code of another system.
ALTER TABLE products ADD COLUMN code text NOT NULL DEFAULT '';
