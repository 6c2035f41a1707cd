package models

import (
	"strings"
	"time"
)

// The checks of Temporal, which one process makes for all.
const (
	// CheckHeartbeat: does Temporal give work to workers? It is the check of the queue of transactions.
	// CheckHeartbeatOf has the names for other queues.
	CheckHeartbeat = "heartbeat"
	// CheckEndedRuns: have runs ended that their records still need?
	CheckEndedRuns = "runs"
	// CheckMissingRuns: do all records that need a run have one?
	CheckMissingRuns = "absent"
	// CheckStalledRuns: do all open runs get their tasks?
	CheckStalledRuns = "stuck"
)

// HeartbeatEvery is how often CheckHeartbeat is made. HeartbeatLate is the age of the last success from which on the
// check has failed.
const (
	HeartbeatEvery = time.Minute
	HeartbeatLate  = 3 * time.Minute
)

// heartbeatQueue is the task queue of CheckHeartbeat.
const heartbeatQueue = "transactions"

// CheckHeartbeatOf returns the name of the check of a task queue.
func CheckHeartbeatOf(queue string) string {
	if queue == heartbeatQueue {
		return CheckHeartbeat
	}
	return CheckHeartbeat + "/" + queue
}

// HeartbeatQueue returns the task queue of such a check.
func HeartbeatQueue(check string) string {
	if queue, ok := strings.CutPrefix(check, CheckHeartbeat+"/"); ok {
		return queue
	}
	return heartbeatQueue
}

// Heartbeat is the time since the workers of a task queue last got a task.
type Heartbeat struct {
	Queue string        `json:"queue"`
	Age   time.Duration `json:"-"`
}

// Late reports whether that is too long ago.
func (h Heartbeat) Late() bool { return h.Age > HeartbeatLate }

// DatabaseServer is how close the server of PostgreSQL is to its limits.
type DatabaseServer struct {
	Connections int64 // percent of those that others than superusers may have
	Wraparound  int64 // percent of the transaction ids until the server accepts no more writes
	Standbys    []Standby
}

// Standby is a copy of the server, or what else takes its WAL, with the bytes that it lacks.
type Standby struct {
	Name   string
	Behind int64
}
