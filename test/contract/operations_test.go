package contract_test

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// object is something that a path can name, with both of its names.
type object struct {
	id, externalID string
	of             string // the object that it belongs to, where a path names that too
}

// subject is the kind of object an operation's path names.
type subject string

const (
	nothing      subject = ""
	anyProduct   subject = "product"
	anyCustomer  subject = "customer"
	anyExemption subject = "exemption"
	registered   subject = "registration"
	anyNexus     subject = "exposed nexus record"
	anyPresence  subject = "physical nexus"
	anyOverride  subject = "rate override"
	anyEntry     subject = "entry of a filing"
	anyPayment   subject = "recorded payment of a filing"
	unregistered subject = "nexus record"
	anySale      subject = "transaction"
	taxedSale    subject = "processed transaction"
	creditNote   subject = "credit note"
	replaced     subject = "replaced version"
	anyFiling    subject = "filing"
	anyImport    subject = "import"
	organization subject = "organization"
	expendable   subject = "organization to be archived"
	apiKey       subject = "api key"
	anyEvent     subject = "event"
	anyWebhook   subject = "webhook endpoint"
	anyDelivery  subject = "webhook delivery"
	anyPerson    subject = "person"
	anyException subject = "exception"
	linked       subject = "organization with a link of its onboarding"
	anyDocument  subject = "document of an exemption"
	aGrant       subject = "client of a partner"
	aComment     subject = "comment"
	aFeed        subject = "calendar feed"
	aNotice      subject = "notice"
	aLetter      subject = "letter of a notice"
)

// isStream reports whether a path is answered by a stream of events.
func isStream(path string) bool {
	return strings.HasSuffix(path, "/stream") || strings.HasPrefix(path, "/v1/onboarding/") &&
		strings.HasSuffix(path, "/events")
}

// subjectOf reads from the path what it names.
func subjectOf(t tester, op operation) subject {
	t.Helper()
	switch {
	case !strings.Contains(op.path, "{"):
		return nothing
	case strings.HasPrefix(op.path, "/v1/products/"):
		return anyProduct
	case strings.HasPrefix(op.path, "/v1/customers/"):
		return anyCustomer
	case strings.Contains(op.path, "{attachment_id}"):
		return anyDocument
	case strings.HasPrefix(op.path, "/v1/exemptions/"):
		return anyExemption
	case op.OperationID == "registerNexus":
		return unregistered
	case strings.HasPrefix(op.path, "/v1/filings/registration/"):
		return registered
	case strings.Contains(op.path, "{entry_id}"):
		return anyEntry
	case strings.Contains(op.path, "{payment_id}"):
		return anyPayment
	case strings.HasPrefix(op.path, "/v1/filings/"), strings.HasPrefix(op.path, "/v1/transactions/filings/"):
		return anyFiling
	case strings.HasPrefix(op.path, "/v1/registrations/"):
		return registered
	case strings.Contains(op.path, "{rate_override_id}"):
		return anyOverride
	case strings.Contains(op.path, "{physical_nexus_id}"):
		return anyPresence
	case strings.HasPrefix(op.path, "/v1/nexus/"):
		return anyNexus
	case strings.HasSuffix(op.path, "/explanation"):
		return taxedSale
	case strings.Contains(op.path, "{credit_note_id}"):
		return creditNote
	case strings.Contains(op.path, "{revision}"):
		return replaced
	case strings.Contains(op.path, "{import_id}"):
		return anyImport
	case strings.HasPrefix(op.path, "/v1/transactions/"):
		return anySale
	case op.OperationID == "archiveOrganization":
		return expendable
	case op.OperationID == "getOnboardingLink", op.OperationID == "endOnboardingLink":
		return linked
	case strings.Contains(op.path, "{partner_id}"):
		return aGrant
	case strings.Contains(op.path, "{document_id}"):
		return aLetter
	case strings.Contains(op.path, "{notice_id}"):
		return aNotice
	case strings.Contains(op.path, "{calendar_feed_id}"):
		return aFeed
	case strings.Contains(op.path, "{comment_id}"):
		return aComment
	case strings.HasPrefix(op.path, "/v1/comments/"):
		return organization
	case strings.Contains(op.path, "{organization_id}"):
		return organization
	case strings.Contains(op.path, "{api_key_id}"):
		return apiKey
	case strings.Contains(op.path, "{event_id}"):
		return anyEvent
	case strings.Contains(op.path, "{delivery_id}"):
		return anyDelivery
	case strings.Contains(op.path, "{webhook_endpoint_id}"):
		return anyWebhook
	case strings.Contains(op.path, "{user_id}"):
		return anyPerson
	case op.OperationID == "assignException":
		return anyException
	}
	require.FailNow(t, "the test does not know what this path names", op.path)
	return nothing
}

// prefix is the kind of id the subject has.
func (s subject) prefix() string {
	return map[subject]string{anyProduct: "prod", anyCustomer: "cust", anyExemption: "exmp", registered: "regs",
		anyEntry:     "fent",
		anyPayment:   "fpay",
		unregistered: "nexs", anyNexus: "nexs", anyPresence: "phys", anyOverride: "rato", anyFiling: "file",
		anySale: "txn", taxedSale: "txn", creditNote: "txn", replaced: "txn", anyImport: "batc", organization: "org",
		linked: "org", expendable: "org", apiKey: "akey", anyEvent: "evnt", anyWebhook: "whep", anyDelivery: "wdel",
		anyPerson: "user", anyException: "batc", anyDocument: "attm", aGrant: "org",
		aComment: "cmnt", aFeed: "cfed", aNotice: "notc", aLetter: "ndoc"}[s]
}

// bodyLimit is the size of the largest body of the operation, in bytes.
func (op operation) bodyLimit() int {
	if op.isFile() {
		return importLimit
	}
	if limit, ok := op.RequestBody.Value.Extensions["x-body-limit"].(float64); ok {
		return int(limit)
	}
	return 1 << 20
}

// freeName asks whether that name of an organization is free.
const freeName = "?name=Free"

// failedImport is the type of the exceptions here.
const failedImport = "IMPORT_FAILED"

// fill puts an object into the path of an operation.
func (op operation) fill(o object) string {
	path := strings.ReplaceAll(op.path, "{external_id}", url.PathEscape(o.externalID))
	if strings.Contains(path, "{credit_note_id}") && o.of != "" {
		path = strings.ReplaceAll(path, "{transaction_id}", o.of)
	}
	if o.of != "" {
		path = strings.ReplaceAll(path, "{webhook_endpoint_id}", o.of)
		path = strings.ReplaceAll(path, "{exemption_id}", o.of)
		path = strings.ReplaceAll(path, "{filing_id}", o.of)
		path = strings.ReplaceAll(path, "{notice_id}", o.of)
	}
	path = strings.ReplaceAll(path, "{partner_id}", cmp.Or(o.of, o.id))
	for _, name := range []string{"{webhook_endpoint_id}", "{delivery_id}", "{credit_note_id}", "{transaction_id}",
		"{product_id}", "{customer_id}", "{exemption_id}", "{attachment_id}", "{registration_id}", "{nexus_id}",
		"{physical_nexus_id}", "{rate_override_id}", "{filing_id}", "{entry_id}", "{payment_id}",
		"{organization_id}", "{api_key_id}", "{import_id}",
		"{event_id}", "{user_id}", "{object_id}", "{comment_id}", "{calendar_feed_id}",
		"{notice_id}", "{document_id}"} {
		path = strings.ReplaceAll(path, name, o.id)
	}
	path = strings.NewReplacer("{revision}", "1", "{type}", failedImport, "{object_type}", "organization").Replace(path)
	switch op.OperationID {
	case "checkOrganizationName":
		path += freeName
	case "search", "streamSearch":
		path += "?q=Free"
	case "getFilingReturn": // most filings have no document
		path += "?format=findings"
	case "getReport":
		path += "?report=LIABILITY"
	case "exportReport":
		path += "?report=LIABILITY&format=csv"
	default:
		if op.needsFormat() {
			path += "?format=csv"
		}
	}
	return path
}

// needsFormat reports whether the operation answers with a file whose format a request must name.
func (op operation) needsFormat() bool {
	p := op.Parameters.GetByInAndName("query", "format")
	return p != nil && p.Required
}

// object makes an object of an organization. as is a key of the organization, or
// of its root when the object is a key.
func (in *installation) object(of subject, as credentials) object {
	in.t.Helper()
	var o object
	switch of {
	case anyProduct:
		o.id, o.externalID = in.product(as)
	case anyCustomer:
		o.id, o.externalID = in.customer(as)
	case anyExemption:
		o.id = in.exemption(as)
	case anyDocument:
		o.of = in.exemption(as)
		o.id = in.call(as, "POST", "/v1/exemptions/"+o.of+"/attachments", formBody("%PDF-1.7"), 200).text(in.t, "id")
	case anyFiling:
		o.id = in.filing(as)
	case registered:
		o.id = in.registration(as)
	case anyNexus:
		o.id = in.exposed(as)
	case anyPresence:
		o.id = in.call(as, "POST", "/v1/nexus/physical_nexus", presenceBody, 200).text(in.t, "id")
	case anyOverride:
		o.id = in.call(as, "POST", "/v1/rate_overrides", overrideBody, 200).text(in.t, "id")
	case anyEntry:
		o.of = in.object(anyFiling, as).id
		in.readyToChange(in.contract.operations["createFilingEntry"], o.of)
		o.id = in.call(as, "POST", "/v1/filings/"+o.of+"/entries", entryBody, 200).text(in.t, "id")
	case anyPayment:
		o.of = in.object(anyFiling, as).id
		in.readyToChange(in.contract.operations["recordFilingPayment"], o.of)
		o.id = in.call(as, "POST", "/v1/filings/"+o.of+"/payments", in.paymentBody(), 200).text(in.t, "id")
	case unregistered:
		o.id = in.unregistered(as)
	case anySale:
		o.id, o.externalID = in.transaction(as)
	case taxedSale:
		o.id, o.externalID = in.transaction(as)
		in.processed(as, o.id)
	case creditNote:
		o.of, _ = in.transaction(as)
		a := in.call(as, "POST", "/v1/transactions/"+o.of+"/credit_notes", creditNoteBody(in.next("REFUND"), "-0.01"), 200)
		o.id = a.text(in.t, "id")
	case replaced:
		o.id, o.externalID = in.transaction(as)
		in.call(as, "PUT", "/v1/transactions/"+o.id, versionBody(o.externalID, "P-1", 2), 200)
	case anyImport:
		in.endImports(as)
		o.id = in.call(as, "POST", "/v1/transactions/imports", in.fileBody(), 202).text(in.t, "id")
	case organization:
		o.id = as.organization
	case aGrant:
		o.id, o.of = as.organization, in.root.organization
	case linked: // whether or not its onboarding is over, after which no link is made
		o.id = as.organization
		in.execute(`INSERT INTO onboarding_links (organization_id, id, hash, made_by, created_at, expires_at)
			VALUES ($1, $2::text, sha256($2::text::bytea), 'Ada', now(), now() + interval '1 day')
			ON CONFLICT DO NOTHING`, o.id, models.NewID(models.PrefixOnboardingLink))
	case expendable:
		o.id = in.client().organization
	case apiKey:
		o.id, _ = in.key(as)
	case anyEvent:
		in.product(as)
		found, _, err := in.store.Events.After(in.t.Context(), models.EventQuery{
			Organizations: []string{as.organization}, Limit: 1,
		})
		require.NoError(in.t, err)
		require.Len(in.t, found, 1)
		o.id = found[0].ID()
	case anyWebhook:
		o.id = in.webhook(as)
	case anyDelivery:
		o.of = in.webhook(as)
		sent, err := in.store.Webhooks.Ping(in.t.Context(), models.Scope{OrganizationID: as.organization},
			models.Actor{}, o.of)
		require.NoError(in.t, err)
		o.id = sent.ID
	case anyPerson:
		o.id = in.person(as, in.next("person")+"@example.com", nil)
	case anyException:
		o.id = models.NewID("batc")
		in.execute(`INSERT INTO transaction_imports (organization_id, id, status, size, separator, columns, header_size,
			  header_lines, passes, created_at, updated_at, sha256, reason)
			VALUES ($1, $2::text, 'FAILED', 1, ',', '[]', 0, 1, 1, now(), now(),
			                                                sha256($2::text::bytea), 'GAVE_UP')`, as.organization, o.id)
	case aComment:
		o.id = in.comment(as)
	case aNotice:
		o.id = in.call(as, "POST", "/v1/notices", in.noticeBody(as), 200).text(in.t, "id")
	case aLetter:
		o.of = in.object(aNotice, as).id
		o.id = in.call(as, "POST", "/v1/notices/"+o.of+"/documents", formBody("%PDF-1.7"), 200).text(in.t, "id")
	case aFeed:
		o.id = in.call(as, "POST", "/v1/calendar_feeds", feedBody, 200).text(in.t, "id")
	case nothing:
	}
	return o
}

// comment is a comment of the organization's admin about it, which waits for the person of staff.
func (in *installation) comment(as credentials) string {
	in.t.Helper()
	in.admin(as)
	in.staff()
	id := models.NewID(models.PrefixComment)
	in.execute(`WITH written AS (
		  INSERT INTO comments (organization_id, id, object_type, object_id, user_id)
		  SELECT $1::text, $2::text, 'organization', $1::text, m.user_id
		    FROM memberships m JOIN users u ON u.id = m.user_id AND u.name = 'Eve' WHERE m.organization_id = $1::text
		), said AS (
		  INSERT INTO comment_versions (organization_id, comment_id, number, text) VALUES ($1::text, $2::text, 1, 'Why?')
		)
		INSERT INTO comment_mentions (organization_id, comment_id, user_id)
		SELECT $1::text, $2::text, id FROM users WHERE email = 'staff@example.com'`, as.organization, id)
	return id
}

// endWebhooks deletes the endpoints of an organization, which may have ten.
func (in *installation) endWebhooks(as credentials) {
	in.t.Helper()
	scope := models.Scope{OrganizationID: as.organization}
	present, err := in.store.Webhooks.ListWebhookEndpoints(in.t.Context(), scope, nil, models.Page{Limit: 10})
	require.NoError(in.t, err)
	for _, w := range present.Items {
		require.NoError(in.t, in.store.Webhooks.DeleteWebhookEndpoint(in.t.Context(), scope, models.Actor{}, w.ID))
	}
}

// webhook is any endpoint of an organization. No event is sent to it.
func (in *installation) webhook(as credentials) string {
	in.t.Helper()
	in.endWebhooks(as)
	return in.anotherWebhook(as, "https://example.com/")
}

// anotherWebhook creates an endpoint in addition to those of an organization.
func (in *installation) anotherWebhook(as credentials, url string) string {
	in.t.Helper()
	scope := models.Scope{OrganizationID: as.organization}
	w := models.WebhookEndpoint{
		ID: models.NewID(models.PrefixWebhook), URL: url,
		EnabledEvents: []string{"test.ping"}, Status: models.WebhookEnabled,
		SignatureScheme: "v1", Secret: append([]byte{1}, make([]byte, 60)...),
	}
	require.NoError(in.t, in.store.Webhooks.CreateWebhookEndpoint(in.t.Context(), scope, models.Actor{}, &w))
	return w.ID
}

// anyAddress accepts every address: the tests make no DNS queries.
type anyAddress struct{}

func (anyAddress) CheckAddress(context.Context, string) error { return nil }
