package validate

import (
	"fmt"
	"strings"
)

const (
	// maxListed is how many values of a set a message lists.
	maxListed = 50
	// maxNearest is how many values a message calls near.
	maxNearest = 3
	// maxCompared bounds how often a request has its values compared with those of a set.
	maxCompared = 100
	// maxComparedLength is the longest text in bytes that is compared: no value of a set is longer.
	maxComparedLength = 64
)

// notInSetMessage is the message for a text that is not in the set of a schema. It names the field, the
// values of the set or the first of many, and those that are like the text.
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

// fieldName is that of the field or parameter at the current place.
func (v *Run) fieldName() string {
	for i := len(v.place) - 1; i >= 0; i-- {
		if name := v.place[i].name; name != "" {
			return name
		}
	}
	return "The value"
}

// nearest are the values most like a text, without regard to letter case; nil when none is alike.
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

// distance is how many letters of a must be inserted, removed, replaced or exchanged with their
// neighbour to make b.
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
