package api

// HasAccessRule reports whether an operation is in the table of access rules.
func HasAccessRule(operation string) bool {
	_, ok := accessRules[operation]
	return ok
}
