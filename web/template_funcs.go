package web

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/bidi"

	"levy/models"
)

// templateFuncs returns the functions of the templates.
func (c *Console) templateFuncs() template.FuncMap {
	return template.FuncMap{
		"status":        ofText(sentence),
		"lower":         ofText(strings.ToLower),
		"day":           ofText(day),
		"month":         ofText(func(day string) string { return monthName(day, 0) }),
		"moment":        momentText,
		"ago":           func(t time.Time) string { return span(c.now().Sub(t)) },
		"due":           ofText(func(date string) string { return due(date, c.now()) }),
		"late":          ofText(func(date string) bool { return strings.Contains(due(date, c.now()), "overdue") }),
		"soon":          ofText(func(date string) bool { return soon(date, c.now()) }),
		"path":          ofText(url.PathEscape),
		"isolated":      isolated,
		"may":           func(u *user, organization string, role models.Role) bool { return u.may(organization, role) },
		"managesRecord": func(u *user, organization string) bool { return u.managesRecord(organization) },
		"managesKeys":   func(u *user, organization string) bool { return u.managesKeys(organization) },
		"plus":          func(a, b int) int { return a + b },
		"plus64":        func(a, b int64) int64 { return a + b },
		"nextCursor":    nextCursor,
		"run":           c.run,
		"records": func(name string, list []nexusRecord, org string) any { // data of a template that is used twice
			return struct {
				Name, Org string
				List      []nexusRecord
			}{name, org, list}
		},
		"cells": func(list []rejectedCell, line string) any { // data of a template that is used twice
			return struct {
				Cells []rejectedCell
				Line  string
			}{list, line}
		},
		"rate":           ofText(percentOf),
		"size":           size,
		"states":         ofText(func(chosen string) regionList { return regionListOf(knownStates, chosen) }),
		"places":         ofText(func(chosen string) regionList { return regionListOf(jurisdictions, chosen) }),
		"list":           func(texts ...string) []string { return texts },
		"step":           stepNames,
		"exceptionLabel": ofText(exceptionLabel), "actor": ofText(actorLabel),
		"recordType": ofText(recordType), "recordTypes": ofText(recordTypes),
		"blocker": ofText(blockerLabel), "cause": ofText(causeLabel),
		"money":  grouped,
		"reason": ofText(reasonLabel), "class": ofText(className),
		"readable": ofText(readable), "field": ofText(fieldName),
		"shown":   shown,
		"columns": columns, "number": number,
		"queryWith": queryWith,
		"asset":     c.assets.address,
		"counted":   counted[int], "counted64": counted[int64],
	}
}

// ofText makes a function of a text one of a value of the contract, such as a code or a day.
func ofText[T any](function func(string) T) func(any) T {
	return func(value any) T { return function(plain(value)) }
}

// plain returns a value of the contract as text. An optional value that is absent, and a day that is not set, is "".
func plain(value any) string {
	v := reflect.ValueOf(value)
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if !v.IsValid() {
		return ""
	}
	if day, ok := v.Interface().(interface{ IsZero() bool }); ok && day.IsZero() {
		return ""
	}
	return fmt.Sprint(v.Interface())
}

// column is the head of a column of a table. Numbers are aligned to the right.
type column struct {
	Label  string
	Number bool
}

// number returns the head of a column of numbers.
func number(label string) column { return column{label, true} }

// columns returns the heads of a table. A label is a string or a column. false is a column that is not shown, such as
// the actions for viewers.
func columns(labels ...any) (all []column) {
	for _, label := range labels {
		switch label := label.(type) {
		case string:
			all = append(all, column{Label: label})
		case column:
			all = append(all, label)
		}
	}
	return all
}

// sentence returns the label of a code: NEEDS_REFETCH is "Needs attention", FULLY_REFUNDED is "Fully refunded".
func sentence(code string) string {
	text := strings.ToLower(strings.ReplaceAll(code, "_", " "))
	if text == "" {
		return ""
	}
	known := map[string]string{
		"unfiled": "Not filed yet", "filing": "With the authority", "issue": "Issue", "needs refetch": "Needs attention",
		"queued": "Waiting", "new": "New", "address done": "Address found", "exempt done": "Exemptions applied",
		"nexus done":   "Nexus checked",
		"processed":    "Taxed",
		"compensating": "Being undone", "compensated": "Undone", "saas": "Software as a service",
		"semi annually": "Twice a year", "semi monthly": "Twice a month", "bi monthly": "Every two months",
		"reprocess": "Processing requested again", "four monthly": "Every four months",
		"oss": "One-stop shop", "sst": "Streamlined Sales Tax",
	}
	if said, ok := known[text]; ok {
		return said
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Label returns the label of a code, for other programs that print it.
func Label(code string) string { return sentence(code) }

// DisabledReason returns why an endpoint is disabled, by its code.
func DisabledReason(reason string) string {
	return map[string]string{
		"MANUAL": "switched off by a person", "FAILING": "no success for five days", "GONE": "it answered that it is gone",
	}[reason]
}

// recordType returns the label of a type of records.
func recordType(of string) string {
	if strings.EqualFold(of, "filing") {
		return "Return"
	}
	return strings.Replace(sentence(of), "Api key", "API key", 1)
}

// recordTypes returns the plural of a type of records, inside a sentence.
func recordTypes(of string) string { return strings.ToLower(recordType(of)) + "s" }

// actorLabel returns the name of a person, or "an API key" for the id of a key.
func actorLabel(name string) string {
	if strings.HasPrefix(name, "akey_") {
		return "an API key"
	}
	return name
}

// blockerLabel returns why a return cannot be approved yet.
func blockerLabel(code string) string {
	said := map[string]string{
		"TRANSACTIONS_UNRESOLVED": "transactions are unresolved", "BLOCKED": "its approval is blocked",
		"PERIOD_OPEN": "its period is not over", "TRANSACTIONS_IN_PROCESSING": "transactions are being processed",
		"RETURN_INCOMPLETE": "its document lacks data, which its findings name",
	}[code]
	if said == "" {
		said = strings.ToLower(sentence(code))
	}
	return said
}

// causeLabel returns why the tax in a place changed.
func causeLabel(code string) string {
	return cmp.Or(map[string]string{
		"NEW_PLACE": "nothing was owed here before", "NO_SALES": "nothing is owed here now", "RATE": "another rate",
		"MORE_TAXABLE": "more was taxable", "LESS_TAXABLE": "less was taxable",
		"OTHER": "other than by sales and rates, such as tax that was collected",
	}[code], strings.ToLower(sentence(code)))
}

// reasonLabel returns the reason of a change, which is a code or a text that a person typed.
func reasonLabel(said string) string {
	return cmp.Or(map[string]string{
		"OWES_AFTER_SKIP":  "something is owed, so the period needs a return after all",
		"REGISTERED_LATER": "its registration begins later",
		"NOTHING_TO_AMEND": "what came after the return has left its period again",
		"RETURN_RELEASED":  "the return that it amends has released its transactions",
	}[said], inWords(said))
}

// exceptionLabel returns the label of a type of exceptions.
func exceptionLabel(of string) string {
	names := map[string]string{
		"TRANSACTION_UNRESOLVED": "Transactions to correct", "FILING_ISSUE": "Returns with an issue",
		"FILING_TO_APPROVE": "Returns to approve", "FILING_WAITING": "Returns waiting",
		"FILING_OVERDUE": "Returns overdue", "REGISTRATION_WAITING": "Registrations waiting",
		"IMPORT_FAILED":    "Failed imports",
		"ONBOARDING_STUCK": "Onboardings without progress", "NEXUS_UNREGISTERED": "Nexus without registration",
		"WEBHOOK_DISABLED": "Webhook endpoints switched off", "REFUND_TO_CLAIM": "Refunds to claim",
		"NOTICE_OPEN": "Notices to answer",
	}
	if name, ok := names[of]; ok {
		return name
	}
	return sentence(of)
}

// day marks a day, so that the page has it in the form of its person. It returns other texts unchanged.
func day(date string) string {
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return date
	}
	return dayMark + date + endMark
}

// momentText marks an instant, so that the page has it in the form and time zone of its person.
func momentText(t time.Time) string { return momentMark + t.UTC().Format(time.RFC3339) + endMark }

// due returns the distance of a due date: "due in 3 days", "2 days overdue".
func due(date string, now time.Time) string {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return "no due date"
	}
	today := now.UTC().Truncate(24 * time.Hour)
	switch days := int(t.Sub(today).Hours() / 24); {
	case days == 0:
		return "due today"
	case days == 1:
		return "due tomorrow"
	case days > 1:
		return fmt.Sprintf("due in %d days", days)
	case days == -1:
		return "1 day overdue"
	default:
		return fmt.Sprintf("%d days overdue", -days)
	}
}

// soon reports whether a due date is past or at most three days away. Levy tries to submit a return for as long.
func soon(date string, now time.Time) bool {
	t, err := time.Parse(time.DateOnly, date)
	return err == nil && t.Sub(now) <= 3*24*time.Hour
}

// span returns a duration in its largest unit: "3 hours".
func span(d time.Duration) string {
	for _, unit := range []struct {
		name string
		size time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}} {
		if n := int(d / unit.size); n == 1 {
			return "1 " + unit.name
		} else if n > 1 {
			return fmt.Sprintf("%d %ss", n, unit.name)
		}
	}
	return "less than a minute"
}

// size returns a number of bytes: "3.5 MiB".
func size(bytes int64) string {
	switch {
	case bytes >= 1<<20:
		return fmt.Sprintf("%d.%d MiB", bytes>>20, bytes%(1<<20)*10>>20)
	case bytes >= 1<<10:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// counted returns a number with the singular or plural of its noun.
func counted[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// queryWith returns a query with one value changed, for links to other pages of a list.
func queryWith(query url.Values, name string, value any) template.URL {
	next := url.Values{}
	maps.Copy(next, query)
	switch name { // a page is named by its number or by the cursor before it
	case "page":
		next.Del("after")
	case "after":
		next.Del("page")
	}
	next.Set(name, fmt.Sprint(value))
	return template.URL(next.Encode()) //nolint:gosec // it is encoded
}

// ByNumber returns the form that leads to a page of the list by its number. It keeps the filters of the list.
func (l listPage) ByNumber() filterForm {
	form := filterForm{Button: "Go", Part: l.Part}
	for _, name := range slices.Sorted(maps.Keys(l.Query)) {
		for _, value := range l.Query[name] {
			if name != l.Parameter() && name != "after" {
				form.Fields = append(form.Fields, hidden(name, value))
			}
		}
	}
	form.Fields = append(form.Fields, field{Name: l.Parameter(), Label: fmt.Sprintf("Page, 1 to %d", l.Pages), Kind: "digits", Max: 9,
		Native: true, Required: true, Unseen: true, Placeholder: "Page", Auto: "off", id: "to-page"})
	return form
}

// listPage is a page of a list, and the query of its address.
type listPage struct {
	Total int
	Page  int
	Pages int
	Query url.Values

	Part      template.URL // of the page that has the list, such as "#versions"; empty for a page that is the list
	parameter string       // has the number of the page; empty for "page"
}

// Parameter returns the name of the parameter that has the number of the page.
func (l listPage) Parameter() string { return cmp.Or(l.parameter, "page") }

// Filtered reports whether the list shows only some records, or not its beginning.
func (l listPage) Filtered() bool {
	for name := range l.Query {
		if l.Query.Get(name) != "" && name != "order_by" {
			return true
		}
	}
	return false
}

// Address returns the query of the list for links and forms. Templates would encode a plain text a second time.
func (l listPage) Address() template.URL { return template.URL(l.Query.Encode()) } //nolint:gosec // it is encoded

// pageOf returns a page of a list that the service has answered.
func (v *pageRequest) pageOf(total int64, page, pages int) listPage {
	return listPage{Total: int(total), Page: page, Pages: pages, Query: v.URL.Query()}
}

// lastPage returns the last page of a list if the requested one is after it; else 0.
func (l listPage) lastPage() int {
	if l.Page > l.Pages {
		return l.Pages
	}
	return 0
}

// listPage returns a list with the query of the address, before it is read.
func (v *pageRequest) listPage() listPage { return listPage{Query: v.URL.Query()} }

// cursor is the part of a list that has the cursor of its next page. Reading after a cursor takes as long as the first
// page.
type cursor struct {
	NextCursor string
}

func (c cursor) nextCursor() string { return c.NextCursor }

// nextCursor returns the cursor of the next page of a list; "" if there is none.
func nextCursor(list any) string {
	if l, ok := list.(interface{ nextCursor() string }); ok {
		return l.nextCursor()
	}
	return ""
}

// runLink is the id of a run and its address in Temporal's UI; empty for people who cannot open it.
type runLink struct{ ID, Address string }

// run returns the link of a run. Only staff can reach Temporal.
func (c *Console) run(u *user, workflow any) runLink {
	id := plain(workflow)
	if c.runs == "" || !u.isStaff() {
		return runLink{ID: id}
	}
	return runLink{id, c.runs + url.PathEscape(id)}
}

// valueOf returns the value of an optional field; the zero value if it has none.
func valueOf[T any](field *T) (value T) {
	if field != nil {
		value = *field
	}
	return value
}

// isolated returns a name that a person typed, for a plain text around it: with two characters that keep the direction of
// its letters inside. A name that only has letters from left to right needs none. Elements have <bdi> instead.
func isolated(name string) string {
	turns := func(r rune) bool {
		p, _ := bidi.LookupRune(r)
		return slices.Contains(turning, p.Class())
	}
	if !strings.ContainsFunc(name, turns) {
		return name
	}
	return "\u2068" + name + "\u2069"
}

// turning are the classes of characters that can change the direction of what is around them.
var turning = []bidi.Class{bidi.R, bidi.AL, bidi.AN, bidi.LRO, bidi.RLO, bidi.LRE, bidi.RLE, bidi.LRI, bidi.RLI, bidi.FSI}
