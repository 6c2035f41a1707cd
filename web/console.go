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

	"levy/internal/browser"
)

// Console is the pages on which people work. It can do only what the API can: every page shows answers of the service to
// the person's session, and every form is an operation.
type Console struct {
	gate      Gate
	provider  string             // the host of the OpenID provider; empty where people have passwords
	runs      string             // the address of runs in Temporal's UI, to which an id is appended; empty if it is unknown
	pages     []page             // the registry of pages
	byPath    *http.ServeMux     // finds the page at a path
	templates *template.Template // all templates by name
	now       func() time.Time
}

// consolePolicy is the content security policy of the console: scripts, styles, forms and calls of the same origin
// only.
const consolePolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; " +
	"img-src 'self'; base-uri 'none'; form-action 'self'; " +
	"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// sharedTemplates are the templates of error pages, which have no path of their own.
var sharedTemplates = []string{"problem", "step_up", "not_found", "onboarding_link_problem"}

// NewConsole returns the console over a service. Errors: a template that does not parse, an address that does not parse.
//
// issuer is the address of the OpenID provider; empty if people have passwords. runs is the address of runs in
// Temporal's UI, for links of staff; empty for no links.
func NewConsole(gate Gate, issuer, runs string) (*Console, error) {
	at, err := url.Parse(issuer)
	if err != nil {
		return nil, fmt.Errorf("address of the OpenID provider: %w", err)
	}
	c := &Console{gate: gate, provider: at.Host, runs: runs, now: time.Now}
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

// add adds the templates of a page. Its "main" gets the name of the page, other templates keep their names.
func (c *Console) add(name string) error {
	file := name + ".html"
	page, err := template.New(file).Funcs(c.templateFuncs()).ParseFS(templates, "templates/"+file)
	if err != nil {
		return err
	}
	for _, part := range page.Templates() {
		called := part.Name()
		switch called {
		case file: // the file has no text outside of its templates
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

// Handler serves the pages, their stylesheets and scripts. Errors: an asset that cannot be read.
func (c *Console) Handler() (http.Handler, error) {
	mux := http.NewServeMux()
	for _, name := range []string{"style.css", "console.css", "icon.svg", "live.js", "passkeys.js", "tables.js", "typed.js"} {
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

// The largest size of a form. formLimit is more than people type: senders of forms need not be signed in. A streamed
// form has a file, which is passed through while it arrives and which the service bounds.
const (
	formLimit = 256 << 10
	streamed  = -1
)

// bounded parses a form and answers 413 if it is too large, with or without a Content-Length. A form that cannot be
// parsed has no fields.
func bounded(limit int64, next http.HandlerFunc) http.HandlerFunc {
	if limit == streamed {
		return next
	}
	limit = cmp.Or(limit, formLimit)
	return func(w http.ResponseWriter, r *http.Request) {
		tooLarge := r.ContentLength > limit
		if !tooLarge {
			r.Body = http.MaxBytesReader(w, r.Body, limit)
			_, tooLarge = errors.AsType[*http.MaxBytesError](r.ParseForm()) // after other errors it has the fields that could be parsed
		}
		if tooLarge {
			w.Header().Set("Connection", "close") // the rest of the body is not read
			http.Error(w, fmt.Sprintf("The form is larger than %d KiB.", limit>>10), http.StatusRequestEntityTooLarge)
			return
		}
		next(w, r)
	}
}

// orNotFound answers unknown paths: people with a session get a page, other clients the answer of the router.
func (c *Console) orNotFound(mux *http.ServeMux) http.Handler {
	notFound := c.serve(&page{}, func(*pageRequest) error { return &problem{Status: http.StatusNotFound} })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, pattern := mux.Handler(r)
		if _, ok := browser.SessionOf(r); pattern == "" && r.Method == http.MethodGet && ok {
			notFound(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// NotFound answers browsers that open an address outside of the console at which there is nothing.
func (c *Console) NotFound() http.Handler {
	return guardedBy(consolePolicy, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c.render(w, http.StatusNotFound, "not_found", layout{Title: "Nothing at this address"})
	}))
}

// home redirects to a person's first page: people of a partner to their clients, others to the exceptions.
func (c *Console) home(v *pageRequest) error {
	if !v.user.isStaff() {
		for _, m := range v.user.Organizations {
			if m.Root {
				return v.goTo("/clients")
			}
		}
	}
	return v.goTo("/exceptions")
}

// organization redirects to the first page of an organization.
func (c *Console) organization(v *pageRequest) error {
	return v.goToOwn("filings")
}
