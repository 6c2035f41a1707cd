// Package local runs the servers that Levy needs on one machine. Its package postgres runs a private PostgreSQL, its
// package temporal a Temporal server. This package has their common parts: files, locks, ports and processes. `levy
// dev` and the tests use them; a deployment never does.
//
// A server ends with the process that started it, also if that process is killed with SIGKILL. On Linux the
// parent-death signal ends it; elsewhere the next start does.
//
// Programs that need PostgreSQL alone do not link the client of Temporal.
package local
