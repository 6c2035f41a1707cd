package output

import "strings"

// separators are what a spreadsheet may part cells and rows by, besides the comma of the file: for one that
// goes by another of them, quotes inside a row are no quotes, and a cell begins behind it.
const separators = ";\t|\r\n"

// mayBegin reports whether a cell may begin at a place of a text.
func mayBegin(s string, at int) bool { return at == 0 || strings.IndexByte(separators, s[at-1]) >= 0 }

// guarded puts an apostrophe before everything that a spreadsheet would take for a formula.
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

// Unguarded removes the apostrophes that guarded has put there.
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

// formulaLike reports whether a spreadsheet would take a text for a formula, without
// the apostrophes that may stand before it.
func formulaLike(s string) bool {
	s = strings.TrimLeft(s, "'")
	return s != "" && strings.IndexByte("=+-@\t\r", s[0]) >= 0
}
