package content

import (
	"slices"
	"strconv"
	"strings"
)

// Older reports whether a version is older than another, both compared number by number: 2026.9.2 is older than
// 2026.11.1. A version with imports, such as 2026.11.1+3f2a9c1b, is as old as the version without them.
func Older(version, than string) bool {
	return slices.Compare(numbers(version), numbers(than)) < 0
}

func numbers(version string) []int {
	base, _, _ := strings.Cut(version, "+")
	var list []int
	for part := range strings.SplitSeq(base, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return list
		}
		list = append(list, n)
	}
	return list
}
