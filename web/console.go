package web

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"time"

	"levy/internal/browser"
)

// Console is the pages on which people work. It can do only what the API can: every page shows answers of the service to
// the person's session, and every form is an operation.
type Console struct {
	// Mails says that this installation sends e-mail. Set it before the first request.
	Mails bool

	gate      Gate
	provider  string             // the host of the OpenID provider; empty where people have passwords
	runs      string             // the address of runs in Temporal's UI, to which an id is appended; empty if it is unknown
	pages     []page             // the registry of pages
	byPath    *http.ServeMux     // finds the page at a path
	templates *template.Template // all templates by name
	assets    assetSet
	now       func() time.Time
}

// sharedTemplates are the templates of error pages and of parts of several pages, which have no path of their own.
var sharedTemplates = []string{"comments", "problem", "step_up", "not_found", "onboarding_link_problem"}

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
	if c.assets, err = loadAssets(); err != nil {
		return nil, err
	}
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

// Handler serves the pages, their stylesheets and scripts, compressed. Errors: an option of the compression.
func (c *Console) Handler() (http.Handler, error) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+assetsPath+"{file}", c.assets.serve)
	for i := range c.pages {
		p := &c.pages[i]
		if p.show != nil {
			mux.HandleFunc("GET "+p.path, c.serve(p, p.show))
		}
		if p.send != nil {
			mux.HandleFunc("POST "+p.path, bounded(p.limit, c.serve(p, p.send)))
		}
	}
	return compress(guardedBy(contentPolicy, c.orNotFound(mux)))
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
	return guardedBy(contentPolicy, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c.notFound(w)
	}))
}

// notFound answers that there is nothing at an address.
func (c *Console) notFound(w http.ResponseWriter) {
	c.render(w, http.StatusNotFound, "not_found", layout{Title: "Nothing at this address"})
}
