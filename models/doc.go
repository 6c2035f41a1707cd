// Package models has Levy's records as GORM structs, the values of their statuses and the transitions between them,
// the domain errors, and the identifiers. A method of a record reads it, or makes one transition with its effects on
// the record. Decisions by several records, the tax content or the clock are in package rules.
//
// It has no queries and no transport: package store has the SQL, package api HTTP, packages workflows and activities
// process the records.
package models
