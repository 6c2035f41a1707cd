package filings

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"levy/contract"
	"levy/models"
	"levy/returns"
	"levy/returns/ach"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax"
	"levy/tax/calendar"
)

// auditedPayment is the type of the records of the audit trail that say that a bank file had the payment of a filing.
const auditedPayment = "filing_payment"

// GetFilingPayment returns what is to be paid for a filing.
func (o *Operations) GetFilingPayment(ctx context.Context, r contract.GetFilingPaymentRequest) (contract.FilingPayment, error) {
	return o.answerPayment(ctx, call.Of(ctx).Scope, r.FilingID)
}

// answerPayment returns what is to be paid for a filing, as answers have it. Numbers of accounts are masked.
func (o *Operations) answerPayment(ctx context.Context, scope models.Scope, id string) (contract.FilingPayment, error) {
	bank, err := o.bankOf(ctx, scope)
	if err != nil {
		return contract.FilingPayment{}, err
	}
	payment, err := o.paymentOf(ctx, scope, id)
	if err != nil {
		return contract.FilingPayment{}, err
	}
	return newPayment(&payment, bank), nil
}

// bankOf returns the bank account of an organization, with masked numbers; nil for none.
func (o *Operations) bankOf(ctx context.Context, scope models.Scope) (*models.Bank, error) {
	details, err := o.deps.Onboardings.BankDetails(ctx, scope)
	if errors.Is(err, models.ErrNotFound) {
		return nil, nil //nolint:nilnil // an organization may have none
	}
	if err != nil {
		return nil, err
	}
	var bank models.Bank
	return &bank, models.Document(details.Details, &bank)
}

// paymentOf returns the payment of a filing.
func (o *Operations) paymentOf(ctx context.Context, scope models.Scope, id string) (payment returns.Payment, err error) {
	f, err := o.deps.Filings.Filing(ctx, scope, id)
	if err != nil {
		return payment, err
	}
	registration, err := o.deps.Registrations.Registration(ctx, scope, f.RegistrationID)
	if err != nil {
		return payment, err
	}
	facts := returns.PaymentFacts{
		Filing: f, Fields: models.RegistrationFields(registration.JurisdictionSpecificFields),
		Day: rules.DayOfAuthority(f.CountryCode, f.StateCode, o.now()),
	}
	if facts.Exported, err = o.exportedOn(ctx, scope, id); err != nil {
		return payment, err
	}
	return returns.PaymentOf(facts, o.banksWork), nil
}

// banksWork reports whether banks of the United States work on a day. The days are those of federal offices, which are also
// closed on a Friday before a holiday on Saturday.
func (o *Operations) banksWork(day calendar.Date) bool {
	return o.deps.Law.Current().Calendar().IsBusinessDay(models.UnitedStates, "", day)
}

// exportedOn returns the day of the last bank file with the payment of a filing; zero for none.
func (o *Operations) exportedOn(ctx context.Context, scope models.Scope, id string) (calendar.Date, error) {
	filter := models.AuditFilter{ObjectID: id, Actions: []string{models.AuditExport}, ObjectTypes: []string{auditedPayment}}
	list, err := o.deps.Audit.ListAudit(ctx, scope, filter, models.Page{Limit: 1})
	if err != nil || len(list.Items) == 0 {
		return 0, err
	}
	return calendar.DateOf(list.Items[0].At), nil
}

// MakePaymentFile makes a file by which a bank pays returns. Each payment of a file is recorded before the answer, without
// numbers of accounts.
func (o *Operations) MakePaymentFile(ctx context.Context, r contract.MakePaymentFileRequest) (contract.PaymentFile, error) {
	c := call.Of(ctx)
	answer := contract.PaymentFile{Layout: returns.BankFileLayout, Payments: []contract.FilingPayment{}}
	organization, err := o.deps.Organizations.Organization(ctx, c.Scope)
	if err != nil {
		return answer, err
	}
	masked, err := o.bankOf(ctx, c.Scope)
	if err != nil {
		return answer, err
	}
	in := returns.BankFileInput{
		Day: calendar.DateOf(o.now().UTC()), Test: organization.IsTest, Name: convert.ValueOf(organization.Name),
		Origin: r.Body.CompanyID, Modifier: r.Body.FileModifier, Offset: r.Body.Offset,
	}
	for i, id := range r.Body.FilingIds {
		payment, err := o.paymentOf(ctx, c.Scope, id)
		if errors.Is(err, models.ErrNotFound) {
			return answer, &models.ReferencesNotFoundError{Faults: []models.Fault{{
				Code: models.FieldNotFound, Path: fmt.Sprintf("filing_ids[%d]", i), Message: "There is no such filing.",
			}}}
		}
		if err != nil {
			return answer, err
		}
		in.Payments = append(in.Payments, payment)
		answer.Payments = append(answer.Payments, newPayment(&payment, masked))
	}
	if err := o.openTaxpayer(ctx, c.Scope, masked, &in); err != nil {
		return answer, err
	}
	file, findings := returns.BankFile(in)
	answer.Findings = convert.ConvertAll(findings, newFinding)
	if file.Bytes == nil {
		return answer, nil
	}
	if err := o.notePayments(ctx, &in, file.FileName); err != nil {
		return answer, err
	}
	sum := sha256.Sum256(file.Bytes)
	content, hash := string(file.Bytes), hex.EncodeToString(sum[:])
	answer.FileName, answer.MediaType, answer.Content, answer.Sha256 = &file.FileName, &file.MediaType, &content, &hash
	return answer, nil
}

// PaymentFileFaults returns what is wrong in a request for a bank file. A filing that stands twice would be paid twice.
func PaymentFileFaults(b *contract.PaymentFileMake) (faults []models.Fault) {
	seen := map[string]bool{}
	for i, id := range b.FilingIds {
		// guard: payments: a return is in a bank file once
		if seen[id] {
			faults = append(faults, models.Fault{
				Code: models.FieldDuplicateValue, Path: fmt.Sprintf("filing_ids[%d]", i), Message: "The filing stands twice in the request.",
			})
		}
		seen[id] = true
	}
	if strings.ContainsFunc(b.CompanyID, func(r rune) bool { return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') }) {
		faults = append(faults, models.Fault{
			Code: models.FieldInvalidFormat, Path: "company_id", Message: "Must have letters and digits alone.",
		})
	}
	return faults
}

// openTaxpayer adds name, federal tax id and bank account of an organization, whose numbers it opens.
func (o *Operations) openTaxpayer(ctx context.Context, scope models.Scope, bank *models.Bank, in *returns.BankFileInput) error {
	details, err := o.deps.Onboardings.OrganizationDetails(ctx, scope)
	if err != nil && !errors.Is(err, models.ErrNotFound) {
		return err
	}
	var company models.BusinessAddress
	var business models.BusinessDetails
	if err := models.Document(details.BusinessAddress, &company); err != nil {
		return err
	}
	if err := models.Document(details.BusinessDetails, &business); err != nil {
		return err
	}
	if company.BusinessName != nil {
		in.Name = *company.BusinessName
	}
	in.EIN = convert.ValueOf(business.EIN)
	if bank == nil {
		return nil
	}
	key, err := o.deps.Vault.KeyOrNew(ctx, scope.OrganizationID)
	if err != nil {
		return err
	}
	in.Bank = &ach.Account{Name: bank.AccountHolderName, BankName: convert.ValueOf(bank.BankName), Savings: bank.AccountType == "SAVINGS"}
	for field, number := range map[string]*string{"routing_number": &in.Bank.Routing, "account_number": &in.Bank.Number} {
		sealed, err := o.deps.Onboardings.SealedPersonal(ctx, scope, field)
		if err != nil {
			return err
		}
		if sealed[field] == nil {
			in.Bank = nil // its details have no number
			return nil
		}
		plain, err := key.Open(field, sealed[field])
		if err != nil {
			return err
		}
		*number = string(plain)
	}
	return nil
}

// notePayments records that a bank file has payments. Without the record there is no file.
func (o *Operations) notePayments(ctx context.Context, in *returns.BankFileInput, name string) error {
	c := call.Of(ctx)
	for i := range in.Payments {
		p := &in.Payments[i]
		if p.Amount.IsZero() {
			continue
		}
		entry := c.Actor().Entry(c.Scope, models.AuditExport, auditedPayment, p.Filing.ID)
		entry.Detail = map[string]any{"amount": p.Amount.String(), "file": name}
		if err := o.deps.Audit.NoteRead(ctx, entry); err != nil {
			return err
		}
	}
	return nil
}

func newPayment(p *returns.Payment, bank *models.Bank) contract.FilingPayment {
	answer := contract.FilingPayment{
		FilingID: p.Filing.ID, Method: p.Way, Amount: p.Amount.String(), Currency: p.Filing.Currency,
		DueDate: convert.DateOrNone(p.Due), SettlementDate: convert.DateOrNone(p.Settles),
		Payable:  p.Way == tax.PayByCredit && !p.Amount.IsZero() && !p.Refused(),
		Findings: convert.ConvertAll(p.Findings, newFinding),
	}
	if bank != nil {
		answer.BankName, answer.AccountNumber = bank.BankName, bank.AccountNumber
	}
	if p.Way == tax.PayByCredit {
		answer.ReceiverName = convert.Optional(p.Fields[tax.PaymentReceiver])
		answer.ReceiverAccountNumber = convert.Optional(rules.MaskAccount(p.Fields[tax.PaymentAccount]))
	}
	return answer
}
