package models

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// NormalizeName returns the form in which organization names are compared: NFKC,
// letter case folded, trimmed, inner white space collapsed to one space.
func NormalizeName(name string) string {
	return strings.Join(strings.Fields(cases.Fold().String(norm.NFKC.String(name))), " ")
}
