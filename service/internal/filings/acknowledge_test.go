package filings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
	"levy/returns/ser"
	"levy/service/internal/deps"
	"levy/tax"
)

const edition = "SST2015V01"

func acknowledgement(transmission, document, status string) []byte {
	return fmt.Appendf(nil, `<SSTPAcknowledgement acknowledgementVersion=%q><AcknowledgementHeader>
			<AcknowledgementTimestamp>2026-11-20T06:00:00Z</AcknowledgementTimestamp><AcknowledgementCount>1</AcknowledgementCount>
			</AcknowledgementHeader><TransmissionAcknowledgement><TransmissionId>%s</TransmissionId><TransmissionStatus>A</TransmissionStatus>
			</TransmissionAcknowledgement><DocumentAcknowledgement><DocumentId>%s</DocumentId><SSTPID>S00004711</SSTPID>
			<DocumentType>SEROnly</DocumentType><DocumentStatus>%s</DocumentStatus><PaymentIndicator>N</PaymentIndicator>
			</DocumentAcknowledgement></SSTPAcknowledgement>`, edition, transmission, document, status)
}

// An acknowledgement of a person is of this attempt, can be read, and decides. Anything else is refused in words without a value of it.
func TestWhatAPersonBrings(t *testing.T) {
	t.Parallel()
	d := models.FilingDocument{
		Transmitter: "S00004711", TransmissionID: "S0000471126323000001", DocumentID: "S0000471126323000002",
	}
	duplicate := ser.WriteAcknowledgement(edition, ser.Acknowledgement{
		Transmission: d.TransmissionID, At: "2026-11-20T06:00:00Z",
		Errors: []ser.AnswerError{{Number: ser.Duplicate, Message: "A duplicate."}},
	}, ser.Head{})
	accepted := acknowledgement(d.TransmissionID, d.DocumentID, "A")
	ofAnother := bytes.Replace(accepted, []byte("S00004711</SSTPID>"), []byte("S00004712</SSTPID>"), 1)
	stored := func(m []byte) []models.Acknowledgement { return []models.Acknowledgement{{Message: m}} }
	for name, test := range map[string]struct {
		message []byte
		before  []models.Acknowledgement
		refused string
		outcome models.AuthorityOutcome
	}{
		"accepted":           {accepted, nil, "", models.AuthorityAccepted},
		"refused":            {acknowledgement(d.TransmissionID, d.DocumentID, "R"), nil, "", models.AuthorityRejected},
		"the same again":     {accepted, stored(accepted), "", models.AuthorityAccepted},
		"after a duplicate":  {accepted, stored(duplicate), "", models.AuthorityAccepted},
		"no XML":             {[]byte("PK\x03\x04"), nil, "no XML", ""},
		"an HTML page":       {[]byte("<html></html>"), nil, "no acknowledgement of this return", ""},
		"of another attempt": {acknowledgement("S0000471126323000003", d.DocumentID, "A"), nil, "no acknowledgement of this return", ""},
		"of another document": {
			acknowledgement(d.TransmissionID, "S0000471126323000003", "A"), nil, "says nothing about the return", "",
		},
		"of another seller":            {ofAnother, nil, "no acknowledgement of this return", ""},
		"of another seller afterwards": {ofAnother, stored(accepted), "no acknowledgement of this return", ""},
		"after one of another seller":  {accepted, stored(ofAnother), "", models.AuthorityAccepted},
		"without a number of the seller": {
			bytes.Replace(accepted, []byte("<SSTPID>S00004711</SSTPID>"), []byte("<StateID>MI-1</StateID>"), 1), nil, "", models.AuthorityAccepted,
		},
		"a contradiction": {accepted, stored(acknowledgement(d.TransmissionID, d.DocumentID, "R")), "contradicts", ""},
		"a duplicate":     {duplicate, nil, "only that the state had the return before", ""},
	} {
		answer, err := readAcknowledgement(test.message, test.before, edition, &d)
		if test.refused == "" {
			require.NoError(t, err, name)
			require.Equal(t, test.outcome, answer.Outcome, name)
			continue
		}
		var invalid *models.InvalidError
		require.ErrorAs(t, err, &invalid, name)
		require.Equal(t, "content", invalid.Faults[0].Path)
		require.Contains(t, invalid.Faults[0].Message, test.refused, name)
		require.NotContains(t, invalid.Faults[0].Message, "S00004711", name)
	}
}

// brought are the stored records of a return that awaits the acknowledgement of a state.
type brought struct {
	deps.Filings
	deps.Reports
	deps.Organizations

	document models.FilingDocument
	second   error
	stored   []string
}

func (*brought) Filing(context.Context, models.Scope, string) (models.Filing, error) {
	return models.Filing{ID: "file_1", StateCode: "TN", Status: models.FilingFiling, Attempt: 1}, nil
}

func (b *brought) SecondPerson(context.Context, models.Scope, models.Actor, string) (bool, error) {
	return true, b.second
}

func (b *brought) DocumentOfAttempt(context.Context, models.Scope, models.Attempt) (models.FilingDocument, error) {
	return b.document, nil
}

func (*brought) AcknowledgementsTo(context.Context, models.Scope, models.FilingDocument) ([]models.Acknowledgement, error) {
	return nil, nil
}

func (*brought) Organization(context.Context, models.Scope) (models.Organization, error) {
	return models.Organization{}, nil
}

var errStored = errors.New("it is stored")

func (b *brought) AddAcknowledgement(_ context.Context, _ models.Scope, _ string, _ models.FilingDocument, message []byte) error {
	b.stored = append(b.stored, string(message))
	return errStored
}

// An acceptance is stored when its person may decide about the return, and not before. A byte order mark is no part of it.
func TestAPersonWhoMayNotDecideStoresNoAcceptance(t *testing.T) {
	t.Parallel()
	b := &brought{document: models.FilingDocument{
		Attempt: 1, Layout: tax.SimplifiedLayout + edition, Transmitter: "S00004711", TransmissionID: "S0000471126323000001",
		DocumentID: "S0000471126323000002",
	}}
	o := New(&deps.Deps{Filings: b, Reports: b, Organizations: b}, nil, nil)
	bring := func(status string) error {
		content := string(acknowledgement(b.document.TransmissionID, b.document.DocumentID, status))
		_, err := o.AcknowledgeFiling(t.Context(), contract.AcknowledgeFilingRequest{
			FilingID: "file_1", Body: contract.FilingAcknowledgement{Content: byteOrderMark + content},
		})
		return err
	}
	require.ErrorIs(t, bring("A"), errStored)
	require.Equal(t, "<SSTPA", b.stored[0][:6])
	b.stored, b.second = nil, &models.SecondPersonError{Reason: models.SecondPersonIsMaker}
	require.ErrorIs(t, bring("A"), b.second)
	require.Empty(t, b.stored)
	require.ErrorIs(t, bring("R"), errStored, "a refusal is no decision of the person")
}
