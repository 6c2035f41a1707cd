// Package migrations has the schema of the database as numbered migrations, applied forward only.
//
// The first migration is a folder, 00033_schema: the whole schema, one file for each subject. Its number follows those
// of the 26 migrations that it replaces (see Baseline). A change of the schema is a file in the parent folder,
// such as 00034_subject.sql. The files in the folder never change, because databases were created by them.
package migrations

import "embed"

// FS has the files.
//
//go:embed 0*
var FS embed.FS
