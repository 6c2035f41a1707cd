package streamlined

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/authority"
	"levy/models"
	"levy/returns"
	"levy/returns/ser"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// content is the embedded content, which is loaded once.
var content, errContent = tax.LoadContent()

// office is one state with its sandbox, and the documents of a filing. Its clock stands still until a test sets it.
type office struct {
	*Adapter
	receipts  map[models.AuthorityKey]models.SandboxReceipt
	documents map[int]models.FilingDocument
	sent      [][]byte
	spoil     func(message []byte) []byte // of receipts
	after     time.Duration

	*shelf
	last  models.AuthorityKey // whose acknowledgement was handed out last
	lose  int                 // how many acknowledgements are lost on their way
	asked int                 // how often the next one was asked for
}

// shelf are the stored acknowledgements of a queue, and the caller that holds it.
type shelf struct {
	messages []models.Acknowledgement
	holder   string
	unsure   bool
	recent   bool // it was asked for less than a pause ago
	results  []string
}

func (s *shelf) HoldQueue(
	_ context.Context, _ models.AcknowledgementQueue, holder string, _ time.Duration,
) (held, unsure bool, err error) {
	if s.holder != "" || s.recent {
		return false, false, nil
	}
	s.holder = holder
	return true, s.unsure, nil
}

func (s *shelf) RenewQueue(_ context.Context, _ models.AcknowledgementQueue, holder string) error {
	if s.holder != holder {
		return models.ErrChangedMeanwhile
	}
	s.unsure = true
	return nil
}

func (s *shelf) ReleaseQueue(_ context.Context, _ models.AcknowledgementQueue, holder string, done bool) error {
	if s.holder == holder {
		s.holder, s.unsure = "", s.unsure && !done
	}
	return nil
}

func (s *shelf) KeepAcknowledgement(
	_ context.Context, q models.AcknowledgementQueue, a models.Acknowledgement,
) (string, error) {
	for _, k := range s.messages {
		if bytes.Equal(k.Message, a.Message) {
			return models.AcknowledgementRepeated, nil
		}
	}
	if a.Fault == "" && !strings.HasPrefix(a.TransmissionID, q.Transmitter) {
		a.Fault = models.AcknowledgementForeign
	}
	s.messages = append(s.messages, a)
	return cmp.Or(a.Fault, models.AcknowledgementKept), nil
}

func (s *shelf) AcknowledgementsOf(
	_ context.Context, _ models.Scope, _ string, d models.FilingDocument,
) (found []models.Acknowledgement, err error) {
	for _, a := range s.messages {
		if a.TransmissionID == d.TransmissionID || a.Fault != "" {
			found = append(found, a)
		}
	}
	return found, nil
}

func newOffice(t *testing.T) *office {
	t.Helper()
	require.NoError(t, errContent)
	o := &office{
		receipts: map[models.AuthorityKey]models.SandboxReceipt{}, documents: map[int]models.FilingDocument{}, shelf: &shelf{},
	}
	o.Adapter = NewAdapter("MI", o, o, o.shelf, time.Second).CountedBy(func(authority, result string) {
		o.results = append(o.results, authority+" "+result)
	})
	o.now = func() time.Time { return time.Date(2026, 9, 10, 12, 0, 0, 0, time.UTC) }
	return o
}

func (o *office) sandbox() *Sandbox {
	return NewSandbox(o, o, authority.Behaviour{Delay: time.Second}, func() *tax.Content { return content })
}

func (o *office) Send(ctx context.Context, t Transmission) ([]byte, error) {
	o.sent = append(o.sent, t.Document)
	receipt, err := o.sandbox().Send(ctx, t)
	if o.spoil != nil && err == nil {
		receipt = o.spoil(receipt)
	}
	return receipt, err
}

func (o *office) Ack(ctx context.Context, m Mailbox) ([]byte, error) {
	o.asked++
	message, err := o.sandbox().Ack(ctx, m)
	if err == nil && message != nil && o.lose > 0 {
		o.lose--
		return nil, models.ErrOutcomeUnknown
	}
	return message, err
}

func (o *office) LastAck(ctx context.Context, m Mailbox) ([]byte, error) {
	return o.sandbox().LastAck(ctx, m)
}

// HandOut hands out the acknowledgements of the attempts in their order.
func (o *office) HandOut(_ context.Context, state, transmitter string) (models.SandboxReceipt, error) {
	for n := 1; n <= len(o.receipts); n++ {
		r := o.receipts[keyOf(n)]
		if state == "MI" && transmitter == "S00004711" && r.Answer.Outcome != "" && o.after >= r.Decides && r.HandedOut <= r.Contacts {
			r.HandedOut++
			o.receipts[keyOf(n)], o.last = r, keyOf(n)
			return r, nil
		}
	}
	return models.SandboxReceipt{}, models.ErrNotFound
}

func (o *office) HandedOutLast(context.Context, string, string) (models.SandboxReceipt, error) {
	r, ok := o.receipts[o.last]
	if !ok {
		return r, models.ErrNotFound
	}
	return r, nil
}

func (o *office) Receive(ctx context.Context, r models.SandboxReceipt) (models.SandboxReceipt, error) {
	kept, ok := o.receipts[r.Key]
	if !ok || kept.Answer.Outcome == "" {
		r.Contacts = kept.Contacts
		kept = r
	}
	kept.Contacts++
	o.receipts[r.Key] = kept
	return o.Receipt(ctx, r.Key)
}

func (o *office) Receipt(_ context.Context, key models.AuthorityKey) (models.SandboxReceipt, error) {
	kept, ok := o.receipts[key]
	if !ok {
		return kept, models.ErrNotFound
	}
	kept.Age = o.after
	return kept, nil
}

func (o *office) AcceptedBefore(_ context.Context, key models.AuthorityKey) (models.SandboxReceipt, error) {
	for key.Attempt--; key.Attempt > 0; key.Attempt-- {
		if r := o.receipts[key]; r.Answer.Outcome == models.AuthorityAccepted {
			return r, nil
		}
	}
	return models.SandboxReceipt{}, models.ErrNotFound
}

func (o *office) DocumentOfAttempt(_ context.Context, _ models.Scope, a models.Attempt) (models.FilingDocument, error) {
	d, ok := o.documents[a.Number]
	if !ok {
		return d, models.ErrNotFound
	}
	return d, nil
}

func keyOf(attempt int) models.AuthorityKey {
	return models.AuthorityKey{OrganizationID: "org_1", Kind: models.AuthorityReturn, RecordID: "fili_1", Attempt: attempt}
}

// submission is an attempt at a return of Michigan, whose document is built as the activity builds it.
func (o *office) submission(t *testing.T, attempt int, notes string) models.AuthoritySubmission {
	t.Helper()
	sum := func(text string) money.Total {
		amount, err := money.ParseTotal(text)
		require.NoError(t, err)
		return amount
	}
	facts := returns.SentTo{"MI"}.Of(models.ReturnFacts{
		Test: true,
		Filing: models.Filing{
			OrganizationID: "org_1", ID: "fili_1", CountryCode: "US", StateCode: "MI", FilingCategory: calendar.FilingRegular, Currency: "USD",
			StartDate:  time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC),
			EndDate:    time.Date(2026, 8, 31, 0, 0, 0, 0, time.UTC),
			FilingSums: models.FilingSums{TotalTaxLiability: sum("6.00")},
		},
		Figures: models.FilingFigures{Frozen: true, Figures: []models.FilingFigure{{
			FigureKey: models.FigureKey{
				Level: "STATE", Name: "Michigan", Rate: "0.06", Sign: models.FigureSale, Channel: models.ChannelOwn, Class: "PHYSICAL",
				Origin: models.OriginOutOfState,
			},
			Transactions: 1, Gross: sum("100.00"), Taxable: sum("100.00"), Tax: sum("6.00"), Owed: sum("6.00"),
		}}},
		Filer: models.ReturnFiler{SharedNumber: "S00004711", EIN: "98-7654321"},
	})
	d, findings := returns.OfAttempt(content, facts, keyOf(attempt), calendar.MustDate("2026-09-10"), 0)
	require.NotNil(t, d, findings)
	hash := sha256.Sum256(d.Content)
	d.Hash, d.BuiltAt = hex.EncodeToString(hash[:]), o.now()
	o.documents[attempt] = *d
	return models.AuthoritySubmission{
		Key: keyOf(attempt), Test: true, Country: "US", State: "MI", Return: &models.TaxReturn{}, Document: d, Notes: notes,
	}
}

// decided is what the state has decided a second later.
func (o *office) decided(t *testing.T, attempt int) (models.AuthorityAnswer, error) {
	t.Helper()
	o.after = time.Second
	defer func() { o.after = 0 }()
	return o.Check(t.Context(), keyOf(attempt))
}

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
			_, err := o.Submit(t.Context(), o.submission(t, 1, fmt.Sprintf("SIMULATE_SER_%d", e.Number)))
			require.NoError(t, err)
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
		_, err := o.Submit(t.Context(), o.submission(t, attempt+1, notes))
		require.NoError(t, err)
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
	_, err := o.Submit(t.Context(), o.submission(t, 1, "SIMULATE_PAYMENT_REFUSED"))
	require.NoError(t, err)
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
			_, err := o.Submit(t.Context(), o.submission(t, 1, word))
			require.NoError(t, err)
			answer, err := o.decided(t, 1)
			require.ErrorIs(t, err, models.ErrOutcomeUnknown)
			require.ErrorContains(t, err, "streamlined-MI cannot be read")
			require.NotContains(t, err.Error(), "987654321")
			require.Empty(t, answer)
		})
	}
	t.Run("next to one that can be read", func(t *testing.T) {
		t.Parallel()
		o := newOffice(t)
		_, err := o.Submit(t.Context(), o.submission(t, 1, ""))
		require.NoError(t, err)
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
		_, err := o.Submit(t.Context(), o.submission(t, 1, word))
		require.NoError(t, err)
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
		_, err := o.Submit(t.Context(), o.submission(t, n, ""))
		require.NoError(t, err)
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
		_, err := o.Submit(t.Context(), o.submission(t, 1, ""))
		require.NoError(t, err)
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
		_, err := o.Submit(t.Context(), o.submission(t, n, ""))
		require.NoError(t, err)
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
	_, err := o.Submit(t.Context(), o.submission(t, 1, ""))
	require.NoError(t, err)
	o.lose = 1
	_, err = o.decided(t, 1)
	require.ErrorIs(t, err, models.ErrOutcomeUnknown)
	require.True(t, o.unsure)
	require.Empty(t, o.messages)
	answer, err := o.decided(t, 1)
	require.NoError(t, err)
	require.Equal(t, models.AuthorityAccepted, answer.Outcome)
	require.False(t, o.unsure)
}

// A submission whose document is gone has no acknowledgement. It stops neither the others nor the question after the last one.
func TestASubmissionWithoutItsDocumentStopsNoOther(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for n := 1; n <= 2; n++ {
		_, err := o.Submit(t.Context(), o.submission(t, n, ""))
		require.NoError(t, err)
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
	_, err := o.Submit(t.Context(), o.submission(t, 1, ""))
	require.NoError(t, err)
	sent := o.now()
	for days, want := range map[int]error{3: nil, 4: models.ErrOutcomeUnknown} {
		o.now = func() time.Time { return sent.AddDate(0, 0, days) }
		_, err = o.Check(t.Context(), keyOf(1))
		require.ErrorIs(t, err, want)
	}
	answer, err := o.decided(t, 1)
	require.NoError(t, err)
	require.Equal(t, models.AuthorityAccepted, answer.Outcome, "a late answer counts")
}
