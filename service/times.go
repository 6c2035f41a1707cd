package service

import "time"

// These are the times of a request and of its answer. They begin when the request has arrived,
// so a slow sender does not use them up.
const (
	RequestTimeout = 15 * time.Second
	// AnsweringTime is the end of the time for an answer that is reserved to report that the work took too long.
	AnsweringTime = 2 * time.Second
)
