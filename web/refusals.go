package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// refused answers a refusal by the API. A form is shown again with what was typed and the errors; other requests get an
// error page.
func (v *pageRequest) refused(p *problem) {
	if p.Code == "forbidden_for_key" { // the title is about keys, the detail about the person
		p.Title = "You may not do this"
	}
	p.inWords()
	if v.Method == http.MethodPost {
		for i, e := range p.Errors {
			p.Errors[i].Message = cmp.Or(v.PostForm.Get(misread+pathOf(e.Location)), e.Message)
		}
		v.fault = p
		_, v.page = v.console.pageAt(v.URL.Path)
		if v.page != nil && v.page.show(v) == nil {
			return
		}
		v.fault = nil
	}
	// A page that says itself what is not there shows its own words.
	if p.Status == http.StatusNotFound && v.Method == http.MethodGet && (p.Code != "" || p.Detail == "") {
		p.Title, p.Detail = "This page does not exist", "It may have been removed, or you may not see it."
	}
	shown := refusal{problem: p, Back: v.back()}
	if p.Status == http.StatusServiceUnavailable && v.Method == http.MethodGet {
		p.Title, shown.Again = "This page cannot be shown right now", v.URL.RequestURI()
		p.Detail = "What it shows could not be read just now. Try again in a moment; a list is faster with a narrower filter."
	}
	v.renderAs("problem", p.Status, p.Title, shown)
}

// Codes of refusals. invalidFields lists errors by field; keyInUse means that the same form is being carried out.
const (
	invalidFields = "validation_failed"
	keyInUse      = "idempotency_key_in_use"
)

// inWords replaces titles about requests by what a person can do, and removes repeated text.
func (p *problem) inWords() {
	if p.Code == keyInUse {
		p.Title, p.Detail = "This was sent before and is being done", "Open the page again in a moment to see what it did."
	}
	if p.Most > 0 {
		p.Title, p.Detail = "This is too large", fmt.Sprintf("At most %d MiB are allowed.", p.Most>>20)
	}
	if p.Code == invalidFields && len(p.Errors) > 0 {
		if strings.HasSuffix(p.Detail, "invalid.") { // it only gives their number
			p.Detail = ""
		}
		if strings.HasPrefix(p.Title, "The request") {
			p.Title = fmt.Sprintf("%d things need correcting", len(p.Errors))
			if len(p.Errors) == 1 {
				p.Title = "One thing needs correcting"
			}
		}
	}
	if strings.TrimSuffix(p.Detail, ".") == p.Title {
		p.Detail = ""
	}
}

// refusal is the data of an error page: the reason and where to go.
type refusal struct {
	*problem
	Back  string
	Again string // address of the page if it may work later; else empty
}

// back returns the link of an error page: a list without filters, the page of a form, or the parent page.
func (v *pageRequest) back() string {
	from := v.URL.Path
	if v.backToParent || v.Method == http.MethodGet && v.URL.RawQuery == "" {
		from = path.Dir(from)
	}
	at, _ := v.console.pageAt(from)
	return at
}

// signInAddress returns the sign-in page that leads back to this page. It tells people who were signed in that their
// session has ended and a form was not saved.
func (v *pageRequest) signInAddress(wasSignedIn bool) string {
	query := url.Values{}
	next := v.URL.RequestURI()
	if v.Method != http.MethodGet {
		next, _ = v.console.pageAt(v.URL.Path)
		next += "#typed" // its script then restores what was typed
	}
	if next != "/" {
		query.Set("next", next)
	}
	switch {
	case !wasSignedIn:
	case v.Method == http.MethodGet:
		query.Set("ended", "read")
	default:
		query.Set("ended", "sent")
	}
	if len(query) == 0 {
		return "/sign-in"
	}
	return "/sign-in?" + query.Encode()
}

// sessionEnded are the messages on the sign-in page after a session has ended.
var sessionEnded = map[string]string{
	"read": "Your session has ended. Sign in again to go on.",
	"sent": "Your session has ended, so what you sent was not saved. Sign in again to go back to the page. " +
		"With JavaScript, what you typed is there again, except passwords, codes, personal numbers and files.",
}
