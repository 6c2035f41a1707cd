// Package problem holds the error answers of the API in the format problem+json. An answer has a stable code and the
// locations of all faults of a request. It tells whether a repeat may help.
package problem

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"levy/models"
)

// ContentType is the media type of errors, unless the client asks for application/json.
const ContentType = "application/problem+json; charset=utf-8"

// MaxFieldErrors is the largest number of faults that an answer lists.
const MaxFieldErrors = 100

// FieldError is one fault of a request in the form of the answer.
type FieldError struct {
	Code     string `json:"code"`     // one of the Field… constants of models
	Location string `json:"location"` // such as body.transaction_items[0].amount
	Message  string `json:"message"`  // a sentence without the value sent; for the header of a file it names the column
}

// Location returns the location of a fault in the form of the contract. The path transaction_items[0].amount in the
// body becomes body.transaction_items[0].amount.
func Location(in models.Part, path string) string {
	return models.JoinPath(cmp.Or(string(in), "body"), path)
}

// Located returns faults in the form of the contract.
func Located(faults []models.Fault) []FieldError {
	located := make([]FieldError, len(faults))
	for i, f := range faults {
		located[i] = FieldError{Code: f.Code, Location: Location(f.In, f.Path), Message: f.Message}
	}
	return located
}

// Problem is an error answer. It is an error as well, so that handlers and the layers below them can return one.
type Problem struct {
	Code       Code           // decides the status, the title and whether a repeat may help
	Detail     string         // one sentence about this problem; if empty, the detail of the code
	Errors     []models.Fault // faults with their locations; at most MaxFieldErrors are written
	Truncated  bool           // the request has more faults than are listed
	Members    map[string]any // further members, such as existing_id
	RetryAfter int            // in seconds; if 0, that of the code
}

// New returns a problem. detail is one sentence for people without values of the request; it may be empty.
func New(code Code, detail string) *Problem {
	return &Problem{Code: code, Detail: detail}
}

// RateLimited returns the problem for a caller who must wait. The wait is rounded up to whole seconds.
// limitType names the limit; if detail is empty, that of the code is used.
func RateLimited(detail, limitType string, wait time.Duration) *Problem {
	p := New(CodeRateLimited, detail).With("limit_type", limitType)
	p.RetryAfter = max(1, int(math.Ceil(wait.Seconds())))
	return p
}

// With adds a further member and returns the problem.
func (p *Problem) With(name string, value any) *Problem {
	if p.Members == nil {
		p.Members = make(map[string]any, 1)
	}
	p.Members[name] = value
	return p
}

// At adds a fault and returns the problem.
func (p *Problem) At(f models.Fault) *Problem {
	p.Errors = append(p.Errors, f)
	return p
}

func (p *Problem) Error() string { return string(p.Code) + ": " + p.Detail }

// ValidationFailed returns the problem for a request with invalid fields.
func ValidationFailed(faults ...models.Fault) *Problem {
	p := &Problem{Code: CodeValidationFailed, Errors: faults}
	if n := len(faults); n == 1 {
		p.Detail = "1 field is invalid."
	} else {
		p.Detail = fmt.Sprintf("%d fields are invalid.", n)
	}
	return p
}

// problemBody is the JSON form; its fields have the order of the contract.
type problemBody struct {
	Type            string         `json:"type"`
	Title           string         `json:"title"`
	Status          int            `json:"status"`
	Detail          string         `json:"detail"`
	Instance        string         `json:"instance"`
	Code            Code           `json:"code"`
	RequestID       string         `json:"request_id"`
	Retryable       bool           `json:"retryable"`
	Errors          []FieldError   `json:"errors"`
	ErrorsTruncated bool           `json:"errors_truncated,omitzero"`
	Members         map[string]any `json:",inline"`
}

// Body returns the JSON form of a problem with a known code. instance is the path of the request, or empty if it cannot
// be read. It returns an error if a member cannot be encoded.
func (p *Problem) Body(instance, requestID string) ([]byte, error) {
	entry := Table[p.Code]
	body := problemBody{
		Type:            "/docs/problems/" + string(p.Code),
		Title:           entry.Title,
		Status:          entry.Status,
		Detail:          p.Detail,
		Instance:        instance,
		Code:            p.Code,
		RequestID:       requestID,
		Retryable:       entry.Retryable,
		Errors:          Located(p.Errors[:min(len(p.Errors), MaxFieldErrors)]),
		ErrorsTruncated: p.Truncated || len(p.Errors) > MaxFieldErrors,
		Members:         p.Members,
	}
	body.Detail = cmp.Or(body.Detail, entry.Detail)
	if entry.Outcome != "" {
		body.Members = withMember(p.Members, "outcome", entry.Outcome)
	}
	return json.Marshal(body, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}

// withMember returns a copy of the members with one more. The copy allows one problem to be written twice.
func withMember(members map[string]any, name, value string) map[string]any {
	all := make(map[string]any, len(members)+1)
	maps.Copy(all, members)
	all[name] = value
	return all
}
