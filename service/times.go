package service

import "time"

// Times of a request and of its answer. They begin when the request has arrived, so a slow sender does not use them up.
const (
	RequestTimeout = 15 * time.Second
	// AnsweringTime is what is left of the time for an answer when the work on it is given up, to say that it took too long.
	AnsweringTime = 2 * time.Second
)
