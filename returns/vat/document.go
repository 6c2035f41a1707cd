package vat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"levy/tax/calendar"
	"levy/tax/money"
)

// Layout is the layout of stored documents.
const Layout = "GB-VAT-MTD/1.0"

// MediaType is that of documents, requests and answers.
const MediaType = "application/json"

// Return is the return of a business for a period.
type Return struct {
	VRN        string // the VAT registration number: nine digits
	Start, End calendar.Date
	Boxes      Boxes
}

// ErrMalformed means that a text is no document, request or answer of this API.
var ErrMalformed = errors.New("no VAT return")

var vrnPattern = regexp.MustCompile(`^[0-9]{9}$`)

// VRN returns a VAT registration number as the API takes it: without country, blanks and dashes. ok is false for others.
func VRN(text string) (number string, ok bool) {
	number = strings.TrimPrefix(strings.NewReplacer(" ", "", "-", "").Replace(strings.ToUpper(text)), "GB")
	return number, vrnPattern.MatchString(number)
}

var keyPattern = regexp.MustCompile(`^[0-9A-Z#]{4}$`)

// IsPeriodKey reports whether a text may be the key of a period.
func IsPeriodKey(text string) bool { return keyPattern.MatchString(text) }

// Document returns what is stored of an attempt: the return without the key of its period.
func (r Return) Document() []byte {
	return fmt.Appendf(nil, "{\n  \"vrn\": %q,\n  \"start\": %q,\n  \"end\": %q,\n  \"boxes\": {%s}\n}\n",
		r.VRN, r.Start, r.End, r.Boxes.members())
}

// members are the boxes as members of an object, in their order. Amounts are numbers.
func (b Boxes) members() string {
	list := make([]string, len(b))
	for i, amount := range b {
		list[i] = `"` + fields[i] + `": ` + amount.String()
	}
	return strings.Join(list, ", ")
}

// ReadDocument reads a stored document. Errors: ErrMalformed.
func ReadDocument(content []byte) (r Return, err error) {
	var read struct {
		VRN   string                 `json:"vrn"`
		Start calendar.Date          `json:"start"`
		End   calendar.Date          `json:"end"`
		Boxes map[string]json.Number `json:"boxes"`
	}
	if err := strictly(content, &read); err != nil {
		return r, err
	}
	r = Return{VRN: read.VRN, Start: read.Start, End: read.End}
	if number, ok := VRN(r.VRN); !ok || number != r.VRN || r.Start == 0 || r.End < r.Start {
		return r, fmt.Errorf("%w: no number or period", ErrMalformed)
	}
	var code string
	if r.Boxes, code = boxesOf(read.Boxes); code != "" || len(read.Boxes) != len(fields) {
		return r, fmt.Errorf("%w: its boxes are not nine amounts", ErrMalformed)
	}
	return r, nil
}

// Request returns the bytes of a submission for the period of a key. The approval of the return is the declaration that it
// is final.
func (b Boxes) Request(periodKey string) []byte {
	return fmt.Appendf(nil, `{"periodKey": %q, %s, "finalised": true}`, periodKey, b.members())
}

// View returns the answer of the authority with a return that it has.
func (b Boxes) View(periodKey string) []byte {
	return fmt.Appendf(nil, `{"periodKey": %q, %s}`, periodKey, b.members())
}

// Received is a request as it was read.
type Received struct {
	PeriodKey string
	Boxes     Boxes
	Final     bool
}

// ReadRequest reads a submission, and returns the code of the first rule that it breaks; "" for none.
func ReadRequest(body []byte) (r Received, code string) {
	r, code = read(body)
	switch {
	case code != "":
		return r, code
	case !IsPeriodKey(r.PeriodKey):
		return r, CodePeriodKey
	}
	if code, _ := r.Boxes.Fault(); code != "" {
		return r, code
	}
	// guard: vat: a return is not taken before it is declared final
	if !r.Final {
		return r, CodeNotFinal
	}
	return r, ""
}

// ReadView reads the answer with a return that the authority has. Errors: ErrMalformed.
func ReadView(body []byte) (periodKey string, boxes Boxes, err error) {
	r, code := read(body)
	if code != "" || !IsPeriodKey(r.PeriodKey) {
		return "", boxes, fmt.Errorf("%w: the answer has no key or no nine boxes", ErrMalformed)
	}
	return r.PeriodKey, r.Boxes, nil
}

// read reads a return with the key of its period. A missing finalised is false.
func read(body []byte) (r Received, code string) {
	var members map[string]json.RawMessage
	if strictly(body, &members) != nil {
		return r, CodeRequest
	}
	if json.Unmarshal(members["periodKey"], &r.PeriodKey) != nil {
		return r, CodePeriodKey
	}
	if raw, ok := members["finalised"]; ok && json.Unmarshal(raw, &r.Final) != nil {
		return r, CodeRequest
	}
	numbers := map[string]json.Number{}
	for _, field := range fields {
		raw, ok := members[field]
		switch {
		case !ok:
			return r, CodeRequest
		// A number in quotes is none, although json.Number would read it.
		case len(raw) == 0 || raw[0] == '"' || json.Unmarshal(raw, new(json.Number)) != nil || string(raw) == "null":
			return r, CodeNumber
		}
		numbers[field] = json.Number(raw)
	}
	r.Boxes, code = boxesOf(numbers)
	return r, code
}

// boxesOf reads the amounts of boxes, and returns the code of the authority for one that is none.
func boxesOf(numbers map[string]json.Number) (b Boxes, code string) {
	for i, field := range fields {
		amount, err := money.ParseTotal(numbers[field].String())
		if err != nil {
			return b, CodeAmount
		}
		b[i] = amount
	}
	return b, ""
}

// strictly reads one value of JSON, all members of which are known. Errors: ErrMalformed.
func strictly(content []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: more than one value", ErrMalformed)
	}
	return nil
}
