package contract_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/models"
	"levy/service"
)

// unprovoked are documented answers that no request can cause here.
var unprovoked = map[string][]int{
	"getHealth":                  {500}, // it depends on nothing that could break
	"getPasskeyChallenge":        {500}, // likewise
	"getReadiness":               {500}, // its dependency answers with errors
	"getOrganization":            {403}, // every key may, for what it reaches
	"listAPIKeys":                {403}, // likewise
	"getAPIKey":                  {403}, // likewise
	"createAPIKey":               {408}, // takes 15 s, as for every body
	"createOrganization":         {408},
	"createProduct":              {408},
	"createTransaction":          {408},
	"createCustomerTransaction":  {408},
	"searchAddress":              {408},
	"suggestAddresses":           {408},
	"createCustomer":             {408},
	"createExemption":            {408, 409}, // nothing in it is unique
	"createWebhookEndpoint":      {408, 409}, // of the eleventh there is a test of its own
	"updateWebhookEndpoint":      {408, 409}, // nothing in it is unique
	"deleteWebhookEndpoint":      {409},
	"rotateWebhookSecret":        {408, 409, 413, 415}, // takes no body, as the next two
	"testWebhookEndpoint":        {408, 409, 413, 415},
	"redeliverWebhook":           {408, 409, 413, 415},
	"replayWebhookEvents":        {408, 409},
	"signIn":                     {408},
	"inviteUser":                 {408},
	"getSignInLink":              {408},
	"proveSession":               {408, 409}, // too many wrong passwords are covered by a test of their own
	"setSecondFactor":            {408, 409}, // an existing one is 403
	"changePassword":             {408, 409},
	"changeGrant":                {408, 409},           // nothing in it is unique
	"endGrant":                   {408, 409, 413, 415}, // takes no body
	"setPasskey":                 {408, 409},           // too many are 400
	"setPreferences":             {408, 409},           // nothing in it is unique
	"setSavedView":               {408, 409},           // names and numbers are covered by the test of staff
	"createComment":              {408, 409},           // of the 201st there is a test of its own
	"updateComment":              {408, 409},
	"endMention":                 {408, 409, 413, 415}, // takes no body
	"updateUser":                 {408, 409},           // the last admin changes in a test of sessions
	"removeUser":                 {409},                // likewise; a deleted one is 404
	"assignException":            {408, 409},           // nothing in it is unique
	"changeExceptions":           {408, 409},           // refuses row by row
	"makePaymentFile":            {408, 409},           // writes nothing but the trail
	"getFilingReturn":            {409},                // only findings are asked for
	"createRegistration":         {408},
	"createFiling":               {408},
	"updateFiling":               {408},
	"approveFiling":              {408},
	"approveFilings":             {408, 409}, // refuses row by row
	"amendFiling":                {408},
	"acknowledgeFiling":          {408},
	"createFilingEntry":          {408, 409}, // a filing that keeps its entries, and the 501st, are covered by other tests
	"deleteFilingEntry":          {409},      // a deleted one is 404
	"recordFilingPayment":        {408, 409}, // returns that are not filed are covered by another test
	"deleteFilingPayment":        {409},      // a deleted one is 404
	"updateRegistration":         {408},
	"deregister":                 {408},
	"registerNexus":              {408},
	"previewReclassification":    {408, 409}, // writes nothing
	"updateCustomer":             {408},
	"updateExemption":            {408},
	"uploadExemptionAttachment":  {408, 409}, // nothing in it is unique
	"createNotice":               {408, 409}, // nothing in it is unique
	"updateNotice":               {408, 409}, // revisions and transitions are covered by a test of their own
	"uploadNoticeDocument":       {408, 409}, // nothing in it is unique
	"updateOrganization":         {408},
	"updateAPIKey":               {408},
	"rotateAPIKey":               {408},
	"archiveOrganization":        {409},      // repeating is no error
	"changeOrganizationSettings": {408, 409}, // nothing in it is unique
	"updateProduct":              {408, 409}, // nothing in a change can be a duplicate
	"archiveProduct":             {409},      // repeating is no error
	"revokeAPIKey":               {409},      // likewise
	"endAPIKey":                  {408, 409}, // likewise
	"estimateTax":                {408},
	"simulateNexus":              {408, 409}, // writes nothing
	"createPhysicalNexus":        {408, 409}, // nothing in it is unique
	"updatePhysicalNexus":        {408, 409}, // nothing in a change can be a duplicate
	"deletePhysicalNexus":        {409},      // a deleted one is 404
	"createRateOverride":         {408, 409}, // nothing in it is unique; the 201st is covered by another test
	"changeAuthorityConnection":  {408, 409}, // each step is of the same record
	"createCalendarFeed":         {408, 409}, // nothing in it is unique; the 21st is covered by another test
	"deleteCalendarFeed":         {409},      // a revoked one is 404
	"deleteRateOverride":         {409},      // a deleted one is 404
	"disregardNexus":             {408},
	"undisregardNexus":           {409}, // likewise
	"cancelOnboarding":           {408},
	"makeOnboardingLink":         {408},
	"endOnboardingLink":          {409}, // repeating is no error
	"putBusinessDetails":         {408},
	"putBusinessAddress":         {408},
	"putBusinessInformation":     {408},
	"putBusinessContact":         {408},
	"putBusinessOwners":          {408},
	"putBankDetails":             {408},
	"createCreditNote":           {408},
	"updateCreditNote":           {408},
	"updateTransaction":          {408},
	"archiveTransactions":        {408, 409}, // refusals are per row
	"createTransactionBatch":     {408, 409}, // likewise
	"createTransactionImport":    {408, 409}, // likewise
	"archiveTransactionsByDate":  {408, 409}, // likewise
}

// ofPeople are operations for people only: no key may use them.
var ofPeople = map[string]bool{
	"proveSession": true, "setSecondFactor": true, "changePassword": true, "listPasskeys": true, "setPasskey": true,
	"getPreferences": true, "setPreferences": true,
	"listSavedViews": true, "setSavedView": true, "changeGrant": true, "endGrant": true,
	"createComment": true, "updateComment": true, "listMentions": true, "endMention": true,
	"changeAuthorityConnection": true,
}

// ofAdmins are those of them that an admin of a client calls.
var ofAdmins = map[string]bool{"changeGrant": true, "endGrant": true, "createComment": true, "updateComment": true,
	"changeAuthorityConnection": true}

// excused reports whether a documented answer is in the list above, or is the refusal of a key where every
// key that reaches the organization may.
func excused(operation string, status int) bool {
	if status == http.StatusForbidden && functions[operation]&reads == reads {
		return true
	}
	return slices.Contains(unprovoked[strings.TrimSuffix(operation, "Alias")], status)
}

// Every operation is called so that it succeeds and so that it fails in every way the document lists; an answer that
// was never seen fails the test. Every answer is compared with the document wherever it is received.
func TestEveryDocumentedAnswer(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	in.onboard(client)
	down := install(t, option{server: func(_ *installation, d *service.Deps, _ *api.Options) {
		fails := failing{err: fmt.Errorf("no connection: %w", models.ErrUnavailable)}
		d.Principals, d.People = fails, fails
		d.Database = func(context.Context) error { return models.ErrUnavailable }
	}})
	broken := install(t, option{server: func(_ *installation, d *service.Deps, _ *api.Options) {
		d.Principals, d.People = failing{}, failing{}
	}})
	down.contract, broken.contract = in.contract, in.contract

	for _, op := range in.contract.operations {
		in.endUnusedKeys()
		in.succeed(op, client)
		in.provoke(op, client)
		in.provokeLimits(op, client)
		for _, other := range []*installation{down, broken} {
			body := ""
			if op.OperationID == "signIn" || op.OperationID == "getSignInLink" { // which need no key, so that no earlier check fails
				body = in.body(op, client)
			}
			other.send(t, request{as: client, method: op.method, target: op.fill(object{id: "x", externalID: "x"}), body: body})
		}
	}
	in.provokeConflicts(client)
	in.provokeOnboarding()

	for id, op := range in.contract.operations {
		for text := range op.Responses.Map() {
			var status int
			_, err := fmt.Sscan(text, &status)
			require.NoError(t, err, "%s: %s", id, text)
			if !in.contract.seen[id][status] && !excused(id, status) {
				t.Errorf("%s: documented answer %d was never seen", id, status)
			}
			if in.contract.seen[id][status] && excused(id, status) {
				t.Errorf("%s: answer %d was seen, so it needs no excuse", id, status)
			}
		}
	}
}

// failing are principals and people that cannot be read, or whose reading panics.
type failing struct {
	service.People
	err error
}

func (f failing) Accounts(ctx context.Context, _ string) ([]models.User, error) {
	_, err := f.FindPrincipal(ctx, nil)
	return nil, err
}

func (f failing) PersonOfLink(ctx context.Context, _ [][]byte) (models.User, error) {
	_, err := f.FindPrincipal(ctx, nil)
	return models.User{}, err
}

func (f failing) FindPrincipal(context.Context, [][]byte) (models.Principal, error) {
	if f.err == nil {
		panic("defect")
	}
	return models.Principal{}, f.err
}

// ordinary is a call of an operation that succeeds.
func (in *installation) ordinary(op operation, client credentials) request {
	in.t.Helper()
	as := client
	if slices.Contains([]string{"createOrganization", "listOrganizations", "exportOrganizations", "listOnboardings", "exportOnboardings",
		"checkOrganizationName", "archiveOrganization"}, op.OperationID) {
		as = in.root
	}
	if strings.Contains(op.OperationID, "APIKey") || op.OperationID == "updateOrganization" {
		as = in.parentOf(client)
	}
	switch op.OperationID {
	case "cancelOnboarding": // one that is in progress
		as = in.client()
	case "makeOnboardingLink", "remindOnboarding": // likewise, and by the partner
		as = in.parentOf(in.client())
	case "getOnboardingLink", "endOnboardingLink":
		as = in.parentOf(client)
	case "changeGrant", "endGrant": // of another client: the others need theirs
		as = in.client()
	}
	r := request{as: as, method: op.method, target: op.fill(in.object(subjectOf(in.t, op), as)), body: in.body(op, as)}
	if op.OperationID == "getStatus" || op.OperationID == "getContentChanges" || op.OperationID == "getMasterKeys" ||
		ofPeople[op.OperationID] { // for people of staff, for people alone
		r.cookie = in.staff()
	}
	if ofAdmins[op.OperationID] {
		r.cookie = in.admin(as)
	}
	return r
}

func (in *installation) succeed(op operation, client credentials) {
	in.t.Helper()
	r := in.ordinary(op, client)
	in.readyToChange(op, strings.Split(r.target+"///", "/")[3])
	if op.OperationID == "streamEvents" { // of which there are some, for requests that wait for the first one
		r.header = http.Header{"Last-Event-Id": {in.object(anyEvent, client).id}}
	}
	a := in.send(in.t, r)
	require.Less(in.t, a.status, 300, "%s: %s", op.OperationID, a.body)
	switch {
	case op.OperationID == "deletePhysicalNexus", op.OperationID == "deleteFilingEntry", op.OperationID == "deleteFilingPayment",
		op.OperationID == "deleteRateOverride", // whose answer is the record as it was
		op.OperationID == "deleteCalendarFeed",
		op.OperationID == "deleteWebhookEndpoint", op.OperationID == "removeUser": // of which nothing stays
		require.Equal(in.t, 404, in.send(in.t, r).status)
	case op.method == http.MethodDelete:
		require.Equal(in.t, a.status, in.send(in.t, r).status, "deleting twice is deleting once")
	}
}

// provoke causes the errors of identity, place and form.
func (in *installation) provoke(op operation, client credentials) {
	in.t.Helper()
	r := in.ordinary(op, client)
	with := func(status int, change func(*request)) {
		in.t.Helper()
		changed := r
		change(&changed)
		a := in.send(in.t, changed)
		require.Equal(in.t, status, a.status, "%s: %s", op.OperationID, a.body)
	}
	header := func(name string, values ...string) func(*request) {
		return func(r *request) { r.header = http.Header{name: values} }
	}
	with(405, func(r *request) { r.method = http.MethodPatch })
	with(400, func(r *request) { r.target += "?" + strings.Repeat("a=1&", 101) })
	with(414, func(r *request) { r.target += "?q=" + strings.Repeat("a", 8<<10) })
	with(431, header("X-Long", strings.Repeat("a", 16<<10)))
	switch op.OperationID {
	case "signIn":
		in.provokeSignIn(with, `{"email":"nobody@example.com","password":"x"}`)
	case "getSignInLink":
		in.provokeSignIn(with, unknownLink)
	}
	if op.Security != nil && len(*op.Security) == 0 {
		return
	}
	with(401, func(r *request) { r.header, r.from = http.Header{"X-Api-Key": nil, "Cookie": nil}, in.address() })
	if op.Security == nil {
		with(400, header("X-Organization-Id"))
	} else { // the key alone is enough
		alone := r
		header("X-Organization-Id")(&alone)
		require.Less(in.t, in.send(in.t, alone).status, 300, op.OperationID)
		r.target = op.fill(in.object(subjectOf(in.t, op), r.as)) // which may be gone
	}
	with(404, header("X-Organization-Id", models.NewID(models.PrefixOrganization)))
	if of := subjectOf(in.t, op); of != nothing {
		with(404, func(r *request) { r.target = op.fill(object{id: models.NewID(of.prefix()), externalID: "unknown"}) })
	}
	if op.Responses.Status(403) != nil && !excused(op.OperationID, 403) {
		with(403, func(r *request) { *r = in.forbidden(op, client) })
	}
	if op.RequestBody != nil {
		wrong, start := "[]", ""
		if op.isForm() {
			wrong, start = formStart, formStart
		}
		if op.isFile() {
			wrong, start = fileStart+",nonsense\n", fileStart+"\n"
		}
		with(400, func(r *request) { r.body = wrong })
		with(413, func(r *request) { r.body = start + strings.Repeat(" ", op.bodyLimit()+1-len(start)) })
		with(415, func(r *request) { r.header = http.Header{"Content-Type": {"text/plain"}} })
		with(415, func(r *request) { r.header = http.Header{"Content-Encoding": {"gzip"}} })
	}
}

// provokeSignIn causes the refusals of people who are not signed in yet.
// unknownLink is the body of a question about a link that nobody has.
const unknownLink = `{"token":"unknown"}`

func (in *installation) provokeSignIn(with func(status int, change func(*request)), refused string) {
	with(400, func(r *request) { r.body = "[]" })
	with(401, func(r *request) { r.body, r.from = refused, in.address() })
	with(403, func(r *request) { r.header = http.Header{"Sec-Fetch-Site": {"cross-site"}} })
	with(413, func(r *request) { r.body = strings.Repeat(" ", 1<<20+1) })
	with(415, func(r *request) { r.header = http.Header{"Content-Type": {"text/plain"}} })
}

// forbidden is a call in order in everything but the kind of key.
func (in *installation) forbidden(op operation, client credentials) request {
	in.t.Helper()
	as, owner := in.parentOf(client), client // a partner's key on a client's data
	switch {
	case strings.Contains(op.OperationID, "OrganizationDetails"):
	case strings.HasSuffix(op.OperationID, "OrganizationSettings"): // a client's, too
	case op.OperationID == "archiveOrganization":
		return request{as: client, method: op.method, target: op.fill(object{id: client.organization})}
	case strings.Contains(op.OperationID, "Organization"), strings.Contains(op.OperationID, "APIKey"),
		strings.HasSuffix(op.OperationID, "OnboardingLink"), op.OperationID == "remindOnboarding":
		as, owner = client, in.parentOf(client) // a client's key on what only partners may
	}
	return request{as: as, method: op.method, target: op.fill(in.object(subjectOf(in.t, op), owner)),
		body: in.body(op, client)}
}

// provokeLimits spends the failures that an address has in a minute.
func (in *installation) provokeLimits(op operation, client credentials) {
	in.t.Helper()
	if op.Responses.Status(429) == nil {
		return
	}
	if op.OperationID == "signIn" { // of which there are ten for an account
		for range 10 {
			in.call(credentials{}, "POST", op.path, `{"email":"guessed@example.com","password":"x"}`, 401)
		}
		a := in.call(credentials{}, "POST", op.path, `{"email":"Guessed@example.com","password":"y"}`, 429)
		require.Equal(in.t, "authentication", a.text(in.t, "limit_type"))
		return
	}
	r := request{as: credentials{client.organization, "wrong"}, method: op.method,
		target: op.fill(object{id: "x", externalID: "x"}), from: in.address()}
	if op.OperationID == "getSignInLink" { // which asks for no key
		r.body = unknownLink
	}
	require.Equal(in.t, 401, in.send(in.t, r).status)
	for range 99 {
		_, a := in.do(r)
		require.Equal(in.t, 401, a.status)
	}
	a := in.send(in.t, r)
	require.Equal(in.t, 429, a.status)
	require.Equal(in.t, "authentication", a.text(in.t, "limit_type"))
	r.header = http.Header{"X-Forwarded-For": {"203.0.113.9"}}
	require.Equal(in.t, 429, in.send(in.t, r).status, "the address of the peer counts, not its headers")
	r.from = in.address()
	require.Equal(in.t, 401, in.send(in.t, r).status, "another address is not affected")
}

// provokeConflicts causes the duplicates and the limit on keys, and the products and records that do not exist.
func (in *installation) provokeConflicts(client credentials) {
	t := in.t
	t.Helper()
	again := func(as credentials, path, body string, status int) {
		t.Helper()
		first := in.call(as, "POST", path, body, status)
		second := in.call(as, "POST", path, body, 409)
		require.Contains(t, string(first.body), `"id":"`+second.text(t, "existing_id")+`"`)
	}
	again(client, "/v1/products", productBody(in.next("P")), 200)
	again(client, "/v1/transactions", saleBody(in.next("ORDER"), "P-1", 1), 202)
	again(client, "/v1/customers/"+in.object(anyCustomer, client).id+"/transactions",
		in.body(in.contract.operations["createCustomerTransaction"], client), 202)
	note := in.object(creditNote, client)
	again(client, "/v1/transactions/"+note.of+"/credit_notes", creditNoteBody(in.next("REFUND"), "-0.01"), 200)
	in.call(client, "PUT", "/v1/transactions/"+note.of+"/credit_notes/"+note.id, `{"total_amount":-999}`, 409)
	var pending []struct{ ID string }
	undecided := strings.Replace(saleBody(in.next("ORDER"), "P-1", 1), "{", `{"status":"PENDING",`, 1)
	in.call(client, "POST", "/v1/transactions", undecided, 202).decode(t, &pending)
	waiting := pending[0].ID
	in.processed(client, waiting)
	in.call(client, "POST", "/v1/transactions/"+waiting+"/reprocess", "", 409)
	again(in.root, "/v1/organizations", `{"name":"Conflict"}`, 200)

	again(client, "/v1/users", in.body(in.contract.operations["inviteUser"], client), 200)
	again(client, "/v1/customers", customerBody(in.next("C")), 200)
	other, _ := in.customer(client)
	_, taken := in.customer(client)
	in.call(client, "PUT", "/v1/customers/"+other, fmt.Sprintf(`{"external_id":%q}`, taken), 409)
	in.call(in.root, "PUT", "/v1/organizations/"+client.organization, `{"name":"Conflict"}`, 409)
	final := "/v1/exemptions/" + in.exemption(client)
	in.call(client, "PUT", final, `{"status":"ARCHIVED"}`, 200)
	in.call(client, "PUT", final, `{"status":"ACTIVE"}`, 409)

	calm := "/v1/nexus/" + in.exposed(client)
	in.execute("UPDATE nexus_records SET status = 'NOT_EXPOSED'")
	refused := in.call(client, "POST", calm+"/disregard", `{"reason":"Nothing there"}`, 409)
	require.Equal(t, "invalid_status_transition", refused.problem(t).Code)

	again(client, "/v1/registrations", in.registrationBody(""), 200)
	nexus := "/v1/nexus/" + in.unregistered(client) + "/register"
	in.call(client, "PUT", nexus, "", 200)
	in.call(client, "PUT", nexus, "", 409)
	ended := "/v1/registrations/" + in.registration(client)
	in.call(client, "POST", ended+"/deregister", "", 200)
	in.call(client, "POST", ended+"/deregister", "", 409)
	in.call(client, "PUT", ended, `{"status":"REGISTERED"}`, 409)

	in.provokeFilingConflicts(client)

	for _, call := range []string{"/link", "/remind"} {
		finished := in.call(in.parentOf(client), "POST", "/v1/onboarding/"+client.organization+call, "", 409)
		require.Equal(t, "onboarding_not_active", finished.problem(t).Code)
	}

	for _, path := range []string{"/v1/api-keys", "/v1/organizations/api_keys"} {
		id, _ := in.key(in.parentOf(client))
		in.call(in.parentOf(client), "DELETE", path+"/"+id, "", 204)
		in.call(in.parentOf(client), "POST", path+"/"+id+"/rotate", "", 409)
		expired, _ := in.key(in.parentOf(client))
		in.execute("UPDATE api_keys SET expires_at = now() WHERE id = $1", expired)
		in.call(in.parentOf(client), "PUT", path+"/"+expired, `{"expires_at":null}`, 409)
		owner := in.parentOf(in.client())
		for range models.MaxActiveAPIKeys - 1 {
			in.call(owner, "POST", path, "", 200)
		}
		require.EqualValues(t, models.MaxActiveAPIKeys, in.call(owner, "POST", path, "", 409).member(t, "limit"))
	}
	id, _ := in.transaction(client)
	early := in.call(client, "GET", "/v1/transactions/"+id+"/explanation", "", 409)
	require.Equal(t, "QUEUED", early.text(t, "processing_status"))
	require.Equal(t, "1", early.header.Get("Retry-After"))

	_, inUse := in.transaction(client)
	takenBy := in.call(client, "PUT", "/v1/transactions/"+id, versionBody(inUse, "P-1", 1), 409)
	require.Equal(t, "duplicate_external_id", takenBy.problem(t).Code)

	over := "/v1/transactions/imports/" + in.object(anyImport, client).id
	in.call(client, "POST", over+"/cancel", "", 200)
	in.call(client, "POST", over+"/cancel", "", 200)
	require.Equal(t, "invalid_status_transition", in.call(client, "POST", over+"/pause", "", 409).problem(t).Code)
	in.call(client, "POST", over+"/resume", "", 409)
	done := in.object(anyImport, client).id
	for _, status := range []string{"status = 'RUNNING'", "status = 'COMPLETED', finished_at = now()"} {
		in.execute("UPDATE transaction_imports SET "+status+" WHERE id = $1", done)
	}
	in.call(client, "POST", "/v1/transactions/imports/"+done+"/cancel", "", 409)

	missing := in.call(client, "POST", "/v1/transactions", saleBody(in.next("ORDER"), "nowhere", 2), 404).problem(t)
	require.Equal(t, "product_not_found", missing.Code)
	require.Len(t, missing.Errors, 2)
	body := strings.Replace(saleBody(in.next("ORDER"), "P-1", 1), "{", `{"filing_id":"file_x",`, 1)
	require.Equal(t, "reference_not_found", in.call(client, "POST", "/v1/transactions", body, 404).problem(t).Code)
}

// besideTheContract are routes about the contract itself.
var besideTheContract = []string{
	"GET /docs", "GET /docs/problems", "GET /docs/problems/:code", "GET /docs/renderer.js", "GET /docs/start.js",
	"GET /docs/style.css", "GET /docs/reference", "GET /docs/calls", "GET /docs/calls/:subject",
	"GET /docs/first-call.sh", "GET /docs/first-call.py", "GET /docs/first-call.mjs", "GET /docs/first-call.go",
	"GET /openapi.json",
}

func TestTheRouterAndTheContractHaveTheSameOperations(t *testing.T) {
	t.Parallel()
	in := install(t)
	documented := slices.Clone(besideTheContract)
	for _, op := range in.contract.operations {
		path := strings.NewReplacer("{", ":", "}", "").Replace(op.path)
		documented = append(documented, op.method+" "+path)
	}
	require.ElementsMatch(t, documented, in.server.Routes())
	require.Len(t, slices.Compact(in.server.Routes()), len(documented))
	for _, target := range []string{"/docs", "/docs/calls", "/docs/calls/transactions", "/openapi.json",
		"/docs/problems", "/docs/problems/validation_failed"} {
		require.Equal(t, 200, in.send(t, request{method: "GET", target: target}).status)
	}
	require.Equal(t, gin.ReleaseMode, gin.Mode())
}
