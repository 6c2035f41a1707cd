package main

import (
	"encoding/json"
	"time"

	"levy/models"
)

type auditListCmd struct {
	jsonFlag

	Organization string   `arg:"" optional:"" default:"installation" help:"Id of an organization; without it the trail of the installation: sign-ins, people of staff, and who read a history in the Temporal UI."`
	Object       string   `help:"Only of this object." placeholder:"ID"`
	Actor        string   `help:"Only of this person, key or operator." placeholder:"ID"`
	Action       []string `help:"Only these actions, such as decode." placeholder:"ACTION"`
	Limit        int      `help:"At most so many." default:"100"`
}

// auditEntryLine is what is printed of an entry.
type auditEntryLine struct {
	At         time.Time      `json:"at"`
	UserID     *string        `json:"user_id,omitempty"`
	UserName   *string        `json:"user_name,omitempty"`
	APIKeyID   *string        `json:"api_key_id,omitempty"`
	Staff      *string        `json:"staff,omitempty"`
	Action     string         `json:"action"`
	ObjectType string         `json:"object_type"`
	ObjectID   string         `json:"object_id"`
	Changes    map[string]any `json:"changes,omitempty"`
	RequestID  *string        `json:"request_id,omitempty"`
}

// auditEntries are entries of a trail, for programs.
type auditEntries struct {
	Entries []auditEntryLine `json:"entries"`
}

// Run prints a line of JSON for each entry.
func (c auditListCmd) Run(p *program) error {
	s, err := p.openStore(needDatabase)
	if err != nil {
		return err
	}
	defer s.Close()
	filter := models.AuditFilter{ObjectID: c.Object, ActorID: c.Actor, Actions: c.Action}
	list, err := s.Audit.ListAudit(p.ctx, models.Scope{OrganizationID: c.Organization}, filter,
		models.Page{Limit: c.Limit})
	if err == nil && len(list.Items) == 0 {
		err = knownOrganization(p.ctx, s, c.Organization)
	}
	if err != nil {
		return err
	}
	return tell(p, c.jsonFlag, func(p *program) (*auditEntries, error) {
		found := &auditEntries{Entries: []auditEntryLine{}}
		lines := json.NewEncoder(p.stdout)
		for _, e := range list.Items {
			line := auditEntryLine{
				At: e.At.UTC(), UserID: e.UserID, UserName: e.UserName, APIKeyID: e.APIKeyID, Staff: e.Staff, Action: e.Action,
				ObjectType: e.EntityType, ObjectID: e.EntityID, Changes: e.Detail, RequestID: e.RequestID,
			}
			found.Entries = append(found.Entries, line)
			if err := lines.Encode(line); err != nil {
				return nil, err
			}
		}
		return found, nil
	})
}
