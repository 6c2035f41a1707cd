package service

import (
	"context"
	"errors"
	"time"

	"github.com/govalues/decimal"

	"levy/contract"
	"levy/contract/validate"
	"levy/models"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/catalog"
	"levy/service/internal/convert"
	"levy/service/internal/feed"
	"levy/service/internal/filings"
	"levy/service/internal/notices"
	"levy/service/internal/people"
	"levy/service/internal/transactions"
)

// Operations check what the contract cannot express, but only after the validator has accepted the body.
// The validator calls these checks also for a body that it refuses, so that the client gets all faults at once.
// They use the functions of the operations to find faults of the body, and of a change of a stored record.

// bodyChecks returns the checks that the contract names (x-check).
func (s *Service) bodyChecks() map[string]validate.Check {
	checks := map[string]validate.Check{
		"transaction":             transactions.Check,
		"customer-transaction":    checkOfChange("createCustomerTransaction", "customer_id", s.dryRunCustomerTransaction),
		"transaction-update":      checkOfChange("updateTransaction", "transaction_id", s.dryRunTransactionUpdate),
		"transaction-archive":     checkOf(archiveFaults),
		"credit-note":             checkOf(creditNoteFaults),
		"credit-note-update":      checkOf(creditNoteUpdateFaults),
		"estimate":                checkOf(estimateFaults),
		"filing":                  checkOf(newFilingFaults),
		"filing-approvals":        checkOf(filingApprovalFaults),
		"payment-file":            checkOf(paymentFileFaults),
		"filing-update":           checkOfChange("updateFiling", "filing_id", s.subjects.DryRunUpdate),
		"filing-entry":            checkOfChange("createFilingEntry", "filing_id", s.subjects.DryRunEntry),
		"made-payment":            checkOfChange("recordFilingPayment", "filing_id", s.subjects.DryRunPayment),
		"registration":            checkOf(s.createRegistrationFaults),
		"registration-update":     checkOfChange("updateRegistration", "registration_id", s.dryRunRegistrationUpdate),
		"deregistration":          checkOfChange("deregister", "registration_id", s.dryRunDeregistration),
		"nexus-registration":      checkOfChange("registerNexus", "nexus_id", s.dryRunNexusRegistration),
		"rate-override":           checkOf(s.rateOverrideFaultsAlone),
		"webhook-endpoint":        checkOf(webhookFaults),
		"webhook-endpoint-update": checkOf(webhookUpdateFaults),
		"webhook-replay":          checkOf(webhookReplayFaults),
		"exemption":               checkOf(catalog.ExemptionFaults),
		"exemption-update":        checkOfChange("updateExemption", "exemption_id", s.dryRunExemptionUpdate),
		"notice":                  checkOf(notices.Faults),
		"notice-update":           checkOfChange("updateNotice", "notice_id", s.dryRunNoticeUpdate),
		"physical-nexus-update":   checkOfChange("updatePhysicalNexus", "physical_nexus_id", s.dryRunPhysicalNexusUpdate),
		"product-update":          checkOfChange("updateProduct", "product_id", s.dryRunProductUpdate),
		"api-key-update":          checkOfChange("updateAPIKey", "api_key_id", s.dryRunAPIKeyUpdate),
		"user":                    checkOf(newUserFaults),
		"user-update": bothChecks(
			checkOf(userUpdateFaults), checkOfChange("updateUser", "user_id", s.dryRunUserStatus),
		),
		"saved-view": checkOf(s.savedViewFaults),
		"sign-in":    checkOf(signInFaults),
	}
	for step, name := range map[int]string{
		models.StepBusinessAddress: "business-address", models.StepBusinessContact: "business-contact",
		models.StepBusinessOwners: "business-owners", models.StepBankDetails: "bank-details",
	} {
		checks[name] = s.checkStep(step)
	}
	return checks
}

// checkOf returns a check that decodes the body and calls find.
func checkOf[B any](find func(ctx context.Context, now time.Time, body *B) []models.Fault) validate.Check {
	return func(ctx context.Context, now time.Time, raw []byte) []models.Fault {
		var body B
		if err := contract.Decode(raw, &body); err != nil {
			return nil // the validator has already refused it
		}
		return find(ctx, convert.Instant(now), &body)
	}
}

// bothChecks returns a check that calls both checks.
func bothChecks(first, second validate.Check) validate.Check {
	return func(ctx context.Context, now time.Time, body []byte) []models.Fault {
		return append(first(ctx, now, body), second(ctx, now, body)...)
	}
}

func archiveFaults(_ context.Context, _ time.Time, b *contract.TransactionArchive) []models.Fault {
	return transactions.RepeatedIDs(b.TransactionIds)
}

func creditNoteFaults(_ context.Context, now time.Time, b *contract.CreditNoteCreate) []models.Fault {
	_, err := transactions.CreditNoteDraft(models.Scope{}, models.Actor{}, now, "", b)
	return convert.FaultsOf(err)
}

// creditNoteUpdateFaults checks a change as that of a note without lines, with a total
// that the change does not contain.
func creditNoteUpdateFaults(_ context.Context, now time.Time, b *contract.CreditNoteUpdate) []models.Fault {
	stored := &models.RefundDraft{}
	stored.TotalAmount = decimal.One
	return convert.FaultsOf(transactions.ChangeRefund(stored, models.Actor{}, now, b))
}

// estimateFaults checks the lines of an estimate. The short form has none.
func estimateFaults(_ context.Context, now time.Time, b *contract.EstimateRequest) []models.Fault {
	if b.Amount != nil {
		return nil
	}
	return transactions.NewEstimate(b, now).Read(nil)
}

func newFilingFaults(_ context.Context, now time.Time, b *contract.FilingCreate) []models.Fault {
	return filings.Faults(b, now)
}

func (s *Service) createRegistrationFaults(
	_ context.Context, _ time.Time, b *contract.RegistrationCreate,
) []models.Fault {
	s.subjects.CompleteByScheme(b)
	_, faults := s.subjects.NewRegistrationFaults(b)
	return faults
}

func (s *Service) rateOverrideFaultsAlone(
	_ context.Context, _ time.Time, b *contract.RateOverrideCreate,
) []models.Fault {
	_, faults := s.subjects.RateOverrideFaults(b)
	return faults
}

func webhookFaults(ctx context.Context, _ time.Time, b *contract.WebhookEndpointCreate) []models.Fault {
	return feed.ClientsFaults(call.Of(ctx), b.IncludeClients)
}

func webhookUpdateFaults(ctx context.Context, _ time.Time, b *contract.WebhookEndpointUpdate) []models.Fault {
	return feed.ClientsFaults(call.Of(ctx), b.IncludeClients[true])
}

func webhookReplayFaults(_ context.Context, _ time.Time, b *contract.WebhookReplayCreate) []models.Fault {
	return feed.SpanFaults(models.WebhookSpan{Since: b.Since, Until: b.Until})
}

func newUserFaults(ctx context.Context, _ time.Time, b *contract.UserCreate) []models.Fault {
	organizationID := call.Of(ctx).Scope.OrganizationID
	if organizationID == "" && b.StaffRole == "" || organizationID != "" && b.Role == "" {
		return convert.FaultsOf(people.RoleMissing(organizationID))
	}
	return nil
}

func userUpdateFaults(ctx context.Context, _ time.Time, b *contract.UserUpdate) []models.Fault {
	return people.RoleFaults(call.Of(ctx).Scope.OrganizationID, b)
}

func filingApprovalFaults(_ context.Context, _ time.Time, b *contract.FilingApprovals) []models.Fault {
	return filings.ApprovalFaults(b)
}

func paymentFileFaults(_ context.Context, _ time.Time, b *contract.PaymentFileMake) []models.Fault {
	return filings.PaymentFileFaults(b)
}

func (s *Service) savedViewFaults(ctx context.Context, _ time.Time, b *contract.SavedViewUpdate) []models.Fault {
	if b.List == "" {
		return nil // without a list there are no checks
	}
	_, err := s.subjects.ViewQuery(ctx, b)
	return convert.FaultsOf(err)
}

func signInFaults(_ context.Context, _ time.Time, b *contract.SignIn) []models.Fault {
	if b.Token == "" || b.Challenge != "" || b.Passkey.Token != "" {
		return nil
	}
	return people.PasswordFaults(b.Password)
}

// checkStep returns the check of a step of the onboarding, merged into the stored data. A caller who may not submit the
// step does not learn that data.
func (s *Service) checkStep(step int) validate.Check {
	rule := accessRules["putBankDetails"] // the rule of every step
	return func(ctx context.Context, _ time.Time, body []byte) []models.Fault {
		c := call.Of(ctx)
		if !rule.admits(c, nil) {
			return nil
		}
		from, err := s.subjects.StepRecords(ctx, c.Scope, step, false)
		if err != nil {
			return nil // the answer has only faults of the body
		}
		_, err = rules.DraftStep(step, body, from, false, unsealed{})
		return convert.FaultsOf(err)
	}
}

// unsealed seals nothing, because the result of a check is not stored.
type unsealed struct{}

func (unsealed) Seal(string, []byte) []byte          { return nil }
func (unsealed) Open(string, []byte) ([]byte, error) { return nil, errors.ErrUnsupported }
