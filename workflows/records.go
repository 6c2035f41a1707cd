package workflows

import (
	"slices"
	"strings"
)

// carriers are made once: RecordOf is asked about each of thousands of runs.
var carriers = slices.DeleteFunc(Catalogue(), func(w Workflow) bool { return w.Carries == "" })

// Carriers are the workflows each run of which carries one record for long.
func Carriers() []Workflow { return slices.Clone(carriers) }

// RecordOf is the record that the workflow of an id carries; false if it carries none.
func RecordOf(workflowID string) (kind, id string, ok bool) {
	for _, w := range carriers {
		if id, ok := strings.CutPrefix(workflowID, w.prefix); ok && id != "" {
			return w.Carries, id, true
		}
	}
	return "", "", false
}
