package service

import (
	"context"

	"levy/models"
	"levy/service/internal/call"
)

// auditedRead says how a read is noted in the audit trail.
type auditedRead struct {
	action, objectType string
	// of is the parameter of the path that names the object, and prefix what its ids begin with; empty
	// for what the organization itself is.
	of, prefix string
}

// auditedReads are the reads that are noted in the audit trail like changes: whole exports, documents
// of exemptions, and personal data of those who own, lead or work for an organization. Every change notes itself where
// it is written. Single transactions and customers are not among them: integrations read them all the time.
var auditedReads = map[string]auditedRead{
	"exportTransactions": {action: models.AuditExport, objectType: "transaction"},
	"exportOnboardings":  {action: models.AuditExport, objectType: "onboarding"},
	"exportRejectedRows": {
		action: models.AuditExport, objectType: "transaction_import", of: "import_id", prefix: models.PrefixBatch,
	},
	"getExemptionAttachment": {
		action: models.AuditRead, objectType: "exemption_attachment", of: "attachment_id", prefix: models.PrefixAttachment,
	},
	"getOrganizationDetails":      {action: models.AuditRead, objectType: "organization_details"},
	"getOrganizationDetailsAlias": {action: models.AuditRead, objectType: "organization_details"},
	"getBankDetails":              {action: models.AuditRead, objectType: "bank_details"},
	"getBankDetailsAlias":         {action: models.AuditRead, objectType: "bank_details"},
	"listUsers":                   {action: models.AuditRead, objectType: "user"},
}

// auditRead records the caller in the audit trail before anything is read: without a record nothing is answered. Errors:
// models.ErrUnavailable.
func (s *Service) auditRead(ctx context.Context, op *Operation, in *Input) error {
	read, audited := auditedReads[op.ID]
	if !audited {
		return nil
	}
	c := call.Of(ctx)
	object := c.Scope.OrganizationID
	if read.of != "" {
		object = in.Path[read.of]
		if !models.IsID(read.prefix, object) {
			return nil // there is no such thing to read
		}
	}
	scope := c.Scope
	if scope.OrganizationID == "" { // people of staff
		scope.OrganizationID, object = models.InstallationAudit, models.InstallationAudit
		ctx = models.AcrossOrganizations(ctx)
	}
	return s.deps.Audit.NoteRead(ctx, c.Actor().Entry(scope, read.action, read.objectType, object))
}
