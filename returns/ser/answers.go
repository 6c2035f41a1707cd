package ser

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"levy/models"
)

// Errors of answers.
var (
	// ErrForeign means that an answer is none to what was sent, or no answer of this edition.
	ErrForeign = errors.New("foreign answer")
	// ErrDoubled means that a document or transmission has answers that differ.
	ErrDoubled = errors.New("doubled answer")
	// ErrIncomplete means that an answer says nothing about a document that was sent.
	ErrIncomplete = errors.New("incomplete answer")
)

// Receipt says that a transmission was received, and nothing more. Times are as the state wrote them.
type Receipt struct{ Transmission, ReceivedAt, SentAt string }

// Acknowledgement is what a state decided about a transmission.
type Acknowledgement struct {
	Transmission string // "" if the state could not read the id
	At           string
	Accepted     bool
	Errors       []AnswerError
	Documents    []DocumentAnswer
}

// DocumentAnswer is what a state decided about a document.
type DocumentAnswer struct {
	Document string
	Seller   string // the Streamlined id; "" if the state names none, or its own number of the seller
	Accepted bool
	Payment  string // PaymentTaken, PaymentRefused or PaymentNone
	Errors   []AnswerError
}

// The payment of a document was taken or refused, or there was none.
const (
	PaymentTaken   = "A"
	PaymentRefused = "R"
	PaymentNone    = "N"
)

// AnswerError is an error that a state found. Its message has no value of the document, which may be a number of a person.
type AnswerError struct {
	Number  int
	Path    string
	Message string
	Warning bool // it refuses nothing
}

const (
	rootOfReceipts = "SSTReceipt"
	rootOfAnswers  = "SSTPAcknowledgement"
)

// answerElements are the elements of receipts and acknowledgements, by their name.
var answerElements = func() map[string]element {
	status := oneOf("A", "R")
	return map[string]element{
		rootOfReceipts: {
			parts:      []part{one("ReceiptHeader"), one("TransmissionReceipt")},
			attributes: map[string]func(string) bool{"receiptVersion": anyText}, required: []string{"receiptVersion"},
		},
		"ReceiptHeader":    {parts: []part{one("ReceiptTimestamp")}},
		"ReceiptTimestamp": {text: isTime},
		"TransmissionReceipt": {
			parts: []part{one("TransmissionID"), one("TransmissionTimestamp")},
		},
		"TransmissionID": {text: isAnyID}, "TransmissionTimestamp": {text: isTime},
		rootOfAnswers: {
			parts: []part{
				one("AcknowledgementHeader"), one("TransmissionAcknowledgement"), many(0, 0, "DocumentAcknowledgement"),
			},
			attributes: map[string]func(string) bool{"acknowledgementVersion": anyText},
			required:   []string{"acknowledgementVersion"},
		},
		"AcknowledgementHeader":    {parts: []part{one("AcknowledgementTimestamp"), one("AcknowledgementCount")}},
		"AcknowledgementTimestamp": {text: isTime}, "AcknowledgementCount": {text: isCount},
		"TransmissionAcknowledgement": {parts: []part{
			maybe("TransmissionId"), maybe("TransmissionTimestamp"), one("TransmissionStatus"), maybe("Errors"),
		}},
		"TransmissionId": {text: isAnyID}, "TransmissionStatus": {text: status},
		"DocumentAcknowledgement": {parts: []part{
			one("DocumentId"), one("SSTPID", "StateID"), one("DocumentType"), one("DocumentStatus"), one("PaymentIndicator"), maybe("Errors"),
		}},
		"DocumentId": {text: isID}, "SSTPID": {text: between(0, 9)}, "StateID": {text: between(0, 20)},
		"DocumentType":   {text: oneOf(append([]string{"SSTPRegistration"}, documentTypes...)...)},
		"DocumentStatus": {text: status}, "PaymentIndicator": {text: oneOf(PaymentTaken, PaymentRefused, PaymentNone)},
		"Errors": {
			parts:      []part{many(1, 0, "Error")},
			attributes: map[string]func(string) bool{"errorCount": isErrorCount}, required: []string{"errorCount"},
		},
		"Error": {
			parts: []part{
				maybe("XPath", "FieldIdentifier"), one("ErrorMessage"), maybe("AdditionalErrorMessage"), maybe("Severity"), maybe("DataValue"),
			},
			attributes: map[string]func(string) bool{"errorId": isErrorID}, required: []string{"errorId"},
		},
		"XPath": {}, "FieldIdentifier": {}, "ErrorMessage": {}, "AdditionalErrorMessage": {text: between(0, 200)}, "Severity": {},
		"DataValue": {},
	}
}()

// read reads an answer. Errors: ErrMalformed; ErrForeign for a message that is none of this edition.
func read(message []byte, edition, root string) (*node, error) {
	n, err := parse(message)
	if err != nil {
		return nil, err
	}
	if faults := checkMessage(answerElements, n, root, edition); len(faults) > 0 {
		return nil, fmt.Errorf("%w: %s: %s", ErrForeign, faults[0].path, faults[0].message)
	}
	return n, nil
}

// ReadReceipt reads a receipt of an edition. Errors: ErrMalformed, ErrForeign.
func ReadReceipt(message []byte, edition string) (Receipt, error) {
	n, err := read(message, edition, rootOfReceipts)
	if err != nil {
		return Receipt{}, err
	}
	return Receipt{
		Transmission: n.get("TransmissionReceipt", "TransmissionID"), ReceivedAt: n.get("ReceiptHeader", "ReceiptTimestamp"),
		SentAt: n.get("TransmissionReceipt", "TransmissionTimestamp"),
	}, nil
}

// ReadAcknowledgement reads an acknowledgement of an edition. Errors: ErrMalformed; ErrForeign; ErrDoubled for a document
// that is answered twice; ErrIncomplete if its counts are not those of what it has.
func ReadAcknowledgement(message []byte, edition string) (Acknowledgement, error) {
	n, err := read(message, edition, rootOfAnswers)
	if err != nil {
		return Acknowledgement{}, err
	}
	transmission := n.first("TransmissionAcknowledgement")
	a := Acknowledgement{
		Transmission: transmission.get("TransmissionId"), At: n.get("AcknowledgementHeader", "AcknowledgementTimestamp"),
		Accepted: transmission.get("TransmissionStatus") == "A",
	}
	if a.Errors, err = errorsOf(transmission); err != nil {
		return Acknowledgement{}, err
	}
	seen := map[string]bool{}
	for _, d := range n.all("DocumentAcknowledgement") {
		answer := DocumentAnswer{
			Document: d.get("DocumentId"), Seller: strings.TrimSpace(d.get("SSTPID")), Accepted: d.get("DocumentStatus") == "A",
			Payment: d.get("PaymentIndicator"),
		}
		if answer.Errors, err = errorsOf(d); err != nil {
			return Acknowledgement{}, err
		}
		// guard: simplified: a document has one answer
		if seen[answer.Document] {
			return Acknowledgement{}, fmt.Errorf("%w: document %s", ErrDoubled, answer.Document)
		}
		seen[answer.Document] = true
		a.Documents = append(a.Documents, answer)
	}
	return a, a.complete(n)
}

// TransmissionOf returns the id of the transmission that a message acknowledges, of whatever edition. Errors: ErrMalformed also for an
// acknowledgement without an id that can be one; ErrForeign for a message that is no acknowledgement.
func TransmissionOf(message []byte) (string, error) {
	n, err := parse(message)
	if err != nil {
		return "", err
	}
	if n.name != rootOfAnswers {
		return "", fmt.Errorf("%w: it is no acknowledgement", ErrForeign)
	}
	id := n.get("TransmissionAcknowledgement", "TransmissionId")
	if !isAnyID(id) {
		return "", fmt.Errorf("%w: it has no id of a transmission", ErrMalformed)
	}
	return id, nil
}

// complete compares the count of the header with the documents. A refused transmission counts as one, and has no documents.
// Errors: ErrIncomplete.
func (a *Acknowledgement) complete(n *node) error {
	count, _ := strconv.Atoi(strings.TrimPrefix(n.get("AcknowledgementHeader", "AcknowledgementCount"), "+"))
	// guard: simplified: an answer has as many parts as it says
	if count != max(len(a.Documents), 1) {
		rule := ruleOf(numberAnswers)
		return fmt.Errorf("%w: %d: %s", ErrIncomplete, numberAnswers, rule.Rule)
	}
	return nil
}

// errorsOf reads the errors of a part of an answer. Errors: ErrIncomplete if there are not as many as it says.
func errorsOf(n *node) (found []AnswerError, err error) {
	list := n.first("Errors")
	if list == nil {
		return nil, nil
	}
	for _, e := range list.children {
		number, _ := strconv.Atoi(strings.TrimPrefix(e.attribute("errorId"), "+"))
		path := e.get("XPath")
		if path == "" {
			path = e.get("FieldIdentifier")
		}
		found = append(found, AnswerError{
			Number: number, Path: short(path), Message: messageOf(e), Warning: strings.EqualFold(strings.TrimSpace(e.get("Severity")), "warning"),
		})
	}
	if count, _ := strconv.Atoi(strings.TrimPrefix(list.attribute("errorCount"), "+")); count != len(found) {
		return nil, fmt.Errorf("%w: %s", ErrIncomplete, list.path())
	}
	return found, nil
}

// longestMessage is how much of the words of a state is kept.
const longestMessage = 300

// messageOf returns what a state says, without the value that it says it of.
func messageOf(e *node) string {
	said := strings.TrimSpace(e.get("ErrorMessage") + " " + e.get("AdditionalErrorMessage"))
	// guard: simplified: a value of the document is not in a reason
	if value := strings.TrimSpace(e.get("DataValue")); value != "" {
		said = strings.ReplaceAll(said, value, "…")
	}
	return short(said)
}

// short returns a text without control characters, of a bounded length.
func short(text string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	runes := []rune(clean)
	return string(runes[:min(len(runes), longestMessage)])
}

// Decision is what the answers of a state mean for an attempt.
type Decision struct {
	models.AuthorityAnswer
	// PaymentRefused tells that the return is filed, and the money is not paid.
	PaymentRefused bool
}

// Decide returns what the answers of a state mean for a transmission with one document. Answers to other transmissions are
// passed over, and the same answer may come twice. Without one it is pending. Errors: ErrDoubled for two that differ;
// ErrIncomplete for one that lacks the document.
func Decide(answers []Acknowledgement, of IDs) (Decision, error) {
	pending := Decision{AuthorityAnswer: models.AuthorityAnswer{Outcome: models.AuthorityPending}}
	decided := pending
	for i := range answers {
		a := &answers[i]
		if a.Transmission != of.Transmission {
			continue
		}
		d, err := a.decide(of)
		switch {
		case err != nil:
			return pending, err
		case d.Outcome == models.AuthorityPending:
		// guard: simplified: of two answers that differ none counts
		case decided.Outcome != models.AuthorityPending && decided != d:
			return pending, fmt.Errorf("%w: transmission %s", ErrDoubled, of.Transmission)
		default:
			decided = d
		}
	}
	return decided, nil
}

// DecideMessages returns what the messages of a state mean for a transmission with one document. One that cannot be read stops none
// that can be. Errors: those of Decide; ErrMalformed and ErrForeign if a message cannot be read or is of another transmitter or
// seller, and no other one decides.
func DecideMessages(messages [][]byte, edition string, of IDs) (Decision, error) {
	var answers []Acknowledgement
	var faults error
	for _, message := range messages {
		answer, err := ReadAcknowledgement(message, edition)
		// guard: streamlined: an answer to another transmitter is seen
		if err == nil && !strings.HasPrefix(answer.Transmission, of.Transmitter) {
			err = fmt.Errorf("%w: the transmission is of another transmitter", ErrForeign)
		}
		// guard: simplified: an answer about another seller is none
		if err == nil && answer.isOfAnotherSeller(of) {
			err = fmt.Errorf("%w: document %s is answered for another seller", ErrForeign, of.Document)
		}
		if err != nil {
			faults = errors.Join(faults, err)
			continue
		}
		answers = append(answers, answer)
	}
	decision, err := Decide(answers, of)
	switch {
	case err != nil:
		return decision, errors.Join(faults, err)
	// guard: streamlined: an answer that cannot be read is no answer
	case decision.Outcome == models.AuthorityPending && faults != nil:
		return decision, faults
	case decision.PaymentRefused:
		decision.Reason, decision.Message = models.PaymentRefused, "The state took the return and refused the payment: pay it in another way."
	}
	return decision, nil
}

// isOfAnotherSeller reports whether the answer to a document names another seller.
func (a *Acknowledgement) isOfAnotherSeller(of IDs) bool {
	return slices.ContainsFunc(a.Documents, func(x DocumentAnswer) bool {
		return x.Document == of.Document && x.Seller != "" && x.Seller != of.Transmitter
	})
}

// decide returns what one answer means for a document. A transmission that is refused as a duplicate was received before. Errors:
// ErrIncomplete.
func (a *Acknowledgement) decide(of IDs) (d Decision, err error) {
	if !a.Accepted {
		first := firstOf(a.Errors)
		if first.Number == numberDuplicate {
			d.Outcome = models.AuthorityPending
			return d, nil
		}
		return refused(first), nil
	}
	at := slices.IndexFunc(a.Documents, func(x DocumentAnswer) bool { return x.Document == of.Document })
	if at < 0 {
		return d, fmt.Errorf("%w: document %s", ErrIncomplete, of.Document)
	}
	x := &a.Documents[at]
	if !x.Accepted {
		return refused(firstOf(x.Errors)), nil
	}
	d.Outcome, d.Confirmation, d.PaymentRefused = models.AuthorityAccepted, of.Document, x.Payment == PaymentRefused
	if x.Payment == PaymentTaken {
		d.PaymentConfirmation = of.Document
	}
	return d, nil
}

// firstOf returns the first error that is no warning, else the first one.
func firstOf(found []AnswerError) AnswerError {
	for _, e := range found {
		if !e.Warning {
			return e
		}
	}
	if len(found) > 0 {
		return found[0]
	}
	return AnswerError{Message: "The state gave no reason."}
}

func refused(e AnswerError) Decision {
	reason := "SER_REFUSED"
	if e.Number > 0 {
		reason = "SER_" + strconv.Itoa(e.Number)
	}
	return Decision{AuthorityAnswer: models.AuthorityAnswer{
		Outcome: models.AuthorityRejected, Reason: reason, Message: e.Message,
	}}
}
