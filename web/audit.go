package web

import (
	"encoding/json"
	"net/url"
	"time"
)

// auditEntry is one change, export or read.
type auditEntry struct {
	At    time.Time `json:"at"`
	Actor struct {
		Type string `json:"type"`
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"actor"`
	Action     string          `json:"action"`
	ObjectType string          `json:"object_type"`
	ObjectID   string          `json:"object_id"`
	Changes    json.RawMessage `json:"changes"`
	RequestID  string          `json:"request_id"`
}

// Who is the name of who did it, or what is known instead.
func (e auditEntry) Who() string {
	switch {
	case e.Actor.Name != "":
		return e.Actor.Name
	case e.Actor.ID != "":
		return e.Actor.ID
	}
	return "Levy itself"
}

// What is the change as it was noted; empty for none.
func (e auditEntry) What() string {
	if text := string(e.Changes); text != "{}" && text != "null" {
		return text
	}
	return ""
}

type auditList struct {
	Items []auditEntry `json:"items"`
	Total int          `json:"total"`
	Page  int          `json:"page"`
	Pages int          `json:"pages"`
	Query url.Values
}

// audit lists who changed what of an organization, the latest first.
func (c *Console) audit(v *visit) error {
	list := auditList{Query: v.URL.Query()}
	query := passedWith(list.Query, url.Values{"size": {"50"}}, "object_id", "actor_id", "action__in", "page")
	if err := v.get("/v1/audit?"+query, v.org, &list); err != nil {
		return err
	}
	return v.show("audit", "Audit trail", list)
}
