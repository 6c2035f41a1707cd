package events_test

import (
	"strings"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
	"levy/store/storetest"
	"levy/tax"
	"levy/tax/calendar"
)

// written are the types of the events of an organization, in their order.
func written(t *testing.T, b *storetest.Bundle) []string {
	t.Helper()
	found, more, err := b.Store.Events.After(t.Context(), models.EventQuery{
		Organizations: []string{b.Scope.OrganizationID}, Limit: 1000,
	})
	require.NoError(t, err)
	require.False(t, more)
	types := []string{}
	for _, e := range found {
		types = append(types, e.Type)
	}
	return types
}

// However often a stage saves, a transaction has one event for its creation and one for its processing.
func TestATransactionHasEachEventOnce(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	before := len(written(t, b))
	refs := b.Accepted(t, 1)
	for _, stage := range storetest.Stages {
		for range 2 {
			_, err := stage.Save(b.Store, storetest.Run, refs)
			require.NoError(t, err, stage.Name)
		}
	}
	_, err := b.Update(refs[0].ID, func(d *models.TransactionDraft) {})
	require.NoError(t, err)
	require.Equal(t, []string{"customer.created", "transaction.created", "transaction.processed",
		"transaction.updated"}, written(t, b)[before:])
}

// An event shows a transaction as it was read when it happened, also after it was processed and changed.
func TestEventsShowTransactionsAsTheyWere(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	ref := b.Accepted(t, 1)[0]
	read := func() models.Transaction {
		found, err := b.Store.Transactions.Transaction(t.Context(), b.Scope, ref.ID)
		require.NoError(t, err)
		return found
	}
	accepted := read()
	b.Processed(t, []models.Ref{ref})
	processed := read()
	require.NotEqual(t, accepted.Items, processed.Items)
	_, err := b.Update(ref.ID, func(d *models.TransactionDraft) { d.Items[0].Amount = decimal.MustParse("7.00") })
	require.NoError(t, err)
	updated := read()

	found, _, err := b.Store.Events.After(t.Context(), models.EventQuery{
		Organizations: []string{b.Scope.OrganizationID}, Limit: 100,
		Types: []string{"transaction.created", "transaction.processed", "transaction.updated"},
	})
	require.NoError(t, err)
	shown, err := b.Store.Feed().EventRecords(t.Context(), found)
	require.NoError(t, err)
	require.Len(t, shown, 3)
	for i, want := range []models.Transaction{accepted, processed, updated} {
		got := *shown[i].Now.(*models.Transaction)
		require.Equal(t, pg.JSON(want), pg.JSON(got), shown[i].Type)
	}
	require.Nil(t, shown[0].Before)
	require.Equal(t, models.ProcessingNexusDone, shown[1].Before.(*models.Transaction).ProcessingStatus)
	require.Equal(t, pg.JSON(processed), pg.JSON(shown[2].Before.(*models.Transaction)))
}

// transition is a change of records, with the types of the events that it has.
type transition struct {
	name  string
	do    func(t *testing.T) // after it, of the organization
	types []string
}

// Every transition of a record has one event, also one by a person or a timer, and the record can be shown.
func TestEveryTransitionHasOneEvent(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	s, ctx := b.Store, t.Context()
	id := b.Scope.OrganizationID
	execute := func(sql string, args ...any) func(t *testing.T) {
		return func(t *testing.T) { storetest.Execute(t, b.URL, sql, args...) }
	}
	var january, february models.Filing
	var r models.Registration
	change := func(f *models.Filing, to models.FilingStatus) func(t *testing.T) {
		return func(t *testing.T) {
			_, err := b.Transition(f.ID, to)
			require.NoError(t, err)
		}
	}
	refresh := func(f *models.Filing, day string) func(t *testing.T) {
		return func(t *testing.T) {
			for range 2 {
				_, err := s.Filings.RefreshFiling(ctx, b.Scope, f.ID, calendar.MustDate(day).Time(), rules.DefaultFilingPolicy())
				require.NoError(t, err)
			}
		}
	}
	enter := func(statuses ...models.RegistrationStatus) func(t *testing.T) {
		return func(t *testing.T) {
			for _, status := range statuses {
				_, err := s.Registrations.UpdateRegistration(ctx, b.Scope, models.Actor{}, r.ID,
					func(reg *models.Registration) error {
						day := calendar.MustDate("2026-01-01").Time()
						reg.Status, reg.RegistrationDate, reg.DeregistrationDate = status, &day, &day
						return nil
					})
				require.NoError(t, err)
			}
		}
	}
	disregard := func(at *time.Time) func(t *testing.T) {
		return func(t *testing.T) {
			list, err := s.Nexus.ListNexus(ctx, b.Scope, models.NexusFilter{Today: time.Now()}, nil, models.Page{Limit: 1})
			require.NoError(t, err)
			_, err = s.Nexus.DisregardNexus(ctx, b.Scope, models.Actor{}, list.Items[0].ID, func(n *models.NexusRecord) error {
				n.Disregard = models.NexusDisregard{DisregardedAt: at, Kinds: []models.NexusKind{}}
				if at != nil {
					n.Disregard.Kinds = []models.NexusKind{models.NexusEconomic}
				}
				return nil
			})
			require.NoError(t, err)
		}
	}
	now := time.Now()
	customer := models.Customer{ID: models.NewID(models.PrefixCustomer), ExternalID: "C-9",
		Status: models.CustomerActive, AddressStatus: "BLANK", Source: "API",
		TaxRegistrations: []models.CustomerTaxRegistration{}}
	exemption := models.ExemptionRecord{Exemption: models.Exemption{ID: models.NewID(models.PrefixExemption),
		ExemptionType: models.ExemptionCustomer,
		StartDate:     now.AddDate(-1, 0, 0),
		EndDate:       new(calendar.MustDate("2026-03-20").Time()), CustomerID: &customer.ID, CountryCode: "US",
		Status: models.ExemptionActive}}
	expire := func(day string) func(t *testing.T) {
		return func(t *testing.T) {
			for range 2 {
				_, err := s.Catalog.ExpireExemptions(ctx, calendar.MustDate(day).Time(), "")
				require.NoError(t, err)
			}
		}
	}
	sale := b.Sale(t, "2026-01-10", "100.00")
	b.Process(t, sale)
	before := len(written(t, b.Bundle))
	transitions := []transition{
		{"a return is made", func(t *testing.T) { january = b.January(t, models.FilingUnfiled) }, []string{"filing.created"}},
		{"it waits for its approval", refresh(&january, "2026-02-02"), []string{"filing.ready_for_approval"}},
		{"it is paused", change(&january, models.FilingPaused), []string{"filing.paused"}},
		{"it is resumed", change(&january, models.FilingUnfiled), []string{"filing.resumed"}},
		{"it is approved", func(t *testing.T) { _, err := b.Approve(january.ID); require.NoError(t, err) },
			[]string{"filing.approved"}},
		{"it is rejected", change(&january, models.FilingIssue), []string{"filing.issue"}},
		{"it is tried again", change(&january, models.FilingFiling), []string{"filing.updated"}},
		{"it is filed", change(&january, models.FilingFiled), []string{"filing.filed"}},
		{"its sales are locked", func(t *testing.T) {
			for range 2 {
				require.NoError(t, s.Filings.LockFiling(ctx, b.Scope, january.ID))
			}
		}, []string{"transaction.locked"}},
		{"the next return is made", func(t *testing.T) {
			f := storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-02-01", "2026-02-28")
			f.DueDate = new(calendar.MustDate("2026-03-20").Time())
			february = b.Create(t, f)
		}, []string{"filing.created"}},
		{"it is due soon", refresh(&february, "2026-03-11"), []string{"filing.due_soon", "filing.ready_for_approval"}},
		{"it is overdue", refresh(&february, "2026-03-22"), []string{"filing.overdue"}},
		{"it is skipped", change(&february, models.FilingSkipped), []string{"filing.skipped"}},
		{"another is cancelled", func(t *testing.T) {
			f := b.Create(t, storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-03-01", "2026-03-31"))
			change(&f, models.FilingCancelled)(t)
		}, []string{"filing.created", "filing.cancelled"}},
		{"a registration is asked for", func(t *testing.T) {
			r = storetest.Registration("US", "TX")
			require.NoError(t, s.Registrations.CreateRegistration(ctx, b.Scope, models.Actor{}, &r))
		}, []string{"registration.created"}},
		{"it is given", enter(models.RegistrationProcessing, models.RegistrationValidating, models.RegistrationRegistered),
			[]string{"registration.updated", "registration.updated", "registration.registered"}},
		{"it ends", enter(models.RegistrationDeregistering, models.RegistrationDeregistered),
			[]string{"registration.updated", "registration.deregistered"}},
		{"another is asked for and cancelled", func(t *testing.T) {
			r = storetest.Registration("US", "UT")
			require.NoError(t, s.Registrations.CreateRegistration(ctx, b.Scope, models.Actor{}, &r))
			enter(models.RegistrationCancelled)(t)
		}, []string{"registration.created", "registration.cancelled"}},
		{"a sale has no address", func(t *testing.T) {
			ref := b.Sale(t, "2026-06-10", "5.00")
			for range 2 {
				_, err := s.Transactions.SaveAddresses(ctx, storetest.Run, []models.Ref{ref}, []models.AddressOutcome{{
					Ref: ref, To: models.ProcessingNeedsRefetch, Reason: "No address.", Place: tax.Place{Status: tax.StatusBlank},
				}})
				require.NoError(t, err)
			}
		}, []string{"transaction.created", "transaction.needs_attention"}},
		{"a credit note is processed", func(t *testing.T) {
			b.Process(t, b.CreditNote(t, sale, "2026-06-11", "1.00"))
		}, []string{"transaction.created", "credit_note.processed"}},
		{"nexus is watched", func(t *testing.T) { storetest.BeginNexus(t, s) }, []string{}},
		{"nexus is disregarded", disregard(&now), []string{"nexus.disregarded"}},
		{"nexus counts again", disregard(nil), []string{"nexus.undisregarded"}},
		{"nexus is found", execute(`UPDATE nexus_records
			SET status = 'APPROACHING'
			WHERE organization_id = $1 AND state_code = 'NV'`, id), []string{"nexus.status_changed"}},
		{"a customer is exempt", func(t *testing.T) {
			require.NoError(t, s.Catalog.CreateCustomer(ctx, b.Scope, models.Actor{}, &customer))
			require.NoError(t, s.Catalog.CreateExemption(ctx, b.Scope, models.Actor{}, &exemption))
		}, []string{"customer.created", "exemption.created"}},
		{"the exemption ends soon", expire("2026-03-01"), []string{"exemption.expiring"}},
		{"the exemption has ended", expire("2026-03-21"), []string{"exemption.expired"}},
		{"the customer is erased by staff", func(t *testing.T) {
			for range 2 {
				require.NoError(t, s.People.EraseCustomer(ctx, models.Actor{Staff: "ann"}, customer.ID))
			}
		}, []string{"customer.updated"}},
		{"staff changes the settings", func(t *testing.T) {
			for range 2 {
				_, err := s.Organizations.Configure(ctx, b.Scope, models.Actor{Staff: "ann"},
					func(o *models.Organization) { o.Settings.RoundingUnit = "TAX_PER_DOCUMENT" })
				require.NoError(t, err)
			}
		}, []string{"organization.updated"}},
		{"staff requeues what waits", func(t *testing.T) {
			for _, kind := range []string{models.WaitingTransactions, models.WaitingOnboardings,
				models.WaitingRegistrations, models.WaitingFilings} {
				_, err := s.Engine.RequeueAll(ctx, kind)
				require.NoError(t, err)
			}
			n, err := s.Transactions.RequeueNeedsRefetch(ctx, storetest.Run, models.RefetchAddress, models.RefetchCalculation)
			require.NoError(t, err)
			require.Positive(t, n)
		}, []string{}},
		{"an organization is renamed",
			execute("UPDATE organizations SET name = 'New', updated_at = now() WHERE id = $1", id),
			[]string{"organization.updated"}},
		{"settings change", execute(`UPDATE organization_settings
			SET filing_lookback_periods = 2, updated_at = now()
			WHERE organization_id = $1`, id), []string{"organization.updated"}},
		{"content is activated", func(t *testing.T) {
			_, err := s.Content.RecordContent(ctx, models.ContentVersion{Version: "v-1"}, []byte("{}"))
			require.NoError(t, err)
			require.NoError(t, s.Content.ActivateContent(ctx, "v-1", "test"))
		}, []string{"content.activated"}},
		{"a change that answers do not show", execute("UPDATE filings SET next_check_at = now()"), []string{}},
		{"an organization is archived", func(t *testing.T) {
			require.NoError(t, s.Organizations.ArchiveOrganization(ctx, b.Scope, models.Actor{}, "over"))
		}, []string{"organization.archived"}},
	}
	for _, m := range transitions {
		m.do(t)
		all := written(t, b.Bundle)
		require.Equal(t, m.types, all[before:], m.name)
		before = len(all)
	}
	found, _, err := s.Events.After(ctx, models.EventQuery{Organizations: []string{id}, Limit: 1000})
	require.NoError(t, err)
	shown, err := s.Feed().EventRecords(ctx, found)
	require.NoError(t, err)
	locked, err := s.Transactions.Transaction(ctx, b.Scope, sale.ID)
	require.NoError(t, err)
	filed, err := s.Filings.Filing(ctx, b.Scope, january.ID)
	require.NoError(t, err)
	require.False(t, filed.TaxRemitted.IsZero())
	for _, e := range shown {
		require.Equal(t, e.Type != "content.activated", e.Now != nil, e.Type)
		if e.Type == "filing.filed" {
			require.Equal(t, filed.TaxRemitted, e.Now.(*models.Filing).TaxRemitted, "also tax that was remitted without a filing")
		}
		if e.Type == "transaction.locked" {
			require.Equal(t, pg.JSON(locked), pg.JSON(e.Now))
		}
	}
}

// An onboarding has an event for each step, and one for its end.
func TestAnOnboardingHasItsEvents(t *testing.T) {
	t.Parallel()
	n := storetest.Onboard(t, 8)
	types := func() (types []string) {
		found, _, err := n.Store.Events.After(t.Context(), models.EventQuery{
			Organizations: []string{n.Scope.OrganizationID}, Limit: 1000,
		})
		require.NoError(t, err)
		shown, err := n.Store.Feed().EventRecords(t.Context(), found)
		require.NoError(t, err)
		for _, e := range shown {
			require.NotNil(t, e.Now, e.Type)
			types = append(types, e.Type)
		}
		return types
	}
	step := "onboarding.step_completed"
	require.Equal(t, []string{"organization.created", step, "api_key.created", step, step, step, step, step, step, step,
		"onboarding.completed"}, types())
	begun := []string{"organization.created", step, "api_key.created", step, step}
	for _, status := range []models.OnboardingStatus{models.OnboardingCancelled, models.OnboardingFailed} {
		n = storetest.Onboard(t, 3)
		_, err := n.Store.Organizations.EndOnboarding(t.Context(), n.Scope, models.OnboardingEnd{Status: status})
		require.NoError(t, err)
		require.Equal(t, append(begun, "onboarding."+strings.ToLower(string(status))), types())
	}
}

// Every other change of an onboarding is one event, with the previous state of its steps; a call that changes nothing
// has none.
func TestEveryChangeOfAnOnboardingHasItsEvent(t *testing.T) {
	t.Parallel()
	n := storetest.Onboard(t, 3)
	ctx, s := t.Context(), n.Store.Organizations
	again := n.Submission(3)
	for _, c := range []struct {
		name string
		do   func() error
		was  func(step *models.OnboardingStepRecord) // reverses the change of the step; nil: there was none
		step int
	}{
		{"a step is done again", func() error { return n.Do(again) },
			func(r *models.OnboardingStepRecord) { r.Attempts-- }, 3},
		{"the same submission comes twice", func() error { return n.Do(again) }, nil, 0},
		{"a step is refused", func() error { return s.NoteRefusal(ctx, n.Scope, 4, "No city.", []models.StepFault{}) },
			func(r *models.OnboardingStepRecord) { r.Refused, r.Error, r.Errors = r.Refused-1, nil, nil }, 4},
		{"its work fails", func() error { return s.NoteStepError(ctx, n.Scope, 4, "No bank.") },
			func(r *models.OnboardingStepRecord) { r.Error = new("No city.") }, 4},
		{"it fails again", func() error { return s.NoteStepError(ctx, n.Scope, 4, "No bank.") }, nil, 0},
		{"it is cancelled", func() error { n.End(); return nil }, func(*models.OnboardingStepRecord) {}, 3},
		{"a step is undone", func() error { return s.UndoStep(ctx, n.Scope, 3) },
			func(r *models.OnboardingStepRecord) { r.CompensatedAt = nil }, 3},
		{"it is undone again", func() error { return s.UndoStep(ctx, n.Scope, 3) }, nil, 0},
		{"no step is left to be undone", func() error { return s.FinishCompensation(ctx, n.Scope) },
			func(*models.OnboardingStepRecord) {}, 3},
		{"that is noted again", func() error { return s.FinishCompensation(ctx, n.Scope) }, nil, 0},
	} {
		before := n.Record()
		require.NoError(t, c.do(), c.name)
		after := n.Record()
		of := []string{n.Scope.OrganizationID}
		found, _, err := n.Store.Events.After(ctx, models.EventQuery{Organizations: of, Limit: 1000})
		require.NoError(t, err)
		shown, err := n.Store.Feed().EventRecords(ctx, found)
		require.NoError(t, err)
		var told []models.EventRecord
		for _, e := range shown {
			if o, is := e.Now.(*models.Onboarding); is && o.Version > before.Version {
				told = append(told, e)
			}
		}
		if c.was == nil {
			require.Empty(t, told, c.name)
			require.Equal(t, before.Version, after.Version, c.name)
			continue
		}
		require.Len(t, told, 1, c.name)
		require.Equal(t, after.Version, before.Version+1, c.name)
		now, was := told[0].Now.(*models.Onboarding), told[0].Before.(*models.Onboarding)
		for i := range after.Steps {
			after.Steps[i].SubmissionID = nil // events do not have it
		}
		require.Equal(t, *pg.JSON(after.Steps), *pg.JSON(now.Steps), c.name)
		c.was(&after.Steps[c.step-1])
		require.Equal(t, *pg.JSON(after.Steps), *pg.JSON(was.Steps), c.name)
		require.Equal(t, []any{before.Status, before.CompensationFinishedAt},
			[]any{was.Status, was.CompensationFinishedAt}, c.name)
	}
}

// Each reminder has its event, also one after progress, and so has the expiry of an onboarding that nobody continues.
func TestAnInactiveOnboardingHasItsEvents(t *testing.T) {
	t.Parallel()
	n := storetest.Onboard(t, 3)
	seen := 0
	rests := func(days, reminded int, want string) {
		t.Helper()
		storetest.Execute(t, n.URL, `UPDATE onboardings
			SET created_at = now() - $2 * interval '1 day', reminded_at = now() - $3 * interval '1 day'
			WHERE organization_id = $1`, n.Scope.OrganizationID, days, reminded)
		for range 2 {
			_, err := n.Store.Organizations.CheckProgress(t.Context(), n.Scope, models.DefaultOnboardingRules())
			require.NoError(t, err)
		}
		found, _, err := n.Store.Events.After(t.Context(), models.EventQuery{
			Organizations: []string{n.Scope.OrganizationID}, Limit: 1000,
		})
		require.NoError(t, err)
		if seen > 0 {
			require.Len(t, found, seen+1)
		}
		seen = len(found)
		require.Equal(t, want, found[seen-1].Type)
	}
	rests(8, 99, "onboarding.reminder")
	rests(8, 9, "onboarding.reminder") // there was progress after the first one
	rests(24, 1, "onboarding.reminder")

	// A manual reminder is possible once an hour; it does not count as progress, and the timer counts only its own
	// reminders.
	storetest.Execute(t, n.URL, "UPDATE onboardings SET reminded_at = now() - interval '2 hours'")
	byKey := models.Actor{APIKeyID: "akey_00000000000000000000000001"}
	for range 2 {
		o, err := n.Store.Organizations.RemindOnboarding(t.Context(), n.Scope, byKey)
		require.NoError(t, err)
		require.WithinDuration(t, time.Now(), *o.RemindedAt, time.Minute)
		require.Equal(t, 2, o.Reminders)
		require.Greater(t, time.Since(o.ProgressAt), 23*24*time.Hour)
	}
	found, _, err := n.Store.Events.After(t.Context(), models.EventQuery{
		Organizations: []string{n.Scope.OrganizationID}, Limit: 1000,
	})
	require.NoError(t, err)
	require.Len(t, found, seen+1)
	seen++
	require.Equal(t, "onboarding.reminder", found[seen-1].Type)
	rests(31, 1, "onboarding.expired")
	_, err = n.Store.Organizations.RemindOnboarding(t.Context(), n.Scope, byKey)
	require.ErrorAs(t, err, new(*models.OnboardingInactiveError))
}

// A statement that changes several records writes an event for each.
func TestSeveralRecordsOfOneStatementHaveTheirEvents(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	before := len(written(t, b))
	storetest.Execute(t, b.URL, `
		INSERT INTO physical_nexus (organization_id, id, country_code, state_code, start_date, category, source, created_at,
		                            updated_at)
		SELECT $1, 'phys_' || n, 'US', 'NV', '2026-01-01', 'OFFICE', 'OTHER', now(), now()
		  FROM generate_series(1, 3) n`, b.Scope.OrganizationID)
	require.Equal(t, []string{"physical_nexus.created", "physical_nexus.created", "physical_nexus.created"},
		written(t, b)[before:])
	// The plans are kept from the first statement of a session, however few rows it had.
	const joins = "SELECT count(*) FROM pg_proc WHERE prosrc ~ 'FROM added a JOIN removed'"
	require.Positive(t, b.Count(t, joins))
	require.Zero(t, b.Count(t, joins+" AND NOT coalesce('enable_nestloop=off' = ANY (proconfig), false)"),
		"each row of a batch is compared with each other")
}
