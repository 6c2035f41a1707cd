package web

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract/contracttest"
	"levy/internal/browser"
)

// formsOf lists the operations of forms: for a template and the path of its form, the operation of each action. The
// roles of operations are in docs/roles.md.
var formsOf = []struct {
	template, pattern string
	calls             map[string]string
}{
	{"exceptions", "POST /exceptions", map[string]string{
		"": "assignException", "reprocess_many": "changeExceptions", "assign_many": "changeExceptions",
	}},
	{"exceptions", "POST /o/{org}/filings/{id}", map[string]string{
		"retry": "retryFiling", "resume": "updateFiling", "confirm": "updateFiling",
	}},
	{"exceptions", "POST /o/{org}/imports/{id}", map[string]string{"resume": "resumeTransactionImport"}},
	{"exceptions", "POST /o/{org}/webhooks/{id}", map[string]string{"enable": "updateWebhookEndpoint"}},
	{"people", "POST /people", ofPeople},
	{"people", "POST /o/{org}/people", ofPeople},
	{"account", "POST /account", map[string]string{"begin": "setSecondFactor", "password": "changePassword", "confirm": "setSecondFactor",
		"add_passkey": "setPasskey", "remove_passkey": "setPasskey"}},
	{"preferences", "POST /preferences", map[string]string{"save": "setPreferences"}},
	{"fields", "POST /views", map[string]string{"": "setSavedView", "rename": "setSavedView", "remove": "setSavedView",
		"share": "setSavedView"}},
	{"clients", "POST /clients", map[string]string{"create": "createOrganization"}},
	{"onboarding_partner", "POST /o/{org}/clients/{id}", map[string]string{"": "cancelOnboarding"}},
	{"onboarding_partner", "POST /o/{org}/clients/{id}/link", map[string]string{"": "makeOnboardingLink", "mail": "makeOnboardingLink",
		"end": "endOnboardingLink"}},
	{"filing", "POST /o/{org}/filings/{id}", map[string]string{
		"approve": "approveFiling", "retry": "retryFiling", "resume": "updateFiling", "pause": "updateFiling",
		"skip":    "updateFiling",
		"confirm": "updateFiling", "refuse": "updateFiling", "verify": "verifyFiling",
		"block": "updateFiling", "unblock": "updateFiling", "change": "updateFiling", "cancel": "updateFiling",
		"amend": "amendFiling",
	}},
	{"filing", "POST /o/{org}/filings/{id}/acknowledgement", map[string]string{"": "acknowledgeFiling"}},
	{"filing_approvals", "POST /filings/approve", map[string]string{"approve_many": "approveFilings"}},
	{"filing_entries", "POST /o/{org}/filings/{id}/entries", map[string]string{"add": "createFilingEntry", "delete": "deleteFilingEntry"}},
	{"comments", "POST /o/{org}/filings/{id}", ofComments},
	{"comments", "POST /o/{org}/transactions/{id}", ofComments},
	{"comments", "POST /o/{org}/registrations/{id}", ofComments},
	{"comments", "POST /o/{org}", ofComments},
	{"home", "POST /{$}", map[string]string{"done_with": "endMention"}},
	{"home", "POST /o/{org}", map[string]string{"done_with": "endMention"}},
	{"imports", "POST /o/{org}/imports", map[string]string{"": "createTransactionImport"}},
	{"import", "POST /o/{org}/imports/{id}", map[string]string{
		"pause": "pauseTransactionImport", "resume": "resumeTransactionImport", "cancel": "cancelTransactionImport",
	}},
	{"import_correct", "POST /o/{org}/imports/{id}/correct", map[string]string{"": "createTransactionImport"}},
	{"estimate", "POST /o/{org}/estimate", map[string]string{"": "estimateTax"}},
	{"keys", "POST /o/{org}/keys",
		map[string]string{"make": "createAPIKey", "rotate": "rotateAPIKey", "revoke": "endAPIKey"}},
	{"calendar_feeds", "POST /o/{org}/feeds", map[string]string{"make": "createCalendarFeed", "revoke": "deleteCalendarFeed"}},
	{"connections", "POST /o/{org}/connections",
		map[string]string{"connect": "changeAuthorityConnection", "disconnect": "changeAuthorityConnection"}},
	{"connection_back", "POST /connections/{authority}", map[string]string{"": "changeAuthorityConnection"}},
	{"grants", "POST /o/{org}/grants", map[string]string{"give": "changeGrant", "end": "endGrant"}},
	{"onboarding_partner", "POST /o/{org}/clients/{id}/admin", map[string]string{"invite": "inviteUser"}},
	{"webhooks", "POST /o/{org}/webhooks", map[string]string{"": "createWebhookEndpoint"}},
	{"webhook", "POST /o/{org}/webhooks/{id}", map[string]string{
		"redeliver": "redeliverWebhook", "replay": "replayWebhookEvents", "test": "testWebhookEndpoint", "enable": "updateWebhookEndpoint",
		"rotate":  "rotateWebhookSecret",
		"disable": "updateWebhookEndpoint",
		"remove":  "deleteWebhookEndpoint",
	}},
	{"products", "POST /o/{org}/products", map[string]string{"": "createProduct"}},
	{"product", "POST /o/{org}/products/{id}", map[string]string{
		"preview": "previewReclassification", "save": "updateProduct", "archive": "archiveProduct",
	}},
	{"customers", "POST /o/{org}/customers", map[string]string{"": "createCustomer"}},
	{"customer", "POST /o/{org}/customers/{id}", map[string]string{
		"change": "updateCustomer", "archive": "updateCustomer", "activate": "updateCustomer", "add": "updateCustomer",
		"remove": "updateCustomer",
	}},
	{"exemptions", "POST /o/{org}/exemptions", map[string]string{"": "createExemption"}},
	{"exemption", "POST /o/{org}/exemptions/{id}", map[string]string{
		"change": "updateExemption", "deactivate": "updateExemption", "activate": "updateExemption",
	}},
	{"exemption", "POST /o/{org}/exemptions/{id}/documents", map[string]string{"": "uploadExemptionAttachment"}},
	{"notices", "POST /o/{org}/notices", map[string]string{"": "createNotice"}},
	{"notice", "POST /o/{org}/notices/{id}", map[string]string{"change": "updateNotice", "start": "updateNotice", "end": "updateNotice"}},
	{"notice", "POST /o/{org}/notices/{id}/documents", map[string]string{"": "uploadNoticeDocument"}},
	{"rates", "POST /o/{org}/rates", map[string]string{"set": "createRateOverride", "delete": "deleteRateOverride"}},
	{"onboarding_partner", "POST /o/{org}/clients/{id}/remind", map[string]string{"": "remindOnboarding"}},
	{"nexus_simulate", "POST /o/{org}/nexus/simulate", map[string]string{"": "simulateNexus"}},
	{"nexus_record", "POST /o/{org}/nexus/{id}", map[string]string{
		"register": "registerNexus", "disregard": "disregardNexus", "undisregard": "undisregardNexus",
	}},
	{"registrations", "POST /o/{org}/registrations", map[string]string{"": "createRegistration"}},
	{"registration", "POST /o/{org}/registrations/{id}", map[string]string{
		"change": "updateRegistration", "answered": "updateRegistration", "cancel": "updateRegistration", "end": "deregister",
		"confirm": "updateRegistration", "closed": "updateRegistration", "return": "createFiling", "data": "updateRegistration",
	}},
	{"payments", "POST /o/{org}/payments", map[string]string{"file": "makePaymentFile",
		"record": "recordFilingPayment", "delete": "deleteFilingPayment"}},
	{"settings", "POST /o/{org}/settings",
		map[string]string{"record": "updateOrganization", "settings": "changeOrganizationSettings"}},
	{"onboarding_session_step", "POST /o/{org}/company/{step}", map[string]string{"": "putBusinessInformation"}}, // step 5
	{"transaction", "POST /o/{org}/transactions/{id}", map[string]string{"": "reprocessTransaction"}},
	{"transaction", "POST /o/{org}/transactions/{id}/address", map[string]string{"": "updateTransaction"}},
	{"transaction", "POST /o/{org}/transactions/{id}/credit",
		map[string]string{"": "createCreditNote", "all": "createCreditNote"}},
}

var ofComments = map[string]string{
	"comment": "createComment", "correct_comment": "updateComment", "withdraw_comment": "updateComment",
}

var ofPeople = map[string]string{
	"invite": "inviteUser", "role": "updateUser", "link": "updateUser", "sign_out": "updateUser",
	"reset_second_factor": "updateUser",
	"DISABLED":            "updateUser", "ACTIVE": "updateUser", "remove": "removeUser",
	"second": "changeOrganizationSettings",
}

// refusingAPI answers reads like an API without records. It refuses all other calls and records them.
type refusingAPI struct {
	router contracttest.Paths
	asked  []string
}

func (a *refusingAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	operation := a.router.Operation(r.Method, r.URL.Path)
	switch {
	case operation == "getSession":
		_, _ = fmt.Fprint(w, `{"user":{"id":"user_1","name":"Vi"},"staff_role":"auditor","organizations":[]}`)
	case operation == "listProductCategories":
		_, _ = fmt.Fprint(w, `[]`)
	case r.Method == http.MethodGet:
		_, _ = fmt.Fprint(w, `{}`)
	default:
		a.asked = append(a.asked, operation)
		w.WriteHeader(http.StatusForbidden)
		_, _ = fmt.Fprint(w, `{"status":403,"code":"forbidden","title":"Your role does not include this",
			"detail":"Your role does not include this."}`)
	}
}

func contractPathsOf(t *testing.T) contracttest.Paths {
	t.Helper()
	document, err := contractDocument()
	require.NoError(t, err)
	return contracttest.PathsOf(document)
}

// Every form is one call of the API for the person who sent it, and shows the refusal of that call. So the roles of
// docs/roles.md apply to pages, too.
func TestAFormDoesWhatTheAPIAllowsAndNothingElse(t *testing.T) {
	t.Parallel()
	api := &refusingAPI{router: contractPathsOf(t)}
	console := consoleOver(t, api)
	handler, err := console.Handler()
	require.NoError(t, err)
	known := map[string]bool{}
	buttons := map[string][]string{}
	for _, form := range formsOf {
		known[form.pattern] = true
		for action, operation := range form.calls {
			if action != "" && !slices.Contains(buttons[form.template], action) {
				buttons[form.template] = append(buttons[form.template], action)
			}
			api.asked = nil
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, sentForm(t, form.pattern, action))
			name := form.pattern + " " + action
			if form.pattern == "POST /people" && action == "second" { // only an organization has the setting
				require.Empty(t, slices.DeleteFunc(api.asked, func(asked string) bool { return asked == "" }), name)
				continue
			}
			require.Equal(t, []string{operation}, api.asked, name)
			if form.pattern != "POST /views" { // redirects to the list, which shows the reason
				require.Equal(t, http.StatusForbidden, w.Code, "%s: %s", name, w.Body)
			}
			require.NotContains(t, w.Header().Get("Location"), "/o/", name)
		}
	}
	for _, p := range console.pages {
		if p.send != nil && p.access == signedIn {
			require.True(t, known["POST "+p.path], "%s: say which operation it calls", p.path)
		}
	}
	require.Equal(t, buttonsOfTemplates(t), sorted(buttons),
		"a button without a call in the list, or a call without a button")
}

// sentForm returns a form as a signed-in person sends it.
func sentForm(t *testing.T, pattern, action string) *http.Request {
	t.Helper()
	method, path, _ := strings.Cut(pattern, " ")
	path = strings.NewReplacer("{org}", "org_1", "{id}", "id_1", "{step}", "5", "{$}", "").Replace(path)
	if strings.HasSuffix(path, "/payments") {
		path += "?filing_id=file_1" // the page of one return
	}
	values := url.Values{
		"action": {action}, "required": {"true"}, "id": {"id_1"}, "delivery": {"dlvr_1"}, "type": {"IMPORT_FAILED"},
		"object_id": {"id_1"}, "comment_id": {"id_1"}, "revision": {"0"},
		"organization_id": {"org_1"}, "list": {"clients"}, "query": {"q=1"}, "pick": {"org_1 IMPORT_FAILED id_1"},
		"to_contact": {"true"},
	}
	r := httptest.NewRequest(method, path, strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if strings.HasSuffix(path, "/imports") || strings.HasSuffix(path, "/documents") || strings.HasSuffix(path, "/acknowledgement") {
		var body bytes.Buffer
		file := multipart.NewWriter(&body)
		part, err := file.CreateFormFile("file", "file.csv")
		require.NoError(t, err)
		_, err = io.WriteString(part, "external_id")
		require.NoError(t, err)
		require.NoError(t, file.Close())
		r = httptest.NewRequest(method, path, &body)
		r.Header.Set("Content-Type", file.FormDataContentType())
	}
	r.AddCookie(&http.Cookie{Name: browser.HostSessionCookie, Value: "of somebody"})
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return r
}

// buttonsOfTemplates returns the values of action by template.
func buttonsOfTemplates(t *testing.T) map[string][]string {
	t.Helper()
	buttons := map[string][]string{}
	files, err := fs.Glob(templates, "templates/*.html")
	require.NoError(t, err)
	action := regexp.MustCompile(`name="action" value="([^"]*)"`)
	for _, file := range files {
		text, err := templates.ReadFile(file)
		require.NoError(t, err)
		name := strings.TrimSuffix(strings.TrimPrefix(file, "templates/"), ".html")
		for _, match := range action.FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(buttons[name], match[1]) {
				buttons[name] = append(buttons[name], match[1])
			}
		}
	}
	return sorted(buttons)
}

func sorted(of map[string][]string) map[string][]string {
	for _, list := range of {
		slices.Sort(list)
	}
	return of
}
