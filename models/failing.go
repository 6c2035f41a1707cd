package models

// FailingAttempts is the number of attempts after which the processing of a transaction counts as failing.
// Returns no longer wait for it, and the worklist has it.
const FailingAttempts = 10

// FailingTimes is FailingAttempts as words of a sentence: "ten times".
var FailingTimes = [...]string{9: "nine", 10: "ten", 11: "eleven", 12: "twelve"}[FailingAttempts] + " times"
