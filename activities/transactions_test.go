package activities

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

type fakeEngine struct {
	calculate func(tax.Request) (tax.Result, error)
}

func (fakeEngine) Locate(_ context.Context, addresses []tax.DatedAddress) (map[tax.DatedAddress]tax.Place, error) {
	places := map[tax.DatedAddress]tax.Place{}
	for _, a := range addresses {
		places[a] = fakePlace(a.Address)
	}
	return places, nil
}

func (e fakeEngine) Calculator(context.Context, string) (func(tax.Request) (tax.Result, error), error) {
	return e.calculate, nil
}

// bundle is the activities on a fake store in an environment that counts attempts
// only as far as the test says.
type bundle struct {
	store      *fakeStore
	processing *Processing
}

func newBundle(engine fakeEngine, transactions ...models.Transaction) bundle {
	store := newFakeStore(transactions...)
	if engine.calculate == nil {
		engine.calculate = tenPercent
	}
	return bundle{store: store, processing: New(store, engine, slog.New(slog.DiscardHandler))}
}

func (b bundle) run(t *testing.T, activity any, in any) (StageResult, error) {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivity(b.processing)
	value, err := env.ExecuteActivity(activity, in)
	if err != nil {
		return StageResult{}, err
	}
	var result StageResult
	require.NoError(t, value.Get(&result))
	return result, nil
}

// queued makes n transactions ready for the first stage.
// fakePlace is in the state of the address.
func fakePlace(a tax.Address) tax.Place {
	if a == (tax.Address{}) {
		return tax.Place{Status: tax.StatusBlank}
	}
	return tax.Place{Status: tax.StatusVerified, Country: a.Country, State: a.State}
}

// tenPercent taxes every line at 10 %.
func tenPercent(request tax.Request) (tax.Result, error) {
	result := tax.Result{ContentVersion: "test"}
	for _, line := range request.Lines {
		calculated := tax.LineResult{ID: line.ID, TaxableAmount: line.Amount, Rate: decimal.MustParse("0.1")}
		calculated.Tax = decimal.MustNew(int64(line.Amount.Coef())/10, line.Amount.Scale())
		result.Lines = append(result.Lines, calculated)
		result.Tax, _ = money.Add(result.Tax, calculated.Tax)
		result.TaxableAmount, _ = money.Add(result.TaxableAmount, calculated.TaxableAmount)
	}
	return result, nil
}

func queued(n int) (transactions []models.Transaction, refs []models.Ref) {
	for i := range n {
		txn := models.Transaction{
			Epoch: 3, Type: models.TypeSale, Status: models.StatusCommitted, Currency: "USD",
			TaxDate: calendar.MustDate("2026-05-15").Time(),
		}
		txn.ID = fmt.Sprintf("txn_%d", i)
		txn.OrganizationID = fmt.Sprintf("org_%d", i%2)
		txn.ProcessingStatus = models.ProcessingQueued
		txn.Addresses = []models.TransactionAddress{{Type: models.ShipTo, Country: new("US"), State: new("TX")}}
		txn.Items = []models.TransactionItem{{LineNo: 1, Amount: decimal.MustParse("100.00"), Quantity: decimal.One}}
		transactions = append(transactions, txn)
		refs = append(refs, txn.Ref())
	}
	return transactions, refs
}

func (p *Processing) stages() []any {
	return []any{p.VerifyAddresses, p.DetermineExemptions, p.DetermineNexus, p.CalculateTax}
}

func TestStagesProcessEachTransactionOnceHoweverOftenTheyRun(t *testing.T) {
	t.Parallel()
	transactions, refs := queued(5)
	b := newBundle(fakeEngine{}, transactions...)
	for range 2 { // a second workflow with the same batch
		for _, stage := range b.processing.stages() {
			for range 2 { // a repeated attempt
				result, err := b.run(t, stage, StageInput{Refs: refs})
				require.NoError(t, err)
				require.Empty(t, result.Exceptions)
			}
		}
	}
	for id, transitions := range b.store.transitions {
		require.Equal(t, []models.ProcessingStatus{
			models.ProcessingAddressDone, models.ProcessingExemptDone, models.ProcessingNexusDone, models.ProcessingProcessed,
		}, transitions, id)
	}
	require.Len(t, b.store.transitions, 5)
	require.NotEmpty(t, b.store.runs[0].WorkflowID)
	require.Equal(t, 1, b.store.runs[0].Attempt)
}

func TestStageAnswersTheSameAfterALostReply(t *testing.T) {
	t.Parallel()
	transactions, refs := queued(2)
	transactions[1].Status = models.StatusCancelled
	b := newBundle(fakeEngine{}, transactions...)
	b.store.saveErr = models.ErrUnavailable // the save took effect, its reply did not arrive
	_, err := b.run(t, b.processing.VerifyAddresses, StageInput{Refs: refs})
	require.Error(t, err)
	b.store.saveErr = nil
	result, err := b.run(t, b.processing.VerifyAddresses, StageInput{Refs: refs})
	require.NoError(t, err)
	require.Equal(t, []Exception{{Index: 1, Decision: models.DecisionEnded}}, result.Exceptions)
	require.Len(t, b.store.transitions["txn_0"], 1)
}

func TestAStageReportsTransactionsThatEndedOrChanged(t *testing.T) {
	t.Parallel()
	transactions, refs := queued(4)
	transactions[1].Status = models.StatusPending // ends
	transactions[2].Epoch++                       // changed since
	gone := models.Ref{OrganizationID: "org_0", ID: "txn_gone", Epoch: 1}
	b := newBundle(fakeEngine{}, transactions...)
	result, err := b.run(t, b.processing.VerifyAddresses, StageInput{Refs: append(refs, gone)})
	require.NoError(t, err)
	require.Equal(t, []Exception{
		{Index: 1, Decision: models.DecisionEnded},
		{Index: 2, Decision: models.DecisionSuperseded},
		{Index: 4, Decision: models.DecisionSuperseded},
	}, result.Exceptions)
	require.Equal(t, models.ProcessingQueued, b.store.records["txn_2"].ProcessingStatus)
}

func TestOneBadRecordDoesNotHoldUpTheOtherItemsOfTheBatch(t *testing.T) {
	t.Parallel()
	transactions, refs := queued(3)
	for i := range transactions {
		transactions[i].ProcessingStatus = models.ProcessingNexusDone
		transactions[i].Place = &tax.Place{Country: "US", State: "TX"}
	}
	transactions[1].Items[0].Amount = decimal.MustParse("66.00")
	b := newBundle(fakeEngine{calculate: func(request tax.Request) (tax.Result, error) {
		if request.Lines[0].Amount.Cmp(decimal.MustParse("66")) == 0 {
			return tax.Result{}, money.ErrOverflow
		}
		return tenPercent(request)
	}}, transactions...)
	result, err := b.run(t, b.processing.CalculateTax, StageInput{Refs: refs})
	require.NoError(t, err)
	require.Equal(t, []Exception{{Index: 1, Decision: models.DecisionEnded, Unresolved: true}}, result.Exceptions)
	require.Equal(t, models.ProcessingNeedsRefetch, b.store.records["txn_1"].ProcessingStatus)
	require.Equal(t, models.ProcessingProcessed, b.store.records["txn_2"].ProcessingStatus)
}

func TestAPanicBecomesAnErrorWithoutContent(t *testing.T) {
	t.Parallel()
	transactions, refs := queued(1)
	transactions[0].ProcessingStatus = models.ProcessingNexusDone
	transactions[0].Place = &tax.Place{Country: "US", State: "TX"}
	b := newBundle(fakeEngine{
		calculate: func(tax.Request) (tax.Result, error) { panic("078-05-1120") },
	}, transactions...)
	_, err := b.run(t, b.processing.CalculateTax, StageInput{Refs: refs})
	app, ok := errors.AsType[*temporal.ApplicationError](err)
	require.True(t, ok)
	require.Equal(t, ErrTypeUnexpected, app.Type())
	require.False(t, app.NonRetryable())
	require.NotContains(t, err.Error(), "078-05")

	_, err = b.run(t, b.processing.CalculateTax, StageInput{Refs: refs, Isolating: true})
	app, ok = errors.AsType[*temporal.ApplicationError](err)
	require.True(t, ok)
	require.Equal(t, ErrTypeBatchFailed, app.Type(), "a part of a batch is tried once")
	require.True(t, app.NonRetryable())
	var code string
	require.NoError(t, app.Details(&code))
	require.Equal(t, "panic", code)
}

func TestATransactionThatDidNotReachTheStageIsAnError(t *testing.T) {
	t.Parallel()
	transactions, refs := queued(1) // but the second stage is asked for
	b := newBundle(fakeEngine{}, transactions...)
	_, err := b.run(t, b.processing.DetermineExemptions, StageInput{Refs: refs})
	app, ok := errors.AsType[*temporal.ApplicationError](err)
	require.True(t, ok)
	require.Equal(t, ErrTypeUnexpected, app.Type())
}

func TestStagesRefuseInvalidInput(t *testing.T) {
	t.Parallel()
	b := newBundle(fakeEngine{})
	for _, call := range []func() (StageResult, error){
		func() (StageResult, error) { return b.run(t, b.processing.VerifyAddresses, StageInput{}) },
		func() (StageResult, error) { return b.run(t, b.processing.MarkFailed, FailuresInput{}) },
	} {
		_, err := call()
		app, ok := errors.AsType[*temporal.ApplicationError](err)
		require.True(t, ok)
		require.Equal(t, ErrTypeInvalidInput, app.Type())
		require.True(t, app.NonRetryable())
	}
}

func TestMarkFailedRecordsTheFailureOfEachTransaction(t *testing.T) {
	t.Parallel()
	_, refs := queued(3)
	b := newBundle(fakeEngine{})
	for range 2 {
		_, err := b.run(t, b.processing.MarkFailed, FailuresInput{Failures: []Failure{
			{Ref: refs[0], Code: "panic"}, {Ref: refs[1], Code: "database_23514"}, {Ref: refs[2], Code: "panic"},
		}})
		require.NoError(t, err)
	}
	require.Equal(t, map[string]string{"txn_0": "panic", "txn_1": "database_23514", "txn_2": "panic"}, b.store.failures)
	require.Equal(t, []string{"txn_0", "txn_2", "txn_1"}, b.store.shown[:3], "on the transactions as well")
	b.store.showErr = errors.New("the record cannot be written")
	_, err := b.run(t, b.processing.MarkFailed, FailuresInput{Failures: []Failure{{Ref: refs[0], Code: "other"}}})
	require.NoError(t, err, "it is set aside all the same")
	require.Equal(t, "other", b.store.failures["txn_0"])
}

type databaseError struct{ state string }

func (e databaseError) Error() string    { return "ERROR: value 078-05-1120 (SQLSTATE " + e.state + ")" }
func (e databaseError) SQLState() string { return e.state }

func TestErrorsAreClassifiedWithoutTheirText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err     error
		code    string
		passing bool
	}{
		"a lost connection":        {databaseError{"08006"}, "database_08006", true},
		"too many connections":     {databaseError{"53300"}, "database_53300", true},
		"a shutdown":               {databaseError{"57P01"}, "database_57P01", true},
		"an I/O error":             {databaseError{"58030"}, "database_58030", true},
		"a serialization failure":  {databaseError{"40001"}, "database_40001", true},
		"a deadlock":               {databaseError{"40P01"}, "database_40P01", true},
		"a lock not available":     {databaseError{"55P03"}, "database_55P03", true},
		"a server that only reads": {databaseError{"25006"}, "database_25006", true},
		"a constraint":             {databaseError{"23514"}, "database_23514", false},
		"a value out of range":     {databaseError{"22003"}, "database_22003", false},
		"a missing table":          {databaseError{"42P01"}, "database_42P01", false},
		"the store is unavailable": {models.ErrUnavailable, "unavailable", true},
		"an unknown outcome":       {models.ErrOutcomeUnknown, "unavailable", true},
		"no time left":             {context.DeadlineExceeded, "timeout", true},
		"the worker stops":         {context.Canceled, "stopped", true},
		"anything else":            {errors.New("078-05-1120"), "unexpected", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := fmt.Errorf("save: %w", c.err)
			code, infrastructure := classify(err)
			require.Equal(t, c.code, code)
			require.Equal(t, c.passing, infrastructure)

			for defects, want := range map[int]string{
				1: ErrTypeUnexpected, 2: ErrTypeUnexpected, 3: ErrTypeBatchFailed, 4: ErrTypeBatchFailed,
			} {
				if c.passing {
					defects, want = 0, ErrTypeInfrastructure
				}
				app, ok := errors.AsType[*temporal.ApplicationError](failure(err, defects))
				require.True(t, ok)
				require.Equal(t, want, app.Type())
				require.Equal(t, want == ErrTypeBatchFailed, app.NonRetryable())
				require.NotContains(t, app.Error(), "078-05", "no content leaves with an error")
			}
			alone, _ := errors.AsType[*temporal.ApplicationError](stageFailure(
				err, map[bool]int{false: 1, true: 0}[c.passing], StageInput{Refs: make([]models.Ref, 1), Isolating: true},
			))
			require.Equal(
				t, !c.passing, alone.Type() == ErrTypeBatchFailed,
				"an outage is waited for even while isolating",
			)
		})
	}
}

func TestDiagnosisQuotesNoValues(t *testing.T) {
	t.Parallel()
	require.Equal(t, "database error 22P02", diagnosis(fmt.Errorf("save: %w", databaseError{"22P02"})))
	require.Equal(t, "panic with a string", diagnosis(&panicError{value: "078-05-1120"}))
	require.Contains(t, diagnosis(&panicError{value: func() (value any) {
		defer func() { value = recover() }()
		return []int{}[len("x")]
	}()}), "index out of range")
}

func TestWorkEndsBeforeTheServerGivesUpOnIt(t *testing.T) {
	t.Parallel()
	given := time.Date(2026, 5, 15, 12, 0, 10, 0, time.UTC)
	limited, cancel := context.WithDeadline(t.Context(), given)
	defer cancel()
	own, cancelOwn := ownDeadline(limited)
	defer cancelOwn()
	deadline, ok := own.Deadline()
	require.True(t, ok)
	require.Equal(t, given.Add(-time.Second), deadline)
}

// unreachableEngine cannot read its content.
type unreachableEngine struct{}

func (unreachableEngine) Locate(context.Context, []tax.DatedAddress) (map[tax.DatedAddress]tax.Place, error) {
	return nil, models.ErrUnavailable
}

func (unreachableEngine) Calculator(context.Context, string) (func(tax.Request) (tax.Result, error), error) {
	return nil, models.ErrUnavailable
}
