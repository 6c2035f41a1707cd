-- Products and customers.

CREATE TABLE products (
  organization_id     ident NOT NULL REFERENCES organizations (id),
  id                  ident NOT NULL,
  external_id         ident NOT NULL,
  name                text NOT NULL,
  product_category    text NOT NULL,
  product_subcategory text,
  tax_class           text NOT NULL,
  classification      text NOT NULL CHECK (classification IN ('SUBCATEGORY', 'CATEGORY_DEFAULT', 'AUTO_DEFAULT')),
  tax_exempt          boolean NOT NULL,
  description         text,
  status              text NOT NULL CHECK (status IN ('APPROVED', 'PARTIALLY_APPROVED', 'PENDING', 'ARCHIVED')),
  source              text NOT NULL,
  sku                 jsonb NOT NULL,
  connection_id       text,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX products_external_id ON products (organization_id, external_id);
CREATE INDEX products_created_at ON products (organization_id, created_at DESC, id DESC);

CREATE TABLE customers (
  organization_id      ident NOT NULL REFERENCES organizations (id),
  id                   ident NOT NULL,
  external_id          ident NOT NULL,
  name                 text,
  status               text NOT NULL CHECK (status IN ('ACTIVE', 'ARCHIVED')),
  email                text,
  phone                text,
  street_1             text,
  street_2             text,
  city                 text,
  county               text,
  state                text,
  postal_code          text,
  country              text,
  full_address         text,
  address_status       text NOT NULL,
  source               text NOT NULL,
  connection_id        text,
  registration_number  text,
  external_friendly_id text,
  tax_registrations    jsonb NOT NULL,
  created_at           timestamptz NOT NULL,
  updated_at           timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX customers_external_id ON customers (organization_id, external_id);
CREATE INDEX customers_created_at ON customers (organization_id, created_at DESC, id DESC);
CREATE INDEX customers_name ON customers (organization_id, name, id);
