package web

import (
	"net/url"

	"levy/contract"
	"levy/models"
)

// apiKey is an API key of the organization.
type apiKey struct{ contract.APIKey }

// Active reports whether the key works.
func (k apiKey) Active() bool { return models.APIKeyStatus(k.Status) == models.APIKeyActive }

type keyList struct {
	listPage

	Items  []apiKey
	Fields []field
}

func (c *Console) keys(v *pageRequest) error {
	query := pickWith(v.URL.Query(), url.Values{"active": {"false"}}, "page")
	found, err := v.session.WithQuery(query).ListAPIKeys(v.Context(), contract.ListAPIKeysRequest{})
	if err != nil {
		return err
	}
	list := keyList{
		listPage: v.pageOf(found.Total, found.Page, found.Pages),
		Fields:   v.inputs("make", required(text("name", "What it is for", 100, "off"))),
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
		return v.goBack(v.session.RevokeAPIKey(v.Context(), contract.RevokeAPIKeyRequest{APIKeyID: id}))
	default:
		err = unknownAction()
	}
	if err != nil {
		return err
	}
	return v.showOnce(shownOnce{Title: "The new key", Secret: created.APIKey,
		Says: "It is shown only now. Store it where your systems keep secrets."}, c.keys)
}

func (v *pageRequest) createKey() (created contract.APIKey, err error) {
	session, err := v.sending(map[string]any{"name": v.PostFormValue("name")})
	if err != nil {
		return created, err
	}
	return session.CreateAPIKey(v.Context(), contract.CreateAPIKeyRequest{})
}
