package authority

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/authority/authoritytest"
	"levy/models"
)

func aReturn(attempt int, notes string) models.AuthoritySubmission {
	return models.AuthoritySubmission{
		Key: models.AuthorityKey{OrganizationID: "org_a", Kind: models.AuthorityReturn, RecordID: "file_a",
			Attempt: attempt},
		Country: "US", State: "NV", Notes: notes,
		Return: &models.TaxReturn{Category: "REGULAR", Start: 20260101, End: 20260131, Currency: "USD", Tax: "8.25",
			Amount: "8.25"},
	}
}

func TestTheSandboxAnswersAsTheNotesOfAReturnAsk(t *testing.T) {
	t.Parallel()
	t.Run("accepts after its delay, and says the same as often as it is asked", func(t *testing.T) {
		t.Parallel()
		ledger := authoritytest.NewLedger()
		sandbox := NewSandbox(ledger, Behaviour{Delay: 2 * time.Second})
		first, err := sandbox.Submit(t.Context(), aReturn(1, ""))
		require.NoError(t, err)
		require.Equal(t, models.AuthorityAnswer{Outcome: models.AuthorityPending, Again: 2 * time.Second}, first)
		ledger.Set(2 * time.Second)
		decided, err := sandbox.Check(t.Context(), aReturn(1, "").Key)
		require.NoError(t, err)
		require.Equal(t, models.AuthorityAccepted, decided.Outcome)
		require.Regexp(t, `^SIM-[0-9A-F]{12}$`, decided.Confirmation)
		require.Regexp(t, `^SIM-[0-9A-F]{12}$`, decided.PaymentConfirmation)
		require.NotEqual(t, decided.Confirmation, decided.PaymentConfirmation)
		again, err := sandbox.Submit(t.Context(), aReturn(1, "SIMULATE_REJECT"))
		require.NoError(t, err)
		require.Equal(t, decided, again, "a received return is not decided again")
	})
	t.Run("what is not to be paid has no payment", func(t *testing.T) {
		t.Parallel()
		nothing := aReturn(1, "")
		nothing.Return.Amount = "0.00"
		answer, err := NewSandbox(authoritytest.NewLedger(), Behaviour{}).Submit(t.Context(), nothing)
		require.NoError(t, err)
		require.Equal(t, models.AuthorityAccepted, answer.Outcome)
		require.Empty(t, answer.PaymentConfirmation)
	})
	t.Run("no authority takes an amount below zero", func(t *testing.T) {
		t.Parallel()
		refund := aReturn(1, "")
		refund.Return.Amount = "-74.25"
		answer, err := NewSandbox(authoritytest.NewLedger(), Behaviour{}).Submit(t.Context(), refund)
		require.NoError(t, err)
		require.Equal(t, models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: negative,
			Message: negativeWords}, answer)
	})
	t.Run("rejects with a reason when the notes ask for it, and takes the corrected return", func(t *testing.T) {
		t.Parallel()
		sandbox := NewSandbox(authoritytest.NewLedger(), Behaviour{})
		rejected, err := sandbox.Submit(t.Context(), aReturn(1, "please SIMULATE_REJECT this"))
		require.NoError(t, err)
		require.Equal(t, models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: rejection,
			Message: rejectionWords}, rejected)
		accepted, err := sandbox.Submit(t.Context(), aReturn(2, ""))
		require.NoError(t, err)
		require.Equal(t, models.AuthorityAccepted, accepted.Outcome)
	})
	t.Run("a lost answer: the return was received once", func(t *testing.T) {
		t.Parallel()
		sandbox := NewSandbox(authoritytest.NewLedger(), Behaviour{})
		_, err := sandbox.Submit(t.Context(), aReturn(1, "SIMULATE_TIMEOUT"))
		require.ErrorIs(t, err, models.ErrOutcomeUnknown)
		known, err := sandbox.Check(t.Context(), aReturn(1, "").Key)
		require.NoError(t, err)
		repeated, err := sandbox.Submit(t.Context(), aReturn(1, "SIMULATE_TIMEOUT"))
		require.NoError(t, err)
		require.Equal(t, known, repeated)
	})
	t.Run("an outage receives nothing, and passes", func(t *testing.T) {
		t.Parallel()
		sandbox := NewSandbox(authoritytest.NewLedger(), Behaviour{})
		for range outageContacts {
			_, err := sandbox.Submit(t.Context(), aReturn(1, "SIMULATE_OUTAGE"))
			require.ErrorIs(t, err, models.ErrUnavailable)
			_, err = sandbox.Check(t.Context(), aReturn(1, "").Key)
			require.ErrorIs(t, err, models.ErrNotFound)
		}
		answer, err := sandbox.Submit(t.Context(), aReturn(1, "SIMULATE_OUTAGE"))
		require.NoError(t, err)
		require.Equal(t, models.AuthorityAccepted, answer.Outcome)
	})
	t.Run("an authority that stays down receives nothing", func(t *testing.T) {
		t.Parallel()
		ledger := authoritytest.NewLedger()
		_, err := NewSandbox(ledger, Behaviour{}).Submit(t.Context(), aReturn(1, "SIMULATE_DOWN"))
		require.ErrorIs(t, err, models.ErrUnavailable)
		require.Empty(t, ledger.Receipts())
	})
	t.Run("an accepted return is not filed twice: the same figures get its confirmation, others are rejected",
		func(t *testing.T) {
			t.Parallel()
			sandbox := NewSandbox(authoritytest.NewLedger(), Behaviour{})
			first, err := sandbox.Submit(t.Context(), aReturn(1, ""))
			require.NoError(t, err)
			same, err := sandbox.Submit(t.Context(), aReturn(2, ""))
			require.NoError(t, err)
			require.Equal(t, first, same)
			other := aReturn(3, "")
			other.Return.Tax = "9.00"
			refused, err := sandbox.Submit(t.Context(), other)
			require.NoError(t, err)
			require.Equal(t, models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: OtherFigures,
				Message: resubmittedWords}, refused)
		})
	t.Run("SIMULATE_DELAY waits longer", func(t *testing.T) {
		t.Parallel()
		answer, err := NewSandbox(authoritytest.NewLedger(), Behaviour{}).Submit(t.Context(), aReturn(1, "SIMULATE_DELAY"))
		require.NoError(t, err)
		require.Equal(t, models.AuthorityAnswer{Outcome: models.AuthorityPending, Again: slow}, answer)
	})
	t.Run("a registration has a confirmation and no payment", func(t *testing.T) {
		t.Parallel()
		sub := aReturn(1, "")
		sub.Key.Kind, sub.Return = models.AuthorityRegistration, nil
		answer, err := NewSandbox(authoritytest.NewLedger(), Behaviour{}).Submit(t.Context(), sub)
		require.NoError(t, err)
		require.Regexp(t, "^SIM-", answer.Confirmation)
		require.Empty(t, answer.PaymentConfirmation)
	})
}

func TestFaultsOfTheSandboxAreRandomAndRepeatable(t *testing.T) {
	t.Parallel()
	behaviour, err := Behaviour{}.ParseFaults("reject/4, timeout/3,outage/2")
	require.NoError(t, err)
	require.Equal(t, Behaviour{RejectOneOf: 4, TimeoutOneOf: 3, OutageOneOf: 2}, behaviour)
	var met [3]int
	for attempt := range 1000 {
		sub := aReturn(attempt+1, "")
		script := behaviour.Script(sub.Key, sub.Notes)
		require.Equal(t, script, behaviour.Script(sub.Key, sub.Notes), "the same submission meets the same faults")
		for i, is := range []bool{script.Reject, script.Timeout, script.Outage} {
			if is {
				met[i]++
			}
		}
	}
	for i, want := range []int{250, 333, 500} {
		require.InDelta(t, want, met[i], 80)
	}
	none, err := Behaviour{Delay: time.Second}.ParseFaults("")
	require.NoError(t, err)
	require.Equal(t, Script{Delay: time.Second}, none.Script(aReturn(1, "").Key, ""))
	for _, wrong := range []string{"reject", "reject/0", "reject/x", "explode/3"} {
		_, err := Behaviour{}.ParseFaults(wrong)
		require.Error(t, err, wrong)
	}
}

// named is an adapter of a jurisdiction.
type named struct {
	Manual
	name string
}

func (n named) Name() string { return n.name }

// returnsOnly is an adapter of a jurisdiction that takes no registrations.
type returnsOnly struct{ named }

func (returnsOnly) TakesReturnsAlone() {}

// endless answers only when its context ends.
type endless struct {
	Manual
	bounded bool
}

func (e *endless) Submit(ctx context.Context, _ models.AuthoritySubmission) (models.AuthorityAnswer, error) {
	_, e.bounded = ctx.Deadline()
	return models.AuthorityAnswer{}, nil
}

func (e *endless) Check(ctx context.Context, _ models.AuthorityKey) (models.AuthorityAnswer, error) {
	_, e.bounded = ctx.Deadline()
	return models.AuthorityAnswer{}, nil
}

func TestTheSwitchboardSelectsTheAdapterOfAJurisdiction(t *testing.T) {
	t.Parallel()
	switchboard := NewSwitchboard(NewSandbox(authoritytest.NewLedger(), Behaviour{}), Manual{},
		map[string]Gateway{"US-NV": named{name: "nevada"}, "DE": named{name: "germany"}, "US-TN": returnsOnly{named{name: "tennessee"}}}).
		WithTestReturns(map[string]Gateway{"US-MI": named{name: "michigan"}})
	require.Equal(t, []string{"germany", ManualName, "michigan", "nevada", SimulatedName, "tennessee"}, switchboard.Names())
	for _, test := range []struct {
		rule, country, state, adapter string
		test, registration            bool
	}{
		{"a jurisdiction has its own adapter", "US", "NV", "nevada", false, false},
		{"a country has one for all of it", "DE", "DE", "germany", false, false},
		{"the others wait for people", "US", "NY", ManualName, false, false},
		{"test organizations never reach a real authority", "US", "NV", SimulatedName, true, false},
		{"returns of test organizations have a sandbox of their own", "US", "MI", "michigan", true, false},
		{"it is for test organizations alone", "US", "MI", ManualName, false, false},
		{"a state that takes returns gets them", "US", "TN", "tennessee", false, false},
		{"it gets no registration", "US", "TN", ManualName, false, true},
		{"another adapter gets registrations", "US", "NV", "nevada", false, true},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			sub := aReturn(1, "SIMULATE_REJECT")
			sub.Country, sub.State, sub.Test = test.country, test.state, test.test
			sub.Key.RecordID = test.adapter
			if test.registration {
				sub.Key.Kind, sub.Return = models.AuthorityRegistration, nil
			}
			answer, err := switchboard.Submit(t.Context(), sub)
			require.NoError(t, err)
			require.Equal(t, test.adapter, answer.Authority)
			again, err := switchboard.Check(t.Context(), answer.Authority, sub.Key)
			require.NoError(t, err)
			require.Equal(t, answer, again)
		})
	}
	t.Run("registrations of test organizations go to the sandbox of all", func(t *testing.T) {
		t.Parallel()
		alone := NewSwitchboard(NewSandbox(authoritytest.NewLedger(), Behaviour{}), Manual{}, nil).
			WithTestReturns(map[string]Gateway{"US-MI": named{name: "michigan"}})
		sub := aReturn(1, "")
		sub.Key.Kind, sub.Key.RecordID, sub.State, sub.Test, sub.Return = models.AuthorityRegistration, "regi_a", "MI", true, nil
		answer, err := alone.Submit(t.Context(), sub)
		require.NoError(t, err)
		require.Equal(t, SimulatedName, answer.Authority)
	})
	for _, call := range []func(switchboard *Switchboard) error{
		func(switchboard *Switchboard) error {
			_, err := switchboard.Submit(t.Context(), aReturn(1, ""))
			return err
		},
		func(switchboard *Switchboard) error {
			_, err := switchboard.Check(t.Context(), ManualName, aReturn(1, "").Key)
			return err
		},
	} {
		var endless endless
		require.NoError(t, call(NewSwitchboard(NewSandbox(authoritytest.NewLedger(), Behaviour{}), &endless, nil)))
		require.True(t, endless.bounded, "an adapter that does not answer is limited by its timeout")
	}
	_, err := switchboard.Check(t.Context(), "gone", aReturn(1, "").Key)
	require.ErrorIs(t, err, models.ErrUnavailable, "another process may have the adapter")
}

// The sandbox compares the bytes of documents. Ids are others in each attempt, so they make no difference.
func TestTheSandboxComparesDocuments(t *testing.T) {
	t.Parallel()
	with := func(attempt int, content string) models.AuthoritySubmission {
		sub := aReturn(attempt, "")
		id := fmt.Sprintf("LEVY-FILE26242%06d", attempt)
		sub.Document = &models.FilingDocument{
			Attempt: attempt, TransmissionID: id, DocumentID: id + "D", Content: []byte(id + "," + content),
		}
		return sub
	}
	sandbox := NewSandbox(authoritytest.NewLedger(), Behaviour{})
	first, err := sandbox.Submit(t.Context(), with(1, "1704,10.00"))
	require.NoError(t, err)
	require.Equal(t, models.AuthorityAccepted, first.Outcome)
	second, err := sandbox.Submit(t.Context(), with(2, "1704,10.00"))
	require.NoError(t, err)
	require.Equal(t, first, second, "the same return with other ids")
	other, err := sandbox.Submit(t.Context(), with(3, "1704,10.01"))
	require.NoError(t, err)
	require.Equal(t, OtherFigures, other.Reason, "the figures are the same, the document is another")
	require.Equal(t, digest(aReturn(1, "")), digest(aReturn(2, "")))
}
