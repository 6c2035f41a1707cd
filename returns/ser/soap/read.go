package soap

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Part is an element of a message.
type Part struct {
	xml.Name
	Raw   []byte // the element as it came
	Text  string // outside of the elements in it
	Parts []Part
	inner []byte
}

// Child returns the first element of a name in it; nil without one.
func (p *Part) Child(name string) *Part {
	if p == nil {
		return nil
	}
	for i := range p.Parts {
		if p.Parts[i].Local == name {
			return &p.Parts[i]
		}
	}
	return nil
}

// mostParts is how deep elements are told apart. Those further in are bytes of a message.
const mostParts = 6

// ErrNoEnvelope means that a message is none of SOAP, or answers another operation.
var ErrNoEnvelope = errors.New("no SOAP envelope")

var errMarkup = errors.New("a document type or instruction")

// Read reads a message of SOAP strictly, and returns its header and the one element of its body. It resolves no entities
// but those of XML itself, and refuses a document type. header is nil if there is none; body is nil if it is empty. Errors say
// no value of the message.
func Read(message []byte) (header, body *Part, err error) {
	root, err := readParts(message)
	if err != nil {
		return nil, nil, err
	}
	// guard: soap: a message that is no envelope of SOAP is none
	if root.Name != (xml.Name{Space: EnvelopeSpace, Local: "Envelope"}) {
		return nil, nil, ErrNoEnvelope
	}
	inner := root.Child("Body")
	if inner == nil || inner.Space != EnvelopeSpace || len(inner.Parts) > 1 {
		return nil, nil, ErrNoEnvelope
	}
	header = root.Child("Header")
	if len(inner.Parts) == 1 {
		body = &inner.Parts[0]
	}
	return header, body, nil
}

// readParts reads the elements of a message.
func readParts(message []byte) (root Part, err error) {
	in := xml.NewDecoder(bytes.NewReader(message))
	for {
		at := in.InputOffset()
		token, err := in.Token()
		switch t := token.(type) {
		case xml.StartElement:
			root, err = readPart(in, message, t, at, 1)
			if err != nil {
				return root, err
			}
			return root, nothingAfter(in)
		case xml.ProcInst:
			if t.Target != "xml" {
				return root, errMarkup
			}
		case xml.Directive:
			return root, errMarkup
		}
		if err != nil {
			return root, ErrNoEnvelope
		}
	}
}

// nothingAfter reads the end of a message.
func nothingAfter(in *xml.Decoder) error {
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return ErrNoEnvelope
		}
		if text, ok := token.(xml.CharData); ok && len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if _, ok := token.(xml.Comment); !ok {
			return errMarkup
		}
	}
}

// readPart reads an element that begins at an offset.
func readPart(in *xml.Decoder, message []byte, start xml.StartElement, at int64, depth int) (p Part, err error) {
	p.Name = start.Name
	begins := in.InputOffset()
	for {
		before := in.InputOffset()
		token, err := in.Token()
		if err != nil {
			return p, ErrNoEnvelope
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth >= mostParts {
				if err := in.Skip(); err != nil {
					return p, ErrNoEnvelope
				}
				continue
			}
			child, err := readPart(in, message, t, before, depth+1)
			if err != nil {
				return p, err
			}
			p.Parts = append(p.Parts, child)
		case xml.EndElement:
			p.Raw, p.inner = message[at:in.InputOffset()], message[begins:before]
			return p, nil
		case xml.CharData:
			p.Text += string(t)
		case xml.Directive, xml.ProcInst:
			return p, errMarkup
		}
	}
}

// MessageIn returns the message in an answer to an operation: XML, or XML as text; nil if there is none. Errors: ErrNoEnvelope for
// an answer to another operation.
func MessageIn(body *Part, operation string) ([]byte, error) {
	// guard: soap: an answer to another operation is none
	if body == nil || body.Name != (xml.Name{Space: ServiceSpace, Local: operation + responseSuffix}) {
		return nil, fmt.Errorf("%w of %s", ErrNoEnvelope, operation)
	}
	in := body
	if result := body.Child(operation + resultSuffix); result != nil {
		in = result
	}
	switch text := strings.TrimSpace(in.Text); {
	case len(in.Parts) == 1 && text == "":
		return in.Parts[0].Raw, nil
	case len(in.Parts) == 0 && text == "":
		return nil, nil
	case len(in.Parts) == 0:
		return []byte(text), nil
	}
	return in.inner, nil // two messages are none that can be read
}

// Fault returns the code of a fault without its prefix, such as Client or FailedAuthentication; false if the body is none. A code
// that is no name is unknown. The text of a fault is left out, because it may repeat what was sent.
func Fault(body *Part) (code string, ok bool) {
	if body == nil || body.Name != (xml.Name{Space: EnvelopeSpace, Local: "Fault"}) {
		return "", false
	}
	code = "unknown"
	if named := body.Child("faultcode"); named != nil {
		said := strings.TrimSpace(named.Text)
		if said = said[strings.LastIndexByte(said, ':')+1:]; faultCode.MatchString(said) {
			code = said
		}
	}
	return code, true
}

var faultCode = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9.]{0,39}$`)

// Unwrapped returns the message in the body of an envelope, without the elements of the service around it. Content that is no
// envelope is returned as it is.
func Unwrapped(content []byte) []byte {
	_, at, err := Read(content)
	if err != nil || at == nil {
		return content
	}
	for at.Space == ServiceSpace && len(at.Parts) == 1 {
		at = &at.Parts[0]
	}
	return at.Raw
}
