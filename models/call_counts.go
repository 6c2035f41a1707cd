package models

import "time"

// CallCounts are the calls of one organization, or person, in one process. The process writes them where the others read
// them: Total to hold the rate limit together, the rest for the operator.
type CallCounts struct {
	Total   int64         `json:"total"`             // admitted since its reports name the organization without a gap
	Calls   int64         `json:"calls,omitempty"`   // admitted in the last whole minute, as all that follows
	Refused int64         `json:"refused,omitempty"` // for a limit
	Busy    time.Duration `json:"busy,omitempty"`    // the times of all calls together
}

// Add adds the last minute of another process.
func (c *CallCounts) Add(o CallCounts) {
	c.Calls, c.Refused, c.Busy = c.Calls+o.Calls, c.Refused+o.Refused, c.Busy+o.Busy
}

// ProcessCalls are the calls that a process reports, by organization or person.
type ProcessCalls map[string]CallCounts
