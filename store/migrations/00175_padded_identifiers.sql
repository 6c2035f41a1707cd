-- +goose NO TRANSACTION
-- +goose Up
-- Identifiers lose the white space around them. Records of earlier releases may have some: they are found by what is
-- left without it. The indexes have these rows alone. The characters are Unicode's White_Space, as in store/pg.
DROP INDEX CONCURRENTLY IF EXISTS products_padded;
CREATE INDEX CONCURRENTLY products_padded ON products (organization_id, btrim(external_id,
  E'\u0009\u000A\u000B\u000C\u000D\u0020\u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005'
  '\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000'), id)
  WHERE external_id <> btrim(external_id,
  E'\u0009\u000A\u000B\u000C\u000D\u0020\u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005'
  '\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000');
DROP INDEX CONCURRENTLY IF EXISTS customers_padded;
CREATE INDEX CONCURRENTLY customers_padded ON customers (organization_id, btrim(external_id,
  E'\u0009\u000A\u000B\u000C\u000D\u0020\u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005'
  '\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000'), id)
  WHERE external_id <> btrim(external_id,
  E'\u0009\u000A\u000B\u000C\u000D\u0020\u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005'
  '\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000');
DROP INDEX CONCURRENTLY IF EXISTS transactions_padded;
CREATE INDEX CONCURRENTLY transactions_padded ON transactions (organization_id, btrim(external_id,
  E'\u0009\u000A\u000B\u000C\u000D\u0020\u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005'
  '\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000'), id)
  WHERE external_id <> btrim(external_id,
  E'\u0009\u000A\u000B\u000C\u000D\u0020\u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005'
  '\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000');
