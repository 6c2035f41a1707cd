package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Console is the pages on which people work. It can do nothing that the API cannot: every page is
// made of answers of the API to the session of the person, and every form is a call of it.
type Console struct {
	api      func() http.Handler
	provider string // the host of the OpenID provider; empty where people have passwords
	runs     string // the address in Temporal's UI below which runs are, by their ids; empty where it is not known
	pages    map[string]*template.Template
	now      func() time.Time
}

// consolePolicy is that of pages whose one script, forms and calls go to their own origin.
const consolePolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; " +
	"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// sessionCookie is the name of the cookie of a session, as the contract has it.
const sessionCookie = "levy_session"

// consolePages are the templates of pages.
var consolePages = []string{
	"sign_in", "link", "exceptions", "filings", "filing", "transactions", "transaction", "clients", "client", "search",
	"problem",
	"due", "calendar", "nexus", "nexus_record", "imports", "import",
	"keys", "people", "webhooks", "webhook", "operations", "estimate", "join", "join_done", "join_problem",
	"products", "product", "product_states", "exemptions", "exemption", "rates", "nexus_simulate", "import_correct",
	"account",
	"registrations", "registration", "settings", "content", "audit",
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
	c := &Console{api: api, provider: at.Host, runs: runs, pages: map[string]*template.Template{}, now: time.Now}
	for _, name := range consolePages {
		page, err := template.New("frame.html").Funcs(c.words()).ParseFS(templates, "templates/frame.html",
			"templates/fields.html", "templates/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", name, err)
		}
		c.pages[name] = page
	}
	return c, nil
}

// Handler serves the pages, their stylesheets and the script that keeps them up to date.
func (c *Console) Handler() (http.Handler, error) {
	mux := http.NewServeMux()
	for _, name := range []string{"style.css", "console.css", "icon.svg", "live.js"} {
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
	return guardedBy(consolePolicy, mux), nil
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

		"GET /o/{org}/settings":  c.settings,
		"POST /o/{org}/settings": c.changeSettings,

		"GET /o/{org}/filings/{id}/report":        c.report,
		"GET /o/{org}/transactions":               c.transactions,
		"GET /o/{org}/transactions/{id}":          c.transaction,
		"POST /o/{org}/transactions/{id}":         c.reprocess,
		"POST /o/{org}/transactions/{id}/address": c.correctAddress,
		"POST /o/{org}/transactions/{id}/credit":  c.creditNote,
	}
}

// visit is a request of somebody who is signed in.
type visit struct {
	*http.Request
	w       http.ResponseWriter
	console *Console
	session session
	org     string // of the path; empty for none
	live    *live
}

// session is who is signed in, as GET /v1/session says it.
type session struct {
	User struct {
		ID, Name, Email string
		SecondFactor    bool `json:"second_factor"`
		RecoveryCodes   int  `json:"recovery_codes_left"`
	} `json:"user"`
	StaffRole     string       `json:"staff_role"`
	Organizations []membership `json:"organizations"`
}

type membership struct {
	ID   string `json:"organization_id"`
	Name string `json:"organization_name"`
	Role string `json:"role"`
	Root bool   `json:"root"`
}

// problem is a refusal of the API.
type problem struct {
	Status int            `json:"status"`
	Code   string         `json:"code"`
	Title  string         `json:"title"`
	Detail string         `json:"detail"`
	Errors []problemField `json:"errors"`

	Challenge string `json:"challenge"`        // of a sign-in that needs a code too
	Remaining string `json:"remaining_amount"` // of a sale that less is left of than was to be given back
}

// problemField is what is wrong with one part of a request.
type problemField struct {
	Location string `json:"location"`
	Message  string `json:"message"`
}

// Field is what a fault is about, in words.
func (f problemField) Field() string { return sentence(fieldOf(f.Location)) }

func (p *problem) Error() string { return p.Code + ": " + p.Detail }

// visited shows a page to who is signed in, and sends others to sign in first.
func (c *Console) visited(show func(*visit) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v := &visit{Request: r, w: w, console: c, org: r.PathValue("org")}
		_, err := r.Cookie(sessionCookie)
		if err != nil { // whoever only comes by has not failed to sign in
			err = &problem{Status: http.StatusUnauthorized}
		} else {
			err = v.get("/v1/session", "", &v.session)
		}
		if err == nil {
			err = show(v)
		}
		var refused *problem
		switch {
		case err == nil:
		case errors.As(err, &refused) && refused.Status == http.StatusUnauthorized:
			to := "/sign-in"
			if r.Method == http.MethodGet && r.URL.Path != "/" {
				to += "?next=" + url.QueryEscape(r.URL.RequestURI())
			}
			http.Redirect(w, r, to, http.StatusSeeOther)
		case errors.As(err, &refused):
			v.render(refused.Status, "problem", refused.Title, refused)
		default:
			v.render(http.StatusInternalServerError, "problem", "The page could not be made",
				&problem{Title: "The page could not be made"})
		}
	}
}

// answer is a ResponseWriter that keeps what is written.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(b []byte) (int, error) { return a.body.Write(b) }

// inner is a call of the API in the name of who sent the request r: with its cookie, and with what
// the browser says about where it comes from.
func inner(
	ctx context.Context, r *http.Request, method, path, organization string, body []byte,
) (*http.Request, error) {
	call, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(body))
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

// ask calls the API. Errors: *problem.
func (c *Console) ask(r *http.Request, method, path, organization string, sent, into any) (http.Header, error) {
	var body []byte
	if sent != nil {
		var err error
		if body, err = json.Marshal(sent); err != nil {
			return nil, err
		}
	}
	call, err := inner(r.Context(), r, method, path, organization, body)
	if err != nil {
		return nil, err
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

func (v *visit) call(method, path, organization string, sent, into any) error {
	_, err := v.console.ask(v.Request, method, path, organization, sent, into)
	return err
}

func (v *visit) get(path, organization string, into any) error {
	return v.call(http.MethodGet, path, organization, nil, into)
}

// getLive is get of a list that the page follows by a stream with the same parameters. The stream knows an answer by
// its mark: the first eight bytes of SHA-256.
func (v *visit) getLive(path, query string, into any) error {
	call, err := inner(v.Context(), v.Request, http.MethodGet, path+"?"+query, "", nil)
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

// goTo answers a form: the page that shows what it did.
func (v *visit) goTo(path string) error {
	http.Redirect(v.w, v.Request, path, http.StatusSeeOther)
	return nil
}

// frame is what every page is rendered from.
type frame struct {
	Title   string
	Session *session
	Org     string // of the page; empty for none
	OrgName string
	Root    string // the first partner organization of the person; empty for none
	Path    string
	Live    *live // of a list that changes; nil for other pages
	Page    any
}

// live is the stream that says when what a page shows is another, and the mark of what it shows.
type live struct{ Stream, Mark string }

func (v *visit) show(name, title string, page any) error {
	v.render(http.StatusOK, name, title, page)
	return nil
}

func (v *visit) render(status int, name, title string, page any) {
	f := frame{Title: title, Session: &v.session, Org: v.org, Path: v.URL.Path, Live: v.live, Page: page}
	for _, m := range v.session.Organizations {
		if m.Root && f.Root == "" {
			f.Root = m.ID
		}
		if m.ID == v.org {
			f.OrgName = m.Name
		}
	}
	if f.Org != "" && f.OrgName == "" {
		var o struct{ Name string }
		if v.get("/v1/organizations/"+url.PathEscape(v.org), v.org, &o) == nil {
			f.OrgName = o.Name
		}
	}
	v.console.render(v.w, status, name, f)
}

func (c *Console) render(w http.ResponseWriter, status int, name string, f frame) {
	var b bytes.Buffer
	if err := c.pages[name].Execute(&b, f); err != nil {
		http.Error(w, "The page could not be made.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.Copy(w, &b) // whoever asked is gone
}

// may reports whether the person may do for an organization what needs a role; for clients of a
// partner only reading.
func (s *session) may(organization, role string) bool {
	roles := []string{"viewer", "preparer", "approver", "admin"}
	needed := slices.Index(roles, role)
	if s.StaffRole == "operator" && needed <= slices.Index(roles, "approver") || s.StaffRole == "auditor" &&
		role == "viewer" {
		return true
	}
	for _, m := range s.Organizations {
		if m.ID == organization && slices.Index(roles, m.Role) >= needed {
			return true
		}
	}
	return false
}

// keeps reports whether the person may make and end keys of an organization: an admin of a partner, for the partner
// and its clients. Which clients these are the API knows.
func (s *session) keeps(organization string) bool {
	for _, m := range s.Organizations {
		if m.Root && m.Role == "admin" {
			return organization != ""
		}
	}
	return false
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
	return v.goTo("/o/" + url.PathEscape(v.org) + "/filings")
}
