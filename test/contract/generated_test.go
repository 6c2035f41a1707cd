package contract_test

import (
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"levy/test/seed"
)

// seeded makes a run of drawn requests one that can be repeated: by the seed, which each test prints.
func seeded() error {
	return errors.Join(flag.Set("rapid.nofailfile", "true"), flag.Set("rapid.shrinktime", "5s"))
}

func generate(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	t.Logf("to repeat: %s", seed.Again())
	rapid.Check(t, property)
}

// tries is how often one drawn body or query is damaged.
const tries = 20

// Bodies drawn from the schemas are accepted; with one damage they are refused, and the refusal names the place. No
// answer is a 5xx, every answer is as documented, and a refused body writes nothing.
func TestGeneratedBodies(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	in.onboard(client)
	in.objects = map[string]object{
		"updateOrganization": {id: in.root.organization}, "changeOrganizationSettings": {id: in.root.organization},
		"updateAPIKey": in.object(apiKey, in.root), "endAPIKey": in.object(apiKey, in.root),
	}
	for operation, of := range map[string]subject{"updateTransaction": anySale, "updateProduct": anyProduct,
		"previewReclassification": anyProduct, "updateCustomer": anyCustomer, "createCustomerTransaction": anyCustomer,
		"updateExemption": anyExemption, "updateRegistration": registered, "deregister": registered,
		"createFiling": registered, "updateFiling": anyFiling, "approveFiling": anyFiling, "amendFiling": anyFiling,
		"createFilingEntry": anyFiling, "updateNotice": aNotice,
		"disregardNexus": anyNexus, "updatePhysicalNexus": anyPresence, "updateUser": anyPerson,
		"assignException": anyException, "changeGrant": aGrant} {
		in.objects[operation] = in.object(of, client)
	}
	in.objects["registerNexus"] = object{id: in.nexusOf(client.organization, "NV")}
	note, staff := in.object(creditNote, client), in.staff()
	in.objects["createCreditNote"], in.objects["updateCreditNote"] = object{id: note.of}, note
	var operations []operation
	// Two operations end the record that they use, two refuse row by row, one names filings, two limit guesses, and an organization has
	// at most ten webhook endpoints and twenty feeds, with clients for some. Comments are about records of several types, an
	// acknowledgement is of a document, a payment is of an open amount, and no e-mail is sent here.
	unfit := []string{
		"approveFilings", "makePaymentFile", "archiveTransactionsByDate", "cancelOnboarding", "createTransactionBatch", "createWebhookEndpoint",
		"updateWebhookEndpoint", "replayWebhookEvents", "signIn", "getSignInLink",
		"createComment", "updateComment", "createCalendarFeed", "acknowledgeFiling", "recordFilingPayment",
		"makeOnboardingLink",
	}
	for _, name := range slices.Sorted(maps.Keys(in.contract.operations)) {
		if op := in.contract.operations[name]; op.RequestBody != nil && !op.isForm() && !op.isFile() &&
			!strings.HasSuffix(name, "Alias") && !slices.Contains(unfit, name) {
			operations = append(operations, op)
		}
	}
	requests, rotations, accepted := 0, 0, map[string]int{}
	generate(t, func(t *rapid.T) {
		op := in.contract.operations["createTransaction"] // has the most fields
		if chance(t, 50) {
			op = rapid.SampledFrom(operations).Draw(t, "operation")
		}
		as := client
		if strings.Contains(op.OperationID, "Organization") || strings.Contains(op.OperationID, "APIKey") {
			as = in.root
		}
		if strings.Contains(op.OperationID, "APIKey") {
			in.endUnusedKeys()
		}
		named := in.objects[op.OperationID]
		if op.OperationID == "rotateAPIKey" {
			rotations++
			named = in.object(apiKey, in.root)
		}
		cookie := ""
		if ofPeople[op.OperationID] {
			cookie = staff
		}
		if ofAdmins[op.OperationID] {
			cookie = in.admin(client)
		}
		send := func(body string) answer {
			requests++
			a := in.send(t, request{as: as, method: op.method, target: op.fill(named), body: body, cookie: cookie})
			require.Less(t, a.status, 500, "%s\n%s", body, a.body)
			return a
		}
		body := draw(t, shapeOf(op.RequestBody.Value.Content["application/json"].Schema))
		in.settle(t, op, body)
		sent := body.String()
		a := send(sent)
		switch {
		case a.status < 300:
			accepted[op.OperationID]++
			in.follow(t, op, as, body, a)
		default:
			// A credit note may need the result of its sale.
			require.Contains(t, []string{"product_not_found", "not_processed"}, a.problem(t).Code, "%s %s\n%s", op.OperationID,
				sent, a.body)
		}

		for range tries {
			wrong := clone(body)
			all := append(damages(wrong, "body", false, false, nil), ruleDamages(op, wrong)...)
			all = slices.DeleteFunc(all,
				func(d damage) bool { return d.location == "body" }) // another top level is not JSON at all
			if len(all) == 0 {
				break // the body was empty
			}
			d := all[rapid.IntRange(0, len(all)-1).Draw(t, "damage")]
			d.apply()
			if len(wrong.String()) > 1<<20 {
				continue
			}
			a := send(wrong.String())
			require.Equal(t, 400, a.status, "%s: %s\n%s\n%s", op.OperationID, d.name, wrong, a.body)
			namesTheDamage(t, a, d, wrong.String())
		}
		for range tries / 3 {
			name, text := garble(t, sent)
			a := send(text)
			require.Equal(t, 400, a.status, "%s: %s\n%s", op.OperationID, name, a.body)
			require.Equal(t, "invalid_json", a.problem(t).Code, name)
			if strings.Contains(name, "equal") {
				require.Equal(t, "duplicate_key", a.problem(t).Errors[0].Code, name)
			}
		}
	})
	t.Logf("%d requests, accepted: %v", requests, accepted)
	if t.Failed() {
		return
	}
	var exemptionsOfSales int
	in.query(&exemptionsOfSales, "SELECT count(*) FROM exemptions WHERE transaction_id IS NOT NULL")
	for table, want := range map[string]int{
		"transactions": accepted["createTransaction"] + accepted["createCustomerTransaction"] +
			accepted["createCreditNote"] + 3, // those that are changed, and the original of the credit note
		"products":      accepted["createProduct"] + 4, // P-1 of the partner and of the client, and the two that are named
		"organizations": accepted["createOrganization"] + 2,
		"api_keys":      accepted["createAPIKey"] + accepted["rotateAPIKey"] + rotations + 4,
		"exemptions":    accepted["createExemption"] + 1 + exemptionsOfSales,
		"registrations": accepted["createRegistration"] + accepted["registerNexus"] + 5, // the last one is that of the notice
		"filings":       accepted["createFiling"] + accepted["amendFiling"] + 4,
		"users":         accepted["inviteUser"] + 2 + len(in.admins), // the one who is changed, the one of staff, and admins who change a grant
	} {
		var rows int
		in.query(&rows, "SELECT count(*) FROM "+table)
		require.Equal(t, want, rows, "%s: a refused body was written, or an accepted one was not", table)
	}
	require.NotContains(t, in.log.String(), `"level":"ERROR"`)
}

// follow checks the record of an accepted body.
func (in *installation) follow(t *rapid.T, op operation, as credentials, sent *node, a answer) {
	get := func(target string) []byte {
		return in.send(t, request{as: as, method: "GET", target: target}).body
	}
	switch op.OperationID {
	case "createCustomer", "updateCustomer":
		require.JSONEq(t, string(a.body), string(get("/v1/customers/"+a.text(t, "id"))),
			"the answer equals the stored record")
	case "createExemption", "updateExemption":
		require.JSONEq(t, string(a.body), string(get("/v1/exemptions/"+a.text(t, "id"))),
			"the answer equals the stored record")
	case "createRegistration", "updateRegistration", "deregister", "registerNexus":
		require.JSONEq(t, string(a.body), string(get("/v1/registrations/"+a.text(t, "id"))),
			"the answer equals the stored record")
	case "createFiling", "updateFiling", "approveFiling":
		require.JSONEq(t, string(a.body), string(get("/v1/filings/"+a.text(t, "id"))), "the answer equals the stored record")
	case "updateOrganization", "changeOrganizationSettings":
		require.JSONEq(t, string(a.body), string(get("/v1/organizations/"+a.text(t, "id"))),
			"the answer equals the stored record")
	case "createProduct", "updateProduct":
		require.JSONEq(t, string(a.body), string(get("/v1/products/"+a.text(t, "id"))), "the answer equals the stored record")
		for _, name := range []string{"name", "description", "product_subcategory"} {
			if text := sent.member(name); present(text) && (op.method == "POST" || text.text != "null") {
				require.Equal(t, text.decoded(), a.text(t, name), "texts are answered as they were sent")
			}
		}
	case "updateTransaction", "createCreditNote", "updateCreditNote":
		require.JSONEq(t, string(a.body), string(get("/v1/transactions/"+a.text(t, "id"))),
			"the answer equals the stored record")
	case "createTransaction":
		var list []json.RawMessage
		a.decode(t, &list)
		one := answer{body: list[0]}
		byID := get("/v1/transactions/" + one.text(t, "id"))
		require.JSONEq(t, string(byID), string(get("/v1/transactions/external/"+url.PathEscape(one.text(t, "external_id")))))
		require.JSONEq(t, string(one.body), string(byID), "the answer equals the stored record")
		for _, name := range []string{"external_id", "secondary_external_id", "external_friendly_id"} {
			if text := sent.member(name); present(text) && strings.TrimSpace(text.decoded()) != "" {
				require.Equal(t, strings.TrimSpace(text.decoded()), one.text(t, name), "identifiers have no space around them")
			}
		}
		for _, name := range []string{"description", "tax_id"} {
			if text := sent.member(name); present(text) {
				require.Equal(t, text.decoded(), one.text(t, name), "texts are answered as they were sent")
			}
		}
	}
}

// decoded is the meaning of a text.
func (n *node) decoded() string {
	var text string
	if err := json.Unmarshal([]byte(n.text), &text); err != nil {
		panic(err)
	}
	return text
}

func clone(n *node) *node {
	c := &node{shape: n.shape, text: n.text, list: n.list}
	for _, m := range n.members {
		c.members = append(c.members, &member{m.name, clone(m.value)})
	}
	for _, item := range n.items {
		c.items = append(c.items, clone(item))
	}
	return c
}

// namesTheDamage checks that a refusal names the place, and no other than places
// inside it.
func namesTheDamage(t tester, a answer, d damage, sent string) {
	t.Helper()
	p := a.problem(t)
	require.Equal(t, "validation_failed", p.Code, "%s\n%s", d.name, a.body)
	found := false
	for _, f := range p.Errors {
		found = found || f.Location == d.location && slices.Contains(d.codes, f.Code)
		follows := d.location == "body.date" && f.Location == "body.shop_date" || // they are compared
			d.location == "body.start_date" && f.Location == "body.end_date"
		require.True(t, follows || strings.HasPrefix(f.Location, d.location), "%s at %s: also %s at %s\n%s", d.name,
			d.location, f.Code, f.Location, sent)
	}
	require.True(t, found, "%s at %s\n%s\n%s", d.name, d.location, a.body, sent)
}

// The same for the parameters of every list.
func TestGeneratedQueries(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	in.onboard(client)
	in.objects = map[string]object{"listTransactionHistory": in.object(anySale, client),
		"listTransactionRevisions": in.object(anySale, client), "listRelatedTransactions": in.object(anySale, client),
		"listCustomerTransactions": in.object(anyCustomer, client),
		"listTransactionsOfFiling": in.object(anyFiling, client),
		"listFilingTransactions":   in.object(anyFiling, client), "listFilingHistory": in.object(anyFiling, client),
		"listUnresolvedFilingTransactions": in.object(anyFiling, client),
		"exportFilingWorksheet":            in.object(anyFiling, client),
		"listRegistrationFilings":          in.object(registered, client),
		"getRegistration":                  in.object(registered, client),
		"listWebhookDeliveries":            in.object(anyWebhook, client),
		"getProductTaxability":             in.object(anyProduct, client)}
	var operations []operation
	for _, name := range slices.Sorted(maps.Keys(in.contract.operations)) {
		op := in.contract.operations[name]
		if slices.ContainsFunc(op.Parameters, func(p *openapi3.ParameterRef) bool { return p.Value.In == "query" }) &&
			!strings.HasSuffix(name, "Alias") &&
			name != "createTransactionImport" && // whose one parameter is any text
			name != "streamExceptions" && name != "streamSearch" && // whose parameters are those of the list
			name != "listEvents" && name != "streamEvents" && // whose cursor is an event
			!op.needsFormat() && // whose other parameters are those of the list, or name a report
			name != "getReport" && // which names a report
			name != "getFilingReturn" { // which few filings have
			operations = append(operations, op)
		}
	}
	requests := 0
	generate(t, func(t *rapid.T) {
		op := rapid.SampledFrom(operations).Draw(t, "operation")
		as := client
		if op.OperationID == "listOrganizations" || op.OperationID == "listOnboardings" ||
			op.OperationID == "checkOrganizationName" {
			as = in.root
		}
		send := func(values url.Values, raw string) answer {
			requests++
			a := in.send(t, request{as: as, method: op.method,
				target: strings.Split(op.fill(in.objects[op.OperationID]), "?")[0] + "?" + values.Encode() + raw,
				body:   in.body(op, as)})
			require.Less(t, a.status, 500, "%s\n%s", values, a.body)
			return a
		}
		values := drawQuery(t, op)
		a := send(values, "")
		require.Equal(t, 200, a.status, "%s %s\n%s", op.OperationID, values, a.body)

		for range tries / 2 {
			p := rapid.SampledFrom(queryOf(op)).Draw(t, "parameter")
			wrong, location := url.Values{}, "query."+p.Name
			s := shapeOf(p.Schema)
			if s.is("array") {
				s = shapeOf(s.Items)
			}
			if bad := badQuery(s); bad != nil {
				code := rapid.SampledFrom(slices.Sorted(maps.Keys(bad))).Draw(t, "code")
				wrong.Set(p.Name, rapid.SampledFrom(bad[code]).Draw(t, "text"))
				a := send(wrong, "")
				require.Equal(t, 400, a.status, "%s ?%s\n%s", op.OperationID, wrong.Encode(), a.body)
				namesTheDamage(t, a, damage{"query", location, []string{code}, nil}, wrong.Encode())
			}

			unknown := url.Values{pick(t, "unknown", "PAGE", "stauts"): {pick(t, "", "1", "' OR 1=1 --")}}
			name := slices.Collect(maps.Keys(unknown))[0]
			for _, p := range queryOf(op) {
				if p.Required {
					unknown.Set(p.Name, "a")
				}
			}
			a = send(unknown, "")
			require.Equal(t, 400, a.status, "%s ?%s\n%s", op.OperationID, unknown.Encode(), a.body)
			namesTheDamage(t, a, damage{"unknown", "query." + name, []string{"unknown_parameter"}, nil}, unknown.Encode())

			raw := "&" + p.Name + "=" + pick(t, "%00", "%FF", "%zz", "a%ED%A0%80")
			a = send(url.Values{}, raw)
			require.Equal(t, 400, a.status, "%s ?%s\n%s", op.OperationID, raw, a.body)
			namesTheDamage(t, a, damage{"encoding", location, []string{"invalid_format"}, nil}, raw)
			if text := good(t, p); text != "" && (p.Explode == nil || !*p.Explode) {
				twice := url.Values{p.Name: {text, text}}
				a = send(twice, "")
				require.Equal(t, 400, a.status, "%s ?%s\n%s", op.OperationID, twice.Encode(), a.body)
				namesTheDamage(t, a, damage{"twice", location, []string{"not_allowed"}, nil}, twice.Encode())
			}
		}
	})
	t.Logf("%d requests", requests)
	require.NotContains(t, in.log.String(), `"level":"ERROR"`)
}

func queryOf(op operation) []*openapi3.Parameter {
	var all []*openapi3.Parameter
	for _, p := range op.Parameters {
		if p.Value.In == "query" {
			all = append(all, p.Value)
		}
	}
	return all
}

// good is a value of one parameter.
func good(t *rapid.T, p *openapi3.Parameter) string {
	s := shapeOf(p.Schema)
	if !s.is("array") {
		return plain(draw(t, s))
	}
	var texts []string
	for _, item := range draw(t, s).items {
		texts = append(texts, plain(item))
	}
	return strings.Join(texts, ",")
}

func plain(n *node) string {
	if !strings.HasPrefix(n.text, `"`) {
		return n.text
	}
	text := n.decoded()
	return string([]rune(text)[:min(50, utf8.RuneCountInString(text))]) // URLs have a limit of their own
}

// drawQuery makes a query that the operation accepts.
func drawQuery(t *rapid.T, op operation) url.Values {
	values := url.Values{}
	for _, p := range queryOf(op) {
		if p.Extensions["x-excludes"] != nil || p.Name == "after" {
			continue // a cursor: only the service makes those
		}
		if p.Required {
			values.Set(p.Name, "a"+good(t, p))
		} else if chance(t, 30) {
			values.Set(p.Name, good(t, p))
		}
	}
	if values.Get("limit") != "" || values.Get("offset") != "" {
		values.Del("page")
		values.Del("size")
	}
	for one, other := range map[string]string{"status": "status__in", "state": "state_code", "startDate": "endDate",
		"date__gte":  "date__lte",
		"start_date": "end_date", "date_filed__gte": "date_filed__lte", "due_date__gte": "due_date__lte",
		"due_days__gte": "due_days__lte", "since": "until"} {
		if values.Get(one) != "" && len(queryOf(op)) > 0 {
			values.Del(other)
		}
	}
	return values
}

// badQuery are texts that a parameter refuses; nil for one that takes whatever a URL can carry.
func badQuery(s shape) map[string][]string {
	switch {
	case s.values() != nil:
		fault := "invalid_enum"
		if own, ok := s.extensions["x-fault"].(string); ok {
			fault = own
		}
		return map[string][]string{fault: {"nope", "NOPE", s.values()[0] + ",nope", "1; DROP TABLE transactions", "id desc"}}
	case s.is("boolean"):
		return map[string][]string{"invalid_format": {"yes", "TRUE", "1", " true"}}
	case s.is("integer"):
		bad := map[string][]string{"invalid_format": {"abc", "1.5", "1e3", "+1", "0x1", " 1"},
			"out_of_range": {"1000000000000000000", "99999999999999999999999"}}
		for _, low := range []float64{-1, 0} {
			if *s.Min > low {
				bad["out_of_range"] = append(bad["out_of_range"], strconv.Itoa(int(low)))
			}
		}
		return bad
	case badFormats[s.Format] != nil:
		return badFormats[s.Format]
	case *s.MaxLength >= 8<<10:
		return nil
	}
	letter := "é"
	if *s.MaxLength > 1000 { // percent-encoded, a URL would be too long before the value is
		letter = "a"
	}
	return map[string][]string{"too_long": {strings.Repeat(letter, int(*s.MaxLength)+1)}}
}
