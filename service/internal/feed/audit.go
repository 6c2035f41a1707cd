package feed

import (
	"context"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// ListAudit lists the entries of the audit trail.
func (o *Operations) ListAudit(ctx context.Context, r contract.ListAuditRequest) (contract.AuditEntryList, error) {
	p := r.Params
	filter := models.AuditFilter{
		ObjectID: p.ObjectID, ActorID: p.ActorID, Actions: p.ActionIn, Since: p.Since, Until: p.Until,
	}
	page, err := convert.PageAfter(ctx, p.After, filter, nil, convert.PageOf(p.Page, p.Size))
	if err != nil {
		return contract.AuditEntryList{}, err
	}
	list, err := o.deps.Audit.ListAudit(ctx, call.Of(ctx).Scope, filter, page.Page)
	answer, err := convert.CursorAnswer(list, err, page, auditAnswer)
	return contract.AuditEntryList(answer), err
}

func auditAnswer(e models.AuditEntry) contract.AuditEntry {
	answer := contract.AuditEntry{
		At: convert.Instant(e.At), Actor: contract.AuditActor{Type: contract.AuditActorTypeSERVICE}, Action: e.Action,
		ObjectType: e.EntityType, ObjectID: e.EntityID, Changes: e.Detail, RequestID: e.RequestID,
	}
	switch {
	case e.UserID != nil:
		answer.Actor = contract.AuditActor{Type: contract.AuditActorTypeUSER, ID: e.UserID, Name: convert.ValueOf(e.UserName)}
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
