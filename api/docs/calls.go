package docs

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
)

// subject is a page of calls: those with the same tag.
type subject struct {
	Slug, Name string
	Prose      []block
	Calls      []call
	Objects    []object
	seen       map[string]bool // objects of the page, by name
}

// call is an operation of the contract for its page.
type call struct {
	ID, Method, Path, Summary string

	Prose      []block
	Parameters []row
	Body       *kind
	Status     string
	Answer     []block
	Result     *kind
	Refusals   []string // statuses
}

// object is a schema with fields.
type object struct {
	Name  string
	Prose []block
	Rows  []row
}

// row is a field or parameter.
type row struct {
	Name, In string
	Required bool
	Kind     kind
	Prose    []block
}

// kind is the type of a value in words. Object is the name of the object that its page describes.
type kind struct {
	List   bool
	Text   string
	Object string
	Values []string
	More   int // values that are not listed
}

// mostValues is how many values of a set a page lists.
const mostValues = 40

// catalogue collects the calls of the contract.
type catalogue struct {
	*openAPI
	subjects []*subject
}

// mountCalls adds the pages of all calls. They are rendered at the first request, because few processes ever serve them.
func (r *renderer) mountCalls(router gin.IRoutes, contract []byte, notFound gin.HandlerFunc) {
	pages := sync.OnceValues(func() (map[string]gin.HandlerFunc, error) { return r.renderCalls(contract) })
	serve := func(c *gin.Context) {
		handlers, err := pages()
		if err != nil {
			panic(fmt.Errorf("pages of calls: %w", err)) // the contract is compiled in
		}
		page := handlers[c.Param("subject")]
		if page == nil {
			page = notFound
		}
		page(c)
	}
	router.GET("/docs/calls", serve)
	router.GET("/docs/calls/:subject", serve)
}

// renderCalls returns the page of each subject, and the list of all calls under the empty name.
func (r *renderer) renderCalls(contract []byte) (map[string]gin.HandlerFunc, error) {
	c := catalogue{openAPI: &openAPI{}}
	if err := json.Unmarshal(contract, c.openAPI); err != nil {
		return nil, err
	}
	c.collect()
	handlers := map[string]gin.HandlerFunc{}
	add := func(slug, template string, data any) error {
		page, err := r.render(template, data)
		if err == nil {
			page.body, page.compressed, err = packed(page.body), true, nil
			handlers[slug] = page.handler()
		}
		return err
	}
	for _, s := range c.subjects {
		if err := add(s.Slug, "calls.html", s); err != nil {
			return nil, err
		}
	}
	return handlers, add("", "all_calls.html", map[string]any{"Prose": proseOf(c.Info.Description), "Subjects": c.subjects})
}

func packed(page []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(page) // a buffer accepts everything
	_ = w.Close()
	return b.Bytes()
}

// collect reads all operations.
func (c *catalogue) collect() {
	byTag := map[string]*subject{}
	for _, tag := range c.Tags {
		s := &subject{Slug: strings.ReplaceAll(strings.ToLower(tag.Name), " ", "-"), Name: tag.Name,
			Prose: proseOf(tag.Description), seen: map[string]bool{}}
		byTag[tag.Name], c.subjects = s, append(c.subjects, s)
	}
	for _, path := range c.Paths {
		for _, one := range []struct {
			method string
			op     *operation
		}{{"GET", path.Value.Get}, {"POST", path.Value.Post}, {"PUT", path.Value.Put}, {"DELETE", path.Value.Delete}} {
			if one.op != nil {
				s := byTag[one.op.Tags[0]]
				s.Calls = append(s.Calls, c.call(s, one.method, path.Name, path.Value.Parameters, one.op))
			}
		}
	}
}

// call describes an operation, and the objects of its body and answer on the page of its subject.
func (c *catalogue) call(s *subject, method, path string, shared []*parameter, op *operation) call {
	one := call{ID: op.OperationID, Method: method, Path: path, Summary: op.Summary, Prose: proseOf(op.Description)}
	for _, p := range slices.Concat(shared, op.Parameters) {
		p = c.parameter(p)
		one.Parameters = append(one.Parameters,
			row{Name: p.Name, In: p.In, Required: p.Required, Kind: c.kind(s, p.Schema), Prose: proseOf(p.Description)})
	}
	if body := c.content(op.RequestBody, c.Components.RequestBodies); body != nil {
		one.Body = c.kindOf(s, body)
	}
	for status, answer := range op.Responses {
		answer = c.content(answer, c.Components.Responses)
		if !strings.HasPrefix(status, "2") {
			one.Refusals = append(one.Refusals, status)
			continue
		}
		one.Status, one.Answer, one.Result = status, proseOf(answer.Description), c.kindOf(s, answer)
	}
	slices.Sort(one.Refusals)
	return one
}

// kindOf returns the type of a body; nil for one that is not JSON.
func (c *catalogue) kindOf(s *subject, body *content) *kind {
	media, ok := body.Content["application/json"]
	if !ok {
		return nil
	}
	k := c.kind(s, media.Schema)
	return &k
}

// kind returns the type of a value, and describes its object on the page.
func (c *catalogue) kind(s *subject, of *shape) kind {
	name, found := c.shape(of)
	fields, required := c.properties(found)
	switch {
	case len(fields) > 0 && name == "":
		return kind{Text: "object of " + fieldNames(fields)}
	case len(fields) > 0:
		c.describe(s, name, found, fields, required)
		return kind{Object: name}
	case found.Type == "array" && found.Items != nil:
		k := c.kind(s, found.Items)
		k.List = true
		return k
	case len(found.OneOf)+len(found.AnyOf) > 0:
		return kind{Text: "one of several types"}
	}
	k := kind{Text: found.Type}
	if found.Format != "" {
		k.Text += " (" + found.Format + ")"
	}
	for _, value := range found.Enum {
		if value == nil {
			continue
		}
		if len(k.Values) == mostValues {
			k.More++
			continue
		}
		k.Values = append(k.Values, fmt.Sprint(value))
	}
	return k
}

func fieldNames(fields members[*shape]) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}

// describe adds an object to the page once, before the objects that it contains.
func (c *catalogue) describe(s *subject, name string, found *shape, fields members[*shape], required []string) {
	if s.seen[name] {
		return
	}
	s.seen[name] = true
	at := len(s.Objects)
	s.Objects = append(s.Objects, object{Name: name, Prose: proseOf(found.Description)})
	rows := make([]row, len(fields))
	for i, f := range fields {
		_, inner := c.shape(f.Value)
		text := f.Value.Description
		if text == "" {
			text = inner.Description
		}
		rows[i] = row{Name: f.Name, Required: slices.Contains(required, f.Name), Kind: c.kind(s, f.Value), Prose: proseOf(text)}
	}
	s.Objects[at].Rows = rows
}
