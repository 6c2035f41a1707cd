package registrations_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store/storetest"
	"levy/tax/calendar"
)

func quarterly(string, string) calendar.FilingFrequency { return calendar.FilingQuarterly }

// setupAuto is an organization with auto_register and its nexus records.
func setupAuto(t *testing.T) (registrations, func(sql string, args ...any) []string) {
	t.Helper()
	r, query := setupRun(t)
	storetest.BeginNexus(t, r.Store)
	query("UPDATE organization_details SET auto_register = true RETURNING id")
	query("UPDATE organizations SET onboarding_status = 'COMPLETED' RETURNING id")
	return r, query
}

const (
	exposed  = "UPDATE nexus_records SET status = 'EXPOSED', nexus_met = true, %s WHERE state_code = $1 RETURNING id"
	economic = `economic_nexus_met = true, crossing = '{"transaction_id": "txn_1"}'`
)

func expose(query func(string, ...any) []string, how string, states ...string) {
	for _, state := range states {
		query(strings.Replace(exposed, "%s", how, 1), state)
	}
}

func (r registrations) auto(t *testing.T) int {
	t.Helper()
	made, err := r.Registrations.AutoRegister(t.Context(), r.scope, time.Now(), quarterly)
	require.NoError(t, err)
	return made
}

func TestRegistrationsAreMadeOnlyWithProofOfNexus(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		how, before string // of the nexus record, and besides
		want        int
	}{
		"a sale crossed the threshold":                {economic, "", 1},
		"there is a presence":                         {"physical_nexus_met = true", "", 1},
		"collected tax alone is no proof":             {"collected_tax_nexus_met = true", "", 0},
		"economic nexus without the sale is no proof": {"economic_nexus_met = true", "", 0},
		"not EXPOSED":                                 {economic + ", status = 'APPROACHING'", "", 0},
		"the organization did not ask for it": {
			economic, "UPDATE organization_details SET auto_register = false RETURNING id", 0,
		},
		"the jurisdiction is not enabled": {economic + ", enabled = false", "", 0},
		"what counts is disregarded": {
			economic + `, disregarded_at = now(), disregarded_nexus_types = '["ECONOMIC"]'`, "", 0,
		},
		"something else is disregarded": {
			economic + `, disregarded_at = now(), disregarded_nexus_types = '["PHYSICAL", "COLLECTED_TAX"]'`, "",
			1,
		},
		"the presence is disregarded": {
			`physical_nexus_met = true, disregarded_at = now(), disregarded_nexus_types = '["PHYSICAL"]'`, "", 0,
		},
		"it was disregarded until yesterday": {
			economic + `, disregarded_at = now(), disregarded_until = now() - interval '1 day', ` +
				`disregarded_nexus_types = '["ECONOMIC"]'`,
			"", 1,
		},
		"it is disregarded until the day after tomorrow": {
			economic + `, disregarded_at = now(), disregarded_until = now() + interval '2 days', ` +
				`disregarded_nexus_types = '["ECONOMIC"]'`,
			"", 0,
		},
		"the organization is archived": {
			economic, "UPDATE organizations SET status = 'ARCHIVED' RETURNING id", 0,
		},
		"its onboarding is undone": {
			economic, "UPDATE organizations SET onboarding_status = 'CANCELLED' RETURNING id", 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, query := setupAuto(t)
			how := c.how
			status := "EXPOSED"
			if before, after, ok := strings.Cut(how, ", status = "); ok {
				how, status = before, strings.Trim(after, "'")
			}
			expose(query, how, "NY")
			query("UPDATE nexus_records SET status = $1 WHERE state_code = 'NY' RETURNING id", status)
			if c.before != "" {
				query(c.before)
			}
			require.Equal(t, c.want, r.auto(t))
			require.Len(t, query("SELECT id FROM registrations"), c.want)
			require.Zero(t, r.auto(t), "once is enough")
		})
	}
}

func TestARegistrationOfTheServiceFollowsTheOnboarding(t *testing.T) {
	t.Parallel()
	r, query := setupAuto(t)
	expose(query, economic, "NY", "QC")
	require.Equal(t, 2, r.auto(t))
	require.Equal(t, []string{"NY New York PROCESSING QUARTERLY true 1", "QC Quebec PROCESSING QUARTERLY true 1"},
		query(`SELECT state_code || ' ' || state_name || ' ' || status || ' ' || filing_frequency || ' ' || auto_registered
			  || ' ' || attempt
			FROM registrations ORDER BY state_code`))
	require.Equal(
		t, []string{"NY", "QC"},
		query("SELECT state_code FROM nexus_records WHERE status = 'PENDING_REGISTRATION' ORDER BY 1"),
	)

	query("UPDATE organizations SET onboarding_status = 'IN_PROGRESS' RETURNING id")
	expose(query, "physical_nexus_met = true", "TX")
	require.Equal(t, 1, r.auto(t))
	require.Equal(t, []string{"UNREGISTERED"}, query("SELECT status FROM registrations WHERE state_code = 'TX'"))
	id := query("SELECT id FROM registrations WHERE state_code = 'TX'")[0]
	require.NoError(t, r.Catalog.CreateDefaultProducts(t.Context(), r.scope))
	require.Equal(t, rules.RegistrationWaitsForOnboarding, r.refresh(t, id, rules.RegistrationRun{}).Waits)
	query("UPDATE organizations SET onboarding_status = 'COMPLETED' RETURNING id")
	require.Equal(t, rules.RegistrationProceeds, r.refresh(t, id, rules.RegistrationRun{}).Action)
	for range 2 {
		require.NoError(t, r.Registrations.ProceedWithRegistration(t.Context(), r.scope, id, time.Now()))
	}
	require.Equal(
		t, []string{"PROCESSING 1"},
		query("SELECT status || ' ' || attempt FROM registrations WHERE state_code = 'TX'"),
	)
}

func TestTheUnionIsRegisteredForOnlyWhereAllowed(t *testing.T) {
	t.Parallel()
	r, query := setupAuto(t)
	expose(query, economic, "ZZ_EU", "DE", "GB")
	require.Equal(t, 1, r.auto(t))
	require.Equal(t, []string{"GB"}, query("SELECT state_code FROM registrations"))
	query("UPDATE organization_settings SET enable_eu_registration = true RETURNING organization_id")
	query(`UPDATE organization_details SET place = '{"country": "IE"}' RETURNING id`)
	require.Equal(t, 2, r.auto(t))
	require.Equal(t, []string{"OSS UNION IE"},
		query(`SELECT registration_import_type || ' ' || oss_type || ' ' || oss_member_state_of_identification_code
			FROM registrations
			WHERE state_code = 'ZZ_EU'`))
}

// Two evaluations at once make one registration, and a registration that was cancelled is not made again.
func TestTheServiceRegistersOnce(t *testing.T) {
	t.Parallel()
	r, query := setupAuto(t)
	expose(query, economic, "NY", "TX", "FL", "WA")
	made := make([]int, 6)
	var all sync.WaitGroup
	for i := range made {
		all.Go(func() { made[i] = r.auto(t) })
	}
	all.Wait()
	sum := 0
	for _, n := range made {
		sum += n
	}
	require.Equal(t, 4, sum)
	require.Len(t, query("SELECT id FROM registrations"), 4)

	id := query("SELECT id FROM registrations WHERE state_code = 'NY'")[0]
	require.NoError(t, r.transition(t, id, models.RegistrationCancelled))
	require.Equal(t, []string{"EXPOSED"}, query("SELECT status FROM nexus_records WHERE state_code = 'NY'"))
	require.Zero(t, r.auto(t))
	r.create(t, processing("US", "NY"))
}

func TestRegistrationsEndWithAnOnboardingThatIsUndone(t *testing.T) {
	t.Parallel()
	r, query := setupAuto(t)
	query("UPDATE organizations SET onboarding_status = 'IN_PROGRESS' RETURNING id")
	query("UPDATE onboardings SET status = 'IN_PROGRESS' RETURNING organization_id")
	expose(query, economic, "NY", "TX")
	require.Equal(t, 2, r.auto(t))
	require.NoError(
		t,
		r.transition(
			t, query("SELECT id FROM registrations WHERE state_code = 'TX'")[0], models.RegistrationProcessing,
			models.RegistrationRegistered,
		),
	)
	own := processing("US", "WA")
	own.Password = append([]byte{1}, make([]byte, 40)...)
	own = r.create(t, own)

	var active *models.OnboardingInactiveError
	require.ErrorAs(t, r.Organizations.CancelRegistrations(t.Context(), r.scope), &active, "it is not to be undone")
	_, err := r.Organizations.EndOnboarding(t.Context(), r.scope, models.OnboardingEnd{
		Status: models.OnboardingCancelled,
	})
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, r.Organizations.CancelRegistrations(t.Context(), r.scope))
	}
	require.Equal(t, []string{
		"NY CANCELLED", "TX REGISTERED", "WA PROCESSING",
	}, query("SELECT state_code || ' ' || status FROM registrations ORDER BY 1"))
	require.Equal(t, []string{"NY EXPOSED", "TX REGISTERED", "WA PENDING_REGISTRATION"},
		query("SELECT state_code || ' ' || status FROM nexus_records WHERE state_code IN ('NY', 'TX', 'WA') ORDER BY 1"),
		"no registration is under way")
	require.Empty(t, query("SELECT id FROM registrations WHERE password IS NOT NULL"), "personal data")
	require.Len(t, query("SELECT id FROM audit WHERE entity_type = 'registration' AND action = 'undo'"), 1)
	require.Zero(t, r.auto(t), "none is made afterwards")
	require.NotEmpty(t, own.ID)
}

func TestRegistrationsEndWithTheirOrganization(t *testing.T) {
	t.Parallel()
	r, query := setupRun(t)
	pending, kept := r.create(t, processing("US", "WA")), r.create(t, processing("US", "NY"))
	require.NoError(t, r.transition(t, kept.ID, models.RegistrationRegistered))
	require.NoError(t, r.Organizations.ArchiveOrganization(t.Context(), r.scope, models.Actor{}, "gone"))
	require.Equal(t, []string{"CANCELLED"}, query("SELECT status FROM registrations WHERE id = $1", pending.ID))
	require.Equal(t, []string{"REGISTERED"}, query("SELECT status FROM registrations WHERE id = $1", kept.ID))
}
