package models

import (
	"strings"
	"time"
)

// Checks of Temporal that processes make, one of them for all.
const (
	// CheckHeartbeat: does Temporal hand work to workers? Of the queue of transactions; the names of the
	// others are those of CheckHeartbeatOf.
	CheckHeartbeat = "heartbeat"
	// CheckEndedRuns: have runs ended that their records still need?
	CheckEndedRuns = "runs"
	// CheckMissingRuns: do all records that need a run have one?
	CheckMissingRuns = "absent"
	// CheckStalledRuns: do all open runs get their tasks?
	CheckStalledRuns = "stuck"
)

// HeartbeatEvery is how often it is checked whether Temporal hands work to workers, and
// HeartbeatLate the age of the last success from which on it counts as not doing so.
const (
	HeartbeatEvery = time.Minute
	HeartbeatLate  = 3 * time.Minute
)

// heartbeatQueue is the task queue whose check has the name of all.
const heartbeatQueue = "transactions"

// CheckHeartbeatOf is the check whether Temporal hands work to the workers of a task queue.
func CheckHeartbeatOf(queue string) string {
	if queue == heartbeatQueue {
		return CheckHeartbeat
	}
	return CheckHeartbeat + "/" + queue
}

// HeartbeatQueue is the task queue of such a check.
func HeartbeatQueue(check string) string {
	if queue, ok := strings.CutPrefix(check, CheckHeartbeat+"/"); ok {
		return queue
	}
	return heartbeatQueue
}

// Heartbeat is when the workers of a task queue last got a task.
type Heartbeat struct {
	Queue string        `json:"queue"`
	Age   time.Duration `json:"-"`
}

// Late reports whether it is too long ago.
func (h Heartbeat) Late() bool { return h.Age > HeartbeatLate }
