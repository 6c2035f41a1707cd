package streamlined

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// Every message of the queue is stored as it came, once, and counted by what it is.
func TestEachAcknowledgementIsKept(t *testing.T) {
	t.Parallel()
	for word, want := range map[string][]string{
		"":        {models.AcknowledgementKept},
		malformed: {models.AcknowledgementMalformed},
		foreign:   {models.AcknowledgementForeign},
		doubled:   {models.AcknowledgementKept, models.AcknowledgementKept},
		missing:   {models.AcknowledgementKept},
	} {
		o := newOffice(t)
		o.hand(t, 1, word)
		_, _ = o.decided(t, 1)
		require.Len(t, o.results, len(want), word)
		for i, result := range want {
			require.Equal(t, "streamlined-MI "+result, o.results[i], word)
		}
		require.Len(t, o.messages, len(want))
		require.Equal(t, "org_1", o.messages[0].OrganizationID)
		_, _ = o.decided(t, 1)
		require.Len(t, o.results, len(want), "a state hands each out once")
		require.False(t, o.unsure)
		require.Empty(t, o.holder)
	}
}

// The acknowledgement of one return may come while another one asks. It is found among the stored ones, and the state is not asked.
func TestAStoredAcknowledgementIsReadFirst(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for n := 1; n <= 2; n++ {
		o.hand(t, n, "")
	}
	first, err := o.decided(t, 1)
	require.NoError(t, err)
	require.Equal(t, o.documents[1].DocumentID, first.Confirmation)
	asked := o.asked
	second, err := o.Check(t.Context(), keyOf(2))
	require.NoError(t, err)
	require.Equal(t, "SER_261001", second.Reason)
	require.Equal(t, asked, o.asked)
}

// While another caller reads the queue, or just after, the state is not asked.
func TestTheStateIsNotAskedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, change := range []func(o *office){
		func(o *office) { o.holder = "another" }, func(o *office) { o.recent = true },
	} {
		o := newOffice(t)
		o.hand(t, 1, "")
		change(o)
		answer, err := o.decided(t, 1)
		require.NoError(t, err)
		require.Equal(t, models.AuthorityPending, answer.Outcome)
		require.Zero(t, o.asked)
	}
}

// A hold that is over ends the reading: another caller goes on with the queue.
func TestAHoldThatIsOverEndsTheReading(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for n := 1; n <= 2; n++ {
		o.hand(t, n, "")
	}
	o.CountedBy(func(string, string) { o.holder = "another" })
	_, err := o.decided(t, 1)
	require.NoError(t, err)
	require.Len(t, o.messages, 1)
	require.Equal(t, "another", o.holder)
}

// A message that was handed out and lost on its way is asked for again by the next caller, as the last one.
func TestAMessageThatWasLostIsAskedForAgain(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.hand(t, 1, "")
	o.lose = 1
	_, err := o.decided(t, 1)
	require.ErrorIs(t, err, models.ErrOutcomeUnknown)
	require.True(t, o.unsure)
	require.Empty(t, o.messages)
	answer, err := o.decided(t, 1)
	require.NoError(t, err)
	require.Equal(t, models.AuthorityAccepted, answer.Outcome)
	require.False(t, o.unsure)
}

// A state that was out of reach is asked again as soon as it is tried again. After any other question there is a pause.
func TestAStateOutOfReachWasNotAsked(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.hand(t, 1, "")
	o.closed = true
	_, err := o.decided(t, 1)
	require.ErrorIs(t, err, models.ErrUnavailable)
	require.Equal(t, 1, o.unasked)
	o.closed, o.lose = false, 1
	_, err = o.decided(t, 1)
	require.ErrorIs(t, err, models.ErrOutcomeUnknown)
	_, err = o.decided(t, 1)
	require.NoError(t, err)
	require.Equal(t, 1, o.unasked)
}

// A submission whose document is gone has no acknowledgement. It stops neither the others nor the question after the last one.
func TestASubmissionWithoutItsDocumentStopsNoOther(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for n := 1; n <= 2; n++ {
		o.hand(t, n, "")
	}
	delete(o.documents, 1)
	answer, err := o.decided(t, 2)
	require.NoError(t, err)
	require.Equal(t, "SER_261001", answer.Reason)
	require.Len(t, o.messages, 1)
	o.last, o.unsure = keyOf(1), true
	_, err = o.Fetch(t.Context(), "S00004711", "org_1")
	require.NoError(t, err)
	require.False(t, o.unsure)
}

// A state has three days. After them the filing shows that it does not answer.
func TestAnAnswerThatDoesNotComeIsSeen(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.hand(t, 1, "")
	sent := o.now()
	for days, want := range map[int]error{3: nil, 4: models.ErrOutcomeUnknown} {
		o.now = func() time.Time { return sent.AddDate(0, 0, days) }
		_, err := o.Check(t.Context(), keyOf(1))
		require.ErrorIs(t, err, want)
	}
	answer, err := o.decided(t, 1)
	require.NoError(t, err)
	require.Equal(t, models.AuthorityAccepted, answer.Outcome, "a late answer counts")
}
