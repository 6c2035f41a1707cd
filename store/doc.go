// Package store is all of Levy's SQL. Ordinary records go through GORM; the hot
// paths (intake, stages, outbox) are set-based statements sent as one pipelined
// round trip. Guards live here, in constraints and in WHERE clauses, never in a
// read followed by a write.
package store
