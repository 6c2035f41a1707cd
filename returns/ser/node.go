package ser

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ErrMalformed means that a message is no XML as it is exchanged with states. That is well formed, in UTF-8, without a
// document type, and of a bounded size and depth.
var ErrMalformed = errors.New("malformed message")

// Limits of a message. A return of 5,000 jurisdictions has about 2 MB.
const (
	MostBytes = 16 << 20
	mostDepth = 16
)

// instanceSpace is the namespace of attributes by which a message names its schema.
const instanceSpace = "http://www.w3.org/2001/XMLSchema-instance"

// node is an element.
type node struct {
	name, space string
	attributes  []xml.Attr
	text        string
	children    []*node
	up          *node
}

// parse reads a message strictly. Errors: ErrMalformed.
func parse(message []byte) (*node, error) {
	if len(message) > MostBytes {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrMalformed, MostBytes)
	}
	p := parser{in: xml.NewDecoder(bytes.NewReader(message))}
	for {
		token, err := p.in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = p.take(token)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
		}
	}
	if p.root == nil || p.at != nil {
		return nil, fmt.Errorf("%w: no element", ErrMalformed)
	}
	return p.root, nil
}

type parser struct {
	in       *xml.Decoder
	root, at *node
	depth    int
}

var (
	errDirective = errors.New("a document type or instruction")
	errText      = errors.New("text between elements")
	errSecond    = errors.New("a second element after the end")
	errDepth     = errors.New("nested too deeply")
	errTwice     = errors.New("an attribute twice")
)

func (p *parser) take(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return p.begin(t)
	case xml.EndElement:
		if p.at.children != nil {
			if strings.TrimSpace(p.at.text) != "" {
				return errText
			}
			p.at.text = ""
		}
		p.at = p.at.up
		p.depth--
	case xml.CharData:
		if p.at != nil {
			p.at.text += string(t)
		} else if len(bytes.TrimSpace(t)) > 0 {
			return errText
		}
	case xml.Directive:
		return errDirective
	case xml.ProcInst:
		if t.Target != "xml" || p.root != nil {
			return errDirective
		}
	}
	return nil
}

func (p *parser) begin(t xml.StartElement) error {
	n := &node{name: t.Name.Local, space: t.Name.Space, up: p.at}
	seen := map[xml.Name]bool{}
	for _, a := range t.Attr {
		if seen[a.Name] {
			return errTwice
		}
		seen[a.Name] = true
		if a.Name.Local == "xmlns" && a.Value == "" && a.Name.Space == "" {
			continue // a transport that wraps the message says that it has no namespace
		}
		if a.Name.Space == "xmlns" || a.Name.Space == instanceSpace {
			continue // a name for a namespace, or the place of the schema, which many programs write
		}
		n.attributes = append(n.attributes, a)
	}
	switch {
	case p.at != nil:
		p.at.children = append(p.at.children, n)
	case p.root != nil:
		return errSecond
	default:
		p.root = n
	}
	if p.depth++; p.depth > mostDepth {
		return errDepth
	}
	p.at = n
	return nil
}

// path returns where the element is, such as /A/B[2]/C.
func (n *node) path() string {
	if n.up == nil {
		return "/" + n.name
	}
	position, same := 0, 0
	for _, o := range n.up.children {
		if o.name == n.name {
			same++
		}
		if o == n {
			position = same
		}
	}
	step := "/" + n.name
	if same > 1 {
		step += "[" + strconv.Itoa(position) + "]"
	}
	return n.up.path() + step
}

// all returns the elements of a path below an element.
func (n *node) all(names ...string) []*node {
	found := []*node{n}
	for _, name := range names {
		var next []*node
		for _, f := range found {
			for _, c := range f.children {
				if c.name == name {
					next = append(next, c)
				}
			}
		}
		found = next
	}
	return found
}

// first returns the first element of a path; nil without one.
func (n *node) first(names ...string) *node {
	if found := n.all(names...); len(found) > 0 {
		return found[0]
	}
	return nil
}

// get returns the text of the first element of a path; "" without one.
func (n *node) get(names ...string) string {
	if f := n.first(names...); f != nil {
		return f.text
	}
	return ""
}

// where returns the path of the first element of a path, else of the element itself.
func (n *node) where(names ...string) string {
	if f := n.first(names...); f != nil {
		return f.path()
	}
	return n.path()
}
