package workflows

import (
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// Search attributes by which staff find runs. They are stored as plain text: ids,
// numbers and public names only.
var (
	organizationIDs = temporal.NewSearchAttributeKeyKeywordList("OrganizationId")
	// organizationNames are the public names of these organizations, as they were when the run was started.
	organizationNames = temporal.NewSearchAttributeKeyKeywordList("OrganizationName")
	failedCount       = temporal.NewSearchAttributeKeyInt64("FailedCount")
	// unresolvedCount is how many transactions of a batch need attention, because a person has to correct them.
	unresolvedCount  = temporal.NewSearchAttributeKeyInt64("UnresolvedCount")
	transactionCount = temporal.NewSearchAttributeKeyInt64("TransactionCount")
	// stepNumber is the step that is next or, while an onboarding is undone, the one
	// that is being undone; "0" when there is none. A keyword: the development server
	// allows three numbers only.
	stepNumber       = temporal.NewSearchAttributeKeyKeyword("Step")
	onboardingStatus = temporal.NewSearchAttributeKeyKeyword("OnboardingStatus")
	// jurisdiction is the state of a filing, such as US-NV. filingPeriod has its days, such as 2026-01-01/2026-01-31, so
	// that staff find the filings of a year or month by its beginning.
	jurisdiction       = temporal.NewSearchAttributeKeyKeyword("Jurisdiction")
	filingPeriod       = temporal.NewSearchAttributeKeyKeyword("FilingPeriod")
	filingStatus       = temporal.NewSearchAttributeKeyKeyword("FilingStatus")
	registrationStatus = temporal.NewSearchAttributeKeyKeyword("RegistrationStatus")
	// waitsFor is what a filing or registration waits for, in one of the words of
	// rules.FilingStep and rules.RegistrationSnapshot.
	waitsFor = temporal.NewSearchAttributeKeyKeyword("WaitsFor")
	// overdue: the due day of the return is over, and it is not filed.
	overdue = temporal.NewSearchAttributeKeyBool("Overdue")
	// webhookEndpoint is where events are sent.
	webhookEndpoint = temporal.NewSearchAttributeKeyKeyword("WebhookEndpoint")
)

// SearchAttributes are the names and types a namespace needs before workflows can
// be started in it.
func SearchAttributes() map[string]enumspb.IndexedValueType {
	types := map[string]enumspb.IndexedValueType{}
	for _, key := range []temporal.SearchAttributeKey{
		organizationIDs, organizationNames, failedCount, unresolvedCount, overdue, transactionCount, stepNumber,
		onboardingStatus, jurisdiction, filingPeriod, filingStatus, registrationStatus, waitsFor, webhookEndpoint,
	} {
		types[key.GetName()] = key.GetValueType()
	}
	return types
}

// setAttributes changes what staff find a run by. Without it the run goes on all the same.
func setAttributes(ctx workflow.Context, attributes ...temporal.SearchAttributeUpdate) {
	if err := workflow.UpsertTypedSearchAttributes(ctx, attributes...); err != nil {
		workflow.GetLogger(ctx).Warn("search attributes not set", "error", err)
	}
}
