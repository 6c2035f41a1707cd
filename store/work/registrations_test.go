package work_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// exceptionsOf are what needs a person in an organization: of some types, or of all.
func exceptionsOf(t *testing.T, b *storetest.FilingBundle, types ...string) []models.Exception {
	t.Helper()
	list, err := b.Store.Work.ListExceptions(t.Context(),
		models.Visibility{OrganizationIDs: []string{b.Scope.OrganizationID}},
		models.ExceptionFilter{Types: types}, models.Page{Limit: 10})
	require.NoError(t, err)
	return list.Items
}

// registrationsThatWait are what needs a person at the registrations of an organization.
func registrationsThatWait(t *testing.T, b *storetest.FilingBundle) []models.Exception {
	t.Helper()
	return exceptionsOf(t, b, models.ExceptionRegistration)
}

// Tax that is owed for days before the first return of a registration is in no return. A person must decide about it.
func TestTaxFromBeforeTheFirstReturnNeedsAPerson(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	set := func(table, to string) {
		_, err := b.SQL.Exec(t.Context(), "UPDATE "+table+" SET "+to+" WHERE organization_id = $1 AND state_code = 'NY'",
			b.Scope.OrganizationID)
		require.NoError(t, err)
	}
	storetest.BeginNexus(t, b.Store)
	set("nexus_records", "status = 'REGISTERED', obligation_start_date = '2024-12-01', obliged_from = '2024-12-01'")
	b.Process(t, b.Sale(t, "2024-12-20", "20.00"), b.Sale(t, "2024-12-21", "-5.00"), b.Sale(t, "2025-01-01", "300.00"))
	_, err := b.Store.Nexus.LeaseNexus(t.Context(), 1, 0) // adds up the taxes of days
	require.NoError(t, err)
	waits := func() bool { return len(registrationsThatWait(t, b)) > 0 }
	found := registrationsThatWait(t, b)
	require.Len(t, found, 1)
	e := found[0]
	require.Equal(t, []any{b.Registration.ID, models.BackTax, "2024-12-20", "2025-01-01", "1.50", "USD"}, []any{
		e.ObjectID, e.Code, e.Since.UTC().Format("2006-01-02"), e.To.Format("2006-01-02"), *e.Amount, *e.Currency})

	for _, said := range [][2]string{
		{"vda = true", "vda = false"}, {"do_not_file = true", "do_not_file = false"},
		{"create_filings_from = '2024-12-01'", "create_filings_from = NULL"},
	} {
		set("registrations", said[0])
		require.False(t, waits(), said[0])
		set("registrations", said[1])
		require.True(t, waits(), said[1])
	}
	set("nexus_records", "obligation_start_date = '2024-05-01', obliged_from = '2023-01-01'")
	require.True(t, waits(), "the obligation began while an earlier registration held, which ended")
	set("nexus_records", "obligation_start_date = NULL, earliest_collected_date = '2024-05-01'")
	require.True(t, waits(), "so did what was collected")
	execute := func(sql string, args ...any) {
		_, err := b.SQL.Exec(t.Context(), sql, args...)
		require.NoError(t, err)
	}
	execute(`INSERT INTO registrations SELECT (jsonb_populate_record(r, '{"id": "regs_earlier", "status": "DEREGISTERED",
		"registration_date": "2024-01-01", "deregistration_date": "2024-12-20"}')).* FROM registrations r WHERE id = $1`,
		b.Registration.ID)
	require.False(t, waits(), "an earlier registration has it")
	for _, end := range []string{"2024-12-19", "2023-12-31"} {
		execute("UPDATE registrations SET deregistration_date = $1::text::date WHERE id = 'regs_earlier'", end)
		require.True(t, waits(), "which had ended on "+end)
	}
	b.Create(t, storetest.FilingOf(b.Registration, models.FilingFiled, "2024-12-01", "2024-12-31"))
	require.False(t, waits(), "it was filed elsewhere")

	member := b.Register(t, "DE", "DE")
	execute(`UPDATE nexus_records SET obligation_start_date = '2024-12-01', obliged_from = '2024-12-01'
		WHERE country_code = 'DE'`)
	execute(`INSERT INTO nexus_taxes (organization_id, country_code, state_code, member_code, currency, day, tax,
		collected, liability) VALUES ($1, 'DE', 'DE', 'DE', 'EUR', '2024-12-20', 1, 1, 1)`, b.Scope.OrganizationID)
	require.Equal(t, member.ID, registrationsThatWait(t, b)[0].ObjectID)
	execute(`INSERT INTO registrations SELECT (jsonb_populate_record(r, '{"id": "regs_oss", "country_code": "ZZ_EU",
		"state_code": "ZZ_EU", "registration_import_type": "OSS", "oss_type": "UNION",
		"registration_date": "2024-01-01"}')).* FROM registrations r WHERE id = $1`, member.ID)
	require.False(t, waits(), "the one-stop shop has it")
}

// The periods of a fiscal year are not known while nobody has said when it ends: nothing is filed.
func TestARegistrationByAnUnknownFiscalYearNeedsAPerson(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	_, err := b.SQL.Exec(t.Context(),
		"UPDATE registrations SET filing_frequency = 'ANNUAL_FISCAL_YEAR' WHERE id = $1", b.Registration.ID)
	require.NoError(t, err)
	found := registrationsThatWait(t, b)
	require.Len(t, found, 1)
	require.Equal(t, []any{b.Registration.ID, models.FiscalYearUnknown}, []any{found[0].ObjectID, found[0].Code})
	_, err = b.SQL.Exec(t.Context(), `
		UPDATE organization_details SET business_information = '{"business_fiscal_year_end": "2026-06-30"}'
		 WHERE organization_id = $1`, b.Scope.OrganizationID)
	require.NoError(t, err)
	require.Empty(t, registrationsThatWait(t, b))
}

// If the authority refuses the end of a registration, the request for the end stays open. A person must clarify it.
func TestARefusedEndOfARegistrationNeedsAPerson(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	set := func(clarification any) {
		t.Helper()
		_, err := b.SQL.Exec(t.Context(), `UPDATE registrations SET status = 'DEREGISTERING', clarification = $2,
			deregistration_date = '2026-01-31' WHERE organization_id = $1 AND state_code = 'NY'`,
			b.Scope.OrganizationID, clarification)
		require.NoError(t, err)
	}
	set(nil)
	require.Empty(t, registrationsThatWait(t, b), "the authority has it")
	set("RETURNS_MISSING")
	found := registrationsThatWait(t, b)
	require.Len(t, found, 1)
	require.Equal(t, []string{b.Registration.ID, "DEREGISTERING", "RETURNS_MISSING"},
		[]string{found[0].ObjectID, found[0].Code, found[0].Said})
}

// Data that returns of a registration lack needs a person until it is entered. It does so from the day on which the
// registration is in force.
func TestMissingDataOfReturnsNeedsAPerson(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	set := func(to string) {
		t.Helper()
		_, err := b.SQL.Exec(t.Context(), "UPDATE registrations SET "+to+" WHERE organization_id = $1", b.Scope.OrganizationID)
		require.NoError(t, err)
	}
	wants := models.ReturnWants{{Data: models.WantedNumber}, {Data: "certificate_county"}, {Data: "later", First: 99990101}}
	lacking := func() (data [][]string) {
		t.Helper()
		filter := models.ExceptionFilter{Types: []string{models.ExceptionRegistration}, Wants: wants}
		visible := models.Visibility{OrganizationIDs: []string{b.Scope.OrganizationID}}
		list, err := b.Store.Work.ListExceptions(t.Context(), visible, filter, models.Page{Limit: 10})
		require.NoError(t, err)
		groups, err := b.Store.Work.ListExceptionGroups(t.Context(), visible, filter)
		require.NoError(t, err)
		require.Len(t, groups, min(1, len(list.Items)))
		for _, e := range list.Items {
			require.Equal(t, []string{models.ReturnDataMissing, b.Registration.ID}, []string{e.Code, e.ObjectID})
			data = append(data, e.Lacking)
		}
		return data
	}
	set("sales_tax_id = NULL, tax_id = NULL, status = 'REGISTERED', registration_date = '2026-01-05', do_not_file = false")
	require.Equal(t, [][]string{{"certificate_county", models.WantedNumber}}, lacking())
	ref := models.ExceptionRef{Type: models.ExceptionRegistration, ObjectID: b.Registration.ID, Wants: wants}
	e, err := b.Store.Work.Exception(t.Context(), b.Scope, ref)
	require.NoError(t, err)
	require.Equal(t, "2026-01-05", e.Since.UTC().Format("2006-01-02"))
	require.Equal(t, b.Registration.StateName, e.Name)

	for _, not := range [][2]string{
		{"do_not_file = true", "do_not_file = false"},
		{"registration_date = current_date + 2", "registration_date = '2026-01-05'"},
	} {
		set(not[0])
		require.Empty(t, lacking(), not[0])
		set(not[1])
		require.Len(t, lacking(), 1, not[1])
	}
	set("status = 'DEREGISTERING', deregistration_date = '2026-02-01'")
	require.Len(t, lacking(), 1, "its last returns are still to be filed")
	for _, only := range []string{models.ExceptionRegistration, models.ExceptionNotice} {
		found, err := b.Store.Work.ListExceptions(t.Context(), models.Visibility{All: true},
			models.ExceptionFilter{Only: only, Wants: wants}, models.Page{Limit: 10})
		require.NoError(t, err)
		require.Equal(t, only == models.ExceptionRegistration, len(found.Items) > 0 && len(found.Counts) == 1, only)
	}
	set("tax_id = '1'")
	require.Equal(t, [][]string{{"certificate_county"}}, lacking())
	set(`jurisdiction_specific_fields = '{"certificate_county":"Duval"}'`)
	require.Empty(t, lacking())
	set("tax_id = NULL")
	require.Len(t, lacking(), 1)
	asked := wants
	set(`tax_id = '1', jurisdiction_specific_fields = '{"payment_method":"CREDIT"}'`)
	country, state, kind := b.Registration.CountryCode, b.Registration.StateCode, b.Registration.RegistrationImportType
	for _, want := range []models.ReturnWant{
		{}, {Country: country}, {State: state}, {Country: country, State: state}, {Kind: kind}, {PaymentMethod: "CREDIT"},
		{Country: country, PaymentMethod: "CREDIT"}, {Country: country, State: state, Kind: kind},
	} {
		want.Data = "certificate_county"
		wants = models.ReturnWants{want}
		require.Equal(t, [][]string{{want.Data}}, lacking(), want)
	}
	for _, other := range []models.ReturnWant{{Country: "CA"}, {State: "CA"}, {Kind: models.ImportSST}, {PaymentMethod: "DEBIT"}} {
		other.Data = "certificate_county"
		wants = models.ReturnWants{other}
		require.Empty(t, lacking(), other)
	}
	set("tax_id = NULL")
	wants = nil
	require.Empty(t, lacking(), "nothing is wanted")
	wants = asked
	set("status = 'DEREGISTERED'")
	require.Empty(t, lacking(), "it is over")
}

// A grant of access at an authority needs a person 30 days before it ends, for each registration there that files.
func TestAccessThatEndsNeedsAPerson(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	british := b.Register(t, "GB", "GB")
	ends := func(days int) {
		t.Helper()
		_, err := b.SQL.Exec(t.Context(), `INSERT INTO authority_grants (organization_id, authority, tokens, granted_at, ends_at)
			VALUES ($1, 'hmrc', '', now(), now() + make_interval(days => $2))
			ON CONFLICT (organization_id, authority) DO UPDATE SET ends_at = excluded.ends_at`, b.Scope.OrganizationID, days)
		require.NoError(t, err)
	}
	ends(31)
	require.Empty(t, registrationsThatWait(t, b))
	for _, days := range []int{29, -1} {
		ends(days)
		found := registrationsThatWait(t, b)
		require.Len(t, found, 1)
		require.Equal(t, []string{british.ID, models.AccessEnding}, []string{found[0].ObjectID, found[0].Code})
		require.NotNil(t, found[0].Due)
	}
}
