package web

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// version is a replaced version of a transaction with its differences from the next one.
type version struct {
	Number      int       `json:"revision"`
	ReplacedAt  time.Time `json:"replaced_at"`
	Changed     []string  `json:"changed"`
	Differences []difference
	Unshown     []string // fields of Changed that have no entry in Differences
}

// Next returns the number of the next version.
func (v version) Next() int { return v.Number + 1 }

// difference is the value of one field in two versions.
type difference struct{ What, Before, After string }

// versionList is a page of replaced versions, the newest first.
type versionList struct {
	listPage

	Items []version `json:"items"`
}

// versionsShown is the number of versions that a page compares; each takes a call.
const versionsShown = 5

// versions reads a page of the replaced versions of a transaction, and compares each with the next one. now is the
// transaction itself. Errors: *problem.
func (v *pageRequest) versions(base string, now map[string]any) (versionList, error) {
	list := versionList{}
	page := cmp.Or(v.URL.Query().Get("version_page"), "1")
	query := url.Values{"size": {strconv.Itoa(versionsShown)}, "page": {page}}
	if err := v.get(base+"/revisions?"+query.Encode(), v.org, &list); err != nil || len(list.Items) == 0 {
		return list, err
	}
	after := now
	if list.Page > 1 { // the version after the first of this page is on the previous page
		var err error
		if after, err = v.version(base, list.Items[0].Next()); err != nil {
			return list, err
		}
	}
	for i := range list.Items {
		one := &list.Items[i]
		before, err := v.version(base, one.Number)
		if err != nil {
			return list, err
		}
		var shown map[string]bool
		one.Differences, shown = differences(before, after)
		one.Unshown = slices.DeleteFunc(slices.Clone(one.Changed), func(field string) bool { return shown[field] })
		after = before
	}
	return list, nil
}

// version reads a replaced version. Errors: *problem.
func (v *pageRequest) version(base string, number int) (map[string]any, error) {
	var read struct{ Transaction map[string]any }
	return read.Transaction, v.get(base+"/revisions/"+strconv.Itoa(number), v.org, &read)
}

// comparedFields are the compared fields of a transaction. Tax ids and phones are left out: the page only says that
// they differ.
var comparedFields = []string{
	"external_id", "status", "date", "shop_date", "shop_date_tz", "description", "marketplace", "exempt", "related_to",
	"secondary_external_id", "secondary_source", "external_friendly_id", "source", "connection_id", "currency",
	"total_amount", "total_tax_amount_imported", "tax_rate_imported", "total_tax_amount_calculated",
	"total_tax_liability_amount",
}

// comparedParts are the compared lists of a transaction, with the field that identifies an entry, and the compared
// fields of an entry.
var comparedParts = []struct {
	field, known, name string
	fields             []string
}{
	{"addresses", "type", "Address", []string{
		"street_1", "street_2", "city", "county", "state", "postal_code", "country", "full_address", "is_unincorporated",
	}},
	{"transaction_items", "id", "Line", []string{
		"external_product_id", "external_id", "date", "product", "description", "quantity", "amount", "total_discount",
		"tax_amount_imported",
		"tax_rate_imported", "tax_exemption", "tax_amount_calculated",
	}},
}

// differences returns the differences between two versions, and the fields that have some.
func differences(before, after map[string]any) (found []difference, fields map[string]bool) {
	fields = map[string]bool{}
	differ := func(field, what, a, b string) {
		if a != b {
			found, fields[field] = append(found, difference{what, a, b}), true
		}
	}
	for _, field := range comparedFields {
		differ(field, fieldName(field), fieldText(field, before), fieldText(field, after))
	}
	a, b := record(before["customer"]), record(after["customer"])
	differ("customer", "Customer", fieldText("external_id", a), fieldText("external_id", b))
	for _, part := range comparedParts {
		entries := entriesOf(before[part.field], after[part.field], part.known)
		for i, entry := range entries {
			name := part.name + " " + strconv.Itoa(i+1)
			if part.known == "type" {
				name = part.name + " " + strings.ToLower(sentence(entry.key))
			}
			switch {
			case entry.before == nil:
				differ(part.field, name, "", entryText(entry.after, part.fields))
			case entry.after == nil:
				differ(part.field, name, entryText(entry.before, part.fields), "")
			default:
				for _, field := range part.fields {
					differ(part.field, name+": "+strings.ToLower(fieldName(field)), fieldText(field, entry.before),
						fieldText(field, entry.after))
				}
			}
		}
	}
	return found, fields
}

// entry is an entry of a list in two versions; nil in a version that does not have it.
type entry struct {
	key           string
	before, after map[string]any
}

// entriesOf pairs the entries of two lists by their key: those of the first in order, then the remaining ones of the
// second.
func entriesOf(before, after any, known string) []entry {
	var entries []entry
	at := map[string]int{}
	for _, one := range records(before) {
		key := valueText(one[known])
		at[key] = len(entries)
		entries = append(entries, entry{key: key, before: one})
	}
	for _, one := range records(after) {
		key := valueText(one[known])
		if i, ok := at[key]; ok {
			entries[i].after = one
			continue
		}
		entries = append(entries, entry{key: key, after: one})
	}
	return entries
}

func record(value any) map[string]any {
	one, _ := value.(map[string]any)
	return one
}

func records(value any) (all []map[string]any) {
	list, _ := value.([]any)
	for _, each := range list {
		all = append(all, record(each))
	}
	return all
}

// entryText returns the values of an entry in one line.
func entryText(entry map[string]any, fields []string) string {
	var parts []string
	for _, field := range fields {
		if text := fieldText(field, entry); text != "" && text != "no" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// fieldText returns the value of a field as text, amounts with thousands separators.
func fieldText(field string, of map[string]any) string {
	text := valueText(of[field])
	if isAmount(field) {
		return grouped(text)
	}
	return text
}

// valueText returns a value of an answer as text; "" for null.
func valueText(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case bool:
		if value {
			return "yes"
		}
		return "no"
	case string:
		if at, err := time.Parse(time.RFC3339, value); err == nil {
			return momentText(at)
		}
		return value
	}
	return fmt.Sprint(value)
}
