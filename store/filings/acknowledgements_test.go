package filings_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store/filings"
	"levy/store/storetest"
)

// queueOf is the queue of a state for the transmitter of the documents of tests.
var queueOf = models.AcknowledgementQueue{Authority: "streamlined-NY", Transmitter: "LEVY-FILE"}

// transmitted is an organization with a document that was sent.
type transmitted struct {
	*storetest.FilingBundle

	attempt  models.Attempt
	document models.FilingDocument
}

func transmit(t *testing.T) transmitted {
	t.Helper()
	b := transmitted{FilingBundle: storetest.SetupFilings(t)}
	f := b.January(t, models.FilingUnfiled)
	_, err := b.Approve(f.ID)
	require.NoError(t, err)
	b.attempt = models.Attempt{RecordID: f.ID, Number: 1}
	b.document, err = b.Store.Filings.KeepDocument(t.Context(), b.Scope, b.attempt, aDocument("1", "bytes"))
	require.NoError(t, err)
	return b
}

func (b transmitted) keep(t *testing.T, a models.Acknowledgement) string {
	t.Helper()
	a.OrganizationID = b.Scope.OrganizationID
	result, err := b.Store.Filings.KeepAcknowledgement(t.Context(), queueOf, a)
	require.NoError(t, err)
	return result
}

func (b transmitted) read(t *testing.T) (found []string) {
	t.Helper()
	all, err := b.Store.Filings.AcknowledgementsOf(t.Context(), b.Scope, queueOf.Authority, b.document)
	require.NoError(t, err)
	for _, a := range all {
		require.False(t, a.ReceivedAt.IsZero())
		found = append(found, a.Fault+" "+string(a.Message))
	}
	return found
}

// A message is stored once, encrypted, as it came. One of another transmission, or of none, is stored with its fault.
func TestAnAcknowledgementIsKeptOnce(t *testing.T) {
	t.Parallel()
	b := transmit(t)
	require.Empty(t, b.read(t))
	own := models.Acknowledgement{TransmissionID: "T1", Message: []byte("<a>" + canary + "</a>")}
	require.Equal(t, models.AcknowledgementKept, b.keep(t, own))
	require.Equal(t, models.AcknowledgementRepeated, b.keep(t, own))
	require.Equal(t, models.AcknowledgementForeign, b.keep(t, models.Acknowledgement{TransmissionID: "T9", Message: []byte("<b/>")}))
	require.Equal(t, models.AcknowledgementMalformed, b.keep(t, models.Acknowledgement{
		Fault: models.AcknowledgementMalformed, Message: []byte("<c"),
	}))
	require.Equal(t, []string{" <a>" + canary + "</a>", "FOREIGN <b/>", "MALFORMED <c"}, b.read(t))
	require.Zero(t, b.Count(t, `SELECT count(*) FROM acknowledgements a
		WHERE strpos(encode(a.message, 'escape') || to_jsonb(a)::text, $1) > 0`, canary), "it is encrypted")

	to, err := b.Store.Filings.AcknowledgementsTo(t.Context(), b.Scope, b.document)
	require.NoError(t, err)
	require.Len(t, to, 1)
	require.Equal(t, own.Message, to[0].Message)

	storetest.Execute(t, b.URL, "UPDATE acknowledgements SET received_at = now() - interval '1 day'")
	require.Equal(t, []string{" <a>" + canary + "</a>"}, b.read(t), "faults from before the document are not about it")
	require.Equal(t, models.AcknowledgementRepeated, b.keep(t, models.Acknowledgement{
		Fault: models.AcknowledgementMalformed, Message: []byte("<c"),
	}))
	require.Equal(t, models.AcknowledgementRepeated, b.keep(t, own))
	require.Equal(t, []string{" <a>" + canary + "</a>", "MALFORMED <c"}, b.read(t), "it came again after the document")
	again, err := b.Store.Filings.AcknowledgementsTo(t.Context(), b.Scope, b.document)
	require.NoError(t, err)
	require.True(t, again[0].ReceivedAt.Before(to[0].ReceivedAt), "one that can be read has its first time")
	found, err := b.Store.Filings.AcknowledgementsOf(t.Context(), models.Scope{OrganizationID: "org_other"}, queueOf.Authority, b.document)
	require.NoError(t, err)
	require.Empty(t, found)
	storetest.Execute(t, b.URL, "UPDATE acknowledgements SET sha256 = repeat('0', 64) WHERE transmission_id = 'T1'")
	_, err = b.Store.Filings.AcknowledgementsOf(t.Context(), b.Scope, queueOf.Authority, b.document)
	require.ErrorIs(t, err, secret.ErrUnreadable)
}

// The database refuses rows that say too little.
func TestTheDatabaseRefusesWrongAcknowledgements(t *testing.T) {
	t.Parallel()
	b := transmit(t)
	for _, values := range []string{
		"repeat('0', 64), NULL, NULL", "repeat('0', 63), 'T1', NULL", "repeat('0', 64), 'T1', 'LATE'",
	} {
		_, err := b.SQL.Exec(t.Context(), `INSERT INTO acknowledgements (authority, transmitter, organization_id, message, sha256,
			transmission_id, fault) SELECT 'a', 't', $1, '', `+values, b.Scope.OrganizationID)
		require.Error(t, err, values)
	}
	_, err := b.SQL.Exec(t.Context(), `INSERT INTO acknowledgement_queues (authority, transmitter, holder, asked_at, unsure)
		VALUES ('a', 't', 'h', now(), false)`)
	require.Error(t, err)
}

// One caller at a time reads a queue. A hold ends by itself, and then the last message may be lost.
func TestOneCallerReadsAQueue(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	s := b.Store.Filings
	hold := func(holder string, pause time.Duration) (held, unsure bool) {
		t.Helper()
		held, unsure, err := s.HoldQueue(t.Context(), queueOf, holder, pause)
		require.NoError(t, err)
		return held, unsure
	}
	held, unsure := hold("a", time.Hour)
	require.True(t, held)
	require.False(t, unsure)
	held, _ = hold("b", 0)
	require.False(t, held)
	require.NoError(t, s.RenewQueue(t.Context(), queueOf, "a"))
	require.ErrorIs(t, s.RenewQueue(t.Context(), queueOf, "b"), models.ErrChangedMeanwhile)
	require.NoError(t, s.ReleaseQueue(t.Context(), queueOf, "b", true, true), "it changes nothing")
	held, _ = hold("b", 0)
	require.False(t, held)

	storetest.Execute(t, b.URL, "UPDATE acknowledgement_queues SET held_until = now() - interval '1 second'")
	held, _ = hold("b", time.Hour)
	require.False(t, held, "it was just asked for")
	storetest.Execute(t, b.URL, "UPDATE acknowledgement_queues SET asked_at = asked_at - interval '1 second'")
	held, unsure = hold("b", time.Microsecond)
	require.Equal(t, []bool{true, true}, []bool{held, unsure}, "what a asked for may have been handed out")
	require.ErrorIs(t, s.RenewQueue(t.Context(), queueOf, "a"), models.ErrChangedMeanwhile)
	require.NoError(t, s.ReleaseQueue(t.Context(), queueOf, "b", false, true))
	storetest.Execute(t, b.URL, "UPDATE acknowledgement_queues SET asked_at = now() + interval '1 day'")
	held, unsure = hold("c", time.Hour)
	require.Equal(t, []bool{true, true}, []bool{held, unsure}, "a clock was wrong")
	require.NoError(t, s.RenewQueue(t.Context(), queueOf, "c"))
	require.NoError(t, s.ReleaseQueue(t.Context(), queueOf, "c", true, true))
	storetest.Execute(t, b.URL, "UPDATE acknowledgement_queues SET asked_at = now() - interval '1 day'")
	_, unsure = hold("d", time.Hour)
	require.False(t, unsure)
	require.NoError(t, s.ReleaseQueue(t.Context(), queueOf, "d", false, false))
	held, _ = hold("e", time.Hour)
	require.True(t, held, "the state was out of reach")
}

// A caller that started earlier and gets the row later holds nothing that another one has got meanwhile.
func TestACallerThatStartedEarlierHoldsNoQueueTwice(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	s := b.Store.Filings
	require.NoError(t, b.Store.InTx(t.Context(), func(earlier context.Context) error {
		_, err := b.Store.Exec(earlier, "SELECT now()")
		require.NoError(t, err)
		held, _, err := s.HoldQueue(t.Context(), queueOf, "a", 0)
		require.NoError(t, err)
		require.True(t, held)
		held, _, err = s.HoldQueue(earlier, queueOf, "b", 0)
		require.NoError(t, err)
		require.False(t, held, "a holds it")
		return nil
	}))
	require.NoError(t, b.Store.InTx(t.Context(), func(earlier context.Context) error {
		_, err := b.Store.Exec(earlier, "SELECT now()")
		require.NoError(t, err)
		require.NoError(t, s.ReleaseQueue(t.Context(), queueOf, "a", true, true))
		held, _, err := s.HoldQueue(t.Context(), queueOf, "c", 0)
		require.NoError(t, err)
		require.True(t, held)
		require.NoError(t, s.ReleaseQueue(t.Context(), queueOf, "c", true, true))
		held, _, err = s.HoldQueue(earlier, queueOf, "d", time.Hour)
		require.NoError(t, err)
		require.False(t, held, "c has just asked for it")
		return nil
	}))
}

// The sandbox hands each acknowledgement out once, when it has decided: one for each contact, and one more.
func TestTheSandboxHandsEachAcknowledgementOutOnce(t *testing.T) {
	t.Parallel()
	b := transmit(t)
	s := b.Store.Filings
	next := func() (int, error) {
		r, err := s.HandOut(t.Context(), "NY", "LEVY-FILE")
		if err == nil {
			require.Equal(t, b.attempt.RecordID, r.Key.RecordID)
			require.Equal(t, models.AuthorityAccepted, r.Answer.Outcome)
		}
		return r.HandedOut, err
	}
	_, err := next()
	require.ErrorIs(t, err, models.ErrNotFound, "nothing was sent")
	receipt := models.SandboxReceipt{
		Key: models.AuthorityKey{
			OrganizationID: b.Scope.OrganizationID, Kind: models.AuthorityReturn, RecordID: b.attempt.RecordID, Attempt: 1,
		},
		Answer: models.AuthorityAnswer{Outcome: models.AuthorityAccepted}, Decides: time.Hour,
	}
	_, err = s.Receive(t.Context(), receipt)
	require.NoError(t, err)
	_, err = next()
	require.ErrorIs(t, err, models.ErrNotFound, "it is not decided")
	_, err = s.HandedOutLast(t.Context(), "NY", "LEVY-FILE")
	require.ErrorIs(t, err, models.ErrNotFound)
	storetest.Execute(t, b.URL, "UPDATE sandbox_submissions SET received_at = received_at - interval '2 hours'")
	_, err = s.HandOut(t.Context(), "MI", "LEVY-FILE")
	require.ErrorIs(t, err, models.ErrNotFound, "of another state")
	for n := 1; n <= 2; n++ {
		handed, err := next()
		require.NoError(t, err)
		require.Equal(t, n, handed)
		last, err := s.HandedOutLast(t.Context(), "NY", "LEVY-FILE")
		require.NoError(t, err)
		require.Equal(t, n, last.HandedOut)
	}
	_, err = next()
	require.ErrorIs(t, err, models.ErrNotFound)
	_, err = s.Receive(t.Context(), receipt)
	require.NoError(t, err)
	handed, err := next()
	require.NoError(t, err)
	require.Equal(t, 3, handed, "it was sent again")
}

// The queues to read are those of transmitters with documents of the last months.
func TestTheQueuesToRead(t *testing.T) {
	t.Parallel()
	b := transmit(t)
	queues := func(layout string, after int) []models.QueueToRead {
		t.Helper()
		found, err := b.Store.Filings.QueuesToRead(t.Context(), filings.QueueNames{
			Prefix: "streamlined-", LiveSuffix: "-live", Layout: layout,
		}, after, 10)
		require.NoError(t, err)
		return found
	}
	require.Equal(t, []models.QueueToRead{{AcknowledgementQueue: queueOf, OrganizationID: b.Scope.OrganizationID}}, queues("US-NY-", 0))
	require.Empty(t, queues("US-NY-", 1))
	storetest.Execute(t, b.URL, "UPDATE organizations SET is_test = NOT is_test")
	other := queues("US-NY-", 0)
	require.Len(t, other, 1)
	require.NotEqual(t, queueOf.Authority, other[0].Authority, "live organizations have another adapter than the sandbox")
	storetest.Execute(t, b.URL, "UPDATE organizations SET is_test = NOT is_test")
	require.Empty(t, queues("US-SER/", 0))
	storetest.Execute(t, b.URL, "UPDATE filing_documents SET built_at = now() - interval '91 days'")
	require.Empty(t, queues("US-NY-", 0))
}
