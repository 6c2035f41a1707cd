package filings

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/problem"
	"levy/rules"
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
