package api

import (
	"context"

	"levy/contract"
	"levy/models"
)

// ListAudit lists what was changed.
func (s *Server) ListAudit(ctx context.Context, r contract.ListAuditRequest) (contract.AuditEntryList, error) {
	p := r.Params
	filter := models.AuditFilter{
		ObjectID: p.ObjectID, ActorID: p.ActorID, Actions: p.ActionIn, Since: p.Since, Until: p.Until,
	}
	page, err := pageAfter(ctx, p.After, filter, nil, pageOf(p.Page, p.Size))
	if err != nil {
		return contract.AuditEntryList{}, err
	}
	list, err := s.deps.Audit.ListAudit(ctx, callOf(ctx).scope, filter, page.Page)
	answer, err := cursorAnswer(list, err, page, auditAnswer)
	return contract.AuditEntryList(answer), err
}

func auditAnswer(e models.AuditEntry) contract.AuditEntry {
	answer := contract.AuditEntry{
		At: instant(e.At), Actor: contract.AuditActor{Type: contract.AuditActorTypeSERVICE}, Action: e.Action,
		ObjectType: e.EntityType, ObjectID: e.EntityID, Changes: e.Detail, RequestID: e.RequestID,
	}
	switch {
	case e.UserID != nil:
		answer.Actor = contract.AuditActor{Type: contract.AuditActorTypeUSER, ID: e.UserID, Name: valueOf(e.UserName)}
	case e.APIKeyID != nil:
		answer.Actor = contract.AuditActor{Type: contract.AuditActorTypeAPIKEY, ID: e.APIKeyID}
	case e.Staff != nil:
		answer.Actor = contract.AuditActor{Type: contract.AuditActorTypeSTAFF, ID: e.Staff}
	}
	if answer.Changes == nil {
		answer.Changes = map[string]any{}
	}
	return answer
}
