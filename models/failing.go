package models

// FailingAttempts is the number of attempts after which the processing of a transaction counts as failing: returns
// do not wait for it any more, and it is listed among what people have to look at.
const FailingAttempts = 10

// FailingTimes is FailingAttempts in the words of a sentence: "ten times".
var FailingTimes = [...]string{9: "nine", 10: "ten", 11: "eleven", 12: "twelve"}[FailingAttempts] + " times"
