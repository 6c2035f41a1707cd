package contract_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"
)

// chance is true in about n of 100 cases. The numbers that rapid draws are concentrated at the ends of
// a range; those of a bit pattern do not.
func chance(t *rapid.T, n int) bool {
	bits := 0
	for range 7 {
		bits *= 2
		if rapid.Bool().Draw(t, "chance") {
			bits++
		}
	}
	return bits >= 128-n*128/100
}

func pick[T any](t *rapid.T, from ...T) T { return rapid.SampledFrom(from).Draw(t, "one of") }

// draw makes a value that the schema accepts.
func draw(t *rapid.T, s shape) *node {
	switch {
	case s.isDecimal():
		return &node{shape: s, text: drawDecimal(t, s)}
	case s.is("object") && len(s.Properties) > 0:
		return drawObject(t, s)
	case s.is("object"):
		return &node{shape: s, text: pick(t, `{}`, `{"a":1}`, `{"deep":{"er":[true,null,{"x":"é\n"}]},"n":-1.5e3}`)}
	case s.is("array"):
		n := &node{shape: s, list: true}
		least := int(s.MinItems)
		for range rapid.IntRange(least, min(least+3, int(maxItems(s)))).Draw(t, "entries") {
			n.items = append(n.items, draw(t, shapeOf(s.Items)))
		}
		distinct(n)
		return n
	case s.is("boolean"):
		return &node{shape: s, text: pick(t, "true", "false")}
	case s.is("integer"):
		low, high := int64(0), int64(1_000_000)
		if s.Min != nil {
			low = int64(*s.Min)
		}
		if s.Max != nil {
			high = int64(*s.Max)
		}
		if s.extensions["x-not-before"] == "now" {
			low, high = 1_900_000_000, 4_000_000_000
		}
		return &node{shape: s, text: fmt.Sprint(rapid.Int64Range(low, high).Draw(t, "integer"))}
	}
	return &node{shape: s, text: quote(drawText(t, s))}
}

func maxItems(s shape) uint64 {
	if s.MaxItems == nil {
		return 10
	}
	return *s.MaxItems
}

// distinct drops entries that repeat the field which must differ.
func distinct(n *node) {
	field, ok := n.shape.extensions["x-unique-by"].(string)
	if !ok {
		return
	}
	seen := map[string]bool{}
	n.items = slices.DeleteFunc(n.items, func(item *node) bool {
		key := item.member(field).String()
		again := seen[key]
		seen[key] = true
		return again
	})
}

func drawObject(t *rapid.T, s shape) *node {
	n := &node{shape: s}
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		property := shapeOf(s.Properties[name])
		required := slices.Contains(s.Required, name)
		switch {
		case property.flag("x-ignored"):
			if chance(t, 20) {
				n.set(name, literal(pick(t, `"org_x"`, `7`, `null`, `{"a":[]}`)))
			}
		case required:
			value := draw(t, property)
			if property.is("string") && strings.TrimSpace(value.decoded()) == "" {
				value.text = `"x"`
			}
			n.set(name, value)
		case chance(t, 35):
			n.set(name, draw(t, property))
		case chance(t, 10) && !s.flag("x-update"):
			n.set(name, literal("null"))
		case chance(t, 5) && !s.flag("x-update") && property.is("string"):
			n.set(name, literal(`""`))
		case chance(t, 20) && s.flag("x-update") && property.nullable:
			n.set(name, literal("null"))
		}
	}
	if chance(t, 20) { // whatever other members exist
		n.set(pick(t, "__proto__", "zz", "$where", "ünknown"),
			literal(pick(t, `1`, `{"external_id":"x"}`, `[[[]]]`, `"\ud83d\ude00"`)))
	}
	obey(t, n)
	return n
}

// obey makes an object follow the rules that the schema has for several fields.
func obey(t *rapid.T, n *node) {
	rules, _ := n.shape.extensions["x-rules"].([]any)
	for _, r := range rules {
		rule, _ := r.(map[string]any)
		fields, _ := rule["fields"].([]any)
		first, _ := fields[0].(string)
		switch rule["kind"] {
		case "required":
			with, _ := rule["with"].(string)
			unless, _ := rule["unless"].(string)
			if rule["when"] != nil || with != "" && !present(n.member(with)) || unless != "" && present(n.member(unless)) {
				continue
			}
			for _, field := range fields {
				for name, _ := field.(string); !present(n.member(name)); {
					n.set(name, draw(t, shapeOf(n.shape.Properties[name])))
				}
			}
		case "exclusive":
			if second, _ := fields[1].(string); present(n.member(first)) {
				n.drop(second)
			}
		case "ordered":
			if second, _ := fields[1].(string); present(n.member(second)) { // the tax date is the start otherwise
				n.set(first, literal(`"2000-01-01"`))
				n.set(second, &node{shape: shapeOf(n.shape.Properties[second]), text: `"2099-12-31"`})
			}
		}
	}
}

// present reports whether a field counts as sent.
func present(n *node) bool { return n != nil && n.text != "null" && n.text != `""` }

// drawDecimal writes a decimal in one of the forms that are accepted. Amounts are
// small enough for sums of lines to fit.
func drawDecimal(t *rapid.T, s shape) string {
	integers, decimals := 5, 2
	switch s.Format {
	case "rate":
		integers, decimals = 3, 9
	case "qty":
		integers, decimals = 7, 9
	}
	text := "0"
	if n := rapid.IntRange(0, integers).Draw(t, "digits"); n > 0 {
		text = rapid.StringMatching(fmt.Sprintf(`[1-9][0-9]{%d}`, n-1)).Draw(t, "integer part")
	}
	if n := rapid.IntRange(0, decimals).Draw(t, "decimals"); n > 0 {
		text += "." + rapid.StringMatching(fmt.Sprintf(`[0-9]{%d}`, n)).Draw(t, "decimal part")
		text += pick(t, "", "", "0", "000")
	} else {
		text += pick(t, "", "", ".0", "e0", "E-0", "e+00")
	}
	if s.extensions["x-minimum"] == nil && chance(t, 20) {
		text = "-" + text
	}
	if chance(t, 50) {
		return `"` + text + `"`
	}
	return text
}

// runes are those that often go wrong somewhere.
var runes = []rune("abcXYZ019 _-./\\\"'%;<>&{}$\t\n\u0001\u00a0éß漢😀\u202e\u200d\u0301İſ")

// drawText makes a text that the schema accepts.
func drawText(t *rapid.T, s shape) string {
	if values := s.values(); values != nil {
		return pick(t, values...)
	}
	switch s.Format {
	case "date-time":
		year := pick(t, "1990-01-02", "1999-12-31", "2024-02-29", "2026-05-15")
		if s.extensions["x-not-before"] == "now" {
			year = pick(t, "2030-01-01", "2099-12-31")
		}
		return year + "T" + pick(t, "00:00:00", "23:59:59", "10:20:30.5", "10:20:30.123456789") +
			pick(t, "Z", "", "+14:00", "-05:30", "-00:00")
	case "date", "shop-date", "from-instant", "to-instant":
		return pick(t, "2024-02-29", "2026-05-15", "1999-12-31")
	case "email":
		return pick(t, "ada@example.com", "a+b@sub.example.co", "ü@exämple.com")
	case "phone":
		return pick(t, "+1 212 555 0100", "(212) 555-0100", "1234567")
	case "timezone":
		return pick(t, "America/New_York", "UTC", "Asia/Kolkata")
	case "past-date", "birth-date":
		return pick(t, "2024-02-29", "1999-12-31", "1900-01-01")
	case "ein":
		return pick(t, "12-3456789", "123456789")
	case "naics":
		return pick(t, "45", "454110")
	case "ssn":
		return pick(t, "123-45-6789", "123456789", "900-70-0000", "999-94-1234")
	case "drivers-license":
		return pick(t, "D123-4567", "x", "A-1")
	case "aba-routing":
		return pick(t, "021000021", "011000015", "322271627")
	case "sst-id":
		return pick(t, "S12345678", "S00000000")
	case "bank-account":
		return pick(t, "1234", "12345678901234567")
	case "webhook-url":
		return pick(t, "https://example.com/levy", "https://example.com:8443/a?b=c")
	case "money": // a parameter that is not negative
		return pick(t, "0", "12.5", "1e2", "9999999999.99")
	case "product-category":
		return pick(t, "PHYSICAL", "digital", "Clothing", "MISCELLANEOUS")
	}
	most := 255
	if s.MaxLength != nil {
		most = int(*s.MaxLength)
	}
	if chance(t, 5) {
		return strings.Repeat(pick(t, "a", "é", "漢", "😀"), most)
	}
	text := string(rapid.SliceOfN(rapid.SampledFrom(runes), int(s.MinLength), min(most, 12)).Draw(t, "text"))
	if s.MinLength > 0 && strings.TrimSpace(text) == "" {
		return "x"
	}
	return text
}

// settle makes a body of an operation follow the rules that the document states in words.
func (in *installation) settle(t *rapid.T, op operation, n *node) {
	switch op.OperationID {
	case "createProduct", "createOrganization":
		if op.OperationID == "createOrganization" {
			n.set("name", &node{shape: shapeOf(n.shape.Properties["name"]), text: quote(in.next("Org"))})
			return
		}
		n.set("external_id", &node{shape: shapeOf(n.shape.Properties["external_id"]), text: quote(in.next("P é"))})
	case "searchAddress", "suggestAddresses": // at least one part
		n.set("city", &node{shape: shapeOf(n.shape.Properties["city"]), text: quote("Austin")})
	case "updateProduct":
		n.drop("external_id")
	case "changeOrganizationSettings": // a key does not end what another request has begun
		n.drop("require_second_person")
	case "createCustomer":
		n.set("external_id", &node{shape: shapeOf(n.shape.Properties["external_id"]), text: quote(in.next("C é"))})
	case "updateCustomer": // sales have created others with drawn names
		if present(n.member("external_id")) {
			n.put(map[string]string{"external_id": in.next("C é")})
		}
	case "createExemption": // of a customer who exists
		n.set("exemption_type", &node{shape: shapeOf(n.shape.Properties["exemption_type"]),
			text: pick(t, `"customer"`, `"wholesale"`)})
		n.set("customer_id", &node{shape: shapeOf(n.shape.Properties["customer_id"]),
			text: quote(in.objects["updateCustomer"].id)})
		n.drop("transaction_id", "jurisdiction", "status") // EXPIRED needs a past end_date
	case "updateExemption":
		n.drop("status", "jurisdiction")
		if country := n.member("country_code"); country != nil { // all members, whatever was stored
			n.set("jurisdiction", &node{shape: shapeOf(n.shape.Properties["jurisdiction"]), text: country.text})
		}
		if !present(n.member("end_date")) {
			n.drop("start_date")
		}
	case "updateAPIKey": // an end in one field, and in the future
		n.put(map[string]string{"expires_at": "2099-01-01T00:00:00Z"})
		n.drop("expires_at_seconds", "allowed_addresses")
	case "createRegistration":
		in.settleRegistration(n)
	case "registerNexus":
		in.free("NV")
		n.put(map[string]string{"registration_import_type": "REGULAR"})
		n.drop("oss_type", "oss_member_state_of_identification_code", "member_state_of_identification_code",
			"create_filings_from")
	case "updateRegistration", "deregister":
		in.registered(in.objects[op.OperationID].id)
		n.drop("status", "create_filings_from")
	case "disregardNexus":
		in.expose(in.objects[op.OperationID].id)
		n.drop("until")
	case "createPhysicalNexus": // a place that is known, and days in order
		n.put(map[string]string{"country_code": "US", "state_code": "NY"})
		n.drop("end_date")
	case "createRateOverride": // a jurisdiction that is known
		n.put(map[string]string{"country_code": "US", "state_code": "NY", "jurisdiction_type": "STATE",
			"jurisdiction_name": "New York", "rate": "0.0475"})
		n.drop("end_date")
	case "createNotice": // of a registration that is there, with an amount and its currency
		n.put(map[string]string{"registration_id": in.objects["updateRegistration"].id, "received_date": "2026-06-02",
			"amount": "1.00", "currency": "USD"})
		n.drop("filing_id")
	case "updateNotice":
		n.put(map[string]string{"amount": "1.00", "currency": "USD", "received_date": "2026-06-02"})
		n.drop("status", "answer", "revision")
	case "updatePhysicalNexus":
		n.drop("start_date", "end_date", "country_code", "state_code")
	case "simulateNexus":
		n.drop("on", "jurisdictions", "additional_sales", "thresholds")
	case "createFilingEntry": // of the authority, of a kind that asks for nothing more
		in.settleFiling(op, n)
		n.put(map[string]string{"kind": "CREDIT", "amount": "1.00"})
		n.drop("jurisdiction_id", "jurisdiction_type", "jurisdiction_name")
	case "createFiling", "updateFiling", "approveFiling", "amendFiling":
		in.settleFiling(op, n)
		n.drop("expected_amount") // it would have to be that of the filing
	case "createTransaction":
		in.settleTransaction(t, n)
	case "createCustomerTransaction": // of the customer that the path names
		in.settleTransaction(t, n)
		n.drop("customer", "customer_id")
	case "createCreditNote", "updateCreditNote":
		in.settleCreditNote(t, op, n)
	case "inviteUser": // a new person, for the organization
		n.put(map[string]string{"email": in.next("ada") + "@example.com", "role": "viewer"})
		n.drop("staff_role")
	case "createAPIKey": // no text is an address by chance
		n.drop("allowed_addresses")
	case "proveSession":
		n.put(map[string]string{"password": ownPassword})
		n.drop("code")
		n.drop("passkey")
	case "changeGrant": // as_before can only be kept
		n.put(map[string]string{"role": "preparer"})
	case "setSecondFactor": // a new secret
		n.drop("code")
	case "setPasskey": // only a browser makes one
		n.put(map[string]string{"remove": "AAAA"})
		n.drop("name")
		n.drop("passkey")
	case "changeAuthorityConnection": // nothing came back
		n.put(map[string]string{"action": "BEGIN"})
	case "createComment": // nobody else is there
		n.drop("mentions")
	case "updateComment": // a correction, or the end
		n.drop("withdrawn")
	case "setSavedView": // one that the list can show
		n.put(map[string]string{"list": "filings", "query": "status__in=UNFILED"})
		n.drop("new_name")
	case "updateUser":
		n.put(map[string]string{"role": "approver", "status": "ACTIVE"})
		n.drop("staff_role")
	case "archiveTransactions": // each id once
		ids := n.member("transaction_ids")
		ids.items = ids.items[:1]
	case "updateTransaction":
		in.settleTransaction(t, n)
		n.set("status", literal(`"COMMITTED"`)) // so that the same one can be updated again
		n.set("shop_date", &node{shape: shapeOf(n.shape.Properties["shop_date"]), text: quote(utcDay(n.member("date").text))})
	case "estimateTax":
		settleEstimate(t, n)
	case "putBusinessAddress":
		n.put(map[string]string{"company_country_code": "US", "company_city": "Austin", "company_state": "TX",
			"company_postal_code": "78701"})
	case "putBusinessContact":
		n.put(map[string]string{"business_contact_ssn": "123-45-6789", "business_contact_state": "TX",
			"business_contact_postal_code": "78701"})
	case "putBusinessOwners":
		n.put(map[string]string{
			"business_owner1_name": "Ada", "business_owner2_name": "Bo", "business_owner3_name": "Cy",
			"business_owner1_percent_ownership": "50",
			"business_owner2_percent_ownership": "30.5", "business_owner3_percent_ownership": "19.50",
		})
	}
}

// put sets fields to texts.
func (n *node) put(texts map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		n.set(name, &node{shape: shapeOf(n.shape.Properties[name]), text: quote(texts[name])})
	}
}

// settleEstimate lets an estimate go to New York, with lines that exist and add up.
func settleEstimate(t *rapid.T, n *node) {
	if customer := n.member("customer"); present(customer) {
		customer.drop("id")
	}
	if present(n.member("shop_date")) && present(n.member("date")) {
		n.set("shop_date", &node{shape: shapeOf(n.shape.Properties["shop_date"]), text: quote(utcDay(n.member("date").text))})
	}
	addresses := []*node{n.member("shipping_address")}
	if list := n.member("addresses"); present(list) {
		list.items = list.items[:1]
		list.items[0].set("type", literal(`"SHIP_TO"`))
		addresses = append(addresses, list.items[0])
	}
	for _, address := range addresses {
		if present(address) {
			address.drop("city", "postal_code")
			address.set("state", &node{shape: shapeOf(address.shape.Properties["state"]), text: `"NY"`})
			address.set("country", &node{shape: shapeOf(address.shape.Properties["country"]), text: `"US"`})
		}
	}
	lines := []*node{n}
	if list := n.member("transaction_items"); present(list) {
		lines = list.items
	}
	for _, line := range lines {
		if present(line.member("external_product_id")) {
			line.set("external_product_id", &node{shape: shapeOf(line.shape.Properties["external_product_id"]), text: `"P-1"`})
		}
	}
	positive(n.member("quantity"), false)
	settleLines(lines)
}

// settleLines lets discounts be taken off lines that have an amount.
func settleLines(lines []*node) {
	discounted := false
	for _, line := range lines {
		if discount := line.member("discount_builder"); present(discount) {
			discounted = true
			discount.set("discount_amount", literal("0.01"))
		}
		positive(line.member("quantity"), false)
		line.drop("trade_in", "exemption_category") // of lines below zero, and of exempt ones
	}
	for _, line := range lines {
		if discounted { // it is allocated by the amounts, which must not cancel each other out
			if !present(line.member("amount")) {
				line.set("amount", literal("1"))
			}
			positive(line.member("amount"), true)
		}
	}
}

// settleCreditNote lets a credit note refund the sale it is for: in its currency, its product, as much as is left.
// CANCELLED ones refund nothing.
func (in *installation) settleCreditNote(t *rapid.T, op operation, n *node) {
	text := func(name, value string) {
		n.set(name, &node{shape: shapeOf(n.shape.Properties[name]), text: quote(value)})
	}
	n.drop("status", "currency", "external_id")
	if op.OperationID == "createCreditNote" {
		text("status", "CANCELLED")
		text("currency", "USD")
		text("external_id", in.next("REFUND é"))
		n.set("total_amount", literal("-1.5"))
	} else if present(n.member("total_amount")) {
		n.set("total_amount", literal("-0.02"))
	}
	n.drop("shop_date", "shop_date_tz")
	if present(n.member("date")) { // a note is not before its sale
		text("date", "2026-06-01T10:00:00Z")
	}
	if list := n.member("transaction_items"); present(list) {
		for _, item := range list.items {
			item.set("quantity", literal("0"))
			if op.OperationID == "updateCreditNote" { // its lines come to no more than its total
				item.set("amount", literal("0"))
			}
			if !chance(t, 3) { // else 404
				item.set("external_product_id", &node{shape: shapeOf(item.shape.Properties["external_product_id"]), text: `"P-1"`})
			}
		}
	}
}

func (in *installation) settleTransaction(t *rapid.T, n *node) {
	text := func(name, value string) {
		n.set(name, &node{shape: shapeOf(n.shape.Properties[name]), text: quote(value)})
	}
	text("external_id", in.next("ORDER é"))
	n.drop("related_to", "customer_id", "filing_id")
	if kind := n.member("type"); present(kind) && kind.text != `"SALE"` && kind.text != `"ARCHIVE"` {
		text("type", "SALE")
	}
	if present(n.member("shop_date")) {
		text("shop_date", utcDay(n.member("date").text))
	}
	for _, item := range n.member("transaction_items").items {
		if !chance(t, 3) { // else 404
			item.set("external_product_id", &node{shape: shapeOf(item.shape.Properties["external_product_id"]), text: `"P-1"`})
		}
	}
	settleLines(n.member("transaction_items").items)
	positive(n.member("total_amount"), false)
	exemptions := []*node{n.member("requires_exemption")}
	if list := n.member("exemptions"); present(list) {
		exemptions = append(exemptions, list.items...)
	}
	for _, e := range exemptions {
		if present(e) {
			e.drop("id", "customer_id", "jurisdiction")
			obey(t, e)
		}
	}
}

// positive takes the sign from a number, and makes it more than zero if it must be.
func positive(n *node, more bool) {
	if !present(n) {
		return
	}
	n.text = strings.Replace(n.text, "-", "", 1)
	if more && strings.Trim(n.text, `"0.eE+-`) == "" {
		n.text = "1"
	}
	n.text = strings.Replace(n.text, "E0", "E-0", 1)
}

// utcDay is the UTC day of a quoted date-time.
func utcDay(quoted string) string {
	text := strings.Trim(quoted, `"`)
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		at, err = time.Parse("2006-01-02T15:04:05.999999999", text)
	}
	if err != nil {
		panic(err)
	}
	return at.UTC().Format(time.DateOnly)
}
