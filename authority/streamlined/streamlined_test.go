package streamlined

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/authority"
	"levy/models"
	"levy/returns/ser"
)

// A return is received at once, and acknowledged later. Its confirmation is the id of its document.
func TestAReturnIsReceivedAndLaterAcknowledged(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	pending := models.AuthorityAnswer{Outcome: models.AuthorityPending, Again: time.Second}
	answer, err := o.Submit(t.Context(), o.submission(t, 1, ""))
	require.NoError(t, err)
	require.Equal(t, pending, answer)
	answer, err = o.Check(t.Context(), keyOf(1))
	require.NoError(t, err)
	require.Equal(t, pending, answer)
	answer, err = o.decided(t, 1)
	require.NoError(t, err)
	require.Equal(t, models.AuthorityAnswer{Outcome: models.AuthorityAccepted, Confirmation: o.documents[1].DocumentID}, answer)
	_, err = o.Check(t.Context(), keyOf(2))
	require.ErrorIs(t, err, models.ErrNotFound)
}

// A lost answer has the same bytes sent again, which the state calls a duplicate: that means that it was received.
func TestALostAnswerHasTheSameBytesSentAgain(t *testing.T) {
	t.Parallel()
	for notes, want := range map[string]error{
		"SIMULATE_TIMEOUT": models.ErrOutcomeUnknown, "SIMULATE_OUTAGE": models.ErrUnavailable, "SIMULATE_DOWN": models.ErrUnavailable,
	} {
		t.Run(notes, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t)
			sub := o.submission(t, 1, notes)
			_, err := o.Submit(t.Context(), sub)
			require.ErrorIs(t, err, want)
			if notes != "SIMULATE_TIMEOUT" {
				answer, err := o.decided(t, 1)
				require.NoError(t, err)
				require.Equal(t, models.AuthorityPending, answer.Outcome, "nothing was received")
				_, err = o.Submit(t.Context(), sub)
				require.ErrorIs(t, err, want)
			}
			_, err = o.Submit(t.Context(), sub)
			if notes == "SIMULATE_DOWN" {
				require.ErrorIs(t, err, want)
				return
			}
			require.NoError(t, err)
			for _, sent := range o.sent {
				require.Equal(t, sub.Document.Content, sent)
			}
			answer, err := o.decided(t, 1)
			require.NoError(t, err)
			require.Equal(t, models.AuthorityAccepted, answer.Outcome)
		})
	}
}

// Another document under a key that was sent is a defect, which the sandbox does not take.
func TestTheSandboxTakesTheSameBytesAlone(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	sub := o.submission(t, 1, "")
	_, err := o.Submit(t.Context(), sub)
	require.NoError(t, err)
	sub.Document.Content = bytes.ReplaceAll(sub.Document.Content, []byte("100.00"), []byte("200.00"))
	_, err = o.Submit(t.Context(), sub)
	require.ErrorIs(t, err, errOtherBytes)
}

// Each numbered error refuses the return with its number, but that of a duplicate, which says that it was received.
func TestEachNumberedErrorIsTheReasonOfARejection(t *testing.T) {
	t.Parallel()
	for _, e := range ser.Errors() {
		t.Run(fmt.Sprint(e.Number), func(t *testing.T) {
			t.Parallel()
			o := newOffice(t)
			o.hand(t, 1, fmt.Sprintf("SIMULATE_SER_%d", e.Number))
			answer, err := o.decided(t, 1)
			require.NoError(t, err)
			if e.Number == ser.Duplicate {
				require.Equal(t, models.AuthorityPending, answer.Outcome)
				return
			}
			require.Equal(t, models.AuthorityAnswer{
				Outcome: models.AuthorityRejected, Reason: fmt.Sprintf("SER_%d", e.Number), Message: e.Rule,
			}, answer)
		})
	}
}

// The sandbox reads the document: what breaks a rule is refused with its number.
func TestTheSandboxChecksTheDocument(t *testing.T) {
	t.Parallel()
	for _, change := range []struct{ old, with, want string }{
		{"<FIPSCode>26<", "<FIPSCode>27<", "SER_5"},
		{"<DocumentCount>1<", "<DocumentCount>2<", "SER_8"},
		{"<ETIN>S00004711<", "<ETIN>S00004712<", "SER_12"},
		{"<FilingType>SEROnly<", "<FilingType>PrePayment<", "SER_16"},
		{"<StateTaxDueFoodDrug>0.00<", "<StateTaxDueFoodDrug>1.00<", "SER_25"},
		{"<TotalSales>100.00<", "<TotalSales>much<", "SER_2"},
		{"<ProcessType>T<", "<ProcessType>P<", "SER_7"},
	} {
		t.Run(change.want, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t)
			sub := o.submission(t, 1, "")
			require.Contains(t, string(sub.Document.Content), change.old)
			sub.Document.Content = bytes.Replace(sub.Document.Content, []byte(change.old), []byte(change.with), 1)
			o.documents[1] = *sub.Document
			_, err := o.Submit(t.Context(), sub)
			require.NoError(t, err)
			answer, err := o.decided(t, 1)
			require.NoError(t, err)
			require.Equal(t, change.want, answer.Reason)
		})
	}
}

// A corrected return is a new attempt with ids of its own. A period is accepted once.
func TestARejectedReturnIsCorrectedOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for attempt, want := range []string{"SER_261999", "", "SER_261001"} {
		notes := ""
		if attempt == 0 {
			notes = "SIMULATE_REJECT"
		}
		o.hand(t, attempt+1, notes)
		answer, err := o.decided(t, attempt+1)
		require.NoError(t, err)
		require.Equal(t, want, answer.Reason)
	}
	require.NotEqual(t, o.documents[1].TransmissionID, o.documents[2].TransmissionID)
	require.NotEqual(t, o.documents[1].DocumentID, o.documents[2].DocumentID)
}

// The return is filed when its payment is refused, and the answer says so.
func TestARefusedPaymentIsTold(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.hand(t, 1, "SIMULATE_PAYMENT_REFUSED")
	answer, err := o.decided(t, 1)
	require.NoError(t, err)
	require.Equal(t, models.AuthorityAccepted, answer.Outcome)
	require.Equal(t, models.PaymentRefused, answer.Reason)
	require.Empty(t, answer.PaymentConfirmation)
}

// An answer that cannot be read decides nothing, and is an error that the filing shows.
func TestAnAnswerThatCannotBeReadDecidesNothing(t *testing.T) {
	t.Parallel()
	for _, word := range []string{malformed, foreign, doubled, missing} {
		t.Run(word, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t)
			o.hand(t, 1, word)
			answer, err := o.decided(t, 1)
			require.ErrorIs(t, err, models.ErrOutcomeUnknown)
			require.ErrorContains(t, err, "streamlined-MI cannot be read")
			require.NotContains(t, err.Error(), "987654321")
			require.Empty(t, answer)
			var one *authority.SubmissionError
			require.ErrorAs(t, err, &one)
		})
	}
	t.Run("next to one that can be read", func(t *testing.T) {
		t.Parallel()
		o := newOffice(t)
		o.hand(t, 1, "")
		o.messages = []models.Acknowledgement{{Fault: models.AcknowledgementMalformed, Message: []byte("<")}}
		answer, err := o.decided(t, 1)
		require.NoError(t, err)
		require.Equal(t, models.AuthorityAccepted, answer.Outcome)
	})
	for name, spoil := range map[string]func([]byte) []byte{
		"malformed receipt": func(m []byte) []byte { return m[:len(m)/2] },
		"foreign receipt":   func(m []byte) []byte { return bytes.Replace(m, []byte("S00004711"), []byte("S00004712"), 1) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t)
			o.spoil = spoil
			_, err := o.Submit(t.Context(), o.submission(t, 1, ""))
			require.ErrorIs(t, err, models.ErrOutcomeUnknown)
		})
	}
}

// A return without a document, or with a file for people, is not sent.
func TestAReturnWithoutADocumentIsNotSent(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	sub := o.submission(t, 1, "")
	for _, d := range []*models.FilingDocument{nil, {Layout: "US-WA-E-FILE/1.0"}} {
		sub.Document = d
		answer, err := o.Submit(t.Context(), sub)
		require.NoError(t, err)
		require.Equal(t, models.AuthorityRejected, answer.Outcome)
		require.Equal(t, models.BlockerReturnIncomplete, answer.Reason)
	}
	require.Empty(t, o.sent)
}
