// Package models holds Levy's records as GORM structs, the values their states
// may take and the transitions between them, the domain errors, and the
// identifiers. A method of a record reads it, or makes one transition with what
// goes with it. What follows from several records, from the tax content or from
// the clock is decided in package rules.
//
// It knows no query and no transport: package store writes the SQL, package api
// speaks HTTP, packages workflows and activities carry the records along.
package models
