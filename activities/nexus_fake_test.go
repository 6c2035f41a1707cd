package activities

import (
	"cmp"
	"context"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

// nexusFake is a store of nexus records: the cases of organizations, and the sales of days.
type nexusFake struct {
	*recorder
	cases          map[string]models.NexusCase
	sales          []models.NexusSale
	stillThere     bool // the sales that were found before
	organizations  []string
	obligations    []models.ChangedObligation
	newer          bool // another process has written a record meanwhile
	change         *models.ObligationChange
	recounts       []models.NexusRecountStep // one after the other
	counters       []models.NexusDifference
	detail         models.NexusDetail
	progress       models.NexusRecountProgress
	changes        [][]string // transactions of the pages of events, one after the other
	changedReturns []string   // of each of these pages
	returns        []string   // the last returns of pages
	seals          []models.SealSlice
	violations     map[models.RecordKind][]models.RecordViolation
	slices         []*models.NexusRecountPlace // the ends of slices, one after the other; nil for the last of a stage
}

func (f *nexusFake) LoadNexus(
	_ context.Context, organizationID string, day calendar.Date, all bool,
) (models.NexusCase, error) {
	return f.cases[organizationID], f.record("LoadNexus", organizationID, day, all)
}

func (f *nexusFake) NexusSales(
	_ context.Context, organizationID string, q models.NexusSalesQuery,
	yield func(models.NexusSale) (bool, error),
) error {
	if err := f.record("NexusSales", organizationID, q.Countries, q.State, q.Day); err != nil {
		return err
	}
	for _, sale := range f.sales {
		if more, err := yield(sale); err != nil || !more {
			return err
		}
	}
	return nil
}

func (f *nexusFake) TransactionContributes(
	_ context.Context, organizationID, transactionID string, on time.Time,
) (bool, error) {
	return f.stillThere, f.record("TransactionContributes", organizationID, transactionID, on)
}

func (f *nexusFake) NexusDetail(
	_ context.Context, organizationID string, q models.NexusDetailQuery,
) (models.NexusDetail, error) {
	return f.detail, f.record("NexusDetail", organizationID, q)
}

func (f *nexusFake) ConversionRates(
	_ context.Context, pairs []models.CurrencyPair,
) (map[models.CurrencyPair]models.ConversionRate, error) {
	rates := map[models.CurrencyPair]models.ConversionRate{}
	for _, p := range pairs {
		rates[p] = models.ConversionRate{Rate: decimal.MustParse("2.000000000"), Day: p.Day}
	}
	return rates, f.record("ConversionRates", pairs)
}

func (f *nexusFake) SaveNexusRecords(
	_ context.Context, c models.NexusCase, evaluated []models.NexusEvaluated,
) (int, error) {
	saved := len(evaluated)
	if f.newer {
		saved--
	}
	return saved, f.record("SaveNexusRecords", c.OrganizationID, evaluated)
}

func (f *nexusFake) DeleteEvaluatedChanges(_ context.Context, seen []models.NexusSeen) error {
	return f.record("DeleteEvaluatedChanges", seen)
}

func (f *nexusFake) NexusObligations(_ context.Context, organizationIDs []string) ([]models.ChangedObligation, error) {
	return f.obligations, f.record("NexusObligations", organizationIDs)
}

func (f *nexusFake) AutoRegister(
	_ context.Context, scope models.Scope, now time.Time, _ func(country, state string) calendar.FilingFrequency,
) (int, error) {
	return 0, f.record("AutoRegister", scope, now)
}

func (f *nexusFake) OrganizationsAfter(_ context.Context, after string, limit int) ([]string, error) {
	var behind []string
	for _, id := range f.organizations {
		if id > after && len(behind) < limit {
			behind = append(behind, id)
		}
	}
	return behind, f.record("OrganizationsAfter", after, limit)
}

func (f *nexusFake) EnsureNexusRecords(_ context.Context, after string) (int, string, error) {
	next := map[string]string{"": "org_1"}[after]
	return 3, next, f.record("EnsureNexusRecords", after)
}

func (f *nexusFake) RecordNexusJurisdictions(_ context.Context, all []models.NexusJurisdiction) error {
	return f.record("RecordNexusJurisdictions", len(all) > 50)
}

func (f *nexusFake) NexusObligation(_ context.Context, ref models.NexusRef) (models.ObligationChange, error) {
	if err := f.record("NexusObligation", ref); err != nil || f.change == nil {
		return models.ObligationChange{}, cmp.Or(err, models.ErrNotFound)
	}
	return *f.change, nil
}

func (f *nexusFake) RequeueForObligation(
	_ context.Context, run models.StageRun, c models.ObligationChange, after models.ObligationCursor,
) (models.ObligationStep, error) {
	return models.ObligationStep{Requeued: 4, Done: true}, f.record("RequeueForObligation", run, c, after)
}

func (f *nexusFake) RequeueCalculated(
	_ context.Context, run models.StageRun, ref models.NexusRef, versions []models.TransactionVersion,
) (int, error) {
	return len(versions), f.record("RequeueCalculated", run, ref, versions)
}

func (f *nexusFake) ApplyObligation(_ context.Context, c models.ObligationChange) error {
	return f.record("ApplyObligation", c)
}

func (f *nexusFake) RecountContributions(
	_ context.Context, r models.NexusRecount, _ func(models.Transaction) (models.NexusOutcome, error),
) (step models.NexusRecountStep, err error) {
	var which any = r.After
	if r.IDs != nil {
		which = r.IDs
	}
	err = f.record("RecountContributions", r.OrganizationID, which, r.Repair)
	if err == nil && len(f.recounts) > 0 {
		step, f.recounts = f.recounts[0], f.recounts[1:]
	}
	return step, err
}

func (f *nexusFake) RecountCounters(
	_ context.Context, _ models.StageRun, organizationID string, repair bool,
) ([]models.NexusDifference, error) {
	return f.counters, f.record("RecountCounters", organizationID, repair)
}

func (f *nexusFake) RecountSlice(_ context.Context, _ models.StageRun, organizationID string, stage models.RecountStage,
	after models.NexusRecountPlace, repair bool,
) ([]models.NexusDifference, *models.NexusRecountPlace, error) {
	err := f.record("RecountSlice", organizationID, stage, after.StateCode, repair)
	if err != nil || len(f.slices) == 0 {
		return f.counters, nil, err
	}
	var end *models.NexusRecountPlace
	end, f.slices = f.slices[0], f.slices[1:]
	return f.counters, end, nil
}

func (f *nexusFake) RecountDaysOf(
	_ context.Context, _ models.StageRun, organizationID string, transactions []string, repair bool,
) ([]models.NexusDifference, error) {
	return f.counters, f.record("RecountDaysOf", organizationID, transactions, repair)
}

func (f *nexusFake) ChangedRecords(
	_ context.Context, organizationID string, after int64, limit int,
) (changed models.ChangedRecords, through int64, all bool, err error) {
	err = f.record("ChangedRecords", organizationID, after, limit)
	if len(f.changes) > 0 {
		changed.Transactions, f.changes = f.changes[0], f.changes[1:]
		changed.Returns = f.changedReturns
	}
	return changed, after + int64(len(changed.Transactions)), len(f.changes) == 0, err
}

func (f *nexusFake) CheckChanged(
	_ context.Context, organizationID string, kind models.RecordKind, ids []string,
) ([]models.RecordViolation, error) {
	return f.violations[kind], f.record("CheckChanged", organizationID, kind, ids)
}

func (f *nexusFake) CheckAgain(_ context.Context, organizationID string) ([]models.RecordViolation, error) {
	return f.violations[models.RecordOrganization], f.record("CheckAgain", organizationID)
}

func (f *nexusFake) CheckSome(
	_ context.Context, organizationID string, kind models.RecordKind, ids []string,
) ([]models.RecordViolation, error) {
	return f.violations[kind], f.record("CheckSome", organizationID, kind, ids)
}

func (f *nexusFake) CheckReturns(
	_ context.Context, organizationID, after string, _ int,
) (found []models.RecordViolation, last string, err error) {
	err = f.record("CheckReturns", organizationID, after)
	if len(f.returns) > 0 {
		last, f.returns = f.returns[0], f.returns[1:]
	}
	return f.violations[models.RecordReturns], last, err
}

func (f *nexusFake) VerifySeals(
	_ context.Context, organizationID string, after, coveredFrom int64,
) (slice models.SealSlice, err error) {
	slice = models.SealSlice{Through: after, CoveredFrom: coveredFrom, Done: true}
	if len(f.seals) > 0 {
		slice, f.seals = f.seals[0], f.seals[1:]
	}
	return slice, f.record("VerifySeals", organizationID, after, coveredFrom)
}

func (f *nexusFake) CheckFigures(_ context.Context, organizationID string) ([]models.RecordViolation, error) {
	return f.violations[models.RecordFigures], f.record("CheckFigures", organizationID)
}

func (f *nexusFake) ForgetViolations(_ context.Context, organizationID string) error {
	return f.record("ForgetViolations", organizationID)
}

func (f *nexusFake) RecountProgress(
	_ context.Context, organizationID string,
) (models.NexusRecountProgress, error) {
	at := f.progress
	at.OrganizationID = organizationID
	if at.Stage == "" {
		at.Stage = models.RecountTransactions
	}
	return at, f.record("RecountProgress", organizationID)
}

func (f *nexusFake) SaveRecountProgress(_ context.Context, p models.NexusRecountProgress) error {
	f.progress = p
	f.progress.ChangesDone, f.progress.PassDone, f.progress.NightDone = false, false, false
	return f.record("SaveRecountProgress", p.OrganizationID, p.AfterEvent, p.Stage, p.After, p.ChangesDone, p.PassDone,
		p.NightDone)
}

func (f *nexusFake) FailRecount(_ context.Context, organizationID, code string) error {
	return f.record("FailRecount", organizationID, code)
}

// contentFake is the tax content that is part of the program.
type contentFake struct {
	*recorder
	content *tax.Content
}

func (f contentFake) Refresh(context.Context) error { return f.record("Refresh") }

func (f contentFake) Current() *tax.Content { return f.content }

// newNexusOn makes the activities on a store; repaired keeps the kinds of differences.
func newNexusOn(t *testing.T, store *nexusFake) (work *Nexus, repaired *[]string) {
	t.Helper()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	if store.recorder == nil {
		store.recorder = &recorder{}
	}
	repaired = &[]string{}
	return NewNexus(
		store, store, contentFake{store.recorder, content}, 80,
		func(kind string) { *repaired = append(*repaired, kind) }, quiet,
	), repaired
}

// inTexas is the case of an organization with a record of Texas and its sales of a day.
func inTexas(organizationID, amount string) models.NexusCase {
	record := models.NexusState{NexusRecord: models.NexusRecord{
		OrganizationID: organizationID, ID: "nexs_" +
			organizationID, CountryCode: "US", StateCode: "TX", StateName: "Texas",
	}}
	return models.NexusCase{
		OrganizationID: organizationID, Home: "DE", Records: []models.NexusState{record},
		Days:    []models.NexusDay{soldInTexas("2026-05-01", 3, amount)},
		Changes: []models.NexusChange{{CountryCode: "US", StateCode: "TX", N: 7, Pending: true}},
	}
}

func soldInTexas(day string, n int, amount string) models.NexusDay {
	zero := decimal.MustParse("0.00")
	return models.NexusDay{
		CountryCode: "US", StateCode: "TX", Currency: "USD", Day: calendar.MustDate(day).Time(), N: n,
		Amount:       decimal.MustParse(amount),
		ExemptAmount: zero, ResaleAmount: zero, CollectedTax: zero,
	}
}

// saleInTexas is one of the sales of the day.
func saleInTexas(id, amount string) models.NexusSale {
	day := soldInTexas("2026-05-01", 1, amount)
	return models.NexusSale{TransactionID: id, Date: day.Day, NexusDay: day}
}
