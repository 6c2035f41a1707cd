package transactions

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/deps"
	"levy/service/internal/output"
)

// listed are transactions of an empty list.
type listed struct{ deps.Transactions }

func (listed) ListTransactions(
	context.Context, models.Scope, models.TransactionFilter, []models.Order, models.Page,
) (models.TransactionPage, error) {
	return models.TransactionPage{}, nil
}

// The list behind a figure of a report costs as much as the report, so it takes one of the same slots. Other lists take none.
func TestListsBehindFiguresAreLimitedLikeReports(t *testing.T) {
	t.Parallel()
	o := &Operations{deps: &deps.Deps{Transactions: listed{}}, outputs: output.NewOutputs(output.ContractStreams)}
	c := &call.Call{Outcome: &call.Outcome{}}
	c.Scope.OrganizationID = "org_1"
	ctx := call.With(t.Context(), c)
	list := func(p *contract.ListTransactionsParams) error {
		_, err := o.listTransactions(ctx, models.TransactionFilter{ReportRow: &models.ReportRowKey{}}, p)
		return err
	}
	p := &contract.ListTransactionsParams{Page: 1, Size: 50}
	for range 3 {
		require.NoError(t, list(p), "its slot is free afterwards")
	}
	for range 2 {
		release, err := o.outputs.AcquireReport(ctx)
		require.NoError(t, err)
		defer release()
	}
	require.Equal(t, problem.CodeRateLimited, problem.Of(list(p)).Code)
	_, err := o.listTransactions(ctx, models.TransactionFilter{}, p)
	require.NoError(t, err)
}
