package filings

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/returns"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/deps"
	"levy/tax/calendar"
	"levy/tax/money"
)

// A filing with a check that did not pass is approved alone: the refusal names every such check.
func TestAFilingToLookAtIsNotApprovedWithOthers(t *testing.T) {
	t.Parallel()
	require.NoError(t, needsReview(&rules.FilingReviewFacts{}))
	facts := &rules.FilingReviewFacts{FindingsToRead: 2}
	var err error
	facts.Filing.TotalTaxLiability, err = money.ParseTotal("10.00")
	require.NoError(t, err)
	refused := problem.Of(needsReview(facts))
	require.Equal(t, problem.CodeFilingNeedsReview, refused.Code)
	require.Equal(t, "Tax is owed, and none was collected. 2 findings have to be read.", refused.Detail)
}

// The statement has the number of the filings that are ready, and their sums by currency.
func TestTheStatementOfABulkApprovalHasTheSums(t *testing.T) {
	t.Parallel()
	row := func(status, amount, currency string) contract.FilingApprovalItem {
		return contract.FilingApprovalItem{Status: status, Filing: &contract.Filing{Amount: amount, Currency: currency}}
	}
	for _, c := range []struct {
		want  string
		items []contract.FilingApprovalItem
	}{
		{"I have reviewed this return, and approve that 1.50 USD is filed and paid.",
			[]contract.FilingApprovalItem{row(approvalReady, "1.50", "USD"), row(approvalDone, "9.00", "USD")}},
		{"I have reviewed these 3 returns, and approve that they are filed and paid with 2.00 EUR and 3.50 USD in all.",
			[]contract.FilingApprovalItem{row(approvalReady, "1.50", "USD"), row(approvalReady, "2.00", "EUR"), row(approvalReady, "2.00", "USD")}},
	} {
		said, err := attestationOfAll(c.items)
		require.NoError(t, err)
		require.Equal(t, c.want, *said)
	}
	said, err := attestationOfAll([]contract.FilingApprovalItem{{Status: approvalRefused}})
	require.NoError(t, err)
	require.Nil(t, said)
}

// books has filings by id. Others cannot be read.
type books struct {
	deps.Filings
	deps.Reports
	filings map[string]models.Filing
}

func (b books) FilingWithFigures(_ context.Context, _ models.Scope, id string) (models.Filing, models.FilingFigures, error) {
	f, found := b.filings[id]
	if !found {
		return f, models.FilingFigures{}, models.ErrUnavailable
	}
	return f, models.FilingFigures{}, nil
}

func (b books) ReturnFacts(_ context.Context, _ models.Scope, id string) (models.ReturnFacts, error) {
	return models.ReturnFacts{Filing: b.filings[id], Test: true}, nil
}

func (b books) FactsOf(_ context.Context, _ models.Scope, f models.Filing, _ models.FilingFigures) (models.ReturnFacts, error) {
	return models.ReturnFacts{Filing: f, Test: true}, nil
}

func (books) ListFilings(
	context.Context, models.Scope, models.FilingFilter, []models.Order, models.Page,
) (models.List[models.Filing], error) {
	return models.List[models.Filing]{}, nil
}

func (books) SecondPerson(context.Context, models.Scope, models.Actor, string) (bool, error) {
	return false, nil
}

// testOrganizations knows organizations for tests alone.
type testOrganizations struct{ deps.Organizations }

func (testOrganizations) Organization(context.Context, models.Scope) (models.Organization, error) {
	return models.Organization{IsTest: true}, nil
}

// approvedTogether approves filings with an expected amount of 1.00. file_1 is ready with 0.00, file_2 was approved before,
// the document of file_3 lacks data, and file_4 cannot be read.
func approvedTogether(t *testing.T, dryRun bool, ids ...string) (contract.FilingApprovalResult, error) {
	t.Helper()
	o, facts := inWashington(t)
	ready := facts.Filing
	ready.Elapsed = calendar.DateOf(ready.EndDate)
	approved, incomplete := ready, ready
	approved.Status, incomplete.ID, incomplete.StateCode = models.FilingFiling, "file_3", "OH"
	b := books{filings: map[string]models.Filing{"file_1": ready, "file_2": approved, "file_3": incomplete}}
	o.deps.Filings, o.deps.Reports, o.deps.SentTo = b, b, returns.AdapterAuthorities{Tests: []string{"OH"}}
	o.deps.Organizations = testOrganizations{}
	body := contract.FilingApprovals{DryRun: dryRun}
	for _, id := range ids {
		body.Filings = append(body.Filings, contract.FilingToApprove{FilingID: id, ExpectedAmount: "1.00"})
	}
	return o.ApproveFilings(call.With(t.Context(), &call.Call{}), contract.ApproveFilingsRequest{Body: body})
}

// A dry run refuses what the approval would refuse, and counts what would be approved.
func TestADryRunRefusesWhatTheApprovalWould(t *testing.T) {
	t.Parallel()
	answer, err := approvedTogether(t, true, "file_1", "file_2", "file_3")
	require.NoError(t, err)
	require.Equal(t, "amount_changed", *answer.Items[0].Code)
	require.Equal(t, approvalDone, answer.Items[1].Status)
	require.Equal(t, "filing_without_document", *answer.Items[2].Code)
	require.Contains(t, answer.Items[2].Filing.ApprovalBlockers, models.BlockerReturnIncomplete)
	require.Equal(t, []int{0, 2}, []int{answer.DoneCount, answer.RefusedCount})
	require.Nil(t, answer.Attestation)
}

// A return whose document lacks data is not approved with others either.
func TestAReturnWithoutADocumentIsNotApprovedWithOthers(t *testing.T) {
	t.Parallel()
	answer, err := approvedTogether(t, false, "file_3")
	require.NoError(t, err)
	require.Equal(t, "filing_without_document", *answer.Items[0].Code)
}

// A bulk approval that ends early says that nothing was written only if no row is done.
func TestABulkApprovalThatEndsEarlyKnowsWhatItDid(t *testing.T) {
	t.Parallel()
	_, err := approvedTogether(t, false, "file_3", "file_4")
	require.Equal(t, problem.CodeServiceUnavailable, problem.Of(err).Code)
	_, err = approvedTogether(t, false, "file_2", "file_4")
	require.Equal(t, problem.CodeOutcomeUnknown, problem.Of(err).Code)
	_, err = approvedTogether(t, true, "file_2", "file_4")
	require.Equal(t, problem.CodeServiceUnavailable, problem.Of(err).Code)
}

// The statement to sign would count a filing twice that is sent twice.
func TestAFilingStandsOnceInABulkApproval(t *testing.T) {
	t.Parallel()
	_, err := approvedTogether(t, true, "file_1", "file_2", "file_1")
	var invalid *models.InvalidError
	require.ErrorAs(t, err, &invalid)
	require.Len(t, invalid.Faults, 1)
	require.Equal(t, models.FieldDuplicateValue+" filings[2].filing_id", invalid.Faults[0].Code+" "+invalid.Faults[0].Path)
}
