// Package worker connects Levy to Temporal: the client with its encryption, the
// worker that runs workflows and activities, and the two that start workflows for
// what the outbox holds. The dispatcher takes what was just accepted; the relay
// takes whatever is still in the outbox when its time has come, so that losing a
// process, a start or all of Temporal's data loses no work.
package worker
