package contract_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
)

// principal is a key together with the organization it speaks about.
type principal struct {
	name    string
	as      credentials
	known   bool  // the key is accepted
	classes class // 0 when the key does not reach the organization
}

// owner is an organization whose objects are requested.
type owner struct {
	name   string
	as     credentials // for its data
	keysAs credentials // for its keys
}

// tenants are organizations in every relation to each other.
type tenants struct {
	*installation
	principals []principal
	owners     []owner
	client     credentials
	objects    map[string]object // of an operation and an owner; deleting twice is allowed
}

func newTenants(t *testing.T) *tenants {
	in := install(t)
	client, sibling, stranger := in.client(), in.client(), in.stranger()
	for _, as := range []credentials{in.root, client, sibling, stranger} {
		in.onboard(as) // so that every step is an edit
	}
	revokedID, revoked := in.key(in.parentOf(client))
	in.call(in.parentOf(client), "DELETE", "/v1/api-keys/"+revokedID, "", 204)
	at := func(key, organization credentials) credentials {
		return credentials{organization.organization, key.key}
	}
	w := &tenants{installation: in, client: client, objects: map[string]object{}}
	w.owners = []owner{
		{"the partner's", in.root, in.root}, {"the client's", client, at(in.root, client)},
		{"the sibling's", sibling, at(in.root, sibling)}, {"a stranger's", stranger, stranger},
	}
	w.grant(sibling, models.GrantPreparer)
	w.principals = []principal{
		{"no key", credentials{organization: client.organization}, false, 0},
		{"wrong key", credentials{client.organization, secret.NewAPIKey(secret.KindTest)}, false, 0},
		{"revoked key", credentials{client.organization, revoked}, false, 0},
		{"partner on itself", in.root, true, self | root},
		{"partner on its client", at(in.root, client), true, child},
		{"partner on a stranger", at(in.root, stranger), true, 0},
		{"client on itself", client, true, self},
		{"client on its sibling", at(client, sibling), true, 0},
		{"client on its partner", at(client, in.root), true, 0},
		{"client on a stranger", at(client, stranger), true, 0},
		{"stranger on itself", stranger, true, self | root},
		{"stranger on the partner", at(stranger, in.root), true, 0},
		{"stranger on the client", at(stranger, client), true, 0},
		{"partner on nobody", credentials{models.NewID(models.PrefixOrganization), in.root.key}, true, 0},
		{"partner on no id", credentials{"org_x", in.root.key}, true, 0},
		{"client on nobody", credentials{models.NewID(models.PrefixOrganization), client.key}, true, 0},
		{"partner on its client, as a preparer", at(in.root, sibling), true, child | prepares},
	}
	return w
}

// S1: every principal has the documented access to the objects of every owner, for every route.
func TestEveryOperationFollowsTheAccessTable(t *testing.T) {
	t.Parallel()
	w := newTenants(t)
	cells := 0
	for id, op := range w.contract.operations {
		name := strings.TrimSuffix(id, "Alias")
		if public[name] {
			cells += w.everybody(op)
			continue
		}
		if name == "archiveOrganization" { // which has a test of its own: it ends what the others need
			continue
		}
		allowed, known := functions[name]
		require.True(t, known, "%s %s has no entry in the access table", op.method, op.path)
		for _, p := range w.principals {
			cells += w.row(op, p, allowed)
		}
	}
	for name := range functions {
		require.Contains(t, w.contract.operations, name, "the access table has an operation that does not exist")
	}
	t.Logf("%d cells", cells)
}

// row tries one operation as one principal on the objects of every owner.
func (w *tenants) row(op operation, p principal, allowed class) (cells int) {
	of := subjectOf(w.t, op)
	if of == nothing {
		w.cell(op, p, allowed, "", object{}, true)
		return 1
	}
	unknown := w.cell(op, p, allowed, "nobody's", object{id: models.NewID(of.prefix()), externalID: w.next("nobody")},
		false)
	other := object{id: models.NewID("batc"), externalID: w.next("nobody")}
	require.Equal(w.t, unknown, w.cell(op, p, allowed, "of another type", other, false), "%s %s as %s", op.method,
		op.path, p.name)
	for _, o := range w.owners {
		visible := o.as.organization == p.as.organization
		if (of == organization || of == linked) && p.classes&root != 0 &&
			!strings.HasSuffix(op.OperationID, "OrganizationSettings") && !strings.Contains(op.OperationID, "Comment") {
			visible = visible || p.as == w.root && strings.HasPrefix(o.name, "the ") // its clients too
		}
		if of == aGrant {
			visible = visible && o.as != o.keysAs // a root organization has no partner
		}
		got := w.cell(op, p, allowed, o.name, w.objectOf(op, of, o), visible)
		if !visible {
			require.Equal(w.t, unknown, got, "%s %s as %s distinguishes %s object from an unknown one",
				op.method, op.path, p.name, o.name)
		}
	}
	return 2 + len(w.owners)
}

// everybody tries an operation without a key as each principal: all get the same answer.
func (w *tenants) everybody(op operation) (cells int) {
	told := map[string]bool{}
	for _, p := range w.principals {
		told[string(w.call(p.as, op.method, op.path, w.body(op, p.as), 200).body)] = true
	}
	require.Len(w.t, told, 1, "%s %s", op.method, op.path)
	return len(w.principals)
}

func (w *tenants) objectOf(op operation, of subject, o owner) object {
	key := op.OperationID + " " + o.name
	if _, made := w.objects[key]; !made || of == aFeed { // a revoked feed is unknown
		as := o.as
		if of == apiKey || of == aFeed { // a partner ends those of its grant alone
			as = o.keysAs
		}
		w.objects[key] = w.object(of, as)
	}
	return w.objects[key]
}

// cell makes one call, checks its status and returns its answer without the members that may differ between two
// calls.
func (w *tenants) cell(op operation, p principal, allowed class, whose string, o object, visible bool) string {
	r := request{as: p.as, method: op.method, target: op.fill(o), body: w.bodyFor(op, p), from: w.address()}
	if p.as.key == "" {
		r.header = http.Header{"X-Api-Key": nil}
	}
	status, code := expected(op, p, allowed, visible)
	w.readyToChange(op, o.id)
	a := w.send(w.t, r)
	about := fmt.Sprintf("%s %s as %s on %s object: %s", op.method, op.path, p.name, whose, a.body)
	require.Equal(w.t, status, a.status, about)
	if status < 400 {
		w.showsOnlyItsOwn(p, a, about)
		return ""
	}
	require.Equal(w.t, code, a.problem(w.t).Code, about)
	for _, name := range []string{o.id, o.externalID} {
		require.False(w.t, name != "" && strings.Contains(a.problem(w.t).Detail, name), about)
	}
	return anonymous(w.t, a)
}

// bodyFor names only what the principal's own organization has.
func (w *tenants) bodyFor(op operation, p principal) string {
	if !slices.Contains([]string{"createExemption", "createFiling", "createNotice", "makePaymentFile"}, op.OperationID) {
		return w.body(op, p.as)
	}
	for _, o := range w.owners {
		if o.as.organization == p.as.organization {
			return w.body(op, o.as)
		}
	}
	return w.body(op, w.client)
}

// expected is the verdict of the contract: 401, then the organization, then the
// object, then the function.
func expected(op operation, p principal, allowed class, visible bool) (status int, code string) {
	switch {
	case !p.known:
		return 401, "unauthenticated"
	case p.classes == 0:
		return 404, "organization_not_found"
	case op.OperationID == "endMention": // a key has none, whatever it names
		return 403, "forbidden_for_key"
	case !visible:
		return 404, "resource_not_found"
	case !p.may(op, allowed):
		return 403, "forbidden_for_key"
	case slices.Contains([]string{
		"createTransaction", "createCustomerTransaction", "createTransactionImport", "reprocessTransaction",
		"replayWebhookEvents",
	}, op.OperationID):
		return 202, ""
	case op.OperationID == "cancelOnboarding", op.OperationID == "makeOnboardingLink",
		op.OperationID == "remindOnboarding": // those here are over
		return 409, "onboarding_not_active"
	case op.method == http.MethodDelete && op.OperationID != "deletePhysicalNexus" &&
		op.OperationID != "deleteRateOverride" && op.OperationID != "deleteFilingEntry" && op.OperationID != "deleteFilingPayment":
		return 204, ""
	}
	return 200, ""
}

// showsOnlyItsOwn checks that no organization appears that the key does not reach.
func (w *tenants) showsOnlyItsOwn(p principal, a answer, about string) {
	for _, o := range w.owners {
		family := p.as.key == w.root.key && strings.HasPrefix(o.name, "the ")
		ancestor := p.as == w.client && o.as == w.root // a client sees who its parent is
		if o.as.organization != p.as.organization && !family && !ancestor {
			require.NotContains(w.t, string(a.body), o.as.organization, about)
		}
	}
}

// anonymous is an answer without the members that may differ between two equal refusals.
func anonymous(t tester, a answer) string {
	t.Helper()
	p := a.problem(t)
	text := strings.Replace(string(a.body), p.RequestID, "*", 1)
	text = strings.Replace(text, `"instance":"`+p.Instance+`"`, `"instance":"*"`, 1)
	header := a.header.Clone()
	header.Del("X-Request-Id")
	header.Del("Server-Timing")
	header.Del("Content-Length") // that of the path is in it
	return fmt.Sprint(a.status, header, text)
}

func TestAClientsKeyRevokesOnlyItself(t *testing.T) {
	t.Parallel()
	w := newTenants(t)
	for _, path := range []string{"/v1/api-keys/", "/v1/organizations/api_keys/"} {
		id, key := w.key(w.parentOf(w.client))
		own := credentials{w.client.organization, key}
		otherID, _ := w.key(w.parentOf(w.client))
		w.call(own, "DELETE", path+otherID, "", 403)
		w.call(own, "DELETE", path+id, "", 204)
		w.call(own, "GET", "/v1/products", "", 401)
	}
}

// Objects of others that a body or a query names are answered like unknown ones.
func TestForeignReferencesAreUnknown(t *testing.T) {
	t.Parallel()
	w := newTenants(t)
	foreign, own := w.owners[3].as, w.client
	_, foreignProduct := w.product(foreign)
	foreignSale, foreignOrder := w.transaction(foreign)
	customer := w.call(foreign, "GET", "/v1/transactions/"+foreignSale, "", 200).text(t, "customer_id")

	sale := func(members string) string { return saleNaming(w.next("ORDER"), members) }
	for _, pair := range [][2]string{
		{saleBody(w.next("ORDER"), foreignProduct, 1), saleBody(w.next("ORDER"), "unknown", 1)},
		{sale(`"customer_id":"` + customer + `",`), sale(`"customer_id":"` + models.NewID("cust") + `",`)},
		{sale(`"filing_id":"` + foreignSale + `",`), sale(`"filing_id":"` + models.NewID("file") + `",`)},
		{sale(`"related_to":"` + foreignSale + `",`), sale(`"related_to":"` + models.NewID("txn") + `",`)},
		{sale(`"exemptions":[{"id":"` + foreignSale + `"}],`), sale(`"exemptions":[{"id":"` + models.NewID("exmp") + `"}],`)},
	} {
		a, b := w.call(own, "POST", "/v1/transactions", pair[0], 404), w.call(own, "POST", "/v1/transactions", pair[1], 404)
		require.Equal(t, anonymous(t, b), anonymous(t, a))
	}
	for _, filter := range []string{"customer_id=" + customer, "related_to=" + foreignSale, "search_query=" +
		foreignOrder, "search_query=" + foreignSale, "filing_id=" + foreignSale} {
		require.EqualValues(t, 0, w.call(own, "GET", "/v1/transactions?"+filter, "", 200).member(t, "total"), filter)
	}
	a := w.call(own, "POST", "/v1/products",
		strings.Replace(productBody(foreignProduct), "{", `{"organization_id":"`+foreign.organization+`",`, 1), 200)
	require.Equal(t, own.organization, a.text(t, "organization_id"),
		"the header decides, and an external_id of others is free")
}

// A partner that calls for its client what it may not use learns that only of a body that names what the client has:
// what others have, or nobody has, is unknown first.
func TestForeignReferencesAreUnknownBeforeACallIsRefused(t *testing.T) {
	t.Parallel()
	w := newTenants(t)
	partner := w.principals[4].as
	named := func(as credentials, prefix string) string {
		switch prefix {
		case models.PrefixProduct:
			_, externalID := w.product(as)
			return externalID
		case models.PrefixCustomer:
			id, _ := w.customer(as)
			return id
		case models.PrefixExemption:
			return w.exemption(as)
		case models.PrefixRegistration:
			return w.registration(as)
		case models.PrefixFiling:
			return w.filing(as)
		}
		id, _ := w.transaction(as)
		return id
	}
	sale := "/v1/transactions/" + named(w.client, models.PrefixTransaction)
	for _, c := range []struct{ method, path, body, prefix string }{
		{"POST", "/v1/transactions", saleBody("N-1", "%s", 2), models.PrefixProduct},
		{"PUT", sale, versionBody("N-1", "%s", 1), models.PrefixProduct},
		{"POST", "/v1/transactions", saleNaming("N-1", `"customer_id":"%s",`), models.PrefixCustomer},
		{"POST", "/v1/transactions", saleNaming("N-1", `"filing_id":"%s",`), models.PrefixFiling},
		{"POST", "/v1/transactions", saleNaming("N-1", `"related_to":"%s",`), models.PrefixTransaction},
		{"POST", "/v1/transactions", saleNaming("N-1", `"exemptions":[{"id":"%s"}],`), models.PrefixExemption},
		{"POST", sale + "/credit_notes", strings.Replace(creditNoteBody("N-2", "-1"), "P-1", "%s", 1), models.PrefixProduct},
		{"POST", "/v1/tax/estimate", `{"external_product_id":"%s","amount":1,"shipping_address":{"country":"US","state":"NY"}}`,
			models.PrefixProduct},
		{"POST", "/v1/tax/estimate", `{"addresses":[{"type":"SHIP_TO","state":"NY"}],"customer":{"id":"%s"},` +
			`"transaction_items":[{"product_category":"PHYSICAL","amount":1}]}`, models.PrefixCustomer},
		{"POST", "/v1/exemptions", strings.Replace(exemptionBody("C"), `"C"`, `"%s"`, 1), models.PrefixCustomer},
		{"POST", "/v1/filings", `{"registration_id":"%s","status":"UNFILED","start_date":"2026-01-01",` +
			`"end_date":"2026-01-31","country_code":"US","state_code":"NY","state_name":"New York",` +
			`"filing_category":"REGULAR"}`, models.PrefixRegistration},
		{"POST", "/v1/transactions/archive_by_date", `{"start_date":"1990-01-01","end_date":"1990-01-02","after":"%s"}`,
			models.PrefixTransaction},
	} {
		call := func(name string, status int) answer {
			return w.call(partner, c.method, c.path, strings.ReplaceAll(c.body, "%s", name), status)
		}
		call(named(w.client, c.prefix), 403)
		nobody := call(models.NewID(c.prefix), 404)
		for _, other := range w.owners[2:] { // its sibling's, and a stranger's
			require.Equal(t, anonymous(t, nobody), anonymous(t, call(named(other.as, c.prefix), 404)), "%s of %s", c.prefix, other.name)
		}
	}
}

// saleNaming is the body of a sale with more members.
func saleNaming(externalID, members string) string {
	return strings.Replace(saleBody(externalID, "P-1", 1), "{", "{"+members, 1)
}

// Only the partner of an organization archives it, and no organization archives itself.
func TestWhoMayArchiveAnOrganization(t *testing.T) {
	t.Parallel()
	w := newTenants(t)
	for _, p := range w.principals {
		if !p.known || p.classes == 0 {
			continue
		}
		archive := func(id string) (int, string) {
			a := w.send(t, request{as: p.as, method: "DELETE", target: "/v1/organizations/" + id})
			if a.status < 400 {
				return a.status, ""
			}
			return a.status, anonymous(t, a)
		}
		_, nobody := archive(models.NewID("org"))
		for _, o := range w.owners {
			status, text := archive(o.as.organization)
			switch {
			case o.as.organization == p.as.organization && p.classes&child == 0:
				require.Equal(t, 403, status, "%s on %s", p.name, o.name)
			case p.as.key == w.root.key && strings.HasPrefix(o.name, "the ") && (p.as == w.root ||
				o.as.organization == p.as.organization):
				require.Equal(t, 204, status, "%s on %s", p.name, o.name)
				w.execute("UPDATE organizations SET status = 'ACTIVE' WHERE id = $1", o.as.organization)
				w.execute("UPDATE api_keys SET revoked_at = NULL WHERE organization_id = $1", o.as.organization)
			default:
				require.Equal(t, nobody, text, "%s answers differently for %s organization and for an unknown one", p.name, o.name)
			}
		}
	}
}

func TestKeysOfArchivedOrganizations(t *testing.T) {
	t.Parallel()
	w := newTenants(t)
	unknown := w.send(t, request{as: w.principals[13].as, method: "GET", target: "/v1/api-keys"})
	_, unused := w.key(w.parentOf(w.client))
	w.execute("UPDATE organizations SET status = 'ARCHIVED' WHERE id = $1", w.client.organization)
	archived := w.send(t, request{as: w.parentOf(w.client), method: "GET", target: "/v1/api-keys"})
	require.Equal(t, anonymous(t, unknown), anonymous(t, archived))
	w.call(credentials{w.client.organization, unused}, "GET", "/v1/products", "", 401)
	w.call(w.root, "GET", "/v1/organizations/"+w.client.organization, "", 200)
}
