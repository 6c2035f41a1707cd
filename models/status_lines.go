package models

// Status is what there is to know about the whole installation, in words.
type Status struct {
	Lines  []StatusLine
	Advice []string // what needs a person, the cause before what follows from it
}

// StatusLine says how one part is; the subject of a line that goes on with the one before is empty.
type StatusLine struct{ Subject, Text string }
