// Package local runs what Levy needs on one machine: a private PostgreSQL and a
// Temporal development server. `levy dev` and the tests use it; a deployment
// never does.
//
// Everything started here ends with the process that started it, also when that
// process is killed with SIGKILL (on Linux by the parent-death signal; elsewhere
// the next start stops what was left).
package local
