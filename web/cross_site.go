package web

import (
	"net/http"

	"levy/internal/browser"
)

// fromAnotherSite reports whether a form may come from a page of another service.
func fromAnotherSite(r *http.Request) bool { return browser.Changes(r) && !browser.SameOrigin(r) }

// namesAnotherSite reports whether a form without a cookie names another service as its origin. A program that signs in
// names none, and has no cookie that another site could use.
func namesAnotherSite(r *http.Request) bool {
	named := r.Header.Get("Sec-Fetch-Site") != "" || r.Header.Get("Origin") != ""
	return named && fromAnotherSite(r)
}

// errAnotherSite refuses a form that another site may have sent with the cookie of a visitor.
func errAnotherSite(detail string) *problem {
	return &problem{Status: http.StatusForbidden, Title: "You may not do this", Detail: detail}
}

// Messages to a person whose browser sent a form of another site.
const (
	anotherSiteOfSession = "With a session, only a page of this service may change something: the request says that it comes " +
		"from elsewhere, or not where from."
	anotherSiteOfLink   = "With the link of an onboarding, only a page of this service may change something."
	anotherSiteOfSignIn = "Only a page of this service may sign in."
)
