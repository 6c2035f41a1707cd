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
	"levy/tax/money"
)

// GetFilingPayment returns what is to be paid for a filing.
func (o *Operations) GetFilingPayment(ctx context.Context, r contract.GetFilingPaymentRequest) (contract.FilingPayment, error) {
	return o.answerPayment(ctx, call.Of(ctx).Scope, r.FilingID)
}

// ListFilingPayments lists what is to be paid for filings.
func (o *Operations) ListFilingPayments(
	ctx context.Context, r contract.ListFilingPaymentsRequest,
) (contract.FilingPaymentList, error) {
	p, scope := &r.Params, call.Of(ctx).Scope
	filter := o.filter(&contract.ExportFilingsParams{
		StatusIn: p.StatusIn, DueDateLte: p.DueDateLte, StateCode: p.StateCode, CountryCode: p.CountryCode, RegistrationID: p.RegistrationID,
	})
	list, err := o.deps.Filings.ListFilings(ctx, scope, filter, convert.OrderOf(p.OrderBy), convert.PageOf(p.Page, p.Size))
	var payments []contract.FilingPayment
	if err == nil {
		payments, err = o.answerPayments(ctx, scope, list.Items)
	}
	answer, err := convert.ListAnswer(models.List[contract.FilingPayment]{Items: payments, Total: list.Total}, err, p.Page, p.Size,
		func(payment contract.FilingPayment) contract.FilingPayment { return payment })
	return contract.FilingPaymentList(answer), err
}

// answerPayment returns what is to be paid for a filing, as answers have it. Errors: models.ErrNotFound.
func (o *Operations) answerPayment(ctx context.Context, scope models.Scope, id string) (contract.FilingPayment, error) {
	f, err := o.deps.Filings.Filing(ctx, scope, id)
	if err != nil {
		return contract.FilingPayment{}, err
	}
	answers, err := o.answerPayments(ctx, scope, []models.Filing{f})
	if err != nil {
		return contract.FilingPayment{}, err
	}
	return answers[0], nil
}

// answerPayments returns what is to be paid for filings, as answers have it. Numbers of accounts are masked.
func (o *Operations) answerPayments(
	ctx context.Context, scope models.Scope, filings []models.Filing,
) ([]contract.FilingPayment, error) {
	bank, err := o.bankOf(ctx, scope)
	if err != nil {
		return nil, err
	}
	payments, err := o.paymentsOf(ctx, scope, filings)
	if err != nil {
		return nil, err
	}
	answers := make([]contract.FilingPayment, len(payments))
	for i := range payments {
		answers[i] = newPayment(&payments[i], bank)
	}
	return answers, nil
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

// paymentsOf returns the payments of filings, with reads whose number does not depend on that of the filings. Those of the
// one-stop shop, of which there are few, have their worksheets besides.
func (o *Operations) paymentsOf(ctx context.Context, scope models.Scope, filings []models.Filing) ([]returns.Payment, error) {
	ids := make([]string, len(filings))
	for i := range filings {
		ids[i] = filings[i].ID
	}
	states, err := o.deps.Filings.PaymentStates(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	payments, now := make([]returns.Payment, len(filings)), o.now()
	for i, f := range filings {
		if f.ToPay, err = o.shopTotal(ctx, scope, &f); err != nil {
			return nil, err
		}
		payments[i] = returns.PaymentOf(returns.PaymentFacts{
			Filing: f, PaymentState: states[f.ID], Day: rules.DayOfAuthority(f.CountryCode, f.StateCode, now),
		}, o.banksWork)
	}
	return payments, nil
}

// shopTotal returns what is to be paid for a filing of the one-stop shop: the total of its worksheet. For an amendment it is zero,
// because the next return has its difference. It is nil for other filings, and where the total lacks something. Errors:
// models.ErrNotFound.
func (o *Operations) shopTotal(ctx context.Context, scope models.Scope, f *models.Filing) (*money.Total, error) {
	// guard: payments: nothing is paid for an amendment of the one-stop shop
	if returns.AmendsShop(f) {
		return &money.Total{}, nil
	}
	if !returns.HasShopWorksheet(f) {
		return nil, nil //nolint:nilnil // the amount of the filing is to be paid
	}
	now, figures, err := o.deps.Reports.FilingWithFigures(ctx, scope, f.ID)
	if err != nil {
		return nil, err
	}
	amended, err := o.deps.Reports.Corrections(ctx, scope, now)
	if err != nil {
		return nil, err
	}
	sheet, err := o.makeWorksheet(now, figures, nil, amended)
	if err != nil {
		return nil, err
	}
	return returns.ShopTotal(&sheet), nil
}

// shopTotalOf is shopTotal of a stored filing.
func (o *Operations) shopTotalOf(ctx context.Context, scope models.Scope, id string) (*money.Total, error) {
	f, err := o.deps.Filings.Filing(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	return o.shopTotal(ctx, scope, &f)
}

// banksWork reports whether banks of the United States work on a day. The days are those of federal offices, which are also
// closed on a Friday before a holiday on Saturday.
func (o *Operations) banksWork(day calendar.Date) bool {
	return o.deps.Law.Current().Calendar().IsBusinessDay(models.UnitedStates, "", day)
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
	filings, err := o.filingsToPay(ctx, c.Scope, r.Body.FilingIds)
	if err != nil {
		return answer, err
	}
	if in.Payments, err = o.paymentsOf(ctx, c.Scope, filings); err != nil {
		return answer, err
	}
	for i := range in.Payments {
		answer.Payments = append(answer.Payments, newPayment(&in.Payments[i], masked))
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

// filingsToPay reads filings in the order of their ids. Errors: *models.ReferencesNotFoundError, which names all that are missing.
func (o *Operations) filingsToPay(ctx context.Context, scope models.Scope, ids []string) ([]models.Filing, error) {
	list, err := o.deps.Filings.ListFilings(ctx, scope, models.FilingFilter{IDs: ids}, nil, models.Page{Limit: len(ids)})
	if err != nil {
		return nil, err
	}
	byID := make(map[string]models.Filing, len(ids))
	for i := range list.Items {
		byID[list.Items[i].ID] = list.Items[i]
	}
	filings, missing := make([]models.Filing, len(ids)), []models.Fault(nil)
	for i, id := range ids {
		f, found := byID[id]
		if !found {
			missing = append(missing, models.Fault{
				Code: models.FieldNotFound, Path: fmt.Sprintf("filing_ids[%d]", i), Message: "There is no such filing.",
			})
		}
		filings[i] = f
	}
	if missing != nil {
		return nil, &models.ReferencesNotFoundError{Faults: missing}
	}
	return filings, nil
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
	var entries []*models.AuditEntry
	for i := range in.Payments {
		p := &in.Payments[i]
		if p.Amount.IsZero() {
			continue
		}
		entry := c.Actor().Entry(c.Scope, models.AuditExport, models.EntityFilingPayment, p.Filing.ID)
		entries = append(entries, entry.With(map[string]any{"amount": p.Amount.String(), "file": name}))
	}
	return o.deps.Audit.NoteRead(ctx, entries...)
}

func newPayment(p *returns.Payment, bank *models.Bank) contract.FilingPayment {
	f := p.Filing
	answer := contract.FilingPayment{
		FilingID: f.ID, CountryCode: f.CountryCode, StateCode: f.StateCode, StateName: f.StateName,
		StartDate: convert.DayOf(f.StartDate), EndDate: convert.DayOf(f.EndDate), Status: contract.FilingStatus(f.Status),
		Method: p.Way, Amount: p.Amount.String(), Currency: f.Currency, Paid: f.TaxRemitted.String(), Open: p.Open.String(),
		Payments: convert.ConvertAll(p.Made, newRecordedPayment),
		DueDate:  convert.DateOrNone(p.Due), SettlementDate: convert.DateOrNone(p.Settles),
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

func newRecordedPayment(p models.RecordedPayment) contract.RecordedPayment {
	return contract.RecordedPayment{
		ID: p.ID, FilingID: p.FilingID, Amount: p.Amount.String(), PaidOn: convert.DayOf(p.PaidOn),
		Method: contract.RecordedPaymentMethod(p.Method), Reference: p.Reference, CreatedBy: p.CreatedBy, CreatedAt: convert.Instant(p.CreatedAt),
	}
}
