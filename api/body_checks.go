package api

import (
	"context"
	"errors"
	"time"

	"github.com/govalues/decimal"

	"levy/contract"
	"levy/contract/validate"
	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
)

// A handler checks what the contract has no words for, and comes to it only with a body that the validator accepts. Of
// a body that it refuses, the validator asks these checks too, so that the client learns everything at once. They find
// with the functions of the handlers what follows from the body, and from the stored record that a change is one of.

// checkTransaction is the check of a transaction to be recorded, alone, in a batch or in a file.
var checkTransaction = checkOf(transactionFaults)

func transactionFaults(_ context.Context, now time.Time, b *contract.TransactionCreate) []models.Fault {
	var err error
	if models.TransactionType(b.Type).IsCredit() {
		_, err = refundDraft(models.Scope{}, models.Actor{}, now, b)
	} else {
		_, err = transactionDraft(models.Scope{}, models.Actor{}, now, b)
	}
	return faultsOf(err)
}

// bodyChecks are the checks that the contract names (x-check).
func (s *Server) bodyChecks() map[string]validate.Check {
	checks := map[string]validate.Check{
		"transaction":             checkTransaction,
		"customer-transaction":    checkOfChange("createCustomerTransaction", "customer_id", s.tryCustomerTransaction),
		"transaction-update":      checkOfChange("updateTransaction", "transaction_id", s.tryTransactionUpdate),
		"transaction-archive":     checkOf(archiveFaults),
		"credit-note":             checkOf(creditNoteFaults),
		"credit-note-update":      checkOf(creditNoteUpdateFaults),
		"estimate":                checkOf(estimateFaults),
		"filing":                  checkOf(newFilingFaults),
		"filing-update":           checkOfChange("updateFiling", "filing_id", s.tryFilingUpdate),
		"registration":            checkOf(s.createRegistrationFaults),
		"registration-update":     checkOfChange("updateRegistration", "registration_id", s.tryRegistrationUpdate),
		"deregistration":          checkOfChange("deregister", "registration_id", s.tryDeregistration),
		"nexus-registration":      checkOfChange("registerNexus", "nexus_id", s.tryNexusRegistration),
		"rate-override":           checkOf(s.rateOverrideFaultsAlone),
		"webhook-endpoint":        checkOf(webhookFaults),
		"webhook-endpoint-update": checkOf(webhookUpdateFaults),
		"webhook-replay":          checkOf(webhookReplayFaults),
		"exemption-update":        checkOfChange("updateExemption", "exemption_id", s.tryExemptionUpdate),
		"physical-nexus-update":   checkOfChange("updatePhysicalNexus", "physical_nexus_id", s.tryPhysicalNexusUpdate),
		"product-update":          checkOfChange("updateProduct", "product_id", s.tryProductUpdate),
		"api-key-update":          checkOfChange("updateAPIKey", "api_key_id", s.tryAPIKeyUpdate),
		"user":                    checkOf(newUserFaults),
		"user-update": bothChecks(
			checkOf(userUpdateFaults), checkOfChange("updateUser", "user_id", s.tryUserStatus),
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

// checkOf makes a check of what finds the faults of a bound body.
func checkOf[B any](find func(ctx context.Context, now time.Time, body *B) []models.Fault) validate.Check {
	return func(ctx context.Context, now time.Time, raw []byte) []models.Fault {
		var body B
		if err := contract.Decode(raw, &body); err != nil {
			return nil // the validator has refused it anyway
		}
		return find(ctx, instant(now), &body)
	}
}

// bothChecks makes one check of two.
func bothChecks(first, second validate.Check) validate.Check {
	return func(ctx context.Context, now time.Time, body []byte) []models.Fault {
		return append(first(ctx, now, body), second(ctx, now, body)...)
	}
}

// faultsOf are the faults of which an error consists; nil for another one.
func faultsOf(err error) []models.Fault {
	if invalid, ok := errors.AsType[*models.InvalidError](err); ok {
		return invalid.Faults
	}
	return nil
}

func archiveFaults(_ context.Context, _ time.Time, b *contract.TransactionArchive) []models.Fault {
	return repeated("transaction_ids", b.TransactionIds)
}

func creditNoteFaults(_ context.Context, now time.Time, b *contract.CreditNoteCreate) []models.Fault {
	_, err := creditNoteDraft(models.Scope{}, models.Actor{}, now, "", b)
	return faultsOf(err)
}

// creditNoteUpdateFaults reads a change as that of a note without lines, with a total that is none of the change.
func creditNoteUpdateFaults(_ context.Context, now time.Time, b *contract.CreditNoteUpdate) []models.Fault {
	stored := &models.RefundDraft{}
	stored.TotalAmount = decimal.One
	return faultsOf(changeRefund(stored, models.Actor{}, now, b))
}

// estimateFaults checks the lines; the short form has none.
func estimateFaults(_ context.Context, now time.Time, b *contract.EstimateRequest) []models.Fault {
	if b.Amount != nil {
		return nil
	}
	return newEstimate(b, now).read(nil)
}

func newFilingFaults(_ context.Context, now time.Time, b *contract.FilingCreate) []models.Fault {
	return filingFaults(b, calendar.DateOf(now))
}

func (s *Server) createRegistrationFaults(
	_ context.Context, _ time.Time, b *contract.RegistrationCreate,
) []models.Fault {
	s.completeByScheme(b)
	_, faults := s.newRegistrationFaults(b)
	return faults
}

func (s *Server) rateOverrideFaultsAlone(
	_ context.Context, _ time.Time, b *contract.RateOverrideCreate,
) []models.Fault {
	_, faults := s.rateOverrideFaults(b)
	return faults
}

func webhookFaults(ctx context.Context, _ time.Time, b *contract.WebhookEndpointCreate) []models.Fault {
	return clientsFaults(callOf(ctx), b.IncludeClients)
}

func webhookUpdateFaults(ctx context.Context, _ time.Time, b *contract.WebhookEndpointUpdate) []models.Fault {
	return clientsFaults(callOf(ctx), b.IncludeClients[true])
}

func webhookReplayFaults(_ context.Context, _ time.Time, b *contract.WebhookReplayCreate) []models.Fault {
	return spanFaults(models.WebhookSpan{Since: b.Since, Until: b.Until})
}

func newUserFaults(ctx context.Context, _ time.Time, b *contract.UserCreate) []models.Fault {
	organizationID := callOf(ctx).scope.OrganizationID
	if organizationID == "" && b.StaffRole == "" || organizationID != "" && b.Role == "" {
		return faultsOf(roleMissing(organizationID))
	}
	return nil
}

func userUpdateFaults(ctx context.Context, _ time.Time, b *contract.UserUpdate) []models.Fault {
	return roleFaults(callOf(ctx).scope.OrganizationID, b)
}

func (s *Server) savedViewFaults(ctx context.Context, _ time.Time, b *contract.SavedViewUpdate) []models.Fault {
	if b.List == "" {
		return nil // the checks of which list?
	}
	_, err := s.viewQuery(ctx, b)
	return faultsOf(err)
}

func signInFaults(_ context.Context, _ time.Time, b *contract.SignIn) []models.Fault {
	if b.Token == "" || b.Challenge != "" {
		return nil
	}
	return passwordFaults(b.Password)
}

// checkStep is the check of a step of the onboarding, merged into what is stored. Whoever may not do the step does not
// learn either what is stored.
func (s *Server) checkStep(step int) validate.Check {
	rule := accessRules["putBankDetails"] // that of every step
	return func(ctx context.Context, _ time.Time, body []byte) []models.Fault {
		call := callOf(ctx)
		if !rule.admits(call, nil) {
			return nil
		}
		from, err := s.stepRecords(ctx, call.scope, step, false)
		if err != nil {
			return nil // the answer is about the body, and has faults of it
		}
		_, err = rules.DraftStep(step, body, from, false, unsealed{})
		return faultsOf(err)
	}
}

// unsealed seals nothing: what is drafted with it is not kept.
type unsealed struct{}

func (unsealed) Seal(string, []byte) []byte          { return nil }
func (unsealed) Open(string, []byte) ([]byte, error) { return nil, errors.ErrUnsupported }
