package content

// MatchBoundariesStatement is shown to the planner.
const MatchBoundariesStatement = matchBoundaries
