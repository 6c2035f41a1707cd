package web

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"levy/contract"
)

// version is a replaced version of a transaction with its differences from the next one.
type version struct {
	contract.TransactionRevisionEntry
	Differences []difference
	Unshown     []string // fields of Changed that have no entry in Differences
}

// Next returns the number of the next version.
func (v version) Next() int { return v.Revision + 1 }

// difference is the value of one field in two versions.
type difference struct{ What, Before, After string }

// versionList is a page of replaced versions, the newest first.
type versionList struct {
	listPage

	Items []version
}

// versionsShown is the number of versions that a page compares; each takes a call.
const versionsShown = 5

// versionPage is the parameter with the number of the page of versions.
const versionPage = "version_page"

// versions reads a page of the replaced versions of a transaction, and compares each with the next one. now is the
// transaction itself. Errors: those of the operations.
func (v *pageRequest) versions(now *contract.Transaction) (list versionList, err error) {
	id := v.PathValue("id")
	query := url.Values{
		"size": {strconv.Itoa(versionsShown)}, "page": {cmp.Or(v.URL.Query().Get(versionPage), "1")},
	}
	answer, err := v.session.WithQuery(query.Encode()).ListTransactionRevisions(v.Context(),
		contract.ListTransactionRevisionsRequest{TransactionID: id})
	if err != nil || len(answer.Items) == 0 {
		return list, err
	}
	list.listPage = v.pageOf(answer.Total, answer.Page, answer.Pages)
	list.Part, list.parameter = "#versions", versionPage
	after := now
	if list.Page > 1 { // the version after the first of this page is on the previous page
		if after, err = v.version(id, answer.Items[0].Revision+1); err != nil {
			return list, err
		}
	}
	for _, entry := range answer.Items {
		before, err := v.version(id, entry.Revision)
		if err != nil {
			return list, err
		}
		one := version{TransactionRevisionEntry: entry}
		var shown map[string]bool
		one.Differences, shown = differences(before, after)
		one.Unshown = slices.DeleteFunc(slices.Clone(entry.Changed), func(field string) bool { return shown[field] })
		list.Items, after = append(list.Items, one), before
	}
	return list, nil
}

// version reads a replaced version. Errors: those of the operation.
func (v *pageRequest) version(id string, number int) (*contract.Transaction, error) {
	read, err := v.session.GetTransactionRevision(v.Context(),
		contract.GetTransactionRevisionRequest{TransactionID: id, Revision: strconv.Itoa(number)})
	return &read.Transaction, err
}

// compared is a compared field of a record, by its name in the contract.
type compared[T any] struct {
	field string
	value func(*T) string
}

// text returns the value of the field as text, amounts with thousands separators. It returns "" for no record.
func (c compared[T]) text(of *T) string {
	if of == nil {
		return ""
	}
	if isNumeric(c.field) {
		return grouped(c.value(of))
	}
	return isolated(c.value(of))
}

// comparedFields are the compared fields of a transaction. Tax ids and phones are left out: the page only says that
// they differ.
var comparedFields = []compared[contract.Transaction]{
	{"external_id", func(t *contract.Transaction) string { return t.ExternalID }},
	{"status", func(t *contract.Transaction) string { return string(t.Status) }},
	{"date", func(t *contract.Transaction) string { return timeText(t.Date) }},
	{"shop_date", func(t *contract.Transaction) string { return plain(t.ShopDate) }},
	{"shop_date_tz", func(t *contract.Transaction) string { return t.ShopDateTz }},
	{"description", func(t *contract.Transaction) string { return t.Description }},
	{"marketplace", func(t *contract.Transaction) string { return yesOrNo(t.Marketplace) }},
	{"exempt", func(t *contract.Transaction) string { return string(t.Exempt) }},
	{"related_to", func(t *contract.Transaction) string { return t.RelatedTo }},
	{"secondary_external_id", func(t *contract.Transaction) string { return t.SecondaryExternalID }},
	{"secondary_source", func(t *contract.Transaction) string { return t.SecondarySource }},
	{"external_friendly_id", func(t *contract.Transaction) string { return t.ExternalFriendlyID }},
	{"source", func(t *contract.Transaction) string { return plain(t.Source) }},
	{"connection_id", func(t *contract.Transaction) string { return t.ConnectionID }},
	{"currency", func(t *contract.Transaction) string { return t.Currency }},
	{"total_amount", func(t *contract.Transaction) string { return t.TotalAmount }},
	{"total_tax_amount_imported", func(t *contract.Transaction) string { return t.TotalTaxAmountImported }},
	{"tax_rate_imported", func(t *contract.Transaction) string { return t.TaxRateImported }},
	{"total_tax_amount_calculated", func(t *contract.Transaction) string { return t.TotalTaxAmountCalculated }},
	{"total_tax_liability_amount", func(t *contract.Transaction) string { return t.TotalTaxLiabilityAmount }},
}

// comparedAddress are the compared fields of an address.
var comparedAddress = []compared[contract.TransactionAddress]{
	{"street_1", func(a *contract.TransactionAddress) string { return a.Street1 }},
	{"street_2", func(a *contract.TransactionAddress) string { return a.Street2 }},
	{"city", func(a *contract.TransactionAddress) string { return a.City }},
	{"county", func(a *contract.TransactionAddress) string { return a.County }},
	{"state", func(a *contract.TransactionAddress) string { return a.State }},
	{"postal_code", func(a *contract.TransactionAddress) string { return a.PostalCode }},
	{"country", func(a *contract.TransactionAddress) string { return a.Country }},
	{"full_address", func(a *contract.TransactionAddress) string { return a.FullAddress }},
	{"is_unincorporated", func(a *contract.TransactionAddress) string { return yesOrNo(a.IsUnincorporated) }},
}

// comparedLine are the compared fields of a line.
var comparedLine = []compared[contract.TransactionItem]{
	{"external_product_id", func(i *contract.TransactionItem) string { return i.ExternalProductID }},
	{"external_id", func(i *contract.TransactionItem) string { return i.ExternalID }},
	{"date", func(i *contract.TransactionItem) string { return timeText(i.Date) }},
	{"product", func(i *contract.TransactionItem) string { return i.Product }},
	{"description", func(i *contract.TransactionItem) string { return i.Description }},
	{"quantity", func(i *contract.TransactionItem) string { return i.Quantity }},
	{"amount", func(i *contract.TransactionItem) string { return i.Amount }},
	{"total_discount", func(i *contract.TransactionItem) string { return i.TotalDiscount }},
	{"tax_amount_imported", func(i *contract.TransactionItem) string { return i.TaxAmountImported }},
	{"tax_rate_imported", func(i *contract.TransactionItem) string { return i.TaxRateImported }},
	{"tax_exemption", func(i *contract.TransactionItem) string { return plain(i.TaxExemption) }},
	{"exemption_category", func(i *contract.TransactionItem) string { return plain(i.ExemptionCategory) }},
	{"tax_amount_calculated", func(i *contract.TransactionItem) string { return i.TaxAmountCalculated }},
}

// comparison are the differences between two versions, and the fields that have some.
type comparison struct {
	found  []difference
	fields map[string]bool
}

func (c *comparison) add(field, what, before, after string) {
	if before != after {
		c.found, c.fields[field] = append(c.found, difference{what, before, after}), true
	}
}

// differences returns the differences between two versions, and the fields that have some.
func differences(before, after *contract.Transaction) ([]difference, map[string]bool) {
	c := &comparison{fields: map[string]bool{}}
	for _, f := range comparedFields {
		c.add(f.field, fieldName(f.field), f.text(before), f.text(after))
	}
	c.add("customer", "Customer", before.Customer.ExternalID, after.Customer.ExternalID)
	addresses := entriesOf(before.Addresses, after.Addresses,
		func(a *contract.TransactionAddress) string { return string(a.Type) })
	for _, e := range addresses {
		compareEntry(c, "addresses", "Address "+strings.ToLower(sentence(e.key)), e, comparedAddress)
	}
	lines := entriesOf(before.TransactionItems, after.TransactionItems,
		func(i *contract.TransactionItem) string { return i.ID })
	for i, e := range lines {
		compareEntry(c, "transaction_items", "Line "+strconv.Itoa(i+1), e, comparedLine)
	}
	return c.found, c.fields
}

// compareEntry compares the fields of an entry of a list. An entry that only one version has is one difference.
func compareEntry[T any](c *comparison, list, name string, e entry[T], fields []compared[T]) {
	if e.before == nil || e.after == nil {
		c.add(list, name, entryText(e.before, fields), entryText(e.after, fields))
		return
	}
	for _, f := range fields {
		c.add(list, name+": "+strings.ToLower(fieldName(f.field)), f.text(e.before), f.text(e.after))
	}
}

// entry is an entry of a list in two versions; nil in a version that does not have it.
type entry[T any] struct {
	key           string
	before, after *T
}

// entriesOf pairs the entries of two lists by their key: those of the first in order, then the remaining ones of the
// second.
func entriesOf[T any](before, after []T, key func(*T) string) (entries []entry[T]) {
	at := map[string]int{}
	for i := range before {
		one := &before[i]
		at[key(one)] = len(entries)
		entries = append(entries, entry[T]{key: key(one), before: one})
	}
	for i := range after {
		one := &after[i]
		if i, ok := at[key(one)]; ok {
			entries[i].after = one
			continue
		}
		entries = append(entries, entry[T]{key: key(one), after: one})
	}
	return entries
}

// entryText returns the values of an entry in one line.
func entryText[T any](entry *T, fields []compared[T]) string {
	var parts []string
	for _, f := range fields {
		if text := f.text(entry); text != "" && text != "no" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// timeText returns a time; "" for none.
func timeText(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return momentText(at)
}

func yesOrNo(value bool) string {
	if value {
		return "yes"
	}
	return "no"
}
