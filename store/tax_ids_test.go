package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/storetest"
)

// Tax ids that an earlier version stored in clear text are sealed wherever they are stored, also in events,
// revisions and reports. This creates no event, and the answers stay the same.
func TestTaxIDsFromBeforeAreSealed(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	d := storetest.Draft(b.Scope, "ORDER-1")
	d.TaxID = new("T-CANARY")
	d.RequiresExemption = []byte(`{"exemption_type":"wholesale","FEIN":"R-CANARY"}`)
	d.Customer.TaxRegistrations = []models.CustomerTaxRegistration{{ID: "ctax_1", CountryCode: "DE", TaxType: "vat",
		TaxID: "C-CANARY"}}
	d.Exemptions = []models.Exemption{{
		OrganizationID: b.Scope.OrganizationID, ID: models.NewID(models.PrefixExemption),
		ExemptionType: models.ExemptionWholesale,
		StartDate:     d.TaxDate.Truncate(24 * time.Hour), TransactionID: &d.ID, CountryCode: "US", FEIN: new("F-CANARY"),
		Status: models.ExemptionActive, CreatedAt: d.CreatedAt,
	}}
	require.NoError(t, b.Intake.Accept(t.Context(), d))
	require.Equal(t, "F-CANARY", *d.Exemptions[0].FEIN, "what answers show")
	all := func() (text string) {
		rows, err := b.SQL.Query(t.Context(),
			`SELECT quote_ident(table_name)
			   FROM information_schema.tables
			  WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`)
		require.NoError(t, err)
		tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		for _, table := range tables {
			var rows string
			require.NoError(t, b.SQL.QueryRow(t.Context(),
				"SELECT coalesce(string_agg(r::text, ' '), '') FROM "+table+" r").Scan(&rows))
			text += rows
		}
		return text
	}
	require.NotContains(t, all(), "CANARY", "new ones are sealed at once")

	for _, statement := range []string{ // by an earlier version
		`UPDATE transactions SET tax_id = 'T-CANARY', requires_exemption = '{"FEIN": "R-CANARY", "reseller": true}',
			sent = '{"exemptions": [{"FEIN": "S-CANARY"}], "tax_rate_calculated": 0.100}'`,
		`UPDATE customers SET tax_registrations = '[{"id": "ctax_1", "tax_id": "C-CANARY"}]',
		        registration_number = 'N-CANARY'`,
		`UPDATE exemptions SET fein = 'F-CANARY', sales_tax_id = 'S-CANARY'`,
		`UPDATE organization_details
		    SET business_details = '{"ein": "E-CANARY", "tax_id": "D-CANARY", "entity_type": "LLC"}'`,
		`INSERT INTO transaction_revisions (organization_id, transaction_id, revision, body)
			SELECT organization_id, id, 1, jsonb_build_object('transaction', to_jsonb(t)) FROM transactions t`,
		`UPDATE installation_keys SET sealed_at = NULL, in_use_at = now() - interval '1 hour'`,
	} {
		_, err := b.SQL.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	require.Equal(t, 1, strings.Count(all(), "D-CANARY"))
	clear, err := b.Store.TaxIDsInClear(t.Context())
	require.NoError(t, err)
	require.True(t, clear)
	events := b.Count(t, "SELECT count(*) FROM events")
	sealed, err := b.Store.SealOlderTaxIDs(t.Context())
	require.NoError(t, err)
	require.Positive(t, sealed)
	require.NotContains(t, all(), "CANARY")
	require.Equal(t, events, b.Count(t, "SELECT count(*) FROM events"), "it is no change of a record")
	sealed, err = b.Store.SealOlderTaxIDs(t.Context())
	require.NoError(t, err)
	require.Zero(t, sealed, "again")
	clear, err = b.Store.TaxIDsInClear(t.Context())
	require.NoError(t, err)
	require.False(t, clear)

	read, err := b.Store.Transactions.Transaction(t.Context(), b.Scope, d.ID)
	require.NoError(t, err)
	require.Equal(t, "T-CANARY", *read.TaxID)
	require.JSONEq(t, `{"FEIN":"R-CANARY","reseller":true}`, string(read.RequiresExemption))
	require.Equal(t, "C-CANARY", read.Customer.TaxRegistrations[0].TaxID)
	details, err := b.Store.Organizations.OrganizationDetails(t.Context(), b.Scope)
	require.NoError(t, err)
	require.JSONEq(t, `{"ein":"E-CANARY","tax_id":"D-CANARY","entity_type":"LLC"}`, string(details.BusinessDetails))
	require.Equal(t, 1, b.Count(t, `SELECT count(*) FROM transactions WHERE sent::text LIKE '%0.100%'`),
		"other numbers do not change")

	_, err = b.SQL.Exec(t.Context(), "UPDATE installation_keys SET in_use_at = NULL")
	require.NoError(t, err)
	early := storetest.Open(t, store.Options{URL: b.URL})
	c := models.Customer{ID: models.NewID(models.PrefixCustomer), ExternalID: "C-2", Status: models.CustomerActive,
		AddressStatus: "BLANK", Source: "API",
		TaxRegistrations: []models.CustomerTaxRegistration{{TaxID: "P-CANARY"}}}
	require.NoError(t, early.Catalog.CreateCustomer(t.Context(), b.Scope, models.Actor{}, &c))
	require.Contains(t, all(), "P-CANARY", "while processes may run that cannot read sealed values")

	without, err := store.Open(t.Context(), store.Options{URL: b.URL})
	require.NoError(t, err)
	defer without.Close()
	_, err = without.Organizations.OrganizationDetails(t.Context(), b.Scope)
	require.ErrorContains(t, err, "no master keys")
}
