package contract_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// damage makes a valid body wrong in one respect.
type damage struct {
	name     string
	location string
	codes    []string // any of them
	apply    func()
}

// damages lists the possible faults of a value and of those below it. remove takes the value out of its object; nil
// for an entry of a list.
func damages(n *node, at string, required, update bool, remove func()) []damage {
	s := n.shape
	if s.Schema == nil || n.text == "null" || n.text == `""` {
		return nil
	}
	var all []damage
	put := func(name string, code string, texts ...string) {
		for _, text := range texts {
			all = append(all, damage{name + " " + text[:min(len(text), 40)], at, []string{code},
				func() { *n = node{shape: s, text: text} }})
		}
	}
	if required && remove != nil {
		all = append(all, damage{"missing", at, []string{"missing_field"}, remove})
		if !s.nullable {
			put("null for a required value", "missing_field", "null")
		}
	}
	if update && !s.nullable && remove != nil {
		put("null for a field that stays", "missing_field", "null")
	}
	if remove == nil {
		put("null in a list", "invalid_type", "null")
	}
	switch {
	case s.isDecimal():
		put("wrong type", "invalid_type", "true", "[1]", "{}")
		put("not a number", "invalid_format", `"abc"`, `"NaN"`, `"-Infinity"`, `"+1"`, `"012"`, `".5"`, `"1."`, `" 1"`,
			`"1e400"`, `"1E1000000000"`, `"0x10"`, `"1,5"`, `"`+strings.Repeat("1", 33)+`"`, `"١"`)
		put("too precise", "too_precise", `"0.0000000001"`, `"1.1234567891"`)
		put("out of range", "out_of_range", "10000000000000000000", `"-1e19"`)
		if s.Format == "money" {
			put("too precise", "too_precise", "0.005", "19.9900001", `"10.001"`, `"19.990000000000002"`)
			put("out of range", "out_of_range", "10000000000.00", `"99999999999999999999"`)
		}
		if s.extensions["x-minimum"] != nil {
			put("negative", "out_of_range", "-0.01")
		}
	case s.is("object") && len(s.Properties) == 0:
		put("wrong type", "invalid_type", "[]", `"{}"`, "1", "false")
		most, _ := s.extensions["x-max-bytes"].(float64)
		put("too large", "too_long", `{"a":"`+strings.Repeat("x", int(most))+`"}`)
	case s.is("object"):
		put("wrong type", "invalid_type", "[]", `"{}"`, "1", "true")
		for _, m := range n.members {
			needed := slices.Contains(s.Required, m.name)
			all = append(all, damages(m.value, at+"."+m.name, needed, s.flag("x-update"), func() { n.drop(m.name) })...)
			if needed {
				all = append(all, damage{"wrong letter case of " + m.name, at + "." + m.name, []string{"missing_field"},
					func() { m.name = strings.ToUpper(m.name) }})
			}
		}
	case s.is("array"):
		put("wrong type", "invalid_type", "{}", `"[]"`, "1", "true")
		all = append(all, listDamages(n, at)...)
	case s.is("boolean"):
		put("wrong type", "invalid_type", `"true"`, "1", "[]", "{}")
	case s.is("integer"):
		put("wrong type", "invalid_type", `"1900000000"`, "true", "[]")
		put("not whole", "too_precise", "1.5")
		if s.extensions["x-not-before"] == "now" {
			put("in the past", "out_of_range", "1", "0", "-1")
			put("far away", "out_of_range", "9000000000", "99999999999999999999")
		}
	default:
		put("wrong type", "invalid_type", "12", "true", "[]", `{"a":1}`)
		if required && remove != nil {
			put("empty", "missing_field", `""`)
		}
		all = append(all, textDamages(n, at, required || update && s.MinLength > 0)...)
	}
	return all
}

func listDamages(n *node, at string) []damage {
	s := n.shape
	var all []damage
	for i, item := range n.items {
		all = append(all, damages(item, fmt.Sprintf("%s[%d]", at, i), false, false, nil)...)
	}
	if s.MinItems > 0 {
		all = append(all, damage{"too few", at, []string{"too_few"}, func() { n.items = nil }})
	}
	if s.MaxItems != nil && len(n.items) > 0 {
		all = append(all, damage{"too many", at, []string{"too_many"}, func() {
			for len(n.items) <= int(*s.MaxItems) {
				n.items = append(n.items, n.items[0])
			}
		}})
	}
	if field, ok := s.extensions["x-unique-by"].(string); ok && len(n.items) > 0 && len(n.items) < int(maxItems(s)) {
		last := fmt.Sprintf("%s[%d].%s", at, len(n.items), field)
		all = append(all, damage{"twice", last, []string{"duplicate_value"},
			func() { n.items = append(n.items, n.items[0]) }})
	}
	return all
}

// huge is far above every limit of a text.
var huge = strings.Repeat("x", 100_000)

// badFormats are texts that a format refuses, with the code.
var badFormats = map[string]map[string][]string{
	"date-time": {
		"invalid_format": {
			"2026-05-15", "2026-05-15 10:00:00Z", "2023-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
			"2026-05-15T24:00:00Z", "2026-05-15T10:00:60Z", "2026-5-1T1:1:1Z",
			"2026-05-15t10:00:00z", "2026-05-15T10:00:00,5Z", "2026-05-15T10:00:00+14:01",
			"2026-05-15T10:00:00.1234567890Z", "yesterday",
		},
		"out_of_range": {"0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "1800-01-01T00:00:00Z",
			"9999-12-31T23:59:59-12:00", "2101-01-01T00:00:00Z"},
	},
	"shop-date": {"invalid_format": {"2023-02-29", "2024-1-1", "15.05.2026", "2026-05-15T"},
		"out_of_range": {"1899-12-31", "2101-01-01"}},
	"date": {"invalid_format": {"2023-02-29", "2024-1-1", "2026-05-15T00:00:00Z"},
		"out_of_range": {"1899-12-31", "2101-01-01"}},
	"email": {"invalid_format": {"ada", "ada@", "@example.com", "a@b@example.com", "ada@localhost",
		"a da@example.com"}},
	"phone":    {"invalid_format": {"123456", "1234567890123456", "555-CALL-NOW", "+1 212 555 0100 ext 5"}},
	"timezone": {"invalid_format": {"Mars/Olympus", "Local", "../etc/passwd", "new_york"}},

	"past-date": {"invalid_format": {"2023-02-29", "1.2.2020"}, "out_of_range": {"2100-01-01", "1899-12-31"}},
	"birth-date": {"invalid_format": {"2023-02-29", "80", "1.2.2020", "1755"},
		"out_of_range": {"2100-01-01", "1899-12-31"}},
	"ein":   {"invalid_format": {"1234567", "12-345678", "123-456789", "ab-cdefghi"}},
	"naics": {"invalid_format": {"1", "1234567", "45a"}},
	"ssn": {"invalid_format": {"000-12-3456", "666-12-3456", "123-00-4567", "123-45-0000", "900-12-3456",
		"999-93-1234", "12345678", "123-456-789", "****zzzz"}},
	"drivers-license": {"invalid_format": {"D 123", "D_1", "Führerschein", "****zzzz"}},
	"aba-routing":     {"invalid_format": {"021000022", "000000000", "999999992", "02100002", "****zzzz"}},
	"bank-account":    {"invalid_format": {"123", "123456789012345678", "12a4", "****zzzz"}},
	"sst-id":          {"invalid_format": {"S1234567", "s12345678", "S123456789", "Sabcdefgh"}},

	"webhook-url": {"url_not_allowed": {"http://example.com/", "https://127.0.0.1/", "https://[::ffff:7f00:1]/",
		"https://a@example.com/", "https://example.com/#a"}},

	"money": {"invalid_format": {"abc", "1,5", "012", " 1", "+1", "1."}, "too_precise": {"0.005", "19.990000000000002"},
		"out_of_range": {"10000000000", "-0.01"}},

	"product-category": {"invalid_category": {"NOPE", "PHYSICAL GOODS FROM SPACE"}},
	"from-instant": {"invalid_format": {"2023-02-29", "today", "2026-05-15T10:00:00 02:00"},
		"out_of_range": {"1800-01-01"}},
	"to-instant": {"invalid_format": {"2023-02-29", "today"}, "out_of_range": {"2101-01-01"}},
}

func textDamages(n *node, at string, needed bool) []damage {
	s := n.shape
	var all []damage
	put := func(name, code string, texts ...string) {
		for _, text := range texts {
			all = append(all, damage{name + " " + text[:min(len(text), 40)], at, []string{code},
				func() { n.text = quote(text) }})
		}
	}
	if needed && s.values() == nil {
		put("blank", "missing_field", " ", "\t\n", "\u3000")
	}
	switch {
	case s.values() != nil:
		fault := "invalid_enum"
		if own, ok := s.extensions["x-fault"].(string); ok {
			fault = own
		}
		put("not in the set", fault, "NOPE", "no pe", s.values()[0]+" ", strings.Repeat("X", 300),
			"'; DROP TABLE products; --")
		for _, value := range s.values()[:1] {
			for _, other := range []string{strings.ToLower(value), strings.ToUpper(value)} {
				if other != value {
					put("another letter case", fault, other)
				}
			}
		}
		if values, ok := s.extensions["x-not-sent"].([]any); ok {
			put("set by the service", "not_allowed", fmt.Sprint(values[0]))
		}
	default:
		if s.MaxLength != nil && s.Format == "" {
			put("too long", "too_long", strings.Repeat("é", int(*s.MaxLength)+1), huge)
		}
		for code, texts := range badFormats[s.Format] {
			put("bad "+s.Format, code, texts...)
		}
	}
	return all
}

// ruleDamages break the rules for several fields.
func ruleDamages(op operation, n *node) []damage {
	set := func(object *node, name, text string) func() {
		return func() { object.set(name, literal(text)) }
	}
	var all []damage
	add := func(location, code string, apply ...func()) {
		all = append(all, damage{"rule of " + location, location, []string{code}, func() {
			for _, do := range apply {
				do()
			}
		}})
	}
	switch op.OperationID {
	case "createAPIKey", "createAPIKeyAlias":
		add("body.expires_at_seconds", "not_allowed", set(n, "expires_at", `"2099-01-01T00:00:00Z"`),
			set(n, "expires_at_seconds", "4000000000"))
	case "updateAPIKey":
		add("body.expires_at_seconds", "not_allowed", set(n, "expires_at", `"2098-01-01T00:00:00Z"`),
			set(n, "expires_at_seconds", "4000000000"))
		add("body.expires_at", "out_of_range", set(n, "expires_at", `"2020-01-01T00:00:00Z"`))
	case "createExemption":
		add("body.end_date", "mismatch", set(n, "start_date", `"2026-05-15"`), set(n, "end_date", `"2026-05-14"`))
		add("body.transaction_id", "missing_field", set(n, "exemption_type", `"transaction"`))
		add("body.jurisdiction", "invalid_enum", set(n, "jurisdiction", `"Texas"`))
		add("body.customer_id", "missing_field", set(n, "exemption_type", `"wholesale"`), set(n, "customer_id", "null"))
	case "updateExemption":
		add("body.end_date", "mismatch", set(n, "start_date", `"2026-05-15"`), set(n, "end_date", `"2026-05-14"`))
		add("body.end_date", "mismatch", func() { n.drop("start_date") }, set(n, "end_date", `"1999-12-31"`))
	case "createRegistration", "updateRegistration", "registerNexus":
		add("body.start_date", "not_allowed", set(n, "registration_date", `"2026-01-01"`),
			set(n, "start_date", `"2026-01-01"`))
	case "createPhysicalNexus":
		add("body.end_date", "mismatch", set(n, "start_date", `"2026-05-15"`), set(n, "end_date", `"2026-05-14"`))
		add("body.state_code", "invalid_enum", set(n, "state_code", `"Atlantis"`))
	case "createRateOverride":
		add("body.end_date", "mismatch", set(n, "start_date", `"2026-05-15"`), set(n, "end_date", `"2026-05-14"`))
		add("body.jurisdiction_name", "invalid_enum", set(n, "jurisdiction_name", `"Atlantis"`))
		add("body.rate", "out_of_range", set(n, "rate", "1.01"))
	case "updatePhysicalNexus":
		add("body.end_date", "mismatch", set(n, "start_date", `"2026-05-15"`), set(n, "end_date", `"2026-05-14"`))
		add("body.end_date", "mismatch", func() { n.drop("start_date") }, set(n, "end_date", `"1999-12-31"`))
		add("body.state_code", "not_allowed", set(n, "state_code", `"TX"`))
		add("body.country_code", "not_allowed", set(n, "country_code", `"CA"`))
	case "disregardNexus":
		add("body.until", "out_of_range", set(n, "until", `"2020-01-01"`))
	case "simulateNexus":
		add("body.on", "out_of_range", set(n, "on", `"2099-01-01"`))
		add("body.jurisdictions[0].state_code", "invalid_enum",
			set(n, "jurisdictions", `[{"country_code":"US","state_code":"Atlantis"}]`))
		add("body.additional_sales[0].state_code", "invalid_enum",
			set(n, "additional_sales", `[{"country_code":"US","state_code":"Atlantis","date":"2026-01-01","amount":1}]`))
		add("body.thresholds[0].threshold_sales", "out_of_range",
			set(n, "thresholds", `[{"country_code":"US","state_code":"NY","threshold_sales":-1}]`))
	case "createFiling":
		add("body.end_date", "mismatch", set(n, "start_date", `"2026-01-31"`), set(n, "end_date", `"2026-01-30"`))
		add("body.end_date", "out_of_range", set(n, "start_date", `"2026-01-01"`), set(n, "end_date", `"2027-01-02"`))
		add("body.date_filed", "out_of_range", set(n, "date_filed", `"2100-01-01"`))
		add("body.state_code", "mismatch", set(n, "state_code", `"PR"`))
	case "updateFiling":
		add("body.date_filed", "out_of_range", set(n, "date_filed", `"2100-01-01"`))
		add("body.paused_until_date", "not_allowed", set(n, "paused_until_date", `"2100-01-01"`))
		add("body.paused_until_date", "out_of_range", set(n, "status", `"PAUSED"`),
			set(n, "paused_until_date", `"2026-01-01"`))
		add("body.skip_reason", "missing_field", set(n, "status", `"SKIPPED"`), set(n, "skip_reason", "null"))
		add("body.amount_adjusted", "out_of_range", set(n, "amount_adjusted", `"999999999999999999.99"`),
			set(n, "amount_fees", "0.01"))
	case "updateProduct":
		add("body.external_id", "not_allowed", set(n, "external_id", `"another"`))
	case "estimateTax":
		line, short := `[{"amount":1,"product_category":"FOOD"}]`, func() { n.drop("transaction_items") }
		add("body.amount", "not_allowed", set(n, "transaction_items", line), set(n, "amount", "1"))
		add("body.shipping_address", "missing_field", short, set(n, "amount", "1"), func() { n.drop("shipping_address") })
		add("body.addresses", "missing_field", set(n, "transaction_items", line), func() { n.drop("addresses", "amount") })
		add("body.quantity", "out_of_range", set(n, "quantity", `"-1"`))
	case "createTransaction":
		sale, item := set(n, "type", `"SALE"`), n.member("transaction_items").items[0]
		add("body.related_to", "missing_field", set(n, "type", `"TAX_REFUND"`), set(n, "status", `"COMMITTED"`),
			set(n, "total_amount", "-1"), func() {
				for _, item := range n.member("transaction_items").items { // a refund has none
					item.drop("discount_builder")
				}
			})
		add("body.total_amount", "out_of_range", sale, set(n, "total_amount", "-0.01"))
		add("body.transaction_items[0].quantity", "out_of_range", sale, set(item, "quantity", `"-1"`))
		add("body.shop_date", "mismatch", set(n, "date", `"2026-05-15T10:00:00Z"`), set(n, "shop_date", `"2026-05-17"`))
		add("body.requires_exemption.end_date", "mismatch",
			set(n, "requires_exemption",
				`{"exemption_type":"customer","start_date":"2026-05-15","end_date":"2026-05-14"}`))
		add("body.exemptions[0].exemption_type", "missing_field", set(n, "exemptions", `[{"reseller":true}]`))
		add("body.date", "out_of_range", set(n, "date", `"1989-12-31T23:59:59Z"`))
	}
	return all
}

// garble makes a text that is not acceptable JSON, from a valid body.
func garble(t *rapid.T, body string) (name, text string) {
	inside := strings.TrimSpace(body)[1:]
	comma := ","
	if strings.TrimSpace(inside) == "}" {
		comma = ""
	}
	insert := func(member string) string { return "{" + member + comma + inside }
	type garbled struct{ name, text string }
	g := pick(t,
		garbled{"NUL in a known field", insert(`"name":"a\u0000b"`)},
		garbled{"NUL in an unknown field", insert(`"zz1":["\u0000"]`)},
		garbled{"NUL in a name", insert(`"zz\u0000":1`)},
		garbled{"a raw control character", insert("\"zz1\":\"a\x01b\"")},
		garbled{"a raw NUL", insert("\"zz1\":\"a\x00b\"")},
		garbled{"a lone surrogate", insert(`"zz1":"\ud800"`)},
		garbled{"a low surrogate first", insert(`"zz1":"\udc00\ud800"`)},
		garbled{"invalid UTF-8", insert("\"zz1\":\"\xff\xfe\"")},
		garbled{"an overlong form", insert("\"zz1\":\"\xc0\x80\"")},
		garbled{"an encoded surrogate", insert("\"zz1\":\"\xed\xa0\x80\"")},
		garbled{"a bad escape", insert(`"zz1":"\x41"`)},
		garbled{"equal names", insert(`"zz1":1,"zz1":2`)},
		garbled{"names equal after unescaping", insert(`"zz1":1,"\u007az1":2`)},
		garbled{"names equal up to letter case", insert(`"zz1":1,"ZZ1":2`)},
		garbled{"equal names deep inside", insert(`"zz1":[{"b":{"a":1,"a":1}}]`)},
		garbled{"nested too deep", insert(`"zz1":` + strings.Repeat("[", 32) + strings.Repeat("]", 32))},
		garbled{"nested far too deep", insert(`"zz1":` + strings.Repeat(`{"a":`, 10_001))},
		garbled{"something after it", body + "{}"},
		garbled{"a zero byte after it", body + "\x00"},
		garbled{"a byte order mark", "\xef\xbb\xbf" + body},
		garbled{"a comment", "/* */" + body},
		garbled{"a list", "[" + body + "]"},
		garbled{"null", "null"}, garbled{"a text", quote(body)}, garbled{"a number", "1"},
		garbled{"cut off", body[:len(body)-1]},
		garbled{"a comma at the end", insert(`"zz1":[1,]`)},
		garbled{"single quotes", insert(`'zz1':1`)},
		garbled{"NaN", insert(`"zz1":NaN`)}, garbled{"a leading zero", insert(`"zz1":012`)}, garbled{"a plus",
			insert(`"zz1":+1`)},
		garbled{"UTF-16", "\xfe\xff\x00{\x00}"},
	)
	return g.name, g.text
}
