package validate

import (
	"fmt"
	"strings"
)

const (
	// maxListed is the largest number of values of a set that a message lists.
	maxListed = 50
	// maxNearest is the largest number of similar values that a message names.
	maxNearest = 3
	// maxCompared is the largest number of values of a request that are compared with those of a set.
	maxCompared = 100
	// maxComparedLength is the largest length in bytes of a compared text: no value of a set is longer.
	maxComparedLength = 64
)

// notInSetMessage returns the message for a text that is not in the set of a schema. It names the field,
// the values of the set or the first of many, and those similar to the text.
func (v *Run) notInSetMessage(s *schema, text string) string {
	message := v.fieldName() + " must be one of "
	if n := len(s.listed); n > maxListed {
		message += fmt.Sprintf("%d values: %s and %d more.", n, strings.Join(s.listed[:maxListed], ", "), n-maxListed)
	} else {
		message += strings.Join(s.listed, ", ") + "."
	}
	if v.compared < maxCompared && len(s.listed) > maxNearest {
		v.compared++
		if near := nearest(s.listed, text); near != nil {
			message += " Nearest: " + strings.Join(near, ", ") + "."
		}
	}
	return message
}

// fieldName returns the name of the field or parameter at the current place.
func (v *Run) fieldName() string {
	for i := len(v.place) - 1; i >= 0; i-- {
		if name := v.place[i].name; name != "" {
			return name
		}
	}
	return "The value"
}

// nearest returns the values most similar to a text, without regard to letter case. It returns nil if none is similar.
func nearest(values []string, text string) (near []string) {
	if text = strings.ToLower(text); len(text) > maxComparedLength || strings.TrimSpace(text) == "" {
		return nil
	}
	fewest := maxComparedLength
	for _, value := range values {
		edits := distance(text, strings.ToLower(value))
		switch {
		case edits > fewest || edits > (max(len(text), len(value))+1)/2:
		case edits < fewest:
			fewest, near = edits, []string{value}
		case len(near) < maxNearest:
			near = append(near, value)
		}
	}
	return near
}

// distance returns the number of edits that turn a into b. An edit inserts, removes or replaces a letter,
// or exchanges it with its neighbour.
func distance(a, b string) int {
	two, one, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range one {
		one[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			edits := one[j]
			if a[i] != b[j] {
				edits++
			}
			row[j+1] = min(edits, row[j]+1, one[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], two[j-1]+1)
			}
		}
		two, one, row = one, row, two
	}
	return one[len(b)]
}
