package authority

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// logbook is what a switchboard asks and notes of outages.
type logbook struct {
	admission models.AuthorityAdmission
	err       error
	notes     []string
}

func (l *logbook) Admit(context.Context, string, string) (models.AuthorityAdmission, error) {
	return l.admission, l.err
}

func (l *logbook) Failed(_ context.Context, adapter, record, reason string) error {
	l.notes = append(l.notes, fmt.Sprintf("%s failed for %s: %s", adapter, record, reason))
	return nil
}

func (l *logbook) Reached(_ context.Context, adapter string) error {
	l.notes = append(l.notes, adapter+" reached")
	return nil
}

// moody is an authority that answers every call with an error.
type moody struct {
	named
	err    error
	called int
}

func (m *moody) Submit(context.Context, models.AuthoritySubmission) (models.AuthorityAnswer, error) {
	m.called++
	return models.AuthorityAnswer{Outcome: models.AuthorityAccepted}, m.err
}

func TestAnAuthorityThatIsDownIsLeftAlone(t *testing.T) {
	t.Parallel()
	up, down := models.AuthorityAdmission{May: true}, models.AuthorityAdmission{Failing: true, Again: 40 * time.Second}
	trial := models.AuthorityAdmission{May: true, Failing: true}
	defect, lost := errors.New("what it says makes no sense"), models.ErrUnavailable
	for _, test := range []struct {
		rule      string
		admission models.AuthorityAdmission
		answers   error
		calls     int
		counted   string
		notes     []string
	}{
		{"one that is up is called, and costs no note", up, nil, 1, "moody answered", nil},
		{"a call that is lost is noted", up, lost, 1, "moody unreached", []string{"moody failed for file_a: unavailable"}},
		{"an answer that is lost is noted", up, models.ErrOutcomeUnknown, 1, "moody unreached",
			[]string{"moody failed for file_a: answer lost"}},
		{"one that is down is not called", down, nil, 0, "", nil},
		{"one that answers a trial is up", trial, nil, 1, "moody answered", []string{"moody reached"}},
		{"one that knows nothing of a submission answers, too", trial, models.ErrNotFound, 1, "moody answered",
			[]string{"moody reached"}},
		{"a trial that fails is noted", trial, lost, 1, "moody unreached", []string{"moody failed for file_a: unavailable"}},
		{"a defect says neither", trial, defect, 1, "moody failed", nil},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			book, gateway := &logbook{admission: test.admission}, &moody{named: named{name: "moody"}, err: test.answers}
			board := NewSwitchboard(NewSandbox(newMemory(), Behaviour{}), gateway, nil).WithOutages(book)
			counted := ""
			board.CountedBy(func(adapter, result string) { counted += adapter + " " + result })
			_, err := board.Submit(t.Context(), aReturn(1, ""))
			require.Equal(t, test.calls, gateway.called)
			require.Equal(t, test.notes, book.notes)
			require.Equal(t, test.counted, counted)
			if test.calls == 0 {
				refusal, ok := errors.AsType[*models.AuthorityDownError](err)
				require.True(t, ok)
				require.Equal(t, models.AuthorityDownError{Authority: "moody", Again: 40 * time.Second}, *refusal)
				require.ErrorIs(t, err, models.ErrUnavailable)
				return
			}
			require.ErrorIs(t, err, test.answers)
		})
	}
	book := &logbook{admission: down}
	sub := aReturn(1, "")
	sub.Test = true
	_, err := NewSwitchboard(NewSandbox(newMemory(), Behaviour{}), Manual{}, nil).WithOutages(book).Submit(t.Context(),
		sub)
	require.NoError(t, err, "the sandbox has outages of single submissions")
	unknown := &logbook{err: models.ErrUnavailable}
	_, err = NewSwitchboard(NewSandbox(newMemory(), Behaviour{}), &moody{},
		nil).WithOutages(unknown).Submit(t.Context(), aReturn(1, ""))
	require.ErrorIs(t, err, models.ErrUnavailable)
}
