package workflows

import (
	"slices"
	"strings"
)

// Carriers are the workflows each run of which carries one record for long.
func Carriers() []Workflow {
	return slices.DeleteFunc(Catalogue(), func(w Workflow) bool { return w.Carries == "" })
}

// RecordOf is the record that the workflow of an id carries; false if it carries none.
func RecordOf(workflowID string) (kind, id string, ok bool) {
	for _, w := range Carriers() {
		if id, ok := strings.CutPrefix(workflowID, w.prefix); ok && id != "" {
			return w.Carries, id, true
		}
	}
	return "", "", false
}
