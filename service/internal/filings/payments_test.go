package filings

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/internal/secret"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/deps"
	"levy/tax"
	"levy/tax/calendar"
)

// seller is an organization with a filed return that is paid by credit, and its bank account.
type seller struct {
	deps.Filings
	deps.Registrations
	deps.Organizations
	deps.Onboardings
	deps.Audit
	deps.Vault
	key     *secret.DataKey
	filing  models.Filing
	more    []models.Filing // after it, in lists
	made    []models.RecordedPayment
	reads   int // of filings, payments and bank details
	fields  map[string]string
	bank    bool
	entries []models.AuditEntry
	noted   error // of the trail
}

func (s *seller) Filing(_ context.Context, _ models.Scope, id string) (models.Filing, error) {
	if id != s.filing.ID {
		return models.Filing{}, models.ErrNotFound
	}
	return s.filing, nil
}

// ListFilings answers with the filings among the ids that are asked for, in the order of the database.
func (s *seller) ListFilings(
	_ context.Context, _ models.Scope, f models.FilingFilter, _ []models.Order, _ models.Page,
) (list models.List[models.Filing], err error) {
	s.reads++
	for _, have := range append([]models.Filing{s.filing}, s.more...) {
		if f.IDs == nil || slices.Contains(f.IDs, have.ID) {
			list.Items = append(list.Items, have)
		}
	}
	list.Total = int64(len(list.Items))
	return list, nil
}

// PaymentStates has the last export among the recorded entries, as of 9 July 2026.
func (s *seller) PaymentStates(
	_ context.Context, _ models.Scope, ids []string,
) (map[string]models.PaymentState, error) {
	s.reads++
	states := map[string]models.PaymentState{}
	for _, id := range ids {
		state := models.PaymentState{Fields: s.fields, Made: s.made}
		if slices.ContainsFunc(s.entries, func(e models.AuditEntry) bool {
			return e.EntityID == id && e.EntityType == models.EntityFilingPayment
		}) {
			state.Exported = calendar.MustDate("2026-07-09")
		}
		states[id] = state
	}
	return states, nil
}

func (s *seller) Organization(context.Context, models.Scope) (models.Organization, error) {
	return models.Organization{}, nil
}

func (s *seller) BankDetails(context.Context, models.Scope) (models.BankDetails, error) {
	s.reads++
	if !s.bank {
		return models.BankDetails{}, models.ErrNotFound
	}
	return models.BankDetails{Details: []byte(`{"account_type":"CHECKING","routing_number":"****0021","account_number":"****6789",` +
		`"account_holder_name":"Seller LLC","bank_name":"First Bank"}`)}, nil
}

func (s *seller) OrganizationDetails(context.Context, models.Scope) (models.OrganizationDetails, error) {
	return models.OrganizationDetails{
		BusinessAddress: []byte(`{"business_name":"Seller LLC"}`), BusinessDetails: []byte(`{"ein":"12-3456789"}`),
	}, nil
}

func (s *seller) SealedPersonal(_ context.Context, _ models.Scope, field string) (map[string][]byte, error) {
	numbers := map[string]string{"routing_number": "021000021", "account_number": "000123456789"}
	return map[string][]byte{field: s.key.Seal(field, []byte(numbers[field]))}, nil
}

func (s *seller) KeyOrNew(context.Context, string) (*secret.DataKey, error) { return s.key, nil }

func (s *seller) NoteRead(_ context.Context, entries ...*models.AuditEntry) error {
	for _, e := range entries {
		s.entries = append(s.entries, *e)
	}
	return s.noted
}

// aSeller returns the operations of a seller on 10 July 2026.
func aSeller(t *testing.T) (*Operations, *seller) {
	t.Helper()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	ring, err := secret.ParseRing(secret.NewMasterKey("test"))
	require.NoError(t, err)
	key, _ := secret.NewVault(ring, nil).NewRecordKey("org_1", "key_1")
	due, state := calendar.MustDate("2026-07-31").Time(), "California"
	s := &seller{key: key, bank: true, filing: models.Filing{
		ID: "file_1", Status: models.FilingFiled, CountryCode: "US", StateCode: "CA", StateName: &state, Currency: "USD", DueDate: &due,
		StartDate: calendar.MustDate("2026-04-01").Time(), EndDate: calendar.MustDate("2026-06-30").Time(),
	}, fields: map[string]string{
		tax.PaymentMethod: tax.PayByCredit, tax.PaymentTaxpayer: "100123456", tax.PaymentTaxType: "04101", tax.PaymentAmountType: "T",
		tax.PaymentReceiver: "CDTFA", tax.PaymentRouting: "122235821", tax.PaymentAccount: "9876543210",
	}}
	require.NoError(t, s.filing.TotalTaxLiability.UnmarshalText([]byte("100.00")))
	s.filing.TaxRemitted = s.filing.TotalTaxLiability
	return New(&deps.Deps{
		Law: theLaw{content: content}, Filings: s, Registrations: s, Organizations: s, Onboardings: s, Audit: s, Vault: s,
	}, func() time.Time { return time.Date(2026, 7, 10, 15, 0, 0, 0, time.UTC) }, nil), s
}

func fileFor(t *testing.T, o *Operations, ids ...string) (contract.PaymentFile, error) {
	t.Helper()
	ctx := call.With(t.Context(), &call.Call{Scope: models.Scope{OrganizationID: "org_1"}})
	return o.MakePaymentFile(ctx, contract.MakePaymentFileRequest{Body: contract.PaymentFileMake{FilingIds: ids, FileModifier: "A"}})
}

// The payment of a return has masked numbers of accounts alone.
func TestThePaymentOfAReturnIsMasked(t *testing.T) {
	t.Parallel()
	o, s := aSeller(t)
	ctx := call.With(t.Context(), &call.Call{})
	payment, err := o.GetFilingPayment(ctx, contract.GetFilingPaymentRequest{FilingID: "file_1"})
	require.NoError(t, err)
	require.Equal(t, []any{"CREDIT", "100.00", "2026-07-31", "2026-07-31", "****6789", "****3210", true}, []any{payment.Method, payment.Amount,
		payment.DueDate.String(), payment.SettlementDate.String(), *payment.AccountNumber, *payment.ReceiverAccountNumber, payment.Payable})
	require.Empty(t, payment.Findings)
	s.bank, s.fields = false, nil
	payment, err = o.GetFilingPayment(ctx, contract.GetFilingPaymentRequest{FilingID: "file_1"})
	require.NoError(t, err)
	require.Equal(t, "PORTAL", payment.Method)
	require.Nil(t, payment.AccountNumber)
	require.False(t, payment.Payable)
	_, err = o.GetFilingPayment(ctx, contract.GetFilingPaymentRequest{FilingID: "file_2"})
	require.ErrorIs(t, err, models.ErrNotFound)
}

// A bank file is recorded before it is given, and nothing but the file has numbers in clear. A second one says so.
func TestABankFileIsRecorded(t *testing.T) {
	t.Parallel()
	o, s := aSeller(t)
	file, err := fileFor(t, o, "file_1")
	require.NoError(t, err)
	require.Contains(t, *file.Content, "6221222358219876543210       0000010000")
	require.Equal(t, []string{"PAYMENT_CODES"}, []string{file.Findings[0].Code})
	require.Len(t, s.entries, 1)
	require.Equal(t, []any{models.AuditExport, "filing_payment", "file_1", "org_1"},
		[]any{s.entries[0].Action, s.entries[0].EntityType, s.entries[0].EntityID, s.entries[0].OrganizationID})
	file.Content = nil
	seen, err := json.Marshal(file)
	require.NoError(t, err)
	for _, number := range []string{"000123456789", "9876543210", "021000021"} {
		require.NotContains(t, string(seen)+fmt.Sprint(s.entries), number)
	}
	other := models.AuditEntry{Action: models.AuditExport, EntityType: "filing", EntityID: "file_1"}
	s.entries = append(slices.Repeat([]models.AuditEntry{other}, 100), s.entries...)
	file, err = fileFor(t, o, "file_1")
	require.NoError(t, err)
	require.Equal(t, "PAYMENT_REPEATED", file.Findings[0].Code)
	require.Contains(t, file.Findings[0].Message, "2026-07-09")

	s.noted = models.ErrUnavailable
	file, err = fileFor(t, o, "file_1")
	require.ErrorIs(t, err, models.ErrUnavailable)
	require.Nil(t, file.Content, "without the record there is no file")
}

// Without a file nothing is recorded, and all reasons are named.
func TestWithoutABankFileNothingIsRecorded(t *testing.T) {
	t.Parallel()
	o, s := aSeller(t)
	s.bank = false
	s.filing.Status = models.FilingUnfiled
	file, err := fileFor(t, o, "file_1")
	require.NoError(t, err)
	require.Nil(t, file.Content)
	require.Equal(t, []string{"BANK_MISSING", "PAYMENT_NOT_APPROVED"}, []string{file.Findings[0].Code, file.Findings[1].Code})
	require.Empty(t, s.entries)
	_, err = fileFor(t, o, "file_2")
	var missing *models.ReferencesNotFoundError
	require.ErrorAs(t, err, &missing)
	require.Equal(t, "filing_ids[0]", missing.Faults[0].Path)
}

// A filing that stands twice, and a number of letters that banks do not read, are refused.
func TestFaultsOfARequestForABankFile(t *testing.T) {
	t.Parallel()
	var paths []string
	for _, f := range PaymentFileFaults(&contract.PaymentFileMake{FilingIds: []string{"a", "b", "a"}, CompanyID: "1 2"}) {
		paths = append(paths, f.Path+" "+f.Code)
	}
	require.Equal(t, "filing_ids[2] duplicate_value, company_id invalid_format", strings.Join(paths, ", "))
	require.Empty(t, PaymentFileFaults(&contract.PaymentFileMake{FilingIds: []string{"a"}, CompanyID: "1A"}))
}

// A page of payments takes as many reads as one payment, however many filings it has.
func TestAPageOfPaymentsIsReadAtOnce(t *testing.T) {
	t.Parallel()
	reads := map[int]int{}
	for _, rows := range []int{1, 25} {
		o, s := aSeller(t)
		for i := range rows - 1 {
			f := s.filing
			f.ID = fmt.Sprintf("file_%d", i+2)
			s.more = append(s.more, f)
		}
		ctx := call.With(t.Context(), &call.Call{})
		page, err := o.ListFilingPayments(ctx, contract.ListFilingPaymentsRequest{
			Params: contract.ListFilingPaymentsParams{Page: 1, Size: 25}})
		require.NoError(t, err)
		require.Len(t, page.Items, rows)
		require.Equal(t, fmt.Sprintf("file_%d", rows), page.Items[rows-1].FilingID)
		reads[rows] = s.reads
	}
	require.Equal(t, map[int]int{1: 3, 25: 3}, reads)
}

// The file pays what is left after the recorded payments, and nothing that is paid.
func TestABankFilePaysTheRest(t *testing.T) {
	t.Parallel()
	o, s := aSeller(t)
	s.made = []models.RecordedPayment{{Reference: "R-1"}}
	require.NoError(t, s.made[0].Amount.UnmarshalText([]byte("40.00")))
	s.filing.TaxRemitted = s.made[0].Amount
	file, err := fileFor(t, o, "file_1")
	require.NoError(t, err)
	require.Contains(t, *file.Content, "9876543210       0000006000")
	require.Equal(t, []string{"60.00", "40.00", "60.00"}, []string{file.Payments[0].Amount, file.Payments[0].Paid, file.Payments[0].Open})
	s.made[0].Amount, s.filing.TaxRemitted = s.filing.TotalTaxLiability, s.filing.TotalTaxLiability
	file, err = fileFor(t, o, "file_1")
	require.NoError(t, err)
	require.Nil(t, file.Content)
	require.Equal(t, "PAYMENT_MADE", file.Findings[0].Code)
}

// All filings that are missing are named at once, and the file has the order of the request.
func TestABankFileHasTheOrderOfTheRequest(t *testing.T) {
	t.Parallel()
	o, s := aSeller(t)
	second := s.filing
	second.ID = "file_2"
	s.more = []models.Filing{second}
	file, err := fileFor(t, o, "file_2", "file_1")
	require.NoError(t, err)
	require.Equal(t, []string{"file_2", "file_1"}, []string{file.Payments[0].FilingID, file.Payments[1].FilingID})
	_, err = fileFor(t, o, "file_3", "file_1", "file_4")
	var missing *models.ReferencesNotFoundError
	require.ErrorAs(t, err, &missing)
	require.Equal(t, []string{"filing_ids[0]", "filing_ids[2]"}, []string{missing.Faults[0].Path, missing.Faults[1].Path})
}
