package web

import (
	"net/http"
	"net/url"
	"time"
)

// apiKey is an API key of the organization.
type apiKey struct {
	ID      string     `json:"id"`
	Name    string     `json:"name"`
	Prefix  string     `json:"prefix"`
	Last4   string     `json:"last4"`
	Status  string     `json:"status"`
	Created time.Time  `json:"created_at"`
	Used    *time.Time `json:"last_used_at"`
	Expires *time.Time `json:"expires_at"`
	Key     string     `json:"api_key"` // only in the answer that creates it
}

type keyList struct {
	listPage

	Items  []apiKey `json:"items"`
	Fields []field
}

const keysPath = "/v1/organizations/api_keys"

func (c *Console) keys(v *pageRequest) error {
	list := keyList{listPage: v.listPage()}
	query := pickWith(list.Query, url.Values{"active": {"false"}}, "page")
	if err := v.get(keysPath+"?"+query, v.org, &list); err != nil {
		return err
	}
	list.Fields = v.inputs("make", required(text("name", "What it is for", 100, "off")))
	return v.show("Keys", list)
}

// changeKey creates, rotates or revokes a key. A new key is shown once.
func (c *Console) changeKey(v *pageRequest) error {
	var created apiKey
	var err error
	id := url.PathEscape(v.PostFormValue("id"))
	switch v.PostFormValue("action") {
	case "make":
		err = v.call(http.MethodPost, keysPath, v.org, map[string]any{"name": v.PostFormValue("name")}, &created)
	case "rotate":
		err = v.call(http.MethodPost, keysPath+"/"+id+"/rotate", v.org, map[string]any{}, &created)
	case "revoke":
		return v.goBack(v.call(http.MethodDelete, keysPath+"/"+id, v.org, nil, nil))
	default:
		err = unknownAction()
	}
	if err != nil {
		return err
	}
	return v.showOnce(shownOnce{Title: "The new key", Secret: created.Key,
		Says: "It is shown only now. Store it where your systems keep secrets."}, c.keys)
}
