package ser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

const edition = "SST2015V01"

// answer is an acknowledgement of a transmission with documents.
func answer(transmission, status, errors string, documents ...string) string {
	return `<?xml version="1.0"?><SSTPAcknowledgement acknowledgementVersion="` + edition + `"><AcknowledgementHeader>` +
		`<AcknowledgementTimestamp>2026-11-20T07:00:00-05:00</AcknowledgementTimestamp><AcknowledgementCount>` +
		fmt.Sprint(max(len(documents), 1)) + `</AcknowledgementCount></AcknowledgementHeader><TransmissionAcknowledgement>` +
		`<TransmissionId>` + transmission + `</TransmissionId><TransmissionStatus>` + status + `</TransmissionStatus>` + errors +
		`</TransmissionAcknowledgement>` + strings.Join(documents, "") + `</SSTPAcknowledgement>`
}

func answered(document, status, payment, errors string) string {
	return `<DocumentAcknowledgement><DocumentId>` + document + `</DocumentId><SSTPID>S00004711</SSTPID><DocumentType>SEROnly` +
		`</DocumentType><DocumentStatus>` + status + `</DocumentStatus><PaymentIndicator>` + payment + `</PaymentIndicator>` + errors +
		`</DocumentAcknowledgement>`
}

// wrong is a list of errors of "number severity value message".
func wrong(list ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<Errors errorCount="%d">`, len(list))
	for _, text := range list {
		f := strings.SplitN(text, " ", 4)
		fmt.Fprintf(&b, `<Error errorId="%s"><XPath>/a</XPath><ErrorMessage>%s</ErrorMessage><Severity>%s</Severity>`+
			`<DataValue>%s</DataValue></Error>`, f[0], f[3], f[1], f[2])
	}
	return b.String() + `</Errors>`
}

var sent = IDs{Transmitter: "S00004711", Transmission: "S00004711263230000A1", Document: "S00004711263230000A2"}

func TestReceipts(t *testing.T) {
	t.Parallel()
	text := `<SSTReceipt receiptVersion="SST2015V01" xmlns=""><ReceiptHeader><ReceiptTimestamp>2026-11-19T14:30:02Z</ReceiptTimestamp>` +
		`</ReceiptHeader><TransmissionReceipt><TransmissionID>` + sent.Transmission + `</TransmissionID><TransmissionTimestamp>` +
		`2026-11-19T14:30:00.5+01:00</TransmissionTimestamp></TransmissionReceipt></SSTReceipt>`
	r, err := ReadReceipt([]byte(text), edition)
	require.NoError(t, err)
	require.Equal(t, Receipt{sent.Transmission, "2026-11-19T14:30:02Z", "2026-11-19T14:30:00.5+01:00"}, r)
	for _, change := range []struct {
		old, with string
		want      error
	}{
		{"</SSTReceipt>", "", ErrMalformed}, {"<ReceiptHeader>", "<ReceiptHeader>&x;", ErrMalformed},
		{"SST2015V01", "SST2025V01", ErrForeign}, {`xmlns=""`, `xmlns="urn:x"`, ErrForeign},
		{"<TransmissionReceipt>", "<TransmissionReceipt><Other/>", ErrForeign},
		{sent.Transmission, "no id!", ErrForeign}, {"2026-11-19T14:30:02Z", "today", ErrForeign},
	} {
		_, err := ReadReceipt([]byte(strings.Replace(text, change.old, change.with, 1)), edition)
		require.ErrorIs(t, err, change.want, change.with)
	}
	_, err = ReadReceipt([]byte(answer(sent.Transmission, "A", "")), edition)
	require.ErrorIs(t, err, ErrForeign, "an acknowledgement is no receipt")
	_, err = ReadReceipt(make([]byte, MostBytes+1), edition)
	require.ErrorIs(t, err, ErrMalformed)
}

func TestAnswersThatAreNone(t *testing.T) {
	t.Parallel()
	good := answer(sent.Transmission, "A", "", answered(sent.Document, "A", "N", ""))
	_, err := ReadAcknowledgement([]byte(good), edition)
	require.NoError(t, err)
	for text, want := range map[string]error{
		"":                         ErrMalformed,
		good + good:                ErrMalformed,
		good[:len(good)-5]:         ErrMalformed,
		"<html><p>busy</p></html>": ErrForeign,
		strings.Replace(good, "<TransmissionStatus>A", "<TransmissionStatus>X", 1):                                       ErrForeign,
		strings.Replace(good, "<PaymentIndicator>N", "<PaymentIndicator>", 1):                                            ErrForeign,
		strings.Replace(good, sent.Document, "short", 1):                                                                 ErrForeign,
		strings.Replace(good, "Count>1<", "Count>0<", 1):                                                                 ErrForeign,
		strings.Replace(good, "Count>1<", "Count>2<", 1):                                                                 ErrIncomplete,
		answer(sent.Transmission, "R", `<Errors errorCount="2">`+wrong("15 e v m")[len(`<Errors errorCount="1">`):]):     ErrIncomplete,
		answer(sent.Transmission, "R", wrong("0 e v m")):                                                                 ErrForeign,
		answer(sent.Transmission, "R", wrong("1234567 e v m")):                                                           ErrForeign,
		answer(sent.Transmission, "A", "", answered(sent.Document, "A", "N", ""), answered(sent.Document, "R", "N", "")): ErrDoubled,
	} {
		_, err := ReadAcknowledgement([]byte(text), edition)
		require.ErrorIs(t, err, want, text)
	}
}

func TestDecisions(t *testing.T) {
	t.Parallel()
	const other = "S00004711263230000B1"
	taken := answer(sent.Transmission, "A", "", answered(sent.Document, "A", "A", ""))
	refusedDocument := answer(sent.Transmission, "A", "", answered(sent.Document, "R", "N", wrong("14 error S00004711 S00004711 is unknown")))
	duplicate := answer(sent.Transmission, "R", wrong("000015 error v Again"))
	pending := models.AuthorityAnswer{Outcome: models.AuthorityPending}
	accepted := models.AuthorityAnswer{Outcome: models.AuthorityAccepted, Confirmation: sent.Document}
	withPayment := accepted
	withPayment.PaymentConfirmation = sent.Document
	for name, test := range map[string]struct {
		answers []string
		want    Decision
		err     error
	}{
		"nothing yet":          {nil, Decision{AuthorityAnswer: pending}, nil},
		"another transmission": {[]string{answer(other, "R", wrong("1 e v m"))}, Decision{AuthorityAnswer: pending}, nil},
		"no id that it could read": {
			[]string{strings.Replace(answer("X", "R", wrong("1 e v m")), "<TransmissionId>X</TransmissionId>", "", 1)},
			Decision{AuthorityAnswer: pending}, nil},
		"taken with its payment": {[]string{taken}, Decision{AuthorityAnswer: withPayment}, nil},
		"taken without a payment": {[]string{answer(sent.Transmission, "A", "", answered(sent.Document, "A", "N", ""))},
			Decision{AuthorityAnswer: accepted}, nil},
		"taken with a warning": {[]string{answer(sent.Transmission, "A", "", answered(sent.Document, "A", "N", wrong("471001 Warning v m")))},
			Decision{AuthorityAnswer: accepted}, nil},
		"taken, and the payment refused": {[]string{answer(sent.Transmission, "A", "", answered(sent.Document, "A", "R", ""))},
			Decision{AuthorityAnswer: accepted, PaymentRefused: true}, nil},
		"refused": {[]string{refusedDocument}, Decision{AuthorityAnswer: models.AuthorityAnswer{
			Outcome: models.AuthorityRejected, Reason: "SER_14", Message: "… is unknown"}}, nil},
		"refused after a warning": {
			[]string{answer(sent.Transmission, "A", "", answered(sent.Document, "R", "N", wrong("2 warning v First", "471001 error v Second")))},
			Decision{AuthorityAnswer: models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: "SER_471001", Message: "Second"}}, nil},
		"refused without a reason": {[]string{answer(sent.Transmission, "R", "")}, Decision{AuthorityAnswer: models.AuthorityAnswer{
			Outcome: models.AuthorityRejected, Reason: "SER_REFUSED", Message: "The state gave no reason."}}, nil},
		"received before":             {[]string{duplicate}, Decision{AuthorityAnswer: pending}, nil},
		"received before, then taken": {[]string{duplicate, taken}, Decision{AuthorityAnswer: withPayment}, nil},
		"the same answer twice":       {[]string{taken, answer(other, "A", ""), taken}, Decision{AuthorityAnswer: withPayment}, nil},
		"answers that differ":         {[]string{taken, refusedDocument}, Decision{AuthorityAnswer: pending}, ErrDoubled},
		"without the document":        {[]string{answer(sent.Transmission, "A", "")}, Decision{AuthorityAnswer: pending}, ErrIncomplete},
		"with the document of another": {[]string{answer(sent.Transmission, "A", "", answered(other, "A", "N", ""))},
			Decision{AuthorityAnswer: pending}, ErrIncomplete},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var all []Acknowledgement
			for _, text := range test.answers {
				a, err := ReadAcknowledgement([]byte(text), edition)
				require.NoError(t, err)
				all = append(all, a)
			}
			got, err := Decide(all, sent)
			require.ErrorIs(t, err, test.err)
			require.Equal(t, test.want, got)
		})
	}
}

// A reason is kept without the value that it is about, without control characters, and not without end.
func TestReasonsHaveNoValues(t *testing.T) {
	t.Parallel()
	said := wrong("14 error 987654321 FedTIN 987654321 &#x9;is " + strings.Repeat("long ", 100))
	a, err := ReadAcknowledgement([]byte(answer(sent.Transmission, "A", "", answered(sent.Document, "R", "N", said))), edition)
	require.NoError(t, err)
	message := a.Documents[0].Errors[0].Message
	require.NotContains(t, message, "987654321")
	require.NotContains(t, message, "\t")
	require.Len(t, []rune(message), longestMessage)
	require.Equal(t, "/a", a.Documents[0].Errors[0].Path)
}
