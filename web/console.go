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
	"sign_in", "link", "exceptions", "filings", "filing", "transactions", "transaction", "clients", "client", "search",
	"problem", "missing",
	"due", "calendar", "nexus", "nexus_record", "imports", "import",
	"keys", "people", "webhooks", "webhook", "operations", "estimate", "join", "join_done", "join_problem",
	"products", "product", "product_states", "exemptions", "exemption", "customers", "customer", "rates", "nexus_simulate", "import_correct",
	"account",
	"registrations", "registration", "settings", "content", "audit", "company", "company_step",
}

// Paths are where the console is served; "/" stands for itself alone, others for all below them.
func Paths() []string {
	return []string{"/", "/assets", "/sign-in", "/sign-out", "/exceptions", "/clients", "/search", "/o", "/filings",
		"/operations", "/people", "/views", accountPath, joinPath}
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
	if c.pages, err = template.New("frame.html").Funcs(c.words()).ParseFS(templates,
		"templates/frame.html", "templates/fields.html"); err != nil {
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
	mux.HandleFunc("GET /join/done", c.joinDone)
	mux.HandleFunc("GET /join", c.joined(c.join))
	mux.HandleFunc("GET /join/step/{step}", c.joined(c.joinStep))
	mux.HandleFunc("POST /join/step/{step}", c.joined(c.saveStep))
	for pattern, show := range c.routes() {
		mux.HandleFunc(pattern, c.visited(show))
	}
	return guardedBy(consolePolicy, c.orMissing(mux)), nil
}

// formLimit is how large a form may be, which is more than people type: whoever sends it need not be signed in.
const formLimit = 256 << 10

// largeForms may be larger: rows of a file, and files, which are passed on as they arrive and bounded by the API.
var largeForms = map[string]int64{
	"POST /o/{org}/imports/{id}/correct": 10 << 20, "POST /o/{org}/imports": 0, "POST /o/{org}/exemptions/{id}/documents": 0,
}

// bounded reads a form, and answers one that is too large, whether or not it says how large it is.
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
	missing := c.visited(func(*visit) error { return &problem{Status: http.StatusNotFound} })
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

// routes are the pages of who is signed in, and their forms.
func (c *Console) routes() map[string]func(*visit) error {
	return map[string]func(*visit) error{
		"GET /{$}":                   c.home,
		"GET /search":                c.search,
		"GET /exceptions":            c.exceptions,
		"POST /exceptions":           c.assign,
		"GET /clients":               c.clients,
		"GET /clients/export":        c.clientsFile,
		"GET /filings":               c.dueFilings,
		"GET /operations":            c.operations,
		"GET /operations/content":    c.contentChanges,
		"GET /people":                c.people,
		"POST /people":               c.changePeople,
		"GET /account":               c.accountPage,
		"POST /account":              c.changeAccount,
		"GET /filings/calendar":      c.calendar,
		"POST /views":                c.changeViews,
		"GET /o/{org}":               c.organization,
		"GET /o/{org}/clients/{id}":  c.client,
		"POST /o/{org}/clients/{id}": c.cancelClient,
		"POST /clients":              c.createClient,

		"POST /o/{org}/clients/{id}/link": c.changeLink,

		"POST /o/{org}/clients/{id}/remind": c.remindClient,

		"GET /o/{org}/audit": c.audit,

		"GET /o/{org}/filings":       c.filings,
		"GET /o/{org}/filings/{id}":  c.filing,
		"POST /o/{org}/filings/{id}": c.changeFiling,

		"GET /o/{org}/imports":               c.imports,
		"POST /o/{org}/imports":              c.upload,
		"GET /o/{org}/imports/{id}":          c.importOf,
		"POST /o/{org}/imports/{id}":         c.changeImport,
		"GET /o/{org}/imports/{id}/rejected": c.rejected,

		"GET /o/{org}/estimate":       c.estimateForm,
		"POST /o/{org}/estimate":      c.estimate,
		"GET /o/{org}/keys":           c.keys,
		"POST /o/{org}/keys":          c.changeKey,
		"GET /o/{org}/people":         c.people,
		"POST /o/{org}/people":        c.changePeople,
		"GET /o/{org}/webhooks":       c.webhooks,
		"POST /o/{org}/webhooks":      c.createWebhook,
		"GET /o/{org}/webhooks/{id}":  c.webhookOf,
		"POST /o/{org}/webhooks/{id}": c.changeWebhook,

		"GET /o/{org}/imports/{id}/correct":  c.correctForm,
		"POST /o/{org}/imports/{id}/correct": c.correct,

		"GET /o/{org}/products":             c.products,
		"POST /o/{org}/products":            c.createProduct,
		"GET /o/{org}/products/{id}":        c.productOf,
		"POST /o/{org}/products/{id}":       c.changeProduct,
		"GET /o/{org}/products/{id}/states": c.productStates,

		"GET /o/{org}/customers":       c.customers,
		"GET /o/{org}/customers/{id}":  c.customerOf,
		"POST /o/{org}/customers/{id}": c.changeCustomer,

		"GET /o/{org}/exemptions":                           c.exemptions,
		"POST /o/{org}/exemptions":                          c.createExemption,
		"GET /o/{org}/exemptions/{id}":                      c.exemptionOf,
		"POST /o/{org}/exemptions/{id}":                     c.changeExemption,
		"POST /o/{org}/exemptions/{id}/documents":           c.addDocument,
		"GET /o/{org}/exemptions/{id}/documents/{document}": c.document,

		"GET /o/{org}/rates":  c.rates,
		"POST /o/{org}/rates": c.changeRate,

		"GET /o/{org}/nexus/simulate":  c.simulateForm,
		"POST /o/{org}/nexus/simulate": c.simulate,

		"GET /o/{org}/nexus":       c.nexus,
		"GET /o/{org}/nexus/{id}":  c.nexusOf,
		"POST /o/{org}/nexus/{id}": c.changeNexus,

		"GET /o/{org}/registrations":       c.registrations,
		"POST /o/{org}/registrations":      c.createRegistration,
		"GET /o/{org}/registrations/{id}":  c.registrationOf,
		"POST /o/{org}/registrations/{id}": c.changeRegistration,

		"GET /o/{org}/company":         c.company,
		"GET /o/{org}/company/{step}":  c.companyStep,
		"POST /o/{org}/company/{step}": c.saveCompanyStep,

		"GET /o/{org}/settings":  c.settings,
		"POST /o/{org}/settings": c.changeSettings,

		"GET /o/{org}/filings/{id}/report":        c.report,
		"GET /o/{org}/transactions":               c.transactions,
		"GET /o/{org}/transactions/export":        c.transactionsFile,
		"GET /o/{org}/transactions/{id}":          c.transaction,
		"POST /o/{org}/transactions/{id}":         c.reprocess,
		"POST /o/{org}/transactions/{id}/address": c.correctAddress,
		"POST /o/{org}/transactions/{id}/credit":  c.creditNote,
	}
}

// home is the first page of a person: of a partner the clients, of others what needs somebody.
func (c *Console) home(v *visit) error {
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
func (c *Console) organization(v *visit) error {
	return v.goToOwn("filings")
}
