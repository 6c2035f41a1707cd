package csvfile

import "strings"

// separators are the characters, apart from the comma, that a spreadsheet may use to split cells and rows.
// With such a separator quotes inside a row have no meaning, and a cell begins after it.
const separators = ";\t|\r\n"

// mayBegin reports whether a cell may begin at an index of a text.
func mayBegin(s string, at int) bool { return at == 0 || strings.IndexByte(separators, s[at-1]) >= 0 }

// guarded puts an apostrophe before each part of a text that a spreadsheet would read as a formula.
func guarded(s string) string {
	if !formulaLike(s) && !strings.ContainsAny(s, separators) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if mayBegin(s, i) && formulaLike(s[i:]) {
			b.WriteByte('\'')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Unguarded removes the apostrophes that guarded has added.
func Unguarded(cell string) string {
	if !strings.Contains(cell, "'") {
		return cell
	}
	var b strings.Builder
	for i := range len(cell) {
		if cell[i] != '\'' || !mayBegin(cell, i) || !formulaLike(cell[i:]) {
			b.WriteByte(cell[i])
		}
	}
	return b.String()
}

// formulaLike reports whether a spreadsheet would read a text as a formula, apart from apostrophes before it.
func formulaLike(s string) bool {
	s = strings.TrimLeft(s, "'")
	return s != "" && strings.IndexByte("=+-@\t\r", s[0]) >= 0
}

// isPlainNumber reports whether a text is digits with at most one point and a sign before them. No spreadsheet reads more
// than a number in it.
func isPlainNumber(s string) bool {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	whole, part, _ := strings.Cut(s, ".")
	return whole != "" && strings.Trim(whole+part, "0123456789") == ""
}
