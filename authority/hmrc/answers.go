package hmrc

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"levy/authority"
	"levy/models"
	"levy/returns/vat"
)

// Reasons of rejections that are Levy's own.
const (
	ReasonNotConnected   = authority.NotConnected
	ReasonNoObligation   = "NO_OBLIGATION"
	ReasonCallUnknown    = "CALL_UNKNOWN"
	ReasonOtherFigures   = authority.OtherFigures
	reasonCredentials    = "INVALID_CREDENTIALS"
	reasonUnknownRefusal = "REFUSED"
)

// refusals are the words for the codes of the authority. Merchants read them.
var refusals = map[string]string{
	vat.CodeVRN:       "The authority does not know the VAT registration number: compare tax_id of the registration with the certificate.",
	vat.CodePeriodKey: "The authority does not take the key of the period that it gave: ask it which periods it wants returns for.",
	vat.CodeRequest:   "The authority cannot read the return: tell your operator.",
	vat.CodeTotal:     "Box 3 is not the sum of boxes 1 and 2: tell your operator.",
	vat.CodeNet:       "Box 5 is not the difference of boxes 3 and 4: tell your operator.",
	vat.CodeNumber:    "A box is no number: tell your operator.",
	vat.CodeAmount:    "A box has too many digits, or pence where pounds are wanted: compare the worksheet.",
	vat.CodeNotFinal:  "The return was not declared as final: tell your operator.",
	vat.CodeNotEnded:  "The period has not ended for the authority: retry after its last day.",
	vat.CodeInsolvent: "The authority takes no returns of insolvent businesses by this way: file it by hand.",
	vat.CodeUnauthorised: "The business is not signed up for Making Tax Digital, or has not authorised this program: sign up, connect again " +
		"and retry.",
	codeHeadersInvalid: "The authority does not take the description of the call that approved the return: retry it from the console. If " +
		"that does not help, tell your operator.",
	ReasonCallUnknown: "Nothing was sent. The authority wants the call described by which a person has the return filed, and that of this " +
		"return was not recorded, because it came from Temporal or by an earlier release: retry the return in the console, or by the API.",
	ReasonNotConnected: "The organization has not connected Levy with the authority, or the connection has ended: connect again and retry.",
	ReasonNoObligation: "The authority wants no return for exactly this period: compare stagger and frequency of the registration with the " +
		"certificate, and file by hand if the period is its own.",
	ReasonOtherFigures:   "The authority has a return of this period with other figures: it takes a period once. Carry the difference.",
	reasonCredentials:    "The authority does not accept the connection of this organization any more: connect again and retry.",
	reasonUnknownRefusal: "The authority refused the return and gave no reason that can be read: ask it, or file by hand.",
}

// unknownCode are the words for a code that the description does not have.
const unknownCode = "The authority refused the return with a code that Levy does not know: ask it, or file by hand."

// rejected is the answer with a reason.
func rejected(reason string) models.AuthorityAnswer {
	reason = cmp.Or(reason, reasonUnknownRefusal)
	return models.AuthorityAnswer{
		Outcome: models.AuthorityRejected, Reason: reason, Message: cmp.Or(refusals[reason], unknownCode),
	}
}

// submitted returns what an answer to a submission means. again means that the authority has a return of the period already.
// Errors: models.ErrOutcomeUnknown for an answer that cannot be read.
func submitted(answer *reply, boxes vat.Boxes, left []string) (a models.AuthorityAnswer, again bool, err error) {
	code := answer.code()
	switch {
	case answer.status == http.StatusCreated:
		a, err = receipt(answer, boxes, left)
		return a, false, err
	case code == vat.CodeDuplicate:
		return a, true, nil
	case answer.status >= http.StatusBadRequest:
		return rejected(code), false, nil
	}
	return a, false, fmt.Errorf("%w: the VAT API answered %d to a submission", models.ErrOutcomeUnknown, answer.status)
}

// receipt reads the answer that a return was taken. Errors: models.ErrOutcomeUnknown.
func receipt(answer *reply, boxes vat.Boxes, left []string) (a models.AuthorityAnswer, err error) {
	var said struct {
		Processed string `json:"processingDate"`
		Bundle    string `json:"formBundleNumber"`
		Payment   string `json:"paymentIndicator"`
		Charge    string `json:"chargeRefNumber"`
	}
	// guard: hmrc: a receipt without its number confirms nothing
	if json.Unmarshal(answer.body, &said) != nil || len(said.Bundle) != bundleDigits || strings.Trim(said.Bundle, "0123456789") != "" {
		return a, fmt.Errorf("%w: the receipt of the VAT API cannot be read", models.ErrOutcomeUnknown)
	}
	a = models.AuthorityAnswer{Outcome: models.AuthorityAccepted, Confirmation: said.Bundle}
	words := []string{"Taken."}
	for _, part := range [][2]string{
		{"Receipt", answer.header.Get("Receipt-ID")}, {"of", answer.header.Get("Receipt-Timestamp")}, {"processed", said.Processed},
		{"charge", said.Charge}, {"correlation", answer.header.Get("X-CorrelationId")},
	} {
		if part[1] != "" {
			words = append(words, part[0]+" "+part[1]+",")
		}
	}
	a.Message = strings.TrimSuffix(strings.Join(words, " "), ",") + "." + saidOfLeft(left)
	switch {
	case !boxes.ToPay():
	case said.Payment == directDebit:
		a.PaymentConfirmation = said.Charge
	default:
		// guard: hmrc: a return without a direct debit pays nothing
		a.Reason = models.PaymentNotTaken
		a.Message = "The authority debits no account for this return: pay it in another way. " + a.Message
	}
	return a, nil
}

// bundleDigits is how many digits the number of a receipt has, and directDebit the word of a payment that is taken.
const (
	bundleDigits = 12
	directDebit  = "DD"
)

// viewed returns what the return means that the authority has of a period whose receipt was lost. Errors:
// models.ErrOutcomeUnknown.
func viewed(answer *reply, o Obligation, boxes vat.Boxes) (models.AuthorityAnswer, error) {
	key, has, err := vat.ReadView(answer.body)
	switch {
	case err != nil || key != o.PeriodKey:
		return models.AuthorityAnswer{}, fmt.Errorf("%w: the return that the VAT API has cannot be read", models.ErrOutcomeUnknown)
	// guard: hmrc: a return with other figures is not ours
	case has != boxes:
		return rejected(ReasonOtherFigures), nil
	}
	a := models.AuthorityAnswer{
		Outcome: models.AuthorityAccepted, Confirmation: "PERIOD " + o.PeriodKey, Reason: models.PaymentNotTaken,
		Message: "The authority has this return with these figures. Its receipt was lost, and with it whether an account is debited: see the " +
			"VAT account.",
	}
	if !boxes.ToPay() {
		a.Reason = ""
	}
	return a, nil
}
