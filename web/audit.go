package web

import (
	"cmp"
	"encoding/json"
	"html/template"
	"levy/contract"
	"levy/models"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// auditEntry is one change, export or read in the audit trail.
type auditEntry struct{ contract.AuditEntry }

// ActorLabel returns the name of the actor, else its type or id.
func (e auditEntry) ActorLabel() string {
	switch {
	case e.Actor.Name != "":
		return e.Actor.Name
	case models.ActorType(e.Actor.Type) == models.ActorAPIKey:
		return "API key"
	}
	return cmp.Or(valueOf(e.Actor.ID), "Levy itself")
}

// Pages returns the folder of the record's page below /o/{org}; "" if records of that type have no page.
func (e auditEntry) Pages() string {
	return map[string]string{
		"transaction": "transactions", "filing": "filings", "registration": "registrations", "nexus": "nexus",
		"product": "products", "customer": "customers", "exemption": "exemptions", "transaction_import": "imports",
		"webhook_endpoint": "webhooks", "notice": "notices",
	}[e.ObjectType]
}

// Lines returns one line of text for each changed field; none for an entry without changes. The names of fields without
// values share a line.
func (e auditEntry) Lines() (said []string) {
	changes := e.Changes
	if move := moved(changes); move != "" {
		said = append(said, move)
	}
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		switch value := changes[name].(type) {
		case []any:
			if name == "fields" {
				value = slices.DeleteFunc(slices.Clone(value), func(field any) bool {
					return changes[textOf(field)] != nil || field == "status" && changes["to"] != nil // "to" is the status
				})
			}
			if len(value) > 0 {
				said = append(said, named(name)+": "+joined(value))
			}
		case map[string]any:
			if move := moved(value); move != "" {
				said = append(said, named(name)+": "+move)
				continue
			}
			noted, _ := json.Marshal(value) // it was decoded from JSON
			said = append(said, named(name)+": "+string(noted))
		case nil:
		default:
			if name != "from" && name != "to" {
				said = append(said, named(name)+": "+valueLabel(value))
			}
		}
	}
	return said
}

// moved returns a change as "from → to"; "" if both are the same.
func moved(change map[string]any) string {
	from, to := valueLabel(change["from"]), valueLabel(change["to"])
	if from == to {
		return ""
	}
	return strings.TrimSpace(from + " → " + cmp.Or(to, "none"))
}

// valueLabel returns the value of a field before or after a change; "" for none.
func valueLabel(value any) string {
	switch v := value.(type) {
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []any:
		return joined(v)
	}
	return isolated(inWords(textOf(value)))
}

// inWords returns a code as words: NEEDS_REFETCH is "Needs attention". It returns other texts unchanged.
func inWords(text string) string {
	if len(text) > 1 && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" {
		return sentence(text)
	}
	return text
}

// named returns the label of a changed field.
func named(name string) string {
	if name == "fields" {
		return "Changed, without values"
	}
	return sentence(name)
}

// joined returns values as a list with commas. Names of fields lose their underscores.
func joined(values []any) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = textOf(value)
		if text, ok := value.(string); ok {
			texts[i] = isolated(strings.ReplaceAll(text, "_", " "))
		}
	}
	return strings.Join(texts, ", ")
}

// auditActions are the actions of the audit trail, sorted by label.
var auditActions = func() []option {
	all := options("activate", "add_entry", "archive", "ask", "assign", "cancel", "create", "credit_note_added",
		"credit_note_changed", "delete", "delete_entry", "delete_payment",
		"disable", "erase", "expire", "export", "invite", "keys_saved", "pause",
		"read", "record_payment", "redeliver", "remind", "refuse_passkey", "remove", "replay", "reprocess", "requeue", "restore_keys", "resume",
		"retire", "revoke", "rotate", "save_keys", "seal",
		"prove_session", "sign_in", "test", "undo", "update")
	slices.SortFunc(all, func(a, b option) int { return strings.Compare(a.Label, b.Label) })
	return all
}()

// auditTypes are the kinds of records of the audit trail, sorted by label.
var auditTypes = func() []option {
	var all []option
	for _, code := range strings.Fields(`api_key audit authority_connection backup bank_details business_address business_contact
		business_details business_information business_owners calendar_feed comment customer default_products exception exemption
		exemption_attachment filing filing_document grant nexus notice notice_document onboarding onboarding_link organization
		organization_details organization_settings physical_nexus product rate_limit rate_override registration report
		storage_quota transaction transaction_import user webhook_endpoint wrapped_keys`) {
		all = append(all, option{code, recordType(code)})
	}
	slices.SortFunc(all, func(a, b option) int { return strings.Compare(a.Label, b.Label) })
	return all
}()

type auditList struct {
	listPage

	Items   []auditEntry
	File    template.URL
	Filters filterForm
	Records []foundRecord // that the text of the filter may mean
	Unknown string        // the text of the filter that names no record
}

// recordID is the form of the ids of records, which the names of records do not have.
var recordID = regexp.MustCompile(`^[a-z]+_[0-9A-Za-z]+$`)

// nameRecord replaces the text of the filter by the id of the record that it names. It lists the records if the text names
// several. Errors: those of the search.
func (v *pageRequest) nameRecord(list *auditList) error {
	text := strings.TrimSpace(list.Query.Get("object_id"))
	if text == "" || recordID.MatchString(text) {
		return nil
	}
	found, err := v.session.Search(v.Context(), contract.SearchRequest{Params: contract.SearchParams{Q: text}})
	if err != nil {
		return err
	}
	for _, each := range found.Items {
		if each.OrganizationID == v.org {
			list.Records = append(list.Records, foundRecord{each})
		}
	}
	switch len(list.Records) {
	case 0:
		list.Unknown = text
	case 1:
		list.Query.Set("object_id", list.Records[0].ObjectID)
		list.Records = nil
	}
	return nil
}

// actorField returns the filter by a person. It keeps the id of a key, and of a person without access now.
func actorField(people []contract.Colleague) field {
	var names []option
	for _, p := range people {
		names = append(names, option{p.ID, p.Name})
	}
	actor := allOf("actor", "actor_id", "Person", names)
	actor.Unlisted = true
	return actor
}

// audit lists the audit trail of an organization, the latest entry first.
func (c *Console) audit(v *pageRequest) error {
	list := auditList{listPage: v.listPage()}
	people, err := v.colleagues(v.org)
	if err = v.optional("the names of people", err); err != nil {
		return err
	}
	action := allOf("action", "action__in", "Action", auditActions)
	kind := allOf("type", "object_type__in", "Kind of record", auditTypes)
	action.Unlisted, kind.Unlisted = true, true
	list.Filters = filters("Find", list.Query, actorField(people[v.org]), action, kind,
		as("since", date("since", "From")), as("until", date("until", "Until")),
		search("object", "object_id", "Name or ID of the record"))
	if err := v.nameRecord(&list); err != nil {
		return err
	}
	if list.Records != nil || list.Unknown != "" {
		return v.show("Audit trail", list)
	}
	query := v.sized(pickWith(list.Query, url.Values{"size": {"50"}}, append([]string{"page"}, auditParameters...)...))
	entries, err := v.session.WithQuery(query).ListAudit(v.Context(), contract.ListAuditRequest{})
	if err != nil {
		return err
	}
	of := list.Query
	list.listPage = v.pageOf(entries.Total, entries.Page, entries.Pages)
	list.Query = of // pages and the file are of the record that was named
	list.File = v.fileOf("audit", of, auditParameters...)
	for _, each := range entries.Items {
		list.Items = append(list.Items, auditEntry{each})
	}
	return v.show("Audit trail", list)
}

// latestChange returns the latest change of a record. It is nil if there is none, without the right to read the trail, and
// if it cannot be read in time.
func (v *pageRequest) latestChange(objectID string) (*auditEntry, error) {
	list, err := v.session.ListAudit(v.Context(), contract.ListAuditRequest{Params: contract.ListAuditParams{
		ObjectID: objectID, ActionIn: []string{models.AuditUpdate}, Size: 1,
	}})
	if refusedWith(err, http.StatusForbidden) {
		return nil, nil
	}
	if err != nil || len(list.Items) == 0 {
		return nil, v.optional("who changed it", err)
	}
	return &auditEntry{list.Items[0]}, nil
}
