// Package migrations has the schema of the database as numbered migrations, applied forward only.
//
// The first one, the baseline, is the whole schema of version 0.3.0, the first supported version. It has the number of
// that version's last migration, so a database of 0.3.0 has it already. A change of the schema is a further file, such as
// 00241_subject.sql. Files of releases never change, because databases were created by them.
package migrations

import (
	"embed"
	"errors"
)

// FS has the files.
//
//go:embed *.sql
var FS embed.FS

// Baseline is the number of the first migration, and of the last one of 0.3.0. No other file has a number up to it: a
// database that has the baseline would lack it for good.
const Baseline = 240

// ErrTooOld means that the database was last migrated by a version before 0.3.0. This program lacks the migrations from
// there to the baseline.
var ErrTooOld = errors.New("the database was last migrated by a version before 0.3.0: upgrade to 0.3.0 first, " +
	"then to this version")
