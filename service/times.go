package service

import "time"

// These are the times of a request and of its answer. They begin when the request has arrived,
// so a slow sender does not use them up.
const (
	RequestTimeout = 15 * time.Second
	// AnsweringTime is the end of the time for an answer that is reserved to report that the work took too long.
	AnsweringTime = 2 * time.Second
)

const (
	// longestWrite is the longest time that a call may take to arrive, and again to be carried out, if it makes something.
	longestWrite = time.Minute
	// LastWrites is the time after the end of a key in which calls with it may still write.
	LastWrites = principalTTL + 2*longestWrite
)
