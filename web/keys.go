package web

import (
	"cmp"
	"html/template"
	"maps"
	"net/url"
	"strings"
	"unicode"

	"levy/contract"
	"levy/models"
)

// apiKey is an API key of the organization.
type apiKey struct{ contract.APIKey }

// Uses returns what the key may be used for, in words.
func (k apiKey) Uses() string {
	if len(k.Scopes) == len(keyScopes) {
		return "everything"
	}
	words := make([]string, len(k.Scopes))
	for i, scope := range k.Scopes {
		words[i] = string(scope)
	}
	return strings.Join(words, ", ")
}

// Active reports whether the key works.
func (k apiKey) Active() bool { return models.APIKeyStatus(k.Status) == models.APIKeyActive }

// Leaked is the field of the form that revokes the key.
func (k apiKey) Leaked() field {
	return field{Name: "leaked", Kind: "check", id: "leaked-" + k.ID,
		Label: "It may be in wrong hands: also revoke the keys that replaced it, and what it has created"}
}

type keyList struct {
	listPage

	Items   []apiKey
	Filters filterForm
	File    template.URL
	Fields  []field
	Scopes  []field // the boxes of the scopes of a new key
}

// keyScopes are what a key may be used for.
var keyScopes = []struct {
	scope contract.APIKeyScope
	label string
}{
	{contract.APIKeyScopeRead, "Read, and calculate without recording"},
	{contract.APIKeyScopeWrite, "Change records, such as sales and returns"},
	{contract.APIKeyScopePeople, "People, keys and personal data"},
}

// scopeFields returns a box for each scope.
func scopeFields() []field {
	boxes := make([]field, len(keyScopes))
	for i, each := range keyScopes {
		boxes[i] = field{Name: "scope_" + string(each.scope), Label: each.label, Kind: "check"}
	}
	return boxes
}

// keyEnd is the field for the last day of a new key.
var keyEnd = field{Name: "last_day", Path: "expires_at", Label: "Last day", Kind: "date", Auto: "off",
	Hint: "It works until the end of this day in UTC. Leave empty for a key that works until it is revoked."}

// keyAddresses is the field for the addresses from which a new key may be used.
var keyAddresses = field{Name: "allowed_addresses", Label: "Only from these addresses", Kind: "text", Max: 2600, Auto: "off",
	AsTyped: true, Hint: "Addresses or networks, such as 203.0.113.0/24, with spaces between them. Leave empty for everywhere."}

func (c *Console) keys(v *pageRequest) error {
	asked := url.Values{"active": {cmp.Or(v.URL.Query().Get("active"), "false")}}
	query := v.sized(pickWith(v.URL.Query(), maps.Clone(asked), "page"))
	found, err := v.session.WithQuery(query).ListAPIKeys(v.Context(), contract.ListAPIKeysRequest{})
	if err != nil {
		return err
	}
	list := keyList{
		listPage: v.pageOf(found.Total, found.Page, found.Pages),
		File:     v.fileOf("keys", asked, keyParameters...),
		Filters:  filters("Filter", v.URL.Query(), allOf("active", "active", "Which", []option{{"true", "Those in use"}})),
		Fields:   v.inputs("make", required(text("name", "What it is for", 100, "off")), keyEnd, keyAddresses),
		Scopes:   v.inputs("make", scopeFields()...),
	}
	for _, key := range found.Items {
		list.Items = append(list.Items, apiKey{key})
	}
	return v.show("Keys", list)
}

// changeKey creates, rotates or revokes a key. A new key is shown once.
func (c *Console) changeKey(v *pageRequest) error {
	var created contract.APIKey
	var err error
	id := v.PostFormValue("id")
	switch v.PostFormValue("action") {
	case "make":
		created, err = v.createKey()
	case "rotate":
		created, err = v.session.RotateAPIKey(v.Context(), contract.RotateAPIKeyRequest{APIKeyID: id})
	case "revoke":
		return c.revokeKey(v, id)
	default:
		err = unknownAction()
	}
	if err != nil {
		return err
	}
	return v.showOnce(shownOnce{Title: "The new key", Secret: created.APIKey,
		Says: "It is shown only now. Store it where your systems keep secrets."}, c.keys)
}

// revokeKey revokes a key. The page after it says what ended with the key, and what still works.
func (c *Console) revokeKey(v *pageRequest, id string) error {
	leaked := v.PostFormValue("leaked") != ""
	done, err := v.session.EndAPIKey(v.Context(), contract.EndAPIKeyRequest{
		APIKeyID: id, Body: contract.APIKeyEnd{Leaked: leaked},
	})
	if err != nil || len(done.Ended) == 0 && len(done.ToDecide) == 0 {
		return v.goBack(err)
	}
	v.created = &shownOnce{Title: "The key is revoked", Says: strings.TrimSpace(
		thingsInWords("With it ended: ", done.Ended) + " " + thingsInWords("Still working, decide about each: ", done.ToDecide))}
	return c.keys(v)
}

// thingsInWords names things after the end of their maker; "" for none.
func thingsInWords(begin string, things []contract.MadeThing) string {
	if len(things) == 0 {
		return ""
	}
	words := map[contract.MadeThingType]string{
		contract.MadeThingTypeAPIKey: "key", contract.MadeThingTypeInvitation: "person",
		contract.MadeThingTypeCalendarFeed:   "calendar feed",
		contract.MadeThingTypeOnboardingLink: "onboarding link", contract.MadeThingTypeWebhookEndpoint: "webhook endpoint",
	}
	named := make([]string, len(things))
	for i, thing := range things {
		named[i] = words[thing.Type] + " " + thing.ID
	}
	return begin + strings.Join(named, ", ") + "."
}

func (v *pageRequest) createKey() (created contract.APIKey, err error) {
	sent := map[string]any{"name": v.PostFormValue("name")}
	// Without the field a key is limited as that of the caller is.
	if addresses := strings.FieldsFunc(v.PostFormValue(keyAddresses.Name), isBetweenAddresses); len(addresses) > 0 {
		sent[keyAddresses.Name] = addresses
	}
	if day := v.PostFormValue(keyEnd.Name); day != "" {
		sent["expires_at"] = day + "T23:59:59Z"
	}
	var scopes []string // without the field a key may all that its maker may give
	for i, box := range scopeFields() {
		if v.PostFormValue(box.Name) != "" {
			scopes = append(scopes, string(keyScopes[i].scope))
		}
	}
	if scopes != nil {
		sent["scopes"] = scopes
	}
	session, err := v.sending(sent)
	if err != nil {
		return created, err
	}
	created, err = session.CreateAPIKey(v.Context(), contract.CreateAPIKeyRequest{})
	if refused := problemOf(err); refused != nil {
		err = refused.fromForm(originsOf([]field{keyAddresses, keyEnd}))
	}
	return created, err
}

// isBetweenAddresses reports whether a letter separates typed addresses.
func isBetweenAddresses(letter rune) bool {
	return unicode.IsSpace(letter) || letter == ',' || letter == ';'
}
