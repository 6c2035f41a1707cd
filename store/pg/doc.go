// Package pg is one PostgreSQL database: its pool of connections, the unit of work, bulk statements, lists,
// mappings of records, errors and migrations. It knows no records of the domain. The stores build on it.
package pg
