// Package pg is one PostgreSQL database: its pool of connections, the unit of work, bulk
// statements, lists, the mapping of records to tables, errors and migrations. It knows
// no subject; the stores of the subjects are built on it.
package pg
