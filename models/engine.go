package models

import "time"

// Checks of Temporal that processes make, one of them for all.
const (
	// CheckHeartbeat: does Temporal hand work to workers?
	CheckHeartbeat = "heartbeat"
	// CheckRuns: have runs ended that their records still need?
	CheckRuns = "runs"
)

// HeartbeatEvery is how often it is checked whether Temporal hands work to workers, and
// HeartbeatLate the age of the last success from which on it counts as not doing so.
const (
	HeartbeatEvery = time.Minute
	HeartbeatLate  = 3 * time.Minute
)
