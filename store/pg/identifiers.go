package pg

// whiteSpace is Unicode's White_Space as a literal of SQL: the characters that strings.TrimSpace removes. The indexes
// of migration 00175 have the same literal.
const whiteSpace = `E'\u0009\u000A\u000B\u000C\u000D\u0020\u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005` +
	`\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000'`

// Trimmed returns an expression of SQL without the white space around its value.
func Trimmed(expression string) string { return "btrim(" + expression + ", " + whiteSpace + ")" }

// Padded returns the condition that a column is a name with white space around it. Identifiers of earlier releases may
// have some. An index of these rows alone finds them, and is empty without them.
func Padded(column, name string) string {
	// guard: identifiers: a stored one with white space around it is found without
	return "(" + Trimmed(column) + " = " + name + " AND " + column + " <> " + Trimmed(column) + ")"
}

// PaddedRecord returns a query of the oldest record of a table whose external id is a name with white space around it.
// A record with the name itself hides it. The first condition is read once a statement, so that look-ups cost nothing
// where no identifier is padded.
func PaddedRecord(table, organization, name string) string {
	return `
	SELECT * FROM ` + table + ` x
	 WHERE EXISTS (SELECT FROM ` + table + ` z WHERE z.external_id <> ` + Trimmed("z.external_id") + `)
	   AND x.organization_id = ` + organization + ` AND ` + Padded("x.external_id", name) + `
	   AND NOT EXISTS (
	     SELECT FROM ` + table + ` y WHERE y.organization_id = ` + organization + ` AND y.external_id = ` + name + `)
	 ORDER BY x.id LIMIT 1`
}

// ByExternalID returns a query of the id of a record of a table by its external id, exact or padded.
func ByExternalID(table, organization, name string) string {
	return `
	SELECT x.id FROM ` + table + ` x WHERE x.organization_id = ` + organization + ` AND x.external_id = ` + name + `
	UNION ALL
	SELECT p.id FROM (` + PaddedRecord(table, organization, name) + `) p`
}
