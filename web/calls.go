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
	"strings"
	"unicode"
	"unicode/utf8"
)

// problem is a refusal of the API.
type problem struct {
	Status int            `json:"status"`
	Code   string         `json:"code"`
	Title  string         `json:"title"`
	Detail string         `json:"detail"`
	Errors []problemField `json:"errors"`

	Challenge string `json:"challenge"`        // of a sign-in that needs a code too
	Remaining string `json:"remaining_amount"` // of a sale that less is left of than was to be given back
	Most      int64  `json:"limit_bytes"`      // of what is too large
}

// isValidation reports whether the problem is what was typed, field by field.
func (p *problem) isValidation() bool {
	return p.Status == http.StatusBadRequest || p.Status == http.StatusConflict && len(p.Errors) > 0
}

// problemField is what is wrong with one part of a request.
type problemField struct {
	Location string `json:"location"`
	Message  string `json:"message"`
}

// Text is what is wrong, with the field called as people do.
func (f problemField) Text() string {
	name := lastOf(f.Location)
	return strings.Replace(f.Message, name+" is required.", "This is needed.", 1)
}

// ranges are what pages call the filters of a list by the ends of their names.
var ranges = strings.NewReplacer("__gte", " (from)", "__lte", " (to)", "__in", "")

// FullText is what is wrong, with the field where the message does not say it.
func (f problemField) FullText() string {
	name, _, _ := strings.Cut(pathOf(f.Location), "[")
	if !strings.HasPrefix(f.Location, "body.") || strings.Contains(f.Message, name) {
		said := readable(ranges.Replace(f.Message))
		first, size := utf8.DecodeRuneInString(said)
		return string(unicode.ToUpper(first)) + said[size:]
	}
	return sentence(name) + ": " + readable(f.Message)
}

// Field is what a fault is about, in words.
func (f problemField) Field() string { return sentence(pathOf(f.Location)) }

// Undone reports whether nothing was changed.
func (p *problem) Undone() bool {
	return p.Code != "outcome_unknown" && p.Code != keyInUse && p.Code != "idempotency_answer_erased"
}

func (p *problem) Error() string { return p.Code + ": " + p.Detail }

// answer is a ResponseWriter that keeps what is written.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(b []byte) (int, error) { return a.body.Write(b) }

// passing is a ResponseWriter that passes a file on as it comes. What refuses it is kept, for a page that says why.
type passing struct {
	http.ResponseWriter
	kept answer
	name string // of the file; empty for the API's
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

// inner is a call of the API in the name of who sent the request r: with its cookie, and with what
// the browser says about where it comes from.
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

// onceField is the field of a form with the key that its page gave it. What is sent twice with the same key is carried out
// once: of each call the API stores the answer.
const onceField = "once"

// apiCall is a call of the API; no organization is that of who calls, and nil sends no body.
type apiCall struct {
	method, path, organization string
	sent                       any
}

// ask calls the API in the name of who sent the request r. Errors: *problem.
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

// answered lets the API answer a call. Errors: *problem.
func (c *Console) answered(call *http.Request, into any) (http.Header, error) {
	return c.answeredTo(call, into, io.Discard)
}

// answeredTo is answered, with a copy of the body.
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

// refusalOf is what an answer refuses. Errors: *problem, or that it is none.
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

// getLive is get of a list that the page follows by a stream with the same parameters. The stream knows an answer by
// its mark: the first eight bytes of SHA-256.
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

// followEvents notes the newest event of the organization, from which on the script of the page follows them. It comes
// before what the page shows is read, so that the page misses nothing that happens meanwhile. Without it the script
// compares pages: a page is not refused because nobody knows its place.
func (v *pageRequest) followEvents() {
	var end struct {
		Cursor string `json:"next_cursor"`
	}
	if v.get("/v1/events?after=now", v.org, &end) == nil {
		v.afterEvent = end.Cursor
	}
}
