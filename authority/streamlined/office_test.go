package streamlined

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/authority"
	"levy/authority/authoritytest"
	"levy/models"
	"levy/returns"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// content is the embedded content, which is loaded once.
var content, errContent = tax.LoadContent()

// office is one state with its sandbox, and the documents of a filing. Its clock stands still until a test sets it.
type office struct {
	*Adapter
	*authoritytest.Ledger
	documents authoritytest.Documents
	sent      [][]byte
	spoil     func(message []byte) []byte // of receipts

	*shelf
	handedOut map[models.AuthorityKey]int // how many acknowledgements
	last      models.AuthorityKey         // whose acknowledgement was handed out last
	lose      int                         // how many acknowledgements are lost on their way
	closed    bool                        // the queue is out of reach
	asked     int                         // how often the next one was asked for
}

// shelf are the stored acknowledgements of a queue, and the caller that holds it.
type shelf struct {
	messages []models.Acknowledgement
	holder   string
	unsure   bool
	recent   bool // it was asked for less than a pause ago
	unasked  int  // how many holds ended without a pause
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

func (s *shelf) ReleaseQueue(_ context.Context, _ models.AcknowledgementQueue, holder string, done, asked bool) error {
	if !asked {
		s.unasked++
	}
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
		Ledger: authoritytest.NewLedger(), documents: authoritytest.Documents{}, shelf: &shelf{},
		handedOut: map[models.AuthorityKey]int{},
	}
	o.Adapter = NewAdapter("MI", o, o.documents, o.shelf, time.Second).CountedBy(func(authority, result string) {
		o.results = append(o.results, authority+" "+result)
	})
	o.now = func() time.Time { return time.Date(2026, 9, 10, 12, 0, 0, 0, time.UTC) }
	return o
}

func (o *office) sandbox() *Sandbox {
	return NewSandbox(o, o.documents, authority.Behaviour{Delay: time.Second}, func() *tax.Content { return content })
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
	if o.closed {
		return nil, models.ErrUnavailable
	}
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
func (o *office) HandOut(ctx context.Context, state, transmitter string) (models.SandboxReceipt, error) {
	for n := 1; ; n++ {
		r, err := o.handed(ctx, keyOf(n))
		if err != nil {
			return r, err
		}
		if state == "MI" && transmitter == "S00004711" && r.Answer.Outcome != "" && r.Age >= r.Decides && r.HandedOut <= r.Contacts {
			o.handedOut[r.Key]++
			o.last = r.Key
			return o.handed(ctx, r.Key)
		}
	}
}

func (o *office) HandedOutLast(ctx context.Context, _, _ string) (models.SandboxReceipt, error) {
	return o.handed(ctx, o.last)
}

func (o *office) handed(ctx context.Context, key models.AuthorityKey) (models.SandboxReceipt, error) {
	r, err := o.Receipt(ctx, key)
	r.HandedOut = o.handedOut[key]
	return r, err
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
	facts := returns.AdapterAuthorities{Tests: []string{"MI"}}.Of(models.ReturnFacts{
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

// hand hands an attempt over, which the state receives.
func (o *office) hand(t *testing.T, attempt int, notes string) {
	t.Helper()
	_, err := o.Submit(t.Context(), o.submission(t, attempt, notes))
	require.NoError(t, err)
}

// decided is what the state has decided a second later.
func (o *office) decided(t *testing.T, attempt int) (models.AuthorityAnswer, error) {
	t.Helper()
	o.Set(time.Second)
	defer o.Set(0)
	return o.Check(t.Context(), keyOf(attempt))
}
