package nexus

import "strings"

// Kinds is a set of kinds of goods and services. Some laws count the sales of one kind alone towards their threshold.
type Kinds uint8

// The kinds. Tangible property includes what can be or bring some, such as repairs, rentals and meals.
const (
	KindTangible Kinds = 1 << iota
	KindDigital        // books, music, films and the like that are delivered electronically
	KindSoftware       // delivered electronically
	KindSaaS           // software that stays with its provider
	KindService
)

var kinds = []struct {
	kind        Kinds
	name, words string
}{
	{KindTangible, "TANGIBLE", "tangible personal property"},
	{KindDigital, "DIGITAL", "digital goods"},
	{KindSoftware, "SOFTWARE", "software that is delivered electronically"},
	{KindSaaS, "SAAS", "software as a service"},
	{KindService, "SERVICE", "services"},
}

// KindNamed finds a kind by its name in the tables.
func KindNamed(name string) (kind Kinds, ok bool) {
	for _, k := range kinds {
		if k.name == name {
			return k.kind, true
		}
	}
	return 0, false
}

// Sentence says which sales count, for people. The empty set stands for all.
func (k Kinds) Sentence() string {
	if k == 0 {
		return "Sales of goods and services count."
	}
	var counted, left []string
	for _, kind := range kinds {
		if k&kind.kind != 0 {
			counted = append(counted, kind.words)
		} else {
			left = append(left, kind.words)
		}
	}
	return "Only sales of " + listed(counted) + " count; those of " + listed(left) + " do not."
}

// listed writes words as "a, b and c".
func listed(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
