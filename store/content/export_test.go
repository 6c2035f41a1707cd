package content

import "levy/tax"

// MatchBoundaries is the statement whose plan a test reads, with its arguments.
func MatchBoundaries(keys ...tax.BoundaryKey) (sql string, args []any) {
	return matchBoundaries.SQL, matchBoundaries.Values(nil, boundaryRows.Of(keys))
}
