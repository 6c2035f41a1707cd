package contract_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"levy/models"
)

// rung is a step of a ladder: the first fault that a call still has. The calls of later steps have one fault less each,
// so that the answers show the order of the checks.
type rung int

const (
	wrongMedia  rung = iota // the content type, and all that follows
	wrongSize               // the announced length of the body
	keyTwice                // the idempotency key is sent twice
	keyUsed                 // the idempotency key belongs to another request
	wrongSyntax             // the body is not JSON
	wrongField              // a field of the body or the query is wrong
	noObject                // the path names a record that does not exist
	noReference             // the body names a record that does not exist
	complete                // nothing is wrong
	decision                // nothing is wrong, and the body decides about a return
)

var rungNames = []string{"media", "size", "two-keys", "used-key", "syntax", "field", "object", "reference", "complete",
	"decision"}

// climb says which steps a caller tries.
type climb int

const (
	atTheDoor  climb = iota // the first one of the operation: the call has every fault
	atBothEnds              // the first one and the complete call
	byRight                 // calls without a fault: the answers differ by what the caller may do
	byOrder                 // likewise, and those around the check of what the caller may do
	wholly                  // all
)

// tries reports whether a caller tries a step, the first one of its operation or a later one.
func (c climb) tries(r rung, first bool) bool {
	switch c {
	case atTheDoor:
		return first
	case atBothEnds:
		return first || r == complete
	case byRight:
		return r >= complete
	case byOrder:
		return r >= wrongField
	default:
		return true
	}
}

// attempt is a call of an operation, without the caller.
type attempt struct {
	op              operation
	step            rung
	named           object // by the path
	query           string
	body            string
	contentType     string
	length          int64    // of the body as it is announced; 0 for the true one
	idempotencyKeys []string // values of the header
}

// reply is how a call was answered: the status, and the code of the problem.
type reply struct {
	status int
	code   string
}

func (r reply) String() string { return strings.TrimSpace(fmt.Sprint(r.status, " ", r.code)) }

// door is a way in to the operations of an installation, such as HTTP. try makes the attempt of a caller and returns the
// reply. It is not ok for an attempt that the door does not have, such as a body that is not JSON.
type door interface {
	try(who *caller, a attempt) (told reply, ok bool)
}

// overHTTP is the door of clients and browsers.
type overHTTP struct{ *installation }

func (d overHTTP) try(who *caller, a attempt) (told reply, ok bool) {
	ctx, leave := context.WithCancel(d.t.Context())
	defer leave()
	var body io.Reader = http.NoBody
	if a.body != "" {
		body = strings.NewReader(a.body)
	}
	target := a.op.fill(a.named)
	if a.query != "" {
		target += map[bool]string{true: "&", false: "?"}[strings.Contains(target, "?")] + a.query
	}
	r := httptest.NewRequestWithContext(ctx, a.op.method, target, body)
	r.RemoteAddr = d.address() // failed attempts count for an address
	who.headers(r.Header)
	if a.body != "" {
		r.Header.Set("Content-Type", a.contentType)
	}
	if a.length > 0 {
		r.ContentLength = a.length
	}
	if a.idempotencyKeys != nil {
		r.Header["Idempotency-Key"] = a.idempotencyKeys
	}
	recorder := httptest.NewRecorder()
	var w http.ResponseWriter = recorder
	if isStream(a.op.path) {
		w = firstFlush{recorder, leave}
	}
	d.handler.ServeHTTP(w, r)
	told.status = recorder.Code
	if told.status >= 400 {
		var problem struct{ Code string }
		if json.Unmarshal(recorder.Body.Bytes(), &problem) == nil {
			told.code = problem.Code
		}
	}
	return told, true
}

// firstFlush leaves a stream, which may have no end of its own, as soon as it has begun.
type firstFlush struct {
	*httptest.ResponseRecorder
	leave func()
}

func (f firstFlush) Flush() {
	f.ResponseRecorder.Flush()
	f.leave()
}

// ladder makes the attempts of a cast. It uses a record and a body again until a call has succeeded with them.
type ladder struct {
	*cast
	used    string // the operation and the organization that these are for
	record  *object
	content *string
}

// rungs are the steps that a caller tries of an operation.
func (l *ladder) rungs(op operation, who *caller) (found []rung) {
	first := true
	for r := wrongMedia; r <= decision; r++ {
		if op.has(l.t, r) {
			if who.climb.tries(r, first) {
				found = append(found, r)
			}
			first = false
		}
	}
	return found
}

// has reports whether a fault is possible in calls of an operation.
func (op operation) has(t tester, r rung) bool {
	alias := strings.HasSuffix(op.OperationID, "Alias")
	keyed := slices.ContainsFunc(slices.Concat(op.item.Parameters, op.Parameters),
		func(p *openapi3.ParameterRef) bool { return p.Value.Name == "Idempotency-Key" })
	switch r {
	case wrongMedia, wrongSize:
		return !alias && op.RequestBody != nil
	case keyTwice, keyUsed:
		return !alias && keyed
	case wrongSyntax:
		return !alias && op.RequestBody != nil && !op.isForm() && !op.isFile()
	case wrongField:
		return !alias && !public[op.OperationID] && (op.RequestBody != nil || op.method == http.MethodGet)
	case noObject:
		return !alias && subjectOf(t, op) != nothing
	case noReference:
		return unknownReferences[op.OperationID] != nil
	case decision:
		return op.OperationID == "createFiling" || op.OperationID == "updateFiling"
	default:
		return true
	}
}

// attempt is a call in which the faults of a step and of all later ones remain.
func (l *ladder) attempt(op operation, who *caller, r rung) attempt {
	a := attempt{op: op, step: r, contentType: "application/json", body: l.bodyOf(op, who)}
	switch {
	case op.isForm():
		a.contentType = formType
	case op.isFile():
		a.contentType = "text/csv"
	}
	of := subjectOf(l.t, op)
	if r <= noObject {
		a.named = object{id: models.NewID(of.prefix()), externalID: l.next("nobody")}
	} else {
		a.named = l.recordOf(op, of, who)
	}
	if op.RequestBody == nil && op.method == http.MethodGet && r <= wrongField {
		a.query = op.wrongQuery()
	}
	if op.RequestBody != nil {
		a.body = l.wrongBody(op, a.body, r)
	}
	if r == wrongMedia {
		a.contentType = "text/plain"
	}
	if r <= wrongSize && op.RequestBody != nil {
		a.length = int64(op.bodyLimit()) + 1
	}
	if op.has(l.t, keyTwice) && r <= keyTwice {
		a.idempotencyKeys = []string{usedKey, usedKey}
	}
	if r == keyUsed {
		a.idempotencyKeys = []string{usedKey}
	}
	return a
}

// wrongQuery is a query that an operation refuses.
func (op operation) wrongQuery() string {
	for _, p := range op.Parameters {
		if p.Value.In == "query" && p.Value.Name == "page" {
			return "page=-1"
		}
	}
	return "unknown=1"
}

// wrongBody is a body with the fault of a step.
func (l *ladder) wrongBody(op operation, good string, r rung) string {
	switch {
	case r <= wrongSyntax && !op.isForm() && !op.isFile():
		return `{"`
	case op.isFile() && (r == keyTwice || r == keyUsed):
		return good // the file is part of what the key is compared with
	case r <= wrongField:
		return op.wrongFields()
	case r == noReference:
		return unknownReferences[op.OperationID](good)
	case r == decision:
		return decided(op, good)
	}
	return good
}

// wrongFields is a body with a field that the contract refuses, in a type that it accepts.
func (op operation) wrongFields() string {
	switch {
	case op.isForm():
		return formBody("")
	case op.isFile():
		return "unknown,columns\n1,2\n"
	}
	s := shapeOf(op.RequestBody.Value.Content["application/json"].Schema)
	if len(s.Required) > 0 {
		return "{}"
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := shapeOf(s.Properties[name])
		switch {
		case p.flag("x-ignored"):
		case p.isDecimal(), p.is("string"):
			return fmt.Sprintf(`{%q:%q}`, name, strings.Repeat("x", 20_000))
		case p.is("integer"):
			return fmt.Sprintf(`{%q:-1000000000000}`, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if !shapeOf(s.Properties[name]).flag("x-ignored") {
			return fmt.Sprintf(`{%q:"x"}`, name) // of another type: no typed call has it
		}
	}
	return `{"`
}

// unknownReferences make a body name a record that does not exist.
var unknownReferences = map[string]func(good string) string{
	"createTransaction":         unknownProduct,
	"createCustomerTransaction": unknownProduct,
	"updateTransaction":         unknownProduct,
	"createCreditNote":          unknownProduct,
	"estimateTax":               unknownProduct,
	"updateCreditNote": func(string) string {
		return `{"transaction_items":[{"external_id":"L1","external_product_id":"unknown","quantity":0,"amount":"-0.01"}],` +
			`"total_amount":"-0.01"}`
	},
	"createExemption": func(string) string { return exemptionBody(models.NewID(models.PrefixCustomer)) },
	"createFiling":    unknownRegistration,
	"archiveTransactionsByDate": func(good string) string {
		return strings.Replace(good, "{", fmt.Sprintf(`{"after":%q,`, models.NewID(models.PrefixTransaction)), 1)
	},
}

func unknownProduct(good string) string { return strings.ReplaceAll(good, `"P-1"`, `"unknown"`) }

func unknownRegistration(good string) string {
	var sent map[string]any
	if err := json.Unmarshal([]byte(good), &sent); err != nil {
		panic(err)
	}
	sent["registration_id"] = models.NewID(models.PrefixRegistration)
	body, _ := json.Marshal(sent)
	return string(body)
}

// decided is the body of a return with a status that a person decides.
func decided(op operation, good string) string {
	if op.OperationID == "updateFiling" {
		return `{"status":"SKIPPED","skip_reason":"Nothing was sold"}`
	}
	return strings.Replace(good, `"UNFILED"`, `"SKIPPED"`, 1)
}

// about returns the organization that owns the records of a caller, and whether it acts for the operator. The record and
// the body of another operation or organization are forgotten: tests make room for a record by ending others.
func (l *ladder) about(op operation, who *caller) (owner credentials, staff bool) {
	if name := op.OperationID + " " + who.owner.organization; l.used != name {
		l.used, l.record, l.content = name, nil, nil
	}
	if who.owner.organization == staffOnly {
		return l.client, true
	}
	return who.owner, false
}

// recordOf is a record for the path of an operation.
func (l *ladder) recordOf(op operation, of subject, who *caller) object {
	l.t.Helper()
	owner, staff := l.about(op, who)
	if l.record != nil {
		return *l.record
	}
	var made object
	switch {
	case of == expendable:
		made.id = owner.organization
	case of == anyPerson && staff:
		role := models.StaffAuditor
		u := models.User{Email: l.next("staff") + "@example.com", Name: "Bob", StaffRole: &role}
		require.NoError(l.t, l.store.People.CreateUser(l.t.Context(), models.Actor{}, &u, nil, nil))
		made.id = u.ID
	case of == apiKey && owner != l.partner:
		made = l.object(of, l.parentOf(owner))
	default:
		made = l.object(of, owner)
		l.readyToChange(op, made.id)
	}
	l.record = &made
	return made
}

// bodyOf is a body that an operation accepts.
func (l *ladder) bodyOf(op operation, who *caller) string {
	l.t.Helper()
	owner, staff := l.about(op, who)
	if l.content != nil {
		return *l.content
	}
	made := l.body(op, owner)
	if staff && (op.OperationID == "inviteUser" || op.OperationID == "updateUser") {
		made = staffRole.ReplaceAllString(made, `"staff_role":"auditor"`)
	}
	l.content = &made
	return made
}

var staffRole = regexp.MustCompile(`"role":"[a-z]+"`)

// spent restores what a call has used up that succeeded.
func (l *ladder) spent(op operation, who *caller) {
	if op.method == http.MethodGet {
		return
	}
	l.used = ""
	if op.OperationID == "archiveOrganization" {
		l.execute("UPDATE organizations SET status = 'ACTIVE' WHERE id = $1", who.owner.organization)
		l.execute("UPDATE api_keys SET revoked_at = NULL WHERE id = ANY ($1)", l.kept)
	}
	if ofAdmins[op.OperationID] {
		l.execute("UPDATE client_grants SET role = 'as_before', ended_at = NULL WHERE organization_id = $1",
			who.owner.organization)
		l.execute("UPDATE api_keys SET revoked_at = NULL WHERE id = ANY ($1)", l.kept)
	}
	if strings.Contains(op.OperationID, "APIKey") {
		l.endOtherKeys()
	}
	if who.renew != nil {
		who.renew(op)
	}
}
