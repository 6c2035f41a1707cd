package registrations_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store"
	"levy/store/storetest"
	"levy/tax/calendar"
)

type registrations struct {
	*store.Store
	scope models.Scope
}

func setupRegistrations(t *testing.T) registrations {
	url := storetest.URL(t)
	return registrations{storetest.Open(t, store.Options{URL: url}), storetest.Organization(t, url)}
}

func (r registrations) create(t *testing.T, reg models.Registration) models.Registration {
	t.Helper()
	require.NoError(t, r.Registrations.CreateRegistration(t.Context(), r.scope, models.Actor{}, &reg))
	return reg
}

func (r registrations) transition(t *testing.T, id string, to ...models.RegistrationStatus) error {
	t.Helper()
	for _, status := range to {
		_, err := r.Registrations.UpdateRegistration(t.Context(), r.scope, models.Actor{}, id,
			func(reg *models.Registration) error {
				day := time.Now()
				reg.Status, reg.RegistrationDate, reg.DeregistrationDate = status, &day, &day
				return nil
			})
		if err != nil {
			return err
		}
	}
	return nil
}

func TestARegistrationIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	r := setupRegistrations(t)
	day := calendar.MustDate("2026-01-31").Time()
	oss, member := "UNION", "IE"
	written := storetest.Registration("ZZ_EU", "ZZ_EU")
	written.RegistrationImportType, written.OSSType, written.OSSMemberState = models.ImportOSS, &oss, &member
	written.RegistrationDate, written.CreateFilingsFrom = &day, &day
	written.AmountFees = "999999999999999999.99"
	written.JurisdictionSpecificFields = []byte(`{"b": 1, "a": "x"}`)
	written.Password = append([]byte{1}, make([]byte, 40)...)
	written = r.create(t, written)
	read, err := r.Registrations.Registration(t.Context(), r.scope, written.ID)
	require.NoError(t, err)
	require.Equal(t, written.Frequencies[0].FromDate, read.Frequencies[0].FromDate)
	require.Equal(t, "0.00", read.CreditsTotalAvailable)
	require.NotNil(t, read.NextCheckAt)
	require.True(t, written.CreatedAt.Equal(read.CreatedAt))
	read.NextCheckAt, read.CreatedAt, read.UpdatedAt = written.NextCheckAt, written.CreatedAt, written.UpdatedAt
	written.CreditsTotalAvailable = read.CreditsTotalAvailable
	require.Equal(t, written, read)

	_, err = r.Registrations.Registration(t.Context(), models.Scope{
		OrganizationID: models.NewID(models.PrefixOrganization),
	}, written.ID)
	require.ErrorIs(t, err, models.ErrNotFound)
}

func TestAJurisdictionHasOneRegistrationThatIsNotOver(t *testing.T) {
	t.Parallel()
	r := setupRegistrations(t)
	first := r.create(t, storetest.Registration("US", "NY"))
	second := storetest.Registration("US", "NY")
	err := r.Registrations.CreateRegistration(t.Context(), r.scope, models.Actor{}, &second)
	require.Equal(t, &models.DuplicateError{Field: "registration", ExistingID: first.ID}, err)

	require.NoError(t, r.transition(t, first.ID, models.RegistrationCancelled))
	r.create(t, second)

	// The federal registration of Canada and those of its provinces are different ones.
	r.create(t, storetest.Registration("CA", "CA"))
	r.create(t, storetest.Registration("CA", "QC"))
}

func TestOfManyRegistrationsAtOnceOneIsMade(t *testing.T) {
	t.Parallel()
	r := setupRegistrations(t)
	errs := make([]error, 8)
	ids := make([]string, len(errs))
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			reg := storetest.Registration("US", "TX")
			ids[i] = reg.ID
			errs[i] = r.Registrations.CreateRegistration(t.Context(), r.scope, models.Actor{}, &reg)
		})
	}
	all.Wait()
	made := ""
	for i, err := range errs {
		if err == nil {
			require.Empty(t, made)
			made = ids[i]
		}
	}
	for _, err := range errs {
		if err != nil {
			require.Equal(t, &models.DuplicateError{Field: "registration", ExistingID: made}, err)
		}
	}
}

// The database refuses a status that is written without the rules of the code.
func TestTheDatabaseRefusesUnknownTransitionsOfARegistration(t *testing.T) {
	t.Parallel()
	r := setupRegistrations(t)
	day := time.Now()
	for _, from := range models.RegistrationTransitions.States {
		for _, to := range models.RegistrationTransitions.States {
			reg := storetest.Registration("US", "WA")
			reg.Status, reg.RegistrationDate, reg.DeregistrationDate = models.RegistrationStatus(from), &day, &day
			reg.StateCode = from[:2] + to[:2] + reg.ID // jurisdictions of their own
			reg = r.create(t, reg)
			err := r.transition(t, reg.ID, models.RegistrationStatus(to))
			if models.RegistrationTransitions.Check(from, to) == nil {
				require.NoError(t, err, "%s to %s", from, to)
			} else {
				require.ErrorContains(t, err, "registrations_status_moves", "%s to %s", from, to)
			}
		}
	}
}

func TestTheDatabaseRefusesInvalidRegistrations(t *testing.T) {
	t.Parallel()
	r := setupRegistrations(t)
	oss := "UNION"
	for name, change := range map[string]func(*models.Registration){
		"a password that is not sealed": func(reg *models.Registration) {
			reg.Password = []byte("a password in " +
				"the clear that is long")
		},
		"a second password that is not sealed": func(reg *models.Registration) {
			reg.PasswordMetadata = []byte("a " +
				"password in the clear that is long")
		},
		"registered without a " +
			"date": func(reg *models.Registration) { reg.Status = models.RegistrationRegistered },
		"the one-stop shop in a member state": func(reg *models.Registration) {
			reg.RegistrationImportType,
				reg.OSSType = models.ImportOSS, &oss
		},
		"the whole Union without the one-stop shop": func(reg *models.Registration) { reg.CountryCode = "ZZ_EU" },
		"the one-stop shop without its type": func(reg *models.Registration) {
			reg.RegistrationImportType, reg.CountryCode = models.ImportOSS, "ZZ_EU"
		},
		"an unknown frequency": func(reg *models.Registration) { reg.FilingFrequency = "WEEKLY" },
		"deregistering without a last day": func(reg *models.Registration) {
			day := time.Now()
			reg.Status, reg.RegistrationDate = models.RegistrationDeregistering, &day
		},
	} {
		t.Run(name, func(t *testing.T) {
			reg := storetest.Registration("US", "NY")
			change(&reg)
			require.Error(t, r.Registrations.CreateRegistration(t.Context(), r.scope, models.Actor{}, &reg))
		})
	}
}

func TestRegistrationsAreListedByFilterAndOrder(t *testing.T) {
	t.Parallel()
	r := setupRegistrations(t)
	tx, ny, on := r.create(t, storetest.Registration("US", "TX")), r.create(t, storetest.Registration("US", "NY")),
		storetest.Registration("CA", "ON")
	on.FilingFrequency = calendar.FilingAnnually
	on = r.create(t, on)
	require.NoError(t, r.transition(t, tx.ID, models.RegistrationRegistered))
	other := setupRegistrations(t)
	other.create(t, storetest.Registration("US", "WA"))
	for name, c := range map[string]struct {
		filter models.RegistrationFilter
		order  []models.Order
		want   []string
	}{
		"all, by jurisdiction": {
			models.RegistrationFilter{}, []models.Order{{Column: "country_code"}, {Column: "state_code"}},
			[]string{on.ID, ny.ID, tx.ID},
		},
		"newest first": {
			models.RegistrationFilter{}, []models.Order{{Column: "created_at", Desc: true}},
			[]string{on.ID, ny.ID, tx.ID},
		},
		"those without a date come last": {
			models.RegistrationFilter{Countries: []string{"US"}}, []models.Order{{Column: "registration_date"}},
			[]string{tx.ID, ny.ID},
		},
		"of a status": {
			models.RegistrationFilter{Statuses: []models.RegistrationStatus{models.RegistrationRegistered}}, nil,
			[]string{tx.ID},
		},
		"of a state":   {models.RegistrationFilter{States: []string{"NY"}}, nil, []string{ny.ID}},
		"of a country": {models.RegistrationFilter{Countries: []string{"CA"}}, nil, []string{on.ID}},
		"of a frequency": {
			models.RegistrationFilter{Frequencies: []calendar.FilingFrequency{calendar.FilingAnnually}}, nil,
			[]string{on.ID},
		},
	} {
		t.Run(name, func(t *testing.T) {
			list, err := r.Registrations.ListRegistrations(t.Context(), r.scope, c.filter, c.order, models.Page{Limit: 10})
			require.NoError(t, err)
			got := []string{}
			for _, reg := range list.Items {
				got = append(got, reg.ID)
				require.NotEmpty(t, reg.Frequencies)
			}
			require.Equal(t, c.want, got)
			require.EqualValues(t, len(c.want), list.Total)
		})
	}
}

func TestAChangeOfTheFrequencyIsStored(t *testing.T) {
	t.Parallel()
	r := setupRegistrations(t)
	reg := r.create(t, storetest.Registration("US", "NY"))
	require.NoError(t, r.transition(t, reg.ID, models.RegistrationRegistered))
	change := func(to calendar.FilingFrequency) []string {
		_, err := r.Registrations.UpdateRegistration(t.Context(), r.scope, models.Actor{}, reg.ID,
			func(reg *models.Registration) error {
				rules.ChangeFrequency(reg, to, calendar.MustDate("2026-05-14"))
				return nil
			})
		require.NoError(t, err)
		read, err := r.Registrations.Registration(t.Context(), r.scope, reg.ID)
		require.NoError(t, err)
		require.Equal(t, to, read.FilingFrequency)
		rows := []string{}
		for _, f := range read.Frequencies {
			rows = append(rows, f.FromDate.Format("2006-01-02")+" "+string(f.FilingFrequency))
		}
		return rows
	}
	require.Equal(t, []string{"1900-01-01 MONTHLY", "2026-06-01 QUARTERLY"}, change(calendar.FilingQuarterly))
	require.Equal(t, []string{"1900-01-01 MONTHLY", "2026-06-01 ANNUALLY"}, change(calendar.FilingAnnually))
	require.Equal(t, []string{"1900-01-01 MONTHLY"}, change(calendar.FilingMonthly))
}

// The obligation of a nexus record follows the days of its registration. Every change of them causes an evaluation of
// the nexus there, and no other change does.
func TestAChangeOfTheDaysOfARegistrationReevaluatesItsNexus(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	r := registrations{b.Store, b.Scope}
	reg := r.create(t, storetest.Registration("CA", "CA"))
	require.NoError(t, r.transition(t, reg.ID, models.RegistrationRegistered))
	changes := func() (n int) {
		require.NoError(t, b.SQL.QueryRow(t.Context(),
			"SELECT coalesce(sum(n), 0) FROM nexus_changes WHERE country_code = 'CA' AND state_code = ''").Scan(&n))
		return n
	}
	day := func(s string) *time.Time {
		d := calendar.MustDate(s).Time()
		return &d
	}
	before := changes()
	for _, c := range []struct {
		name   string
		change func(*models.Registration)
		moves  int
	}{
		{"an earlier day", func(r *models.Registration) { r.RegistrationDate = day("2026-02-01") }, 1},
		{"the same day", func(r *models.Registration) { r.RegistrationDate = day("2026-02-01") }, 0},
		{"a later day", func(r *models.Registration) { r.RegistrationDate = day("2026-03-01") }, 1},
		{"a last day", func(r *models.Registration) { r.DeregistrationDate = day("2026-12-31") }, 1},
		{"a change that makes no obligation", func(r *models.Registration) { r.DoNotFile = true }, 0},
	} {
		_, err := r.Registrations.UpdateRegistration(t.Context(), r.scope, models.Actor{}, reg.ID,
			func(r *models.Registration) error {
				c.change(r)
				return nil
			})
		require.NoError(t, err, c.name)
		require.Equal(t, before+c.moves, changes(), c.name)
		before += c.moves
	}
}
