package authority

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/authority/authoritytest"
	"levy/models"
)

// fakeOutages records what a switchboard asks and notes about outages.
type fakeOutages struct {
	admission models.AuthorityAdmission
	err       error
	notes     []string
}

func (l *fakeOutages) Admit(context.Context, string, string) (models.AuthorityAdmission, error) {
	return l.admission, l.err
}

func (l *fakeOutages) Failed(_ context.Context, adapter, record, reason string) error {
	l.notes = append(l.notes, fmt.Sprintf("%s failed for %s: %s", adapter, record, reason))
	return nil
}

func (l *fakeOutages) Reached(_ context.Context, adapter string) error {
	l.notes = append(l.notes, adapter+" reached")
	return nil
}

// faulty is an authority that answers every call with an error.
type faulty struct {
	named
	err    error
	called int
}

func (m *faulty) Submit(context.Context, models.AuthoritySubmission) (models.AuthorityAnswer, error) {
	m.called++
	return models.AuthorityAnswer{Outcome: models.AuthorityAccepted}, m.err
}

func TestAnAuthorityThatIsDownIsNotCalled(t *testing.T) {
	t.Parallel()
	up, down := models.AuthorityAdmission{May: true}, models.AuthorityAdmission{Failing: true, Again: 40 * time.Second}
	trial := models.AuthorityAdmission{May: true, Failing: true}
	defect, lost := errors.New("its answer is invalid"), models.ErrUnavailable
	for _, test := range []struct {
		rule      string
		admission models.AuthorityAdmission
		answers   error
		calls     int
		counted   string
		notes     []string
	}{
		{"one that is up is called, and costs no note", up, nil, 1, "faulty answered", nil},
		{"a call that is lost is noted", up, lost, 1, "faulty unreached", []string{"faulty failed for file_a: unavailable"}},
		{"an answer that is lost is noted", up, models.ErrOutcomeUnknown, 1, "faulty unreached",
			[]string{"faulty failed for file_a: answer lost"}},
		{"one submission without an answer is no outage", up, &SubmissionError{models.ErrOutcomeUnknown}, 1, "faulty unreached", nil},
		{"one that is down is not called", down, nil, 0, "", nil},
		{"one that answers a trial is up", trial, nil, 1, "faulty answered", []string{"faulty reached"}},
		{"one that does not know a submission answers, too", trial, models.ErrNotFound, 1, "faulty answered",
			[]string{"faulty reached"}},
		{"a trial that fails is noted", trial, lost, 1, "faulty unreached", []string{"faulty failed for file_a: unavailable"}},
		{"a defect says neither that it is up nor that it is down", trial, defect, 1, "faulty failed", nil},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			outages, gateway := &fakeOutages{admission: test.admission}, &faulty{named: named{name: "faulty"}, err: test.answers}
			switchboard := NewSwitchboard(NewSandbox(authoritytest.NewLedger(), Behaviour{}), gateway, nil).WithOutages(outages)
			counted := ""
			switchboard.CountedBy(func(adapter, result string) { counted += adapter + " " + result })
			_, err := switchboard.Submit(t.Context(), aReturn(1, ""))
			require.Equal(t, test.calls, gateway.called)
			require.Equal(t, test.notes, outages.notes)
			require.Equal(t, test.counted, counted)
			if test.calls == 0 {
				refusal, ok := errors.AsType[*models.AuthorityDownError](err)
				require.True(t, ok)
				require.Equal(t, models.AuthorityDownError{Authority: "faulty", Again: 40 * time.Second}, *refusal)
				require.ErrorIs(t, err, models.ErrUnavailable)
				return
			}
			require.ErrorIs(t, err, test.answers)
		})
	}
	outages := &fakeOutages{admission: down}
	sub := aReturn(1, "")
	sub.Test = true
	_, err := NewSwitchboard(NewSandbox(authoritytest.NewLedger(), Behaviour{}), Manual{}, nil).WithOutages(outages).Submit(t.Context(),
		sub)
	require.NoError(t, err, "the sandbox has outages of single submissions")
	unknown := &fakeOutages{err: models.ErrUnavailable}
	_, err = NewSwitchboard(NewSandbox(authoritytest.NewLedger(), Behaviour{}), &faulty{},
		nil).WithOutages(unknown).Submit(t.Context(), aReturn(1, ""))
	require.ErrorIs(t, err, models.ErrUnavailable)
}
