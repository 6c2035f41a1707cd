// Package local and those below it run what Levy needs on one machine: postgres a
// private PostgreSQL, temporal a Temporal development server, and this one what both
// are made of: files, locks, ports and processes. `levy dev` and the tests use them;
// a deployment never does.
//
// Everything started here ends with the process that started it, also when that
// process is killed with SIGKILL (on Linux by the parent-death signal; elsewhere
// the next start stops what was left).
//
// What only needs PostgreSQL does not link the client of Temporal.
package local
