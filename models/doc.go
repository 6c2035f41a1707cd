// Package models holds Levy's records as GORM structs, the values their states
// may take and the moves between them, the domain errors, and the identifiers.
// It knows no query and no transport: package store writes the SQL, package api
// speaks HTTP, packages workflows and activities move the records along.
package models
