package content

// MatchBoundariesStatement is the statement whose plan a test reads.
const MatchBoundariesStatement = matchBoundaries
