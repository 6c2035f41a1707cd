package web

import (
	"cmp"
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
	api       func() http.Handler
	provider  string             // the host of the OpenID provider; empty where people have passwords
	runs      string             // the address in Temporal's UI below which runs are, by their ids; empty where it is not known
	pages     []page             // the registry
	byPath    *http.ServeMux     // what is shown at a path
	templates *template.Template // by their names, with the layout and what they share
	now       func() time.Time
}

// consolePolicy is that of pages whose scripts, forms and calls go to their own origin.
const consolePolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; " +
	"img-src 'self'; base-uri 'none'; form-action 'self'; " +
	"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// sessionCookie is the name of the cookie of a session, as the contract has it.
const sessionCookie = "levy_session"

// sharedTemplates are the templates of pages without a path of their own, which say why another page is not shown.
var sharedTemplates = []string{"problem", "not_found", "onboarding_link_problem"}

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
	if c.templates, err = template.New("layout.html").Funcs(c.templateFuncs()).ParseFS(templates,
		"templates/layout.html", "templates/fields.html"); err != nil {
		return nil, fmt.Errorf("frame: %w", err)
	}
	c.pages = c.registry()
	c.byPath = pagesByPath(c.pages)
	for _, name := range templatesOf(c.pages) {
		if err := c.add(name); err != nil {
			return nil, fmt.Errorf("page %s: %w", name, err)
		}
	}
	return c, nil
}

// add adds a page to the templates: what it calls main under its own name, all else as it is.
func (c *Console) add(name string) error {
	file := name + ".html"
	page, err := template.New(file).Funcs(c.templateFuncs()).ParseFS(templates, "templates/"+file)
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
		if c.templates.Lookup(called) != nil {
			return fmt.Errorf("there is another template %q", called)
		}
		if _, err := c.templates.AddParseTree(called, part.Tree); err != nil {
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
	for i := range c.pages {
		p := &c.pages[i]
		if p.show != nil {
			mux.HandleFunc("GET "+p.path, c.serve(p, p.show))
		}
		if p.send != nil {
			mux.HandleFunc("POST "+p.path, bounded(p.limit, c.serve(p, p.send)))
		}
	}
	return guardedBy(consolePolicy, c.orNotFound(mux)), nil
}

// How large a form may be: formLimit is more than people type, because who sends one need not be signed in. A streamed
// one is a file, which is passed on as it arrives and bounded by the API.
const (
	formLimit = 256 << 10
	streamed  = -1
)

// bounded reads a form before it is answered, and refuses one that is too large, whether or not it says how large it is.
// Of a form that cannot be read nothing is there.
func bounded(limit int64, next http.HandlerFunc) http.HandlerFunc {
	if limit == streamed {
		return next
	}
	limit = cmp.Or(limit, formLimit)
	return func(w http.ResponseWriter, r *http.Request) {
		tooLarge := r.ContentLength > limit
		if !tooLarge {
			r.Body = http.MaxBytesReader(w, r.Body, limit)
			_, tooLarge = errors.AsType[*http.MaxBytesError](r.ParseForm()) // of another kind it has what could be read
		}
		if tooLarge {
			w.Header().Set("Connection", "close") // the rest is not read
			http.Error(w, fmt.Sprintf("The form is larger than %d KiB.", limit>>10), http.StatusRequestEntityTooLarge)
			return
		}
		next(w, r)
	}
}

// orNotFound shows who is signed in, in words, that a page does not exist. Others get the answer of the router.
func (c *Console) orNotFound(mux *http.ServeMux) http.Handler {
	notFound := c.serve(&page{}, func(*pageRequest) error { return &problem{Status: http.StatusNotFound} })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, pattern := mux.Handler(r)
		if _, err := r.Cookie(sessionCookie); pattern == "" && r.Method == http.MethodGet && err == nil {
			notFound(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// NotFound answers who opens an address in a browser at which there is nothing, and that is none of the console.
func (c *Console) NotFound() http.Handler {
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
