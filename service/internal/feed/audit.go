package feed

import (
	"context"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/output"
)

// ListAudit lists the entries of the audit trail.
func (o *Operations) ListAudit(ctx context.Context, r contract.ListAuditRequest) (contract.AuditEntryList, error) {
	p := r.Params
	filter := auditFilter(&contract.ExportAuditParams{
		ObjectID: p.ObjectID, ActorID: p.ActorID, ActionIn: p.ActionIn, ObjectTypeIn: p.ObjectTypeIn, Since: p.Since,
		Until: p.Until,
	})
	page, err := convert.PageAfter(ctx, p.After, filter, nil, convert.PageOf(p.Page, p.Size))
	if err != nil {
		return contract.AuditEntryList{}, err
	}
	list, err := o.deps.Audit.ListAudit(ctx, call.Of(ctx).Scope, filter, page.Page)
	answer, err := convert.CursorAnswer(list, err, page, auditAnswer)
	return contract.AuditEntryList(answer), err
}

func auditFilter(p *contract.ExportAuditParams) models.AuditFilter {
	return models.AuditFilter{
		ObjectID: p.ObjectID, ActorID: p.ActorID, Actions: p.ActionIn, ObjectTypes: p.ObjectTypeIn, Since: p.Since,
		Until: p.Until,
	}
}

// auditColumns are the columns of the audit trail as a file.
var auditColumns = output.Columns(`
	at actor_type 'actor_id 'actor_name action object_type 'object_id 'changes 'request_id 'object_name`,
	map[string]func(*contract.AuditEntry) string{
		"actor_type": func(e *contract.AuditEntry) string { return string(e.Actor.Type) },
		"actor_id":   func(e *contract.AuditEntry) string { return convert.ValueOf(e.Actor.ID) },
		"actor_name": func(e *contract.AuditEntry) string { return e.Actor.Name },
		"changes": func(e *contract.AuditEntry) string {
			changes, _ := contract.Encode(e.Changes) // it was decoded from JSON
			return string(changes)
		},
	})

// ExportAudit sends the audit trail as a file.
func (o *Operations) ExportAudit(ctx context.Context, r contract.ExportAuditRequest, out contract.Stream) error {
	filter, file := auditFilter(&r.Params), output.ListFile{Name: "audit", Format: r.Params.Format}
	return output.ExportList(ctx, o.outputs, out, file, auditColumns,
		func(ctx context.Context, page models.Page) (models.List[contract.AuditEntry], error) {
			list, err := o.deps.Audit.ListAudit(ctx, call.Of(ctx).Scope, filter, page)
			return output.Answers(list, err, auditAnswer)
		})
}

func auditAnswer(e models.AuditEntry) contract.AuditEntry {
	answer := contract.AuditEntry{
		At: convert.Instant(e.At), Actor: contract.AuditActor{Type: contract.AuditActorTypeSERVICE}, Action: e.Action,
		ObjectType: e.EntityType, ObjectID: e.EntityID, ObjectName: e.ObjectName, Changes: e.Detail, RequestID: e.RequestID,
	}
	switch {
	case e.UserID != nil:
		answer.Actor = contract.AuditActor{Type: contract.AuditActorTypeUSER, ID: e.UserID, Name: convert.ValueOf(e.UserName)}
	case e.APIKeyID != nil:
		answer.Actor = contract.AuditActor{Type: contract.AuditActorTypeAPIKEY, ID: e.APIKeyID, Name: e.ActorName}
	case e.Staff != nil:
		answer.Actor = contract.AuditActor{Type: contract.AuditActorTypeSTAFF, ID: e.Staff}
	}
	if answer.Changes == nil {
		answer.Changes = map[string]any{}
	}
	return answer
}
