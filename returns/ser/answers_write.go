package ser

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"levy/tax/calendar"
)

// Head is what a state reads of a transmission before it decides. Document is its first one.
type Head struct {
	Transmission, Document, DocumentType string
	Payment                              bool // the state is to draw what is due
	Amended                              bool
	End                                  calendar.Date // of the period; 0 if it is no day
	number, numberElement                string        // of the seller, and the element that has it
}

// ReadHead reads the ids of a transmission. Errors: ErrMalformed; ErrIncomplete if it has no document.
func ReadHead(transmission []byte) (Head, error) {
	root, err := parse(transmission)
	if err != nil {
		return Head{}, err
	}
	d := root.first(documentElement)
	if d == nil {
		return Head{}, fmt.Errorf("%w: no document", ErrIncomplete)
	}
	h := Head{
		Transmission: root.get("TransmissionHeader", "TransmissionId"), Document: d.get("DocumentId"), DocumentType: d.get("DocumentType"),
		Payment: d.first(paymentElement) != nil, Amended: d.get(returnElement, "ReturnType") == "A",
	}
	if end := d.get(headerElement, "TaxPeriodEndDate"); isDay(end) {
		h.End, _ = calendar.ParseDate(end[:len("2006-01-02")])
	}
	for _, name := range []string{"SSTPID", "StateID"} {
		if n := d.first(headerElement, name); n != nil {
			h.numberElement, h.number = name, n.text
		}
	}
	return h, nil
}

// WriteReceipt writes the receipt of a transmission, as a state does. The times are as the caller gives them.
func WriteReceipt(edition string, r Receipt) []byte {
	w := beginAnswer(rootOfReceipts, "receiptVersion", edition)
	w.begin("ReceiptHeader", "")
	w.text("ReceiptTimestamp", r.ReceivedAt)
	w.end()
	w.begin("TransmissionReceipt", "")
	w.text("TransmissionID", r.Transmission)
	w.text("TransmissionTimestamp", r.SentAt)
	w.end()
	w.end()
	return w.Bytes()
}

// WriteAcknowledgement writes what a state decided about a transmission. It has a part for each document of a.
func WriteAcknowledgement(edition string, a Acknowledgement, of Head) []byte {
	w := beginAnswer(rootOfAnswers, "acknowledgementVersion", edition)
	w.begin("AcknowledgementHeader", "")
	w.text("AcknowledgementTimestamp", a.At)
	w.text("AcknowledgementCount", strconv.Itoa(max(len(a.Documents), 1)))
	w.end()
	w.begin("TransmissionAcknowledgement", "")
	if a.Transmission != "" {
		w.text("TransmissionId", a.Transmission)
	}
	w.text("TransmissionStatus", statusOf(a.Accepted))
	w.errors(a.Errors)
	w.end()
	for _, d := range a.Documents {
		w.begin("DocumentAcknowledgement", "")
		w.text("DocumentId", d.Document)
		w.text(of.numberElement, of.number)
		w.text("DocumentType", of.DocumentType)
		w.text("DocumentStatus", statusOf(d.Accepted))
		w.text("PaymentIndicator", d.Payment)
		w.errors(d.Errors)
		w.end()
	}
	w.end()
	return w.Bytes()
}

func beginAnswer(root, attribute, edition string) *writer {
	w := &writer{}
	w.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	w.begin(root, " "+attribute+`="`+escaped(edition)+`"`)
	return w
}

// escaped returns a text as the value of an attribute.
func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a builder takes all of it
	return b.String()
}

func statusOf(accepted bool) string {
	if accepted {
		return "A"
	}
	return "R"
}

// errors writes the errors of a part; nothing if there are none.
func (w *writer) errors(found []AnswerError) {
	if len(found) == 0 {
		return
	}
	w.begin("Errors", ` errorCount="`+strconv.Itoa(len(found))+`"`)
	for _, e := range found {
		w.begin("Error", ` errorId="`+strconv.Itoa(e.Number)+`"`)
		if e.Path != "" {
			w.text("XPath", e.Path)
		}
		w.text("ErrorMessage", e.Message)
		if e.Warning {
			w.text("Severity", "warning")
		}
		w.end()
	}
	w.end()
}
