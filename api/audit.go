package api

import (
	"context"

	"levy/api/openapi"
	"levy/models"
)

// ListAudit lists what was changed.
func (s *Server) ListAudit(ctx context.Context, r openapi.ListAuditRequest) (openapi.AuditEntryList, error) {
	p := r.Params
	filter := models.AuditFilter{
		ObjectID: p.ObjectID, ActorID: p.ActorID, Actions: p.ActionIn, Since: p.Since, Until: p.Until,
	}
	page, err := pageAfter(ctx, p.After, filter, nil, pageOf(p.Page, p.Size))
	if err != nil {
		return openapi.AuditEntryList{}, err
	}
	list, err := s.deps.Audit.ListAudit(ctx, callOf(ctx).scope, filter, page.Page)
	answer, err := cursorAnswer(list, err, page, auditAnswer)
	return openapi.AuditEntryList(answer), err
}

func auditAnswer(e models.AuditEntry) openapi.AuditEntry {
	answer := openapi.AuditEntry{
		At: instant(e.At), Actor: openapi.AuditActor{Type: openapi.AuditActorTypeSERVICE}, Action: e.Action,
		ObjectType: e.EntityType, ObjectID: e.EntityID, Changes: e.Detail, RequestID: e.RequestID,
	}
	switch {
	case e.UserID != nil:
		answer.Actor = openapi.AuditActor{Type: openapi.AuditActorTypeUSER, ID: e.UserID, Name: valueOf(e.UserName)}
	case e.APIKeyID != nil:
		answer.Actor = openapi.AuditActor{Type: openapi.AuditActorTypeAPIKEY, ID: e.APIKeyID}
	case e.Staff != nil:
		answer.Actor = openapi.AuditActor{Type: openapi.AuditActorTypeSTAFF, ID: e.Staff}
	}
	if answer.Changes == nil {
		answer.Changes = map[string]any{}
	}
	return answer
}
