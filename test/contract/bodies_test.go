package contract_test

import (
	"fmt"
	"slices"
	"strings"

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
