package registrations_test

import (
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
	"levy/store/storetest"
	"levy/tax"
	"levy/tax/calendar"
)

func setupRun(t *testing.T) (registrations, func(sql string, args ...any) []string) {
	t.Helper()
	url := storetest.URL(t)
	r := registrations{storetest.Open(t, pg.Options{URL: url}), storetest.Organization(t, url)}
	return r, func(sql string, args ...any) []string {
		t.Helper()
		conn := storetest.SQL(t, url)
		rows, err := conn.Query(t.Context(), sql, args...)
		require.NoError(t, err)
		texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		return texts
	}
}

func (r registrations) refresh(t *testing.T, id string, run rules.RegistrationRun) rules.RegistrationSnapshot {
	t.Helper()
	return r.refreshBy(t, models.NewID("run"), id, run)
}

func (r registrations) refreshBy(
	t *testing.T, reader, id string, run rules.RegistrationRun,
) rules.RegistrationSnapshot {
	t.Helper()
	read := models.RegistrationRead{RegistrationID: id, Reader: reader}
	snapshot, err := r.Registrations.RefreshRegistration(t.Context(), r.scope, read, run, time.Now())
	require.NoError(t, err)
	return snapshot
}

func processing(country, state string) models.Registration {
	reg := storetest.Registration(country, state)
	reg.Enter(models.RegistrationProcessing, time.Now())
	return reg
}

var accepted = models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityAccepted, Confirmation: "SIM-1"}

func TestDefaultProductsAreCreatedOnce(t *testing.T) {
	t.Parallel()
	r, query := setupRun(t)
	own := models.Product{ID: models.NewID(models.PrefixProduct), ExternalID: "default-food", Name: "Our food",
		ProductCategory: "FOOD", TaxClass: tax.ClassPreparedFood,
		Classification: tax.ClassificationSubcategory, Status: models.ProductPending, Source: "API", SKU: []string{}}
	require.NoError(t, r.Catalog.CreateProduct(t.Context(), r.scope, models.Actor{}, &own))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { require.NoError(t, r.Catalog.CreateDefaultProducts(t.Context(), r.scope)) })
	}
	all.Wait()
	require.Equal(t, []string{
		"default-clothing CLOTHING/GENERAL_CLOTHING CLOTHING AUTO_DEFAULT APPROVED OTHER",
		"default-digital DIGITAL/DIGITAL_GENERAL DIGITAL AUTO_DEFAULT APPROVED OTHER",
		"default-food FOOD/ PREPARED_FOOD SUBCATEGORY PENDING API",
		"default-physical PHYSICAL/PHYSICAL_GENERAL PHYSICAL AUTO_DEFAULT APPROVED OTHER",
		"default-service SERVICE/SERVICE_GENERAL SERVICE AUTO_DEFAULT APPROVED OTHER",
		"default-shipping MISCELLANEOUS/SHIPPING SHIPPING AUTO_DEFAULT APPROVED OTHER",
		"default-software SOFTWARE/SOFTWARE_DOWNLOADED SOFTWARE_DOWNLOAD AUTO_DEFAULT APPROVED OTHER",
	}, query(`SELECT external_id || ' ' || product_category || '/' || coalesce(product_subcategory, '') || ' ' || tax_class
		  || ' ' || classification || ' ' || status || ' ' || source
		FROM products WHERE external_id LIKE 'default-%' ORDER BY external_id`))
	require.Len(t, query("SELECT id FROM audit WHERE entity_type = 'default_products'"), 1)
}

// A refresh notes that the record was read, and with nothing left to do no further refresh is due. Every change of
// the record makes it due again.
func TestARefreshReadsTheCurrentRecord(t *testing.T) {
	t.Parallel()
	r, _ := setupRun(t)
	reg := r.create(t, processing("US", "NY"))
	due := func() []models.Registration {
		t.Helper()
		list, err := r.Registrations.LeaseRegistrations(t.Context(), 10)
		require.NoError(t, err)
		return list
	}
	leased := due()
	require.Len(t, leased, 1)
	require.True(t, leased[0].Changed)
	require.Equal(t, []string{
		reg.ID, "US", "NY", "PROCESSING",
	}, []string{leased[0].ID, leased[0].CountryCode, leased[0].StateCode, string(leased[0].Status)})
	require.Empty(t, due(), "leased")

	require.Equal(t, rules.RegistrationPrepares, r.refresh(t, reg.ID, rules.RegistrationRun{}).Action)
	require.NoError(t, r.Catalog.CreateDefaultProducts(t.Context(), r.scope))
	require.Equal(t, rules.RegistrationSubmits, r.refresh(t, reg.ID, rules.RegistrationRun{}).Action)
	read, err := r.Registrations.Registration(t.Context(), r.scope, reg.ID)
	require.NoError(t, err)
	require.False(t, read.Changed)
	require.True(t, read.NextCheckAt.After(time.Now().Add(30*time.Minute)), "notified once an hour")

	require.NoError(t, r.transition(t, reg.ID, models.RegistrationRegistered))
	require.True(t, due()[0].Changed)
	settled := rules.RegistrationRun{Settled: true}
	lost := models.NewID("run")
	for range 2 { // the first result was lost
		require.Equal(t, rules.RegistrationSettles, r.refreshBy(t, lost, reg.ID, settled).Action, "the record has changed")
	}
	require.Equal(t, rules.RegistrationEnds, r.refresh(t, reg.ID, settled).Action)
	read, err = r.Registrations.Registration(t.Context(), r.scope, reg.ID)
	require.NoError(t, err)
	require.Nil(t, read.NextCheckAt)
	_, err = r.Registrations.RefreshRegistration(t.Context(), models.Scope{
		OrganizationID: models.NewID("org"),
	}, models.RegistrationRead{RegistrationID: reg.ID}, settled, time.Now())
	require.ErrorIs(t, err, models.ErrNotFound)
}

func TestTheWorkflowDoesNotOverwriteAChangedRegistration(t *testing.T) {
	t.Parallel()
	r, query := setupRun(t)
	now := time.Now().UTC()
	reg := r.create(t, processing("US", "NY"))
	submission, err := r.Registrations.SubmissionOfRegistration(t.Context(), r.scope, attemptOf(reg.ID, 1))
	require.NoError(t, err)
	require.Equal(t, models.AuthoritySubmission{
		Key: models.AuthorityKey{
			OrganizationID: r.scope.OrganizationID, Kind: models.AuthorityRegistration, RecordID: reg.ID,
			Attempt: 1,
		},
		Test: true, Country: "US", State: "NY",
	}, submission)
	for range 2 { // every step may be repeated
		require.NoError(t, r.Registrations.HandOverRegistration(t.Context(), r.scope, attemptOf(reg.ID, 1), "simulated", now))
	}
	require.Equal(t, []string{"VALIDATING simulated"}, query("SELECT status || ' ' || authority FROM registrations"))

	rejected := models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: "no"}
	require.NoError(t, r.Registrations.SettleRegistration(t.Context(), r.scope, attemptOf(reg.ID, 1), rejected, now))
	require.NoError(t, r.transition(t, reg.ID, models.RegistrationProcessing)) // without Enter: still attempt 1
	_, err = r.Registrations.UpdateRegistration(t.Context(), r.scope, models.Actor{}, reg.ID,
		func(reg *models.Registration) error {
			reg.Attempt = 2
			return nil
		})
	require.NoError(t, err)
	require.NoError(
		t, r.Registrations.SettleRegistration(t.Context(), r.scope, attemptOf(reg.ID, 1), accepted, now),
		"an answer to an attempt that is over",
	)
	require.Equal(t, []string{"PROCESSING"}, query("SELECT status FROM registrations"))
	_, err = r.Registrations.SubmissionOfRegistration(t.Context(), r.scope, attemptOf(reg.ID, 1))
	require.ErrorIs(t, err, models.ErrChangedMeanwhile)

	for range 2 {
		require.NoError(t, r.Registrations.SettleRegistration(t.Context(), r.scope, attemptOf(reg.ID, 2), accepted, now))
	}
	registered, err := r.Registrations.Registration(t.Context(), r.scope, reg.ID)
	require.NoError(t, err)
	require.Equal(t, models.RegistrationRegistered, registered.Status)
	require.Equal(t, "SIM-1", *registered.SalesTaxID)
	require.NotContains(t, query("SELECT sales_tax_id FROM registrations"), "SIM-1", "it is encrypted")
	require.NoError(
		t, r.Registrations.SettleRegistration(t.Context(), r.scope, attemptOf(reg.ID, 2), rejected, now), "it is decided",
	)
	require.NoError(
		t, r.Registrations.CloseRegistration(t.Context(), r.scope, attemptOf(reg.ID, 2), now), "its end was not requested",
	)
	require.Equal(t, []string{"REGISTERED"}, query("SELECT status FROM registrations"))
	_, err = r.Registrations.SubmissionOfRegistration(t.Context(), r.scope, attemptOf(reg.ID, 2))
	require.ErrorIs(t, err, models.ErrChangedMeanwhile)
}

// A change by the workflow itself does not make the record due. After a refused end, the record waits until another
// caller changes it. Writing the same values again changes nothing.
func TestARefusedDeregistrationWaitsUntilTheRecordChanges(t *testing.T) {
	t.Parallel()
	r, query := setupRun(t)
	now := time.Now().UTC()
	reg := r.create(t, storetest.Registration("US", "NY"))
	require.NoError(t, r.Catalog.CreateDefaultProducts(t.Context(), r.scope))
	require.NoError(t, r.transition(t, reg.ID, models.RegistrationRegistered))
	ending, err := r.Registrations.UpdateRegistration(t.Context(), r.scope, models.Actor{}, reg.ID,
		func(reg *models.Registration) error {
			return reg.Deregister(now, nil, now)
		})
	require.NoError(t, err)
	require.Equal(t, rules.RegistrationSettles, r.refresh(t, reg.ID, rules.RegistrationRun{}).Action)
	settled, refused := rules.RegistrationRun{Settled: true}, rules.RegistrationRun{Settled: true, Refused: true}
	require.Equal(t, rules.RegistrationSubmits, r.refresh(t, reg.ID, settled).Action)
	writes := func() int {
		t.Helper()
		return len(query("SELECT id FROM audit WHERE entity_id = $1", reg.ID))
	}
	before := writes()
	for range 2 {
		require.NoError(
			t,
			r.Registrations.HandOverRegistration(t.Context(), r.scope, attemptOf(reg.ID, ending.Attempt), "simulated", now),
		)
		require.NoError(t, r.Registrations.SettleRegistration(t.Context(), r.scope, attemptOf(reg.ID, ending.Attempt),
			models.AuthorityAnswer{
				Outcome: models.AuthorityRejected, Reason: "no",
			}, now))
		snapshot := r.refresh(t, reg.ID, refused)
		require.Equal(t, refused, snapshot.Run)
		require.Equal(t, rules.RegistrationWaitsForClarification, snapshot.Waits)
		require.Equal(t, before+2, writes())
	}

	_, err = r.Registrations.UpdateRegistration(t.Context(), r.scope, models.Actor{}, reg.ID,
		func(*models.Registration) error { return nil })
	require.NoError(t, err)
	require.NoError(t, r.Registrations.SettleRegistration(t.Context(), r.scope, attemptOf(reg.ID, ending.Attempt),
		models.AuthorityAnswer{
			Outcome: models.AuthorityRejected, Reason: "still no",
		}, now))
	require.Equal(
		t, rules.RegistrationRun{}, r.refresh(t, reg.ID, refused).Run,
		"a change by somebody else is not lost when the workflow writes",
	)
}

// A client and the workflow change the status at the same time: one of them is first, and the other is refused. In
// the end there is one status, and no transition that does not exist.
func TestAClientAndTheWorkflowChangeTheStatusAtTheSameTime(t *testing.T) {
	t.Parallel()
	r, query := setupRun(t)
	for _, state := range []string{"AL", "AZ", "AR", "CA", "CO", "CT"} {
		reg := r.create(t, processing("US", state))
		var all sync.WaitGroup
		var refused error
		all.Go(func() {
			require.NoError(
				t,
				r.Registrations.HandOverRegistration(t.Context(), r.scope, attemptOf(reg.ID, 1), "simulated", time.Now()),
			)
			require.NoError(
				t, r.Registrations.SettleRegistration(t.Context(), r.scope, attemptOf(reg.ID, 1), accepted, time.Now()),
			)
		})
		all.Go(func() {
			_, refused = r.Registrations.UpdateRegistration(t.Context(), r.scope, models.Actor{}, reg.ID,
				func(reg *models.Registration) error {
					return reg.Transition(models.RegistrationCancelled, time.Now())
				})
		})
		all.Wait()
		status := query("SELECT status FROM registrations WHERE id = $1", reg.ID)
		if refused != nil {
			var transition *models.TransitionError
			require.ErrorAs(t, refused, &transition)
			require.Equal(t, []string{"REGISTERED"}, status)
		} else {
			require.Equal(t, []string{"CANCELLED"}, status)
		}
	}
}

func TestTheNexusRecordFollowsTheRegistration(t *testing.T) {
	t.Parallel()
	r, query := setupRun(t)
	storetest.BeginNexus(t, r.Store)
	nexus := func() string {
		return query(`SELECT status || coalesce((SELECT ' ' || n FROM nexus_changes c
			   WHERE c.country_code = 'US' AND c.state_code = 'NY'), '') FROM nexus_records WHERE state_code = 'NY'`)[0]
	}
	require.Equal(t, "NOT_EXPOSED", nexus())
	reg := r.create(t, processing("US", "NY"))
	require.Equal(t, "PENDING_REGISTRATION 1", nexus())
	require.NoError(t, r.transition(t, reg.ID, models.RegistrationRegistered))
	require.Equal(t, "REGISTERED 2", nexus())
	require.NoError(t, r.transition(t, reg.ID, models.RegistrationDeregistering))
	require.Equal(t, "REGISTERED 3", nexus())
	require.NoError(t, r.transition(t, reg.ID, models.RegistrationDeregistered))
	require.Equal(t, "NOT_EXPOSED 4", nexus())
	query("UPDATE nexus_records SET nexus_met = true RETURNING id")
	again := r.create(t, processing("US", "NY"))
	require.NoError(t, r.transition(t, again.ID, models.RegistrationCancelled))
	require.Equal(t, "EXPOSED 6", nexus())
	// An earlier change left this status.
	query("UPDATE nexus_records SET status = 'REGISTERED' WHERE state_code = 'NY' RETURNING id")
	r.create(t, processing("US", "NY"))
	require.Equal(t, "PENDING_REGISTRATION 7", nexus())

	// Whole countries have one record; a registration with the one-stop shop changes the settings too.
	scheme, member := "UNION", "IE"
	oss := processing("ZZ_EU", "ZZ_EU")
	oss.RegistrationImportType, oss.OSSType, oss.OSSMemberState = models.ImportOSS, &scheme, &member
	oss = r.create(t, oss)
	r.create(t, processing("CA", "CA"))
	require.Equal(
		t, []string{"CA", "NY", "ZZ_EU"},
		query("SELECT state_code FROM nexus_records WHERE status = 'PENDING_REGISTRATION' ORDER BY 1"),
	)
	require.Equal(t, []string{"UNION"}, query("SELECT oss_scheme FROM organization_settings"))
	require.NoError(t, r.transition(t, oss.ID, models.RegistrationCancelled))
	require.Equal(t, []string{""}, query("SELECT coalesce(oss_scheme, '') FROM organization_settings"))
}

func (r registrations) filing(t *testing.T, reg models.Registration, status, start, end string) {
	t.Helper()
	f := storetest.FilingOf(reg, models.FilingStatus(status), start, end)
	frequency := string(reg.FilingFrequency)
	f.FilingFrequency = &frequency
	_, err := r.Filings.CreateFiling(t.Context(), r.scope, models.Actor{}, f,
		func(*models.Filing, models.Registration) error { return nil })
	require.NoError(t, err)
}

func TestFilingsEndWithTheirRegistration(t *testing.T) {
	t.Parallel()
	r, query := setupRun(t)
	now := calendar.MustDate("2026-05-14").Time()
	cancelled := func(id string) []string {
		t.Helper()
		for range 2 {
			require.NoError(t, r.Filings.CancelLaterFilings(t.Context(), r.scope, id, now))
		}
		return query(
			`SELECT start_date || ' ' || status || coalesce(' ' || cancelled_reason, '')
			   FROM filings
			  WHERE registration_id = $1 ORDER BY 1`,
			id,
		)
	}
	reg := r.create(t, storetest.Registration("US", "NY"))
	require.NoError(t, r.transition(t, reg.ID, models.RegistrationRegistered))
	r.filing(t, reg, "UNFILED", "2026-05-01", "2026-05-31")
	r.filing(t, reg, "PAUSED", "2026-06-01", "2026-06-30")
	r.filing(t, reg, "UNFILED", "2026-07-01", "2026-07-31")
	r.filing(t, reg, "SKIPPED", "2026-08-01", "2026-08-31")
	require.Equal(t, []string{
		"2026-05-01 UNFILED", "2026-06-01 PAUSED", "2026-07-01 UNFILED", "2026-08-01 SKIPPED",
	}, cancelled(reg.ID))

	_, err := r.Registrations.UpdateRegistration(t.Context(), r.scope, models.Actor{}, reg.ID,
		func(reg *models.Registration) error {
			rules.ChangeFrequency(reg, calendar.FilingQuarterly, calendar.DateOf(now))
			return nil
		})
	require.NoError(t, err)
	require.Equal(t, []string{
		"2026-05-01 UNFILED", "2026-06-01 CANCELLED FREQUENCY_CHANGED", "2026-07-01 CANCELLED FREQUENCY_CHANGED",
		"2026-08-01 SKIPPED",
	}, cancelled(reg.ID))

	ending := r.create(t, storetest.Registration("US", "TX"))
	require.NoError(t, r.transition(t, ending.ID, models.RegistrationRegistered))
	r.filing(t, ending, "ISSUE", "2026-04-01", "2026-04-30")
	r.filing(t, ending, "UNFILED", "2026-05-01", "2026-05-31")
	r.filing(t, ending, "ISSUE", "2026-06-01", "2026-06-30")
	_, err = r.Registrations.UpdateRegistration(t.Context(), r.scope, models.Actor{}, ending.ID,
		func(reg *models.Registration) error {
			return reg.Deregister(now, nil, now)
		})
	require.NoError(t, err)
	require.Equal(t, []string{
		"2026-04-01 ISSUE", "2026-05-01 UNFILED", "2026-06-01 CANCELLED REGISTRATION_ENDED",
	}, cancelled(ending.ID))

	// It is DEREGISTERED when the last of them is over.
	end := func() string {
		require.NoError(t, r.Registrations.CloseRegistration(t.Context(), r.scope, attemptOf(ending.ID, 1), now))
		return query("SELECT status FROM registrations WHERE id = $1", ending.ID)[0]
	}
	require.Equal(t, 2, r.refresh(t, ending.ID, rules.RegistrationRun{}).OpenFilings)
	require.Equal(t, "DEREGISTERING", end())
	filings := query("UPDATE filings SET status = 'CANCELLED' WHERE registration_id = $1 "+
		"AND "+storetest.RegistrationLocked+" RETURNING id", ending.ID)
	due := "SELECT (changed AND next_check_at <= now())::text FROM registrations WHERE id = $1"
	require.Equal(t, []string{"false"}, query(due, ending.ID))
	over, err := r.Filings.RefreshFiling(t.Context(), r.scope, filings[0], now, rules.DefaultFilingPolicy())
	require.NoError(t, err)
	require.Equal(t, rules.FilingEnds, over.Action)
	require.Equal(
		t, []string{"true"}, query(due, ending.ID),
		"the end of the last filing is what its registration waits for",
	)
	require.Equal(t, "DEREGISTERED", end())

	never := r.create(t, storetest.Registration("US", "WA"))
	r.filing(t, never, "UNFILED", "2026-05-01", "2026-05-31")
	require.NoError(t, r.transition(t, never.ID, models.RegistrationCancelled))
	require.Equal(t, []string{"2026-05-01 CANCELLED REGISTRATION_ENDED"}, cancelled(never.ID))
}

func attemptOf(id string, n int) models.Attempt { return models.Attempt{RecordID: id, Number: n} }
