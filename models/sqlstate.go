package models

// PassingState reports whether the code of a database error says nothing about the data:
// the same statement may succeed later, or after a failover. The codes are those of
// PostgreSQL's manual, appendix A.
func PassingState(sqlState string) bool {
	if len(sqlState) != 5 {
		return false
	}
	switch sqlState[:2] {
	case "08", // the connection is lost
		"53", // no resources
		"57", // somebody intervened, such as by a shutdown
		"58": // input and output
		return true
	}
	switch sqlState {
	case "40001", "40P01", "55P03", // a race was lost
		"25P03", "25P04", // the database transaction stood still for too long
		"25006": // it only reads: another server writes now
		return true
	}
	return false
}
