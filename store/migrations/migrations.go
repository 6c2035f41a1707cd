// Package migrations holds the schema as numbered SQL files, applied forward only.
package migrations

import "embed"

// FS holds the migration files.
//
//go:embed *.sql
var FS embed.FS
