package catalog_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/storetest"
)

// Numbers are encrypted in the database. They can be searched and sorted, also together with numbers that an earlier
// version stored in clear text. They remain readable without the data key of their organization and after its master
// key was replaced.
func TestTaxIDsOfExemptionsAreSealed(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	old, current := secret.NewMasterKey("old"), secret.NewMasterKey("new")
	ring := func(text string) *secret.Ring {
		r, err := secret.ParseRing(text)
		require.NoError(t, err)
		return r
	}
	s := storetest.Open(t, store.Options{URL: url, MasterKeys: ring(old)})
	scope := storetest.Organization(t, url)
	c := models.Customer{ID: models.NewID(models.PrefixCustomer), ExternalID: "C-1", Status: models.CustomerActive,
		AddressStatus: "BLANK", Source: "API",
		TaxRegistrations: []models.CustomerTaxRegistration{{ID: "ctax_1", CountryCode: "DE", TaxType: "vat",
			TaxID: "DE-CANARY"}}}
	require.NoError(t, s.Catalog.CreateCustomer(t.Context(), scope, models.Actor{}, &c))
	require.Equal(t, "DE-CANARY", c.TaxRegistrations[0].TaxID, "what answers show")
	create := func(fein, salesTaxID string) string {
		e := models.ExemptionRecord{Exemption: models.Exemption{
			ID: models.NewID(models.PrefixExemption), ExemptionType: models.ExemptionCustomer,
			StartDate: time.Now(), CustomerID: &c.ID,
			CountryCode: "US", FEIN: &fein, SalesTaxID: &salesTaxID, Status: models.ExemptionActive,
		}}
		require.NoError(t, s.Catalog.CreateExemption(t.Context(), scope, models.Actor{}, &e))
		require.Equal(t, fein, *e.FEIN)
		return e.ID
	}
	create("30-CANARY", "S-1")
	second := create("10-CANARY", "S-2")
	create("10-CANARY", "S-3")
	storetest.Execute(t, url, "UPDATE exemptions SET fein = '20-Before' WHERE id = $1", create("x", "S-4"))
	_, err := s.Catalog.UpdateExemption(t.Context(), scope, models.Actor{}, second, func(e *models.Exemption) error {
		require.Equal(t, "10-CANARY", *e.FEIN)
		e.SalesTaxID = new("S-CANARY")
		return nil
	})
	require.NoError(t, err)

	conn := storetest.SQL(t, url)
	var rows string
	var different int
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT (SELECT string_agg(e::text, '')
		    FROM exemptions e) || (SELECT string_agg(c::text, '') FROM customers c)
		|| (SELECT string_agg(v::text, '') FROM events v)`).Scan(&rows))
	require.NotContains(t, rows, "CANARY")
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT count(DISTINCT fein) FROM exemptions").Scan(&different))
	require.Equal(t, 3, different, "equal numbers of an organization are sealed alike")

	list := func(s *store.Store, text string, order ...models.Order) (found []string) {
		page, err := s.Catalog.ListExemptions(t.Context(), scope, models.ExemptionFilter{Text: text}, order,
			models.Page{Limit: 10})
		require.NoError(t, err)
		require.Len(t, page.Items, int(page.Total))
		for _, e := range page.Items {
			found = append(found, *e.FEIN+"/"+*e.SalesTaxID)
		}
		return found
	}
	fein, salesTaxID := models.Order{Column: "fein"}, models.Order{Column: "sales_tax_id", Desc: true}
	require.Equal(t, []string{"10-CANARY/S-CANARY", "10-CANARY/S-3", "20-Before/S-4", "30-CANARY/S-1"},
		list(s, "", fein, salesTaxID))
	require.Equal(t, []string{"30-CANARY/S-1", "20-Before/S-4", "10-CANARY/S-CANARY", "10-CANARY/S-3"},
		list(s, "", models.Order{Column: "fein", Desc: true}, salesTaxID))
	require.Equal(t, []string{"10-CANARY/S-CANARY", "10-CANARY/S-3", "30-CANARY/S-1"},
		list(s, "canary", fein, salesTaxID), "in any letter case")
	require.Equal(t, []string{"20-Before/S-4"}, list(s, "0-bef"))
	require.Empty(t, list(s, "sealed"), "the stored form cannot be searched")

	_, err = secret.NewVault(ring(current+","+old), nil).Rotate(t.Context(), s.InstallationKeys())
	require.NoError(t, err)
	storetest.Execute(t, url, "DELETE FROM data_keys")
	rotated := storetest.Open(t, store.Options{URL: url, MasterKeys: ring(current)})
	require.Equal(t, []string{"30-CANARY/S-1"}, list(rotated, "30-"), "the old master key is not needed any more")
	foreign := storetest.Open(t, store.Options{URL: url, MasterKeys: ring(secret.NewMasterKey("new"))})
	_, err = foreign.Catalog.Exemption(t.Context(), scope, second)
	require.ErrorIs(t, err, secret.ErrUnreadable)
	other := storetest.Organization(t, url)
	storetest.Execute(t, url, `INSERT INTO customers
		SELECT (jsonb_populate_record(c, jsonb_build_object('organization_id', $1::text))).*
		FROM customers c`, other.OrganizationID)
	_, err = s.Catalog.Customer(t.Context(), other, c.ID)
	require.ErrorIs(t, err, secret.ErrUnreadable, "a number belongs to its organization")
}

// A number that begins like an encrypted one could not be distinguished from it.
func TestATaxIDThatBeginsLikeASealedOneIsRefused(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s, scope := storetest.Open(t, store.Options{URL: url}), storetest.Organization(t, url)
	c := models.Customer{ID: models.NewID(models.PrefixCustomer), ExternalID: "C-1", Status: models.CustomerActive,
		AddressStatus: "BLANK", Source: "API",
		TaxRegistrations: []models.CustomerTaxRegistration{{TaxID: "sealed:1:" + strings.Repeat("A", 40)}}}
	var invalid *models.InvalidError
	require.ErrorAs(t, s.Catalog.CreateCustomer(t.Context(), scope, models.Actor{}, &c), &invalid)
}
