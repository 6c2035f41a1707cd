package workflows

import (
	"strings"

	"levy/models"
)

// carried are the workflows each of which carries one record for long.
var carried = []struct{ workflow, prefix, kind string }{
	{OnboardingName, onboardingPrefix, models.WaitingOnboardings},
	{RegistrationName, registrationPrefix, models.WaitingRegistrations},
	{FileReturnName, filingPrefix, models.WaitingFilings},
	{ImportTransactionsName, importPrefix, models.WaitingImports},
	{DeliverWebhooksName, webhookPrefix, models.WaitingWebhooks},
}

// RecordWorkflows are the workflows each of which carries one record for long.
func RecordWorkflows() []string {
	names := make([]string, len(carried))
	for i, c := range carried {
		names[i] = c.workflow
	}
	return names
}

// RecordKinds are the kinds of records that have such a workflow.
func RecordKinds() []string {
	kinds := make([]string, len(carried))
	for i, c := range carried {
		kinds[i] = c.kind
	}
	return kinds
}

// RecordOf is the record that the workflow of an id carries; false if it carries none.
func RecordOf(workflowID string) (kind, id string, ok bool) {
	for _, c := range carried {
		if id, ok := strings.CutPrefix(workflowID, c.prefix); ok && id != "" {
			return c.kind, id, true
		}
	}
	return "", "", false
}

// RecordWorkflowID is the id of the workflow that carries a record; empty for a kind that has none.
func RecordWorkflowID(kind, id string) string {
	for _, c := range carried {
		if c.kind == kind {
			return c.prefix + id
		}
	}
	return ""
}

// RecordKindOf is the kind of records that a workflow carries; empty for one that carries none for long.
func RecordKindOf(workflow string) string {
	for _, c := range carried {
		if c.workflow == workflow {
			return c.kind
		}
	}
	return ""
}

// RecordWorkflowOf is the name of the workflow that carries the records of a kind.
func RecordWorkflowOf(kind string) string {
	for _, c := range carried {
		if c.kind == kind {
			return c.workflow
		}
	}
	return ""
}
