package models

import "time"

// AcknowledgementQueue names the queue of acknowledgements that an authority has for a transmitter.
type AcknowledgementQueue struct{ Authority, Transmitter string }

// QueueToRead is a queue with an organization that has sent by its transmitter.
type QueueToRead struct {
	AcknowledgementQueue
	OrganizationID string
}

// Acknowledgement is a message of an authority, without the message of SOAP around it.
type Acknowledgement struct {
	OrganizationID string // that has asked for it; the store takes that of its document
	TransmissionID string // "" if it has none that can be read
	Fault          string // AcknowledgementMalformed or AcknowledgementForeign; "" for one of a document of Levy
	Message        []byte
	ReceivedAt     time.Time
}

// Faults of acknowledgements.
const (
	AcknowledgementMalformed = "MALFORMED" // it cannot be read
	AcknowledgementForeign   = "FOREIGN"   // it is of no document that was sent
)

// Results of keeping an acknowledgement, in addition to its faults.
const (
	AcknowledgementKept     = "KEPT"
	AcknowledgementRepeated = "REPEATED" // it was kept before
)

// AcknowledgementResults are all results.
var AcknowledgementResults = []string{
	AcknowledgementKept, AcknowledgementRepeated, AcknowledgementMalformed, AcknowledgementForeign,
}
