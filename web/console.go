package web

import (
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Console is the pages on which people work. It can do nothing that the API cannot: every page is
// made of answers of the API to the session of the person, and every form is a call of it.
type Console struct {
	api      func() http.Handler
	provider string             // the host of the OpenID provider; empty where people have passwords
	runs     string             // the address in Temporal's UI below which runs are, by their ids; empty where it is not known
	pages    *template.Template // by their names, with the frame and what they share
	readable *http.ServeMux     // the pages, by their paths
	now      func() time.Time
}

// consolePolicy is that of pages whose scripts, forms and calls go to their own origin.
const consolePolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; " +
	"img-src 'self'; base-uri 'none'; form-action 'self'; " +
	"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// sessionCookie is the name of the cookie of a session, as the contract has it.
const sessionCookie = "levy_session"

// consolePages are the templates of pages.
var consolePages = []string{
	"sign_in", "set_password", "exceptions", "filings", "filing", "transactions", "transaction", "clients", "onboarding_partner", "search",
	"problem", "not_found",
	"due_returns", "calendar", "nexus", "nexus_record", "imports", "import",
	"keys", "people", "webhooks", "webhook", "operations", "estimate",
	"onboarding_link", "onboarding_link_done", "onboarding_link_problem",
	"products", "product", "product_states", "exemptions", "exemption", "customers", "customer", "rates",
	"nexus_simulate", "import_correct",
	"account",
	"registrations", "registration", "settings", "content", "audit", "onboarding_session", "onboarding_session_step",
}

// Paths are where the console is served; "/" stands for itself alone, others for all below them.
func Paths() []string {
	return []string{"/", "/assets", "/sign-in", "/sign-out", "/exceptions", "/clients", "/search", "/o", "/filings",
		"/operations", "/people", "/views", accountPath, linkPath}
}

// NewConsole makes the pages over an API, which is asked for with the first request. Errors: a
// template that is none.
//
// issuer is the address of the OpenID provider at which people sign in; empty where they have passwords. runs is the
// address in Temporal's UI below which runs are, to which staff get links; empty for none.
func NewConsole(api func() http.Handler, issuer, runs string) (*Console, error) {
	at, err := url.Parse(issuer)
	if err != nil {
		return nil, fmt.Errorf("address of the OpenID provider: %w", err)
	}
	c := &Console{api: api, provider: at.Host, runs: runs, now: time.Now}
	if c.pages, err = template.New("layout.html").Funcs(c.words()).ParseFS(templates,
		"templates/layout.html", "templates/fields.html"); err != nil {
		return nil, fmt.Errorf("frame: %w", err)
	}
	for _, name := range consolePages {
		if err := c.add(name); err != nil {
			return nil, fmt.Errorf("page %s: %w", name, err)
		}
	}
	c.readable = pagesOf(c.routes())
	return c, nil
}

// add adds a page to the templates: what it calls main under its own name, all else as it is.
func (c *Console) add(name string) error {
	file := name + ".html"
	page, err := template.New(file).Funcs(c.words()).ParseFS(templates, "templates/"+file)
	if err != nil {
		return err
	}
	for _, part := range page.Templates() {
		called := part.Name()
		switch called {
		case file: // nothing is outside of its parts
			continue
		case "main":
			called = name
		}
		if c.pages.Lookup(called) != nil {
			return fmt.Errorf("there is another template %q", called)
		}
		if _, err := c.pages.AddParseTree(called, part.Tree); err != nil {
			return err
		}
	}
	return nil
}

// Handler serves the pages, their stylesheets and scripts.
func (c *Console) Handler() (http.Handler, error) {
	mux := http.NewServeMux()
	for _, name := range []string{"style.css", "console.css", "icon.svg", "live.js", "tables.js", "typed.js"} {
		body, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return nil, fmt.Errorf("assets: %w", err)
		}
		mux.Handle("GET /assets/"+name, file(contentTypes[name[strings.LastIndexByte(name, '.'):]], body))
	}
	mux.HandleFunc("GET /sign-in", c.signInPage)
	mux.HandleFunc("POST /sign-in", c.signIn)
	mux.HandleFunc("GET /sign-in/{token}", c.linkPage)
	mux.HandleFunc("POST /sign-in/{token}", c.useLink)
	mux.HandleFunc("POST /sign-out", c.signOut)
	mux.HandleFunc("GET /join/{token}", c.openLink)
	mux.HandleFunc("GET /join/done", c.linkDone)
	mux.HandleFunc("GET /join", c.byLink(c.continueByLink))
	mux.HandleFunc("GET /join/step/{step}", c.byLink(c.showLinkStep))
	mux.HandleFunc("POST /join/step/{step}", c.byLink(c.saveLinkStep))
	for pattern, show := range c.routes() {
		mux.HandleFunc(pattern, c.signedIn(show))
	}
	return guardedBy(consolePolicy, c.orMissing(mux)), nil
}

// formLimit is how large a form may be, which is more than people type: whoever sends it need not be signed in.
const formLimit = 256 << 10

// largeForms may be larger: rows of a file, and files, which are passed on as they arrive and bounded by the API.
var largeForms = map[string]int64{
	"POST /o/{org}/imports/{id}/correct": 10 << 20, "POST /o/{org}/imports": 0, "POST /o/{org}/exemptions/{id}/documents": 0,
}

// bounded reads a form, and answers one that is too large, whether or not it says how large it is. Of a form that cannot
// be read nothing is there.
func bounded(w http.ResponseWriter, r *http.Request, pattern string) (answered bool) {
	limit, known := largeForms[pattern]
	switch {
	case !known:
		limit = formLimit
	case limit == 0:
		return false
	}
	tooLarge := r.ContentLength > limit
	if !tooLarge {
		r.Body = http.MaxBytesReader(w, r.Body, limit)
		_, tooLarge = errors.AsType[*http.MaxBytesError](r.ParseForm()) // of another kind it has what could be read
	}
	if tooLarge {
		w.Header().Set("Connection", "close") // the rest is not read
		http.Error(w, fmt.Sprintf("The form is larger than %d KiB.", limit>>10), http.StatusRequestEntityTooLarge)
	}
	return tooLarge
}

// orMissing shows who is signed in, in words, that a page does not exist. Others get the answer of the router.
func (c *Console) orMissing(mux *http.ServeMux) http.Handler {
	missing := c.signedIn(func(*pageRequest) error { return &problem{Status: http.StatusNotFound} })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, pattern := mux.Handler(r)
		if _, err := r.Cookie(sessionCookie); pattern == "" && r.Method == http.MethodGet && err == nil {
			missing(w, r)
			return
		}
		if bounded(w, r, pattern) {
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// Missing answers who opens an address in a browser at which there is nothing, and that is none of the console.
func (c *Console) Missing() http.Handler {
	return guardedBy(consolePolicy, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c.render(w, http.StatusNotFound, "not_found", layout{Title: "Nothing at this address"})
	}))
}

// home is the first page of a person: of a partner the clients, of others what needs somebody.
func (c *Console) home(v *pageRequest) error {
	if v.session.StaffRole == "" {
		for _, m := range v.session.Organizations {
			if m.Root {
				return v.goTo("/clients")
			}
		}
	}
	return v.goTo("/exceptions")
}

// organization is the first page of an organization.
func (c *Console) organization(v *pageRequest) error {
	return v.goToOwn("filings")
}
