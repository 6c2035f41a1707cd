package ser

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// Error is a numbered error of a state.
type Error struct {
	Number  int
	Message string
	Path    string // where it is; "" for the whole file
	// Document is the id of the document that is refused; "" for the transmission.
	Document string
}

// Receiver is a state that receives a transmission, and what it knows of the sender. Without a function everything is taken.
type Receiver struct {
	Layout      tax.SimplifiedReturn // of the state and period
	Test        bool                 // the transmitter is registered for tests
	SignedIn    string               // the transmitter that signed in; "" is not compared
	Refused     bool                 // its password was wrong
	ContentType string               // as it came
	Kinds       []string             // of documents that it may send; none for all
	Known       func(number string) bool
	Seen        func(id string) bool // transmissions and documents that came before
	Day         calendar.Date        // 0 compares no day
	BusinessDay func(calendar.Date) bool
}

// Validate returns the numbered errors with which a state answers a transmission; none if it takes it. Sums are not among
// them: states do not refuse wrong arithmetic. Sums finds it.
func Validate(document []byte, of Receiver) []Error {
	v := &validator{Receiver: of, errors: []Error{}}
	kind, _, _ := strings.Cut(of.ContentType, ";")
	v.when(of.Refused, numberPassword, "", "")
	v.when(!slices.Contains([]string{"text/xml", "application/xml"}, strings.TrimSpace(strings.ToLower(kind))), numberContentType, "", "")
	if len(strings.TrimSpace(string(document))) == 0 {
		v.when(true, numberEmpty, "", "")
		return v.errors
	}
	root, err := parse(document)
	if err != nil {
		v.when(true, numberMalformed, "", "")
		return v.errors
	}
	faults := checkMessage(returnElements, root, rootOfReturns, of.Layout.Edition)
	for _, f := range faults {
		v.errors = append(v.errors, Error{Number: numberInvalid, Message: "The file does not keep the schema: " + f.message + ".", Path: f.path})
	}
	if len(faults) > 0 {
		return v.errors // the rules read what the schema promises
	}
	v.checkTransmission(root)
	for _, d := range root.all(documentElement) {
		v.checkDocument(root, d)
	}
	return v.errors
}

const (
	rootOfReturns   = "SSTSimplifiedReturnTransmission"
	documentElement = "SimplifiedReturnDocument"
	paymentElement  = "FinancialTransaction"
	returnElement   = "SimplifiedElectronicReturn"
	headerElement   = "SSTFilingHeader"
)

type validator struct {
	Receiver
	errors []Error
}

func (v *validator) when(wrong bool, number int, path, document string) {
	if wrong {
		rule := ruleOf(number)
		v.errors = append(v.errors, Error{Number: number, Message: rule.Rule, Path: path, Document: document})
	}
}

func (v *validator) checkTransmission(root *node) {
	head := root.first("TransmissionHeader")
	process := "P"
	if v.Test {
		process = "T"
	}
	v.when(head.get("ProcessType") != process, numberProcess, head.where("ProcessType"), "")
	v.when(v.SignedIn != "" && head.get("Transmitter", "ETIN") != v.SignedIn, numberTransmitter, head.where("Transmitter", "ETIN"), "")
	documents, bulk := root.all(documentElement), root.all(paymentElement)
	count, _ := strconv.Atoi(strings.TrimPrefix(head.get("DocumentCount"), "+"))
	v.when(count != len(documents)+len(bulk), numberCount, head.where("DocumentCount"), "")
	if hash := head.get("TransmissionPaymentHash"); hash != "" {
		sum, ok := sumOf(append(root.all(documentElement, paymentElement, "StatePayment", "PaymentAmount"),
			root.all(paymentElement, "StatePayment", "PaymentAmount")...))
		v.when(!ok || sum != amountIn(hash), numberHash, head.where("TransmissionPaymentHash"), "")
	}
	ids := map[string]bool{head.get("TransmissionId"): true}
	v.when(v.Seen != nil && v.Seen(head.get("TransmissionId")), numberDuplicate, head.where("TransmissionId"), "")
	for _, d := range documents {
		id := d.get("DocumentId")
		v.when(ids[id] || v.Seen != nil && v.Seen(id), numberDuplicate, d.where("DocumentId"), "")
		ids[id] = true
		kind := d.get("DocumentType")
		v.when(len(v.Kinds) > 0 && !slices.Contains(v.Kinds, kind), numberKind, d.where("DocumentType"), "")
	}
	v.checkBulk(root, documents)
}

// checkBulk checks the payment for all documents without one of their own: it is the sum of its parts, one per document.
func (v *validator) checkBulk(root *node, documents []*node) {
	bulk := root.first(paymentElement)
	if bulk == nil {
		return
	}
	without := 0
	for _, d := range documents {
		if d.first(paymentElement) == nil && d.get("DocumentType") != returnOnly {
			without++
		}
	}
	amounts, addenda, parts := bulk.all("StatePayment", "PaymentAmount"), 0, []*node(nil)
	for _, way := range []string{"StatePayment", "ACHCreditInfo"} {
		addenda += len(bulk.all(way, "AddendaRecord"))
		parts = append(parts, bulk.all(way, "AddendaRecord", "TXPAmount", "SubAmount")...)
	}
	amounts = append(amounts, bulk.all("ACHCreditInfo", "PaymentAmount")...)
	paid, ok := sumOf(amounts)
	sum, also := sumOf(parts)
	v.when(!ok || !also || paid != sum || addenda != without, numberBulk, bulk.path(), "")
}

func (v *validator) checkDocument(root, d *node) {
	id, head := d.get("DocumentId"), d.first(headerElement)
	v.when(head.get("FIPSCode") != v.Layout.Code, numberState, head.where("FIPSCode"), id)
	v.when(!fits(root, d), numberParts, head.where("FilingType"), id)
	if shared := head.first("SSTPID"); shared != nil {
		v.when(v.Known != nil && !v.Known(shared.text), numberUnknown, shared.path(), id)
	} else {
		number, rule := head.first("StateID"), v.Layout.Rule(tax.SimplifiedNumber)
		v.when(rule.Has("ONLY_SHARED"), numberSharedOnly, number.path(), id)
		v.when(!isStateNumber(number.text, head.get("TIN", "FedTIN")), numberStateID, number.path(), id)
	}
	if food := d.first(returnElement, "StateTaxDueFoodDrug"); food != nil {
		own := v.Layout.Rule(tax.SimplifiedOwnRate)
		v.when(len(own.Value) == 0 && !amountIn(food.text).IsZero(), numberFood, food.path(), id)
	}
	for _, way := range []string{"StatePayment", "ACHCreditInfo"} {
		for _, on := range d.all(paymentElement, way, "RequestedPaymentDate") {
			day, _ := calendar.ParseDate(on.text[:len("2006-01-02")])
			v.when(v.Day != 0 && day < v.Day || !v.works(day), numberSettlement, on.path(), id)
		}
	}
}

// works reports whether banks work on a day: every day but Saturday and Sunday, if the state does not say more.
func (v *validator) works(day calendar.Date) bool {
	if v.BusinessDay != nil {
		return v.BusinessDay(day)
	}
	weekday := day.Time().Weekday()
	return weekday != time.Saturday && weekday != time.Sunday
}

// fits reports whether the kind of a document fits its parts. A payment may be the one for all documents.
func fits(root, d *node) bool {
	kind := d.get("DocumentType")
	if kind != d.get(headerElement, "FilingType") {
		return false
	}
	filed, own := d.first(returnElement) != nil, d.first(paymentElement) != nil
	paid := own || root.first(paymentElement) != nil
	switch kind {
	case returnOnly:
		return filed && !own
	case withPayment:
		return filed && paid
	}
	return !filed && own // the schema wants one of both
}

// amountIn reads an amount that keeps the schema, also with a plus, or without a digit before or after the point.
func amountIn(text string) money.Total {
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign = "-"
	}
	whole, frac, _ := strings.Cut(strings.TrimLeft(text, "+-"), ".")
	sum, _ := money.ParseTotal(sign + "0" + whole + "." + frac + "0")
	return sum
}

// sumOf adds up the amounts of elements; false if they have too many digits.
func sumOf(nodes []*node) (sum money.Total, ok bool) {
	for _, n := range nodes {
		var err error
		if sum, err = sum.Plus(amountIn(n.text)); err != nil {
			return sum, false
		}
	}
	return sum, true
}
