package contract_test

import (
	"maps"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"
)

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
	case "changePassword":
		n.put(map[string]string{"password": ownPassword})
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
