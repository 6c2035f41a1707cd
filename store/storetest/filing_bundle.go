package storetest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
)

// FilingBundle is an organization that is registered in New York.
type FilingBundle struct {
	*Bundle
	Registration models.Registration
	// Divide adds the figures of a transaction to its total; nil for none.
	Divide func(x *models.Transaction, total *models.AuthorityTotal)
}

func SetupFilings(t *testing.T) *FilingBundle {
	t.Helper()
	b := &FilingBundle{Bundle: Setup(t, 1, 8)}
	b.Registration = b.Register(t, "US", "NY")
	return b
}

func (b *FilingBundle) Register(t *testing.T, country, state string) models.Registration {
	t.Helper()
	r := Registration(country, state)
	since := calendar.MustDate("2025-01-01").Time()
	r.Status, r.RegistrationDate = models.RegistrationRegistered, &since
	require.NoError(t, b.Store.Registrations.CreateRegistration(t.Context(), b.Scope, models.Actor{}, &r))
	return r
}

// Sale posts a sale dated on a day and returns its ref.
func (b *FilingBundle) Sale(t *testing.T, day, amount string) models.Ref {
	t.Helper()
	d := Draft(b.Scope, models.NewID(models.PrefixTransaction))
	d.Date = calendar.MustDate(day).Time()
	d.TaxDate = d.Date
	d.Items[0].Amount = decimal.MustParse(amount)
	require.NoError(t, b.Intake.Accept(context.Background(), d))
	return models.Ref{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: 1}
}

// Process runs transactions through the stages. Each is taxed at a tenth.
func (b *FilingBundle) Process(t *testing.T, refs ...models.Ref) {
	t.Helper()
	_, err := b.Store.Transactions.LoadForAddresses(t.Context(), Run, refs)
	require.NoError(t, err)
	for _, stage := range Stages[:3] {
		_, err := stage.Save(b.Store, Run, refs)
		require.NoError(t, err)
	}
	b.Calculate(t, refs...)
}

func (b *FilingBundle) Calculate(t *testing.T, refs ...models.Ref) {
	t.Helper()
	require.NoError(t, b.TryCalculate(refs...))
}

func (b *FilingBundle) TryCalculate(refs ...models.Ref) error {
	loaded, err := b.Store.Transactions.LoadForTax(context.Background(), refs)
	if err != nil {
		return err
	}
	outcomes := make([]models.TaxOutcome, len(loaded))
	for i, x := range loaded {
		net := x.Items[0].Amount
		if x.Type.IsCredit() {
			net = net.Abs().Neg()
		}
		tenth := decimal.MustNew(int64(net.Coef())/10, net.Scale())
		if net.IsNeg() {
			tenth = tenth.Neg()
		}
		total := models.AuthorityTotal{
			CountryCode: "US", StateCode: "NY", MemberCode: "US",
			ReturnAmounts: models.ReturnAmounts{Sales: net, Taxable: net, Tax: tenth, Liability: tenth},
		}
		if x.Marketplace {
			total.Liability = decimal.Zero
		}
		if b.Divide != nil {
			b.Divide(&loaded[i], &total)
		}
		outcomes[i] = models.TaxOutcome{
			Ref: models.Ref{
				OrganizationID: x.OrganizationID, ID: x.ID, Epoch: x.Epoch,
			}, To: models.ProcessingProcessed, Exempt: models.NotExempt,
			TaxableAmount: net, TaxAmount: tenth, LiabilityAmount: tenth, LiabilitySource: models.LiabilityCalculated,
			DestinationCurrency: "USD", ConversionRate: decimal.One,
			ContentVersion: "test", Totals: []models.AuthorityTotal{total},
		}
	}
	_, err = b.Store.Transactions.SaveTax(context.Background(), Run, refs, outcomes)
	return err
}

// FilingOf returns a draft for a period of a registration.
func FilingOf(r models.Registration, status models.FilingStatus, start, end string) models.Filing {
	return models.Filing{
		ID: models.NewID(models.PrefixFiling), RegistrationID: r.ID,
		CountryCode: r.CountryCode, StateCode: r.StateCode, StateName: &r.StateName,
		StartDate: calendar.MustDate(start).Time(), EndDate: calendar.MustDate(end).Time(),
		Status: status, FilingCategory: calendar.FilingRegular, Currency: "USD",
	}
}

var AnyFiling = func(f *models.Filing, _ models.Registration) error {
	if f.Status == models.FilingFiled {
		f.File("", "", 0, true, time.Now().UTC())
	}
	return nil
}

func (b *FilingBundle) Create(t *testing.T, f models.Filing) models.Filing {
	t.Helper()
	made, err := b.Store.Filings.CreateFiling(t.Context(), b.Scope, models.Actor{}, f, AnyFiling)
	require.NoError(t, err)
	return made
}

// January creates the regular filing of January 2026.
func (b *FilingBundle) January(t *testing.T, status models.FilingStatus) models.Filing {
	t.Helper()
	return b.Create(t, FilingOf(b.Registration, status, "2026-01-01", "2026-01-31"))
}

func (b *FilingBundle) Approve(id string) (models.Filing, error) {
	return b.Store.Filings.UpdateFiling(context.Background(), b.Scope, models.Actor{}, id, func(f *models.Filing) error {
		return f.Approve(models.FilingApproval{By: "akey_1"}, time.Now().UTC())
	})
}

// Transition changes only the status, as the rules of the contract allow it.
func (b *FilingBundle) Transition(id string, to models.FilingStatus) (models.Filing, error) {
	return b.Store.Filings.UpdateFiling(context.Background(), b.Scope, models.Actor{}, id, func(f *models.Filing) error {
		f.Status = to
		if to == models.FilingFiled {
			f.File("CONF-1", "", 0, true, time.Now().UTC())
		}
		return nil
	})
}

func (b *FilingBundle) Read(t *testing.T, id string) models.Filing {
	t.Helper()
	f, err := b.Store.Filings.Filing(t.Context(), b.Scope, id)
	require.NoError(t, err)
	return f
}

func (b *FilingBundle) Processing(t *testing.T, ref models.Ref) string {
	t.Helper()
	x, err := b.Store.Transactions.Transaction(t.Context(), b.Scope, ref.ID)
	require.NoError(t, err)
	text := string(x.ProcessingStatus)
	if x.FilingID != nil {
		text += " " + *x.FilingID
	}
	return text
}

// RegistrationLocked is the condition for manual statements that change the status of filings. It takes the lock of the
// registration, as every change does.
var RegistrationLocked = pg.LockRegistration.Wait("registration_id") + " IS NOT NULL"

func FilingSums(f models.Filing) string {
	return strings.Join([]string{
		fmt.Sprint(f.TransactionCount), f.AmountSales.String(), f.TotalTaxLiability.String(),
	}, " ")
}

// Amendments returns the amendments of a filing, the oldest first.
func (b *FilingBundle) Amendments(t *testing.T, of string) []models.Filing {
	t.Helper()
	list, err := b.Store.Filings.ListFilings(t.Context(), b.Scope, models.FilingFilter{
		Categories: []string{string(models.FilingAmendment)},
	},
		[]models.Order{{Column: "created_at"}}, models.Page{Limit: 100})
	require.NoError(t, err)
	var found []models.Filing
	for _, f := range list.Items {
		if f.AmendsFilingID != nil && *f.AmendsFilingID == of {
			found = append(found, f)
		}
	}
	return found
}

func (b *FilingBundle) CreditNote(t *testing.T, of models.Ref, day, amount string) models.Ref {
	t.Helper()
	ref := b.Sale(t, day, amount)
	_, err := b.SQL.Exec(t.Context(),
		"UPDATE transactions SET type = 'PARTIAL_CREDIT_NOTE', related_to = $2 WHERE id = $1", ref.ID, of.ID)
	require.NoError(t, err)
	return ref
}

func Registration(country, state string) models.Registration {
	return models.Registration{
		ID: models.NewID(models.PrefixRegistration), CountryCode: country,
		StateCode: state, StateName: state, Status: models.RegistrationProcessing,
		FilingFrequency: calendar.FilingMonthly, RegistrationImportType: models.ImportRegular,
		RegistrationsRegime: "STANDARD", AmountFees: "0.00",
	}
}
