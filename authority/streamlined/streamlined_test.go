package streamlined

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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
}

func newOffice(t *testing.T) *office {
	t.Helper()
	require.NoError(t, errContent)
	o := &office{receipts: map[models.AuthorityKey]models.SandboxReceipt{}, documents: map[int]models.FilingDocument{}}
	o.Adapter = NewAdapter("MI", o, o, time.Second)
	return o
}

func (o *office) sandbox() *Sandbox {
	return NewSandbox(o, authority.Behaviour{Delay: time.Second}, func() *tax.Content { return content })
}

func (o *office) Send(ctx context.Context, t Transmission) ([]byte, error) {
	o.sent = append(o.sent, t.Document)
	receipt, err := o.sandbox().Send(ctx, t)
	if o.spoil != nil && err == nil {
		receipt = o.spoil(receipt)
	}
	return receipt, err
}

func (o *office) Answers(ctx context.Context, t Transmission) ([][]byte, error) {
	return o.sandbox().Answers(ctx, t)
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
	d.Hash = hex.EncodeToString(hash[:])
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
				_, err = o.decided(t, 1)
				require.ErrorIs(t, err, models.ErrNotFound)
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
		d := o.documents[1]
		o.after = time.Second
		messages, err := o.Answers(t.Context(), o.transmission(keyOf(1), &d))
		require.NoError(t, err)
		answer, err := o.decide(append([][]byte{[]byte("<")}, messages...), "SST2015V01", &d)
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
