package service

import (
	"context"

	"levy/models"
	"levy/service/internal/call"
)

// auditedRead is the audit entry of a read. Changes record themselves when they are written.
type auditedRead struct {
	action, objectType string // empty for a read that is not recorded
	// of is the path parameter with the id of the object, and prefix the prefix of its ids. They are empty if the object is
	// the organization.
	of, prefix string
}

// readOf is the audit entry of a read of personal data or of a document. Single transactions and customers are not
// recorded, because integrations read them all the time.
func readOf(objectType string) auditedRead {
	return auditedRead{action: models.AuditRead, objectType: objectType}
}

// exportOf is the audit entry of an export of whole lists.
func exportOf(objectType string) auditedRead {
	return auditedRead{action: models.AuditExport, objectType: objectType}
}

// by returns the audit entry of a read of the object that a path parameter names.
func (r auditedRead) by(parameter, prefix string) auditedRead {
	r.of, r.prefix = parameter, prefix
	return r
}

// auditRead records a read in the audit trail before it happens. Without a record there is no answer. Errors:
// models.ErrUnavailable.
func (s *Service) auditRead(ctx context.Context, op *Operation, in *Input) error {
	read := op.Rule.audit
	if read.action == "" {
		return nil
	}
	c := call.Of(ctx)
	object := c.Scope.OrganizationID
	if read.of != "" {
		object = in.Path[read.of]
		if !models.IsID(read.prefix, object) {
			return nil // there is no such object
		}
	}
	scope := c.Scope
	if scope.OrganizationID == "" { // people of staff
		scope.OrganizationID, object = models.InstallationAudit, models.InstallationAudit
		ctx = models.AcrossOrganizations(ctx)
	}
	return s.deps.Audit.NoteRead(ctx, c.Actor().Entry(scope, read.action, read.objectType, object))
}
