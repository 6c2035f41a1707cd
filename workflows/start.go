package workflows

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	enumspb "go.temporal.io/api/enums/v1"
	sdkclient "go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"levy/models"
)

// Urgency says which batches go first.
type Urgency int

const (
	// Recent transactions were sent a moment ago.
	Recent Urgency = iota
	// Late work should have been started before: a backlog, or what failed.
	Late
	// Background work has no client that waits: imports, and recalculations.
	Background
)

// backgroundPriority is below the priority that runs have by themselves, which is 3.
const backgroundPriority = 4

// MaxBatch is how many transactions a batch carries at most.
func (u Urgency) MaxBatch() int {
	if u == Background {
		return MaxBackgroundBatch
	}
	return MaxBatch
}

// queue is the task queue of a batch.
func (u Urgency) queue() string {
	if u == Recent {
		return TransactionsQueue
	}
	return BackgroundQueue
}

// priority is for servers that know priorities: they serve organizations fairly.
func (u Urgency) priority(organizations []string) temporal.Priority {
	var p temporal.Priority
	if len(organizations) == 1 {
		p.FairnessKey = organizations[0]
	}
	if u == Background {
		p.PriorityKey = backgroundPriority
	}
	return p
}

// TransactionsStart returns the options that start a batch. Its id is used once: a running workflow with it is that of
// an earlier attempt of the same call. If it is closed, the start fails with an error that says so.
func TransactionsStart(batchID string, refs []models.Ref, urgency Urgency) sdkclient.StartWorkflowOptions {
	organizations := organizationsIn(refs)
	return sdkclient.StartWorkflowOptions{
		ID:                                       TransactionsID(batchID),
		TaskQueue:                                urgency.queue(),
		Priority:                                 urgency.priority(organizations),
		WorkflowIDConflictPolicy:                 enumspb.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		WorkflowIDReusePolicy:                    enumspb.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
		WorkflowExecutionErrorWhenAlreadyStarted: true,
		StaticSummary:                            summary(len(refs), organizations),
		TypedSearchAttributes: temporal.NewSearchAttributes(
			organizationIDs.ValueSet(organizations),
			transactionCount.ValueSet(int64(len(refs))),
		),
	}
}

// HeartbeatStart is how the heartbeat of a queue is started, or joined while no worker has got it.
func HeartbeatStart(queue string) sdkclient.StartWorkflowOptions {
	return joinedStart(HeartbeatIDOf(queue), queue, "Does Temporal hand work of "+queue+" to workers?")
}

// joinedStart is how a workflow is started or, while it runs, joined. A run that has closed does not matter.
func joinedStart(id, queue, summary string) sdkclient.StartWorkflowOptions {
	return sdkclient.StartWorkflowOptions{
		ID:                       id,
		TaskQueue:                queue,
		WorkflowIDConflictPolicy: enumspb.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		WorkflowIDReusePolicy:    enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		StaticSummary:            summary,
	}
}

// recordStart is joinedStart for a record of an organization. The record says whether there is anything left to do. On
// servers with fairness, no organization waits for another one longer than until a worker is free.
func recordStart(
	organizationID, id, queue, summary string, attributes ...temporal.SearchAttributeUpdate,
) sdkclient.StartWorkflowOptions {
	options := joinedStart(id, queue, summary)
	options.Priority = temporal.Priority{FairnessKey: organizationID}
	attributes = append(attributes, organizationIDs.ValueSet([]string{organizationID}))
	options.TypedSearchAttributes = temporal.NewSearchAttributes(attributes...)
	return options
}

// OnboardingStart is how the onboarding of an organization is started or joined.
func OnboardingStart(in OnboardingInput) sdkclient.StartWorkflowOptions {
	summary := "Onboarding of " + in.OrganizationID
	return recordStart(in.OrganizationID, OnboardingID(in.OrganizationID), OnboardingQueue, summary,
		stepNumber.ValueSet(strconv.Itoa(in.Completed+1)), onboardingStatus.ValueSet(string(in.Status)))
}

// FileReturnStart is how the workflow of a filing is started or joined.
func FileReturnStart(in FileReturnInput) sdkclient.StartWorkflowOptions {
	attributes := []temporal.SearchAttributeUpdate{
		jurisdiction.ValueSet(in.Jurisdiction), filingPeriod.ValueSet(in.Period),
		filingStatus.ValueSet(string(in.Status)),
	}
	if in.Seen != nil {
		attributes = append(attributes, waitsFor.ValueSet(in.Seen.Waits))
	}
	summary := fmt.Sprintf("%s return of %s to %s for %s", in.Category, in.OrganizationID, in.Jurisdiction, in.Period)
	return recordStart(in.OrganizationID, FilingID(in.FilingID), FilingsQueue, summary, attributes...)
}

// RegistrationStart is how the workflow of a registration is started or joined.
func RegistrationStart(in RegistrationInput) sdkclient.StartWorkflowOptions {
	summary := fmt.Sprintf("Registration of %s with %s", in.OrganizationID, in.Jurisdiction)
	return recordStart(in.OrganizationID, RegistrationID(in.RegistrationID), RegistrationsQueue, summary,
		jurisdiction.ValueSet(in.Jurisdiction), registrationStatus.ValueSet(string(in.Status)))
}

// ImportStart is how an import is started or joined.
func ImportStart(im *models.Import) sdkclient.StartWorkflowOptions {
	summary := fmt.Sprintf("Import of %s of %s", megabytes(im.Size), im.OrganizationID)
	return recordStart(im.OrganizationID, ImportID(im.ID), ImportsQueue, summary)
}

// WebhookStart is how the deliveries to an endpoint are started or joined.
func WebhookStart(w *models.WebhookEndpoint) sdkclient.StartWorkflowOptions {
	host := w.URL
	if u, err := url.Parse(w.URL); err == nil {
		host = u.Host // the path may be a secret of the receiver
	}
	return recordStart(w.OrganizationID, WebhookID(w.ID), WebhooksQueue, "Events of "+w.OrganizationID+" for "+host,
		webhookEndpoint.ValueSet(w.ID))
}

// NexusStart is how the evaluation of some organizations is started.
func NexusStart(batchID string, organizations []string) sdkclient.StartWorkflowOptions {
	whose := count(len(organizations), "organization")
	if len(organizations) == 1 {
		whose = organizations[0]
	}
	return sdkclient.StartWorkflowOptions{
		ID:                    NexusID(batchID),
		TaskQueue:             NexusQueue,
		StaticSummary:         "Nexus of " + whose,
		TypedSearchAttributes: temporal.NewSearchAttributes(organizationIDs.ValueSet(organizations)),
	}
}

// megabytes is a size for people.
func megabytes(size int64) string {
	if size < 1<<20 {
		return fmt.Sprintf("%d KiB", (size+1023)>>10)
	}
	return fmt.Sprintf("%d MiB", (size+1<<20-1)>>20)
}

// summary says in one line whom a batch serves.
func summary(transactions int, organizations []string) string {
	if len(organizations) == 1 {
		return fmt.Sprintf("%s of %s", count(transactions, "transaction"), organizations[0])
	}
	return fmt.Sprintf("%s of %s", count(transactions, "transaction"), count(len(organizations), "organization"))
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ends := strings.CutSuffix(noun, "y"); ends {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func organizationsIn(refs []models.Ref) []string {
	ids := make([]string, 0, len(refs))
	for _, ref := range refs {
		ids = append(ids, ref.OrganizationID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
