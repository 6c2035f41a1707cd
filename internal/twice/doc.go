// Package twice lets workers execute each activity twice in tests, as Temporal does when a result is lost. It needs the
// build tag chaos; without the tag it does nothing.
package twice

// Variable names the file that gets the results that differ, and thereby switches it on. Some results may differ: a
// second plan finds nothing to plan.
const Variable = "LEVY_ACTIVITIES_TWICE"
