package service

import (
	"context"

	"levy/models"
	"levy/service/internal/call"
)

// auditedRead is the form of the audit entry of a read.
type auditedRead struct {
	action, objectType string
	// of is the path parameter with the id of the object, and prefix the prefix of its ids.
	// They are empty if the object is the organization.
	of, prefix string
}

// auditedReads are the reads that the audit trail records like changes: whole exports, documents of exemptions, and
// personal data of owners, officers and employees. Changes record themselves when they are written. Single transactions
// and customers are not recorded, because integrations read them all the time.
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

// auditRead records a read in the audit trail before it happens. Without a record there is no answer. Errors:
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
