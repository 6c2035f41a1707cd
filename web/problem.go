package web

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	reasons "levy/contract/problem"
	"levy/service"
)

// problem is why a request was refused, with its status, its title and the invalid fields.
type problem struct {
	Status int
	Code   string
	Title  string
	Detail string
	Errors []problemField

	controls map[int]field // of the page, by the number of the error that is about them

	Partly bool // a part of what was asked for was done

	Challenge string // of a sign-in whose second step is missing
	Remaining string // the amount of a sale that can still be refunded
	Most      int64  // the largest body that is allowed
}

// isValidation reports whether the service refused what was typed, so that the form can show it by field.
func (p *problem) isValidation() bool {
	return p.Status == http.StatusBadRequest || p.Status == http.StatusConflict && len(p.Errors) > 0
}

// problemField is an invalid part of a request.
type problemField struct {
	Location string
	Message  string
}

// Text returns the message without the name of the field: a form shows it next to the label.
func (f problemField) Text() string {
	name := lastOf(f.Location)
	return strings.Replace(f.Message, name+" is required.", neededFault, 1)
}

// ranges replaces the ends of names of filters by words: date__gte is "date (from)".
var ranges = strings.NewReplacer("__gte", " (from)", "__lte", " (to)", "__in", "")

// FullText returns the message with the label of the field, for a list of messages at the top of a page.
func (f problemField) FullText() string {
	name, _, _ := strings.Cut(pathOf(f.Location), "[")
	if !strings.HasPrefix(f.Location, "body.") || strings.Contains(f.Message, name) {
		return capitalized(readable(ranges.Replace(f.Message)))
	}
	return sentence(name) + ": " + readable(f.Message)
}

// capitalized returns a text with its first letter in upper case.
func capitalized(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// Listed returns the errors for the list at the top of a page. An error about a control of the page has the label of the
// control and leads to it.
func (p *problem) Listed() []fault {
	all := make([]fault, len(p.Errors))
	for i, e := range p.Errors {
		all[i] = fault{Message: e.FullText()}
		if f, known := p.controls[i]; known {
			all[i] = fault{Field: f.ID(), Label: f.Label, Message: f.faultText(e.Message)}
		}
	}
	return all
}

// Field returns the label of the invalid field.
func (f problemField) Field() string { return sentence(pathOf(f.Location)) }

// Undone reports whether the refused request has changed nothing.
func (p *problem) Undone() bool {
	return !p.Partly && p.Code != "outcome_unknown" && p.Code != keyInUse && p.Code != "idempotency_answer_erased"
}

func (p *problem) Error() string { return p.Code + ": " + p.Detail }

// problemFrom returns a refusal by the service. One with an unknown code is an internal error.
func problemFrom(refused *reasons.Problem) *problem {
	entry, known := reasons.Table[refused.Code]
	if !known {
		return problemFrom(reasons.New(reasons.CodeInternalError, ""))
	}
	p := &problem{
		Status: entry.Status, Code: string(refused.Code), Title: entry.Title, Detail: cmp.Or(refused.Detail, entry.Detail),
	}
	for _, f := range refused.Errors[:min(len(refused.Errors), reasons.MaxFieldErrors)] {
		p.Errors = append(p.Errors, problemField{reasons.Location(f.In, f.Path), f.Message})
	}
	p.Challenge, _ = refused.Members["challenge"].(string)
	p.Remaining, _ = refused.Members["remaining_amount"].(string)
	p.Most, _ = refused.Members["limit_bytes"].(int64)
	return p
}

// problemOf returns why a call was refused; nil for an error that the contract has no code for.
func problemOf(err error) *problem {
	if refused, ok := errors.AsType[*problem](err); ok {
		return refused
	}
	if refused := reasons.Of(err); refused != nil {
		return problemFrom(refused)
	}
	return nil
}

// refusedWith reports whether a call was refused with a status.
func refusedWith(err error, status int) bool {
	refused := problemOf(err)
	return refused != nil && refused.Status == status
}

// correctable reports whether err is a refusal that the person can correct on the page, and returns it.
func correctable(err error) (*problem, bool) {
	refused := problemOf(err)
	if refused == nil {
		return nil, false
	}
	return refused, refused.Status == http.StatusBadRequest || refused.Status == http.StatusConflict && refused.Undone()
}

// refusalOf returns why the service refused a call. An error that the contract has no code for is a defect and is logged.
func (v *pageRequest) refusalOf(err error) *problem {
	if refused, ok := errors.AsType[*problem](err); ok { // by the page itself
		return refused
	}
	refused := service.ProblemOf(v.Context(), err)
	if refused == nil {
		v.log(slog.LevelError, "internal error", err)
		refused = reasons.New(reasons.CodeInternalError, "")
	} else if reasons.StatusOf(refused.Code) >= http.StatusInternalServerError {
		v.log(slog.LevelWarn, "page not served", err)
	}
	return problemFrom(refused)
}

func (v *pageRequest) log(level slog.Level, message string, err error) {
	slog.LogAttrs(v.Context(), level, message,
		slog.String("request_id", service.Visible(v.Context()).RequestID),
		slog.String("route", v.Pattern),
		slog.String("error", err.Error()),
	)
}
