package web

import (
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"levy/models"
)

// handler answers a request for a page or its form. Errors: *problem.
type handler func(*pageRequest) error

// page is a row of the registry: a path, its template and handlers, and its entry in a menu.
type page struct {
	path     string
	template string // file in templates without .html; empty for files and redirects
	show     handler
	send     handler // the handler of its form; nil if it has none
	access   access
	limit    int64 // size of its form in bytes; 0 is formLimit

	label   string // in the navigation; empty for none
	above   string // path of the page above it, if its own path is not below that one
	crumb   string // above the pages below this one, if it has no label; each page with pages below it has one of the two
	visible func(*layout) bool
}

// access is the group of people who may open a page.
type access int

const (
	signedIn access = iota // people with a session; others are redirected to sign in
	byLink                 // clients with an onboarding link
	anyone
)

// registry returns all pages of the console. Menus have their entries in this order.
func (c *Console) registry() []page {
	return []page{
		{path: "/sign-in", template: "sign_in", show: c.signInPage, send: c.signIn, access: anyone},
		{path: "/sign-in/{token}", template: "set_password", show: c.linkPage, send: c.useLink, access: anyone},
		{path: "/sign-out", send: c.signOut, access: anyone},

		{path: "/join", show: c.continueByLink, access: byLink},
		{path: "/join/{token}", show: c.openLink, access: anyone},
		{path: "/join/done", template: "onboarding_link_done", show: c.linkDone, access: anyone},
		{path: "/join/step/{step}", template: "onboarding_link", show: c.showLinkStep, send: c.saveLinkStep, access: byLink},

		{path: "/unsubscribe/{token}", template: "unsubscribe", show: c.unsubscribePage, send: c.unsubscribe, access: anyone},
		{path: "/calendar/{token}", show: c.calendarFeed, access: anyone},
		{path: "/glossary", template: "glossary", show: c.glossary, access: anyone},

		{path: "/{$}", template: "home", show: c.home, send: c.changeHome, label: homeLabel},
		{path: "/exceptions", template: "exceptions", show: c.exceptions, send: c.assign, label: "Exceptions"},
		{path: "/exceptions/first", show: c.firstException},
		{path: "/filings", template: "due_returns", show: c.dueFilings, label: "Due returns"},
		{path: "/filings/approve", template: "filing_approvals", show: c.reviewApprovals, send: c.approveMany},
		{path: "/filings/calendar", template: "calendar", show: c.calendar, label: "Calendar"},
		{path: "/filings/calendar/export", show: c.calendarFile},
		{path: "/onboarding", template: "onboarding", show: c.board, label: "Onboarding, live", visible: toPartners},
		{path: clientsPath, template: "clients", show: c.clients, send: c.createClient, label: "Clients", visible: toReadersOfClients},
		{path: "/clients/export", show: c.clientsFile},
		{path: organizationsPath, template: "organizations", show: c.organizations, label: "Organizations", visible: toStaff},
		{path: "/organizations/export", show: organizationsFile},
		{path: "/operations", template: "operations", show: c.operations, label: "Operations", visible: toStaff},
		{path: "/operations/content", template: "content", show: c.contentChanges},
		{path: "/operations/master-keys", template: "master_keys", show: c.masterKeys},
		{path: "/people", template: "people", show: c.people, send: c.changePeople, label: "Staff", visible: toOperators},
		{path: "/people/export", show: peopleFile},
		{path: "/search", template: "search", show: c.search},
		{path: "/account", template: "account", show: c.accountPage, send: c.changeAccount, label: "Your account"},
		{path: "/preferences", template: "preferences", show: c.preferences, send: c.changePreferences, label: "Preferences"},
		{path: "/connections/{authority}", template: "connection_back", show: c.connectionBack, send: c.finishConnection},
		{path: "/views", send: c.changeViews},
		{path: "/views/{id}", show: c.openView},

		{path: organizationPath, template: "home", show: c.home,
			send: c.withComments(models.CommentOnOrganization, c.changeHome), label: "Overview"},
		{path: "/o/{org}/clients/{id}", template: "onboarding_partner", show: c.client, send: c.cancelClient, above: clientsPath},
		{path: "/o/{org}/clients/{id}/link", send: c.changeLink},
		{path: "/o/{org}/clients/{id}/admin", send: c.inviteClient},
		{path: "/o/{org}/clients/{id}/remind", send: c.remindClient},
		{path: "/o/{org}/filings", template: "filings", show: c.filings, label: "Returns"},
		{path: "/o/{org}/filings/export", show: filingsFile},
		{path: "/o/{org}/filings/{id}", template: "filing", show: c.filing,
			send: c.withComments(models.CommentOnFiling, c.changeFiling), crumb: "Return"},
		{path: "/o/{org}/filings/{id}/report", show: c.report},
		{path: "/o/{org}/filings/{id}/entries", template: "filing_entries", show: c.entries, send: c.changeEntries},
		{path: "/o/{org}/filings/{id}/worksheet", template: "worksheet", show: c.worksheet},
		{path: "/o/{org}/filings/{id}/worksheet/export", show: c.worksheetFile},
		{path: "/o/{org}/filings/{id}/return", show: c.returnFile},
		{path: "/o/{org}/filings/{id}/acknowledgement", send: c.acknowledge, limit: streamed},
		{path: "/o/{org}/payments", template: "payments", show: c.payments, send: c.changePayments,
			above: "/o/{org}/filings"},
		{path: "/o/{org}/transactions", template: "transactions", show: c.transactions, label: "Transactions"},
		{path: "/o/{org}/transactions/export", show: c.transactionsFile},
		{path: "/o/{org}/transactions/{id}", template: "transaction", show: c.transaction,
			send: c.withComments(models.CommentOnTransaction, c.reprocess)},
		{path: "/o/{org}/transactions/{id}/address", send: c.correctAddress},
		{path: "/o/{org}/transactions/{id}/credit", send: c.creditNote},
		{path: "/o/{org}/nexus", template: "nexus", show: c.nexus, label: "Nexus"},
		{path: "/o/{org}/nexus/export", show: nexusFile},
		{path: "/o/{org}/nexus/simulate", template: "nexus_simulate", show: c.simulateForm, send: c.simulate},
		{path: "/o/{org}/nexus/{id}", template: "nexus_record", show: c.nexusOf, send: c.changeNexus},
		{path: "/o/{org}/registrations", template: "registrations", show: c.registrations, send: c.createRegistration,
			label: "Registrations"},
		{path: "/o/{org}/registrations/export", show: registrationsFile},
		{path: "/o/{org}/registrations/{id}", template: "registration", show: c.registrationOf,
			send: c.withComments(models.CommentOnRegistration, c.changeRegistration)},
		{path: "/o/{org}/notices", template: "notices", show: c.notices, send: c.createNotice, label: "Notices", visible: toViewers},
		{path: "/o/{org}/notices/export", show: noticesFile},
		{path: "/o/{org}/notices/{id}", template: "notice", show: c.noticeOf,
			send: c.withComments(models.CommentOnNotice, c.changeNotice), crumb: "Notice"},
		{path: "/o/{org}/notices/{id}/documents", send: c.addLetter, limit: streamed},
		{path: "/o/{org}/notices/{id}/documents/{document}", show: c.letter},
		{path: "/o/{org}/reports", template: "reports", show: c.reports, label: "Reports"},
		{path: "/o/{org}/reports/export", show: reportFile},
		{path: "/o/{org}/imports", template: "imports", show: c.imports, send: c.upload, limit: streamed, label: "Imports"},
		{path: "/o/{org}/imports/export", show: importsFile},
		{path: "/o/{org}/imports/{id}", template: "import", show: c.importOf, send: c.changeImport, crumb: "Import"},
		{path: "/o/{org}/imports/{id}/correct", template: "import_correct", show: c.correctForm, send: c.correct,
			limit: 10 << 20},
		{path: "/o/{org}/imports/{id}/rejected", show: c.rejected},
		{path: "/o/{org}/products", template: "products", show: c.products, send: c.createProduct,
			label: "Products", visible: toViewers},
		{path: "/o/{org}/products/export", show: productsFile},
		{path: "/o/{org}/products/{id}", template: "product", show: c.productOf, send: c.changeProduct, crumb: "Product"},
		{path: "/o/{org}/products/{id}/states", template: "product_states", show: c.productStates},
		{path: "/o/{org}/customers", template: "customers", show: c.customers, send: c.createCustomer,
			label: "Customers", visible: toViewers},
		{path: "/o/{org}/customers/export", show: customersFile},
		{path: "/o/{org}/customers/{id}", template: "customer", show: c.customerOf, send: c.changeCustomer},
		{path: "/o/{org}/exemptions", template: "exemptions", show: c.exemptions, send: c.createExemption,
			label: "Exemptions", visible: toViewers},
		{path: "/o/{org}/exemptions/export", show: exemptionsFile},
		{path: "/o/{org}/exemptions/{id}", template: "exemption", show: c.exemptionOf, send: c.changeExemption, crumb: "Exemption"},
		{path: "/o/{org}/exemptions/{id}/documents", send: c.addDocument, limit: streamed},
		{path: "/o/{org}/exemptions/{id}/documents/{document}", show: c.document},
		{path: "/o/{org}/rates", template: "rates", show: c.rates, send: c.changeRate, label: "Rates"},
		{path: "/o/{org}/rates/export", show: ratesFile},
		{path: "/o/{org}/keys/export", show: keysFile},
		{path: "/o/{org}/keys", template: "keys", show: c.keys, send: c.changeKey, label: "Keys", visible: toKeyManagers},
		{path: "/o/{org}/feeds", template: "calendar_feeds", show: c.calendarFeeds, send: c.changeCalendarFeeds,
			label: "Calendar feeds", visible: toKeyManagers},
		{path: "/o/{org}/connections", template: "connections", show: c.connections, send: c.changeConnections},
		{path: "/o/{org}/people", template: "people", show: c.people, send: c.changePeople,
			label: "People", visible: toAdmins},
		{path: "/o/{org}/people/export", show: peopleFile},
		{path: "/o/{org}/grants", template: "grants", show: c.grants, send: c.changeGrant, above: "/o/{org}/people"},
		{path: "/o/{org}/webhooks", template: "webhooks", show: c.webhooks, send: c.createWebhook,
			label: "Webhooks", visible: toViewers},
		{path: "/o/{org}/webhooks/export", show: webhooksFile},
		{path: "/o/{org}/webhooks/{id}/export", show: deliveriesFile},
		{path: "/o/{org}/webhooks/{id}", template: "webhook", show: c.webhookOf, send: c.changeWebhook, crumb: "Endpoint"},
		{path: "/o/{org}/webhooks/{id}/events/{event}", template: "webhook_event", show: c.eventOf},
		{path: "/o/{org}/estimate", template: "estimate", show: c.estimateForm, send: c.estimate,
			label: "Estimate", visible: toViewers},
		{path: "/o/{org}/audit", template: "audit", show: c.audit, label: "Audit trail", visible: toViewers},
		{path: "/o/{org}/audit/export", show: auditFile},
		{path: "/o/{org}/company", template: "onboarding_session", show: c.company, label: "Company", visible: toMembers},
		{path: "/o/{org}/company/{step}", template: "onboarding_session_step", show: c.companyStep, send: c.saveCompanyStep},
		{path: "/o/{org}/settings", template: "settings", show: c.settings, send: c.changeSettings, label: "Settings"},
	}
}

// Conditions of menu entries.
func toPartners(f *layout) bool { return f.Root != "" }
func toReadersOfClients(f *layout) bool {
	return toPartners(f) || f.Partner
}
func toStaff(f *layout) bool       { return f.Session.isStaff() }
func toOperators(f *layout) bool   { return f.Session.isOperator() }
func toViewers(f *layout) bool     { return f.Session.may(f.NavOrg, models.RoleViewer) }
func toMembers(f *layout) bool     { return f.Session.belongs(f.NavOrg, models.RoleViewer) }
func toAdmins(f *layout) bool      { return f.Session.may(f.NavOrg, models.RoleAdmin) }
func toKeyManagers(f *layout) bool { return f.Session.managesKeys(f.NavOrg) || toViewers(f) }

// Paths returns the paths below which the console is served; "/" is only itself.
func (c *Console) Paths() []string {
	all := map[string]bool{"/assets": true}
	for i := range c.pages {
		first, _, _ := strings.Cut(strings.TrimPrefix(c.pages[i].path, "/"), "/")
		all["/"+strings.TrimSuffix(first, "{$}")] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// ServeHTTP makes a page a value of a ServeMux, which finds it by path. It is never called.
func (p *page) ServeHTTP(http.ResponseWriter, *http.Request) {}

// pagesByPath returns a router that finds the page at a path.
func pagesByPath(pages []page) *http.ServeMux {
	mux := http.NewServeMux()
	for i := range pages {
		if pages[i].show != nil && pages[i].access == signedIn {
			mux.Handle(pages[i].path, &pages[i])
		}
	}
	return mux
}

// pageAt returns the page at a path, or the nearest parent page, with its path. Files and redirects are not pages. It
// returns "/" and nil if there is none.
func (c *Console) pageAt(at string) (string, *page) {
	for ; at != "/" && at != "."; at = path.Dir(at) {
		found, _ := c.byPath.Handler(&http.Request{Method: http.MethodGet, URL: &url.URL{Path: at}})
		if p, ok := found.(*page); ok && p.template != "" {
			return at, p
		}
	}
	return "/", nil
}

// templatesOf returns the names of the templates of pages.
func templatesOf(pages []page) []string {
	all := slices.Clone(sharedTemplates)
	for i := range pages {
		if name := pages[i].template; name != "" && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}
