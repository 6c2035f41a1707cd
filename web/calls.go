package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
)

// answer is a ResponseWriter that stores what is written to it.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(b []byte) (int, error) { return a.body.Write(b) }

// passing is a ResponseWriter that passes a file through while it arrives. It stores a refusal, so that a page can show
// it.
type passing struct {
	http.ResponseWriter
	kept answer
	name string // of the file; empty for the name that the API chose
}

func (p *passing) Header() http.Header         { return p.kept.header }
func (p *passing) Unwrap() http.ResponseWriter { return p.ResponseWriter }
func (p *passing) Flush()                      { _ = http.NewResponseController(p.ResponseWriter).Flush() }

func (p *passing) WriteHeader(status int) {
	p.kept.status = status
	if status < http.StatusBadRequest {
		maps.Copy(p.ResponseWriter.Header(), p.kept.header)
		if p.name != "" {
			p.ResponseWriter.Header().Set("Content-Disposition", `attachment; filename="`+p.name+`"`)
		}
		p.ResponseWriter.WriteHeader(status)
	}
}

func (p *passing) Write(b []byte) (int, error) {
	if p.kept.status == 0 {
		p.WriteHeader(http.StatusOK)
	}
	if p.kept.status >= http.StatusBadRequest {
		return p.kept.Write(b)
	}
	return p.ResponseWriter.Write(b)
}

// pass answers with a file of the API. Errors: *problem.
func (c *Console) pass(v *pageRequest, path string) error {
	v.backToParent = true
	call, err := inner(v.Request, http.MethodGet, path, v.org, nil)
	if err != nil {
		return err
	}
	p := &passing{v.w, answer{header: http.Header{}}, v.file}
	c.api().ServeHTTP(p, call)
	if p.kept.status >= http.StatusBadRequest {
		return refusalOf(&p.kept)
	}
	return nil
}

// inner returns a request to the API with the cookie of the browser's request r, and with its site or origin.
func inner(r *http.Request, method, path, organization string, body []byte) (*http.Request, error) {
	call, err := http.NewRequestWithContext(r.Context(), method, path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body == nil {
		call.Body, call.ContentLength = http.NoBody, 0
	}
	call.RemoteAddr, call.Host, call.RequestURI = r.RemoteAddr, r.Host, path
	for _, name := range []string{"Cookie", "Sec-Fetch-Site", "Origin"} {
		call.Header[name] = r.Header[name]
	}
	if body != nil {
		call.Header.Set("Content-Type", "application/json")
	}
	if organization != "" {
		call.Header.Set("x-organization-id", organization)
	}
	return call, nil
}

// onceField is the field with the idempotency key of a form. The API stores the answer to each call, so sending a form
// twice with the same key changes records once.
const onceField = "once"

// apiCall is a call of the API. An empty organization means that of the caller; nil sends no body.
type apiCall struct {
	method, path, organization string
	sent                       any
}

// ask calls the API with the session of the browser's request r. Errors: *problem.
func (c *Console) ask(r *http.Request, asked apiCall, into any) (http.Header, error) {
	var body []byte
	if asked.sent != nil {
		var err error
		if body, err = json.Marshal(asked.sent); err != nil {
			return nil, err
		}
	}
	call, err := inner(r, asked.method, asked.path, asked.organization, body)
	if err != nil {
		return nil, err
	}
	if asked.method != http.MethodGet && asked.organization != "" && r.PostFormValue(onceField) != "" {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s\x00%s", r.PostFormValue(onceField), asked.method, asked.path, body))
		call.Header.Set("Idempotency-Key", hex.EncodeToString(sum[:]))
	}
	return c.answered(call, into)
}

// answered calls the API and decodes its answer. Errors: *problem.
func (c *Console) answered(call *http.Request, into any) (http.Header, error) {
	return c.answeredTo(call, into, io.Discard)
}

// answeredTo calls the API, decodes its answer and copies the body. Errors: *problem.
func (c *Console) answeredTo(call *http.Request, into any, body io.Writer) (http.Header, error) {
	a := &answer{header: http.Header{}, status: http.StatusOK}
	c.api().ServeHTTP(a, call)
	if a.status >= http.StatusBadRequest {
		return a.header, refusalOf(a)
	}
	if _, err := body.Write(a.body.Bytes()); err != nil || into == nil {
		return a.header, err
	}
	decoder := json.NewDecoder(&a.body)
	decoder.UseNumber()
	return a.header, decoder.Decode(into)
}

// refusalOf decodes a refusal. Errors: *problem, or that of an answer that is no JSON.
func refusalOf(a *answer) error {
	refused := &problem{}
	if err := json.Unmarshal(a.body.Bytes(), refused); err != nil {
		return err
	}
	refused.Status = a.status
	return refused
}

func (v *pageRequest) call(method, path, organization string, sent, into any) error {
	header, err := v.console.ask(v.Request, apiCall{method, path, organization, sent}, into)
	v.replayed = v.replayed || header.Get("Idempotency-Replayed") != ""
	return err
}

func (v *pageRequest) get(path, organization string, into any) error {
	return v.call(http.MethodGet, path, organization, nil, into)
}

// getLive reads a list that the page follows by a stream with the same parameters. The stream identifies an answer by
// the first eight bytes of its SHA-256.
func (v *pageRequest) getLive(path, query string, into any) error {
	call, err := inner(v.Request, http.MethodGet, path+"?"+query, "", nil)
	if err != nil {
		return err
	}
	sum := sha256.New()
	if _, err := v.console.answeredTo(call, into, sum); err != nil {
		return err
	}
	v.live = &live{Stream: path + "/stream?" + query, Mark: hex.EncodeToString(sum.Sum(nil)[:8])}
	return nil
}
