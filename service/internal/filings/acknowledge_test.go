package filings

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/returns/ser"
)

// An acknowledgement of a person is of this attempt, can be read, and decides. Anything else is refused in words without a value of it.
func TestWhatAPersonBrings(t *testing.T) {
	t.Parallel()
	d := models.FilingDocument{
		Transmitter: "S00004711", TransmissionID: "S0000471126323000001", DocumentID: "S0000471126323000002",
	}
	const edition = "SST2015V01"
	message := func(transmission, document, status string) []byte {
		return fmt.Appendf(nil, `<SSTPAcknowledgement acknowledgementVersion=%q><AcknowledgementHeader>
			<AcknowledgementTimestamp>2026-11-20T06:00:00Z</AcknowledgementTimestamp><AcknowledgementCount>1</AcknowledgementCount>
			</AcknowledgementHeader><TransmissionAcknowledgement><TransmissionId>%s</TransmissionId><TransmissionStatus>A</TransmissionStatus>
			</TransmissionAcknowledgement><DocumentAcknowledgement><DocumentId>%s</DocumentId><SSTPID>S00004711</SSTPID>
			<DocumentType>SEROnly</DocumentType><DocumentStatus>%s</DocumentStatus><PaymentIndicator>N</PaymentIndicator>
			</DocumentAcknowledgement></SSTPAcknowledgement>`, edition, transmission, document, status)
	}
	duplicate := ser.WriteAcknowledgement(edition, ser.Acknowledgement{
		Transmission: d.TransmissionID, At: "2026-11-20T06:00:00Z",
		Errors: []ser.AnswerError{{Number: ser.Duplicate, Message: "A duplicate."}},
	}, ser.Head{})
	accepted := message(d.TransmissionID, d.DocumentID, "A")
	stored := func(m []byte) []models.Acknowledgement { return []models.Acknowledgement{{Message: m}} }
	for name, test := range map[string]struct {
		message []byte
		before  []models.Acknowledgement
		refused string
		outcome models.AuthorityOutcome
	}{
		"accepted":           {accepted, nil, "", models.AuthorityAccepted},
		"refused":            {message(d.TransmissionID, d.DocumentID, "R"), nil, "", models.AuthorityRejected},
		"the same again":     {accepted, stored(accepted), "", models.AuthorityAccepted},
		"after a duplicate":  {accepted, stored(duplicate), "", models.AuthorityAccepted},
		"no XML":             {[]byte("PK\x03\x04"), nil, "no XML", ""},
		"an HTML page":       {[]byte("<html></html>"), nil, "no acknowledgement of this return", ""},
		"of another attempt": {message("S0000471126323000003", d.DocumentID, "A"), nil, "no acknowledgement of this return", ""},
		"of another document": {
			message(d.TransmissionID, "S0000471126323000003", "A"), nil, "says nothing about the return", "",
		},
		"a contradiction": {accepted, stored(message(d.TransmissionID, d.DocumentID, "R")), "contradicts", ""},
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
