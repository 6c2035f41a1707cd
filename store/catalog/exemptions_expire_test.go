package catalog_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/pg"
	"levy/store/storetest"
)

func TestExpireExemptions(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, pg.Options{URL: url})
	today := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	type stored struct {
		scope    models.Scope
		id, want string
	}
	var all []stored
	for range 2 {
		scope := storetest.Organization(t, url)
		c := models.Customer{ID: models.NewID(models.PrefixCustomer), ExternalID: "C-1", Status: models.CustomerActive,
			AddressStatus: "BLANK", Source: "API",
			TaxRegistrations: []models.CustomerTaxRegistration{}}
		require.NoError(t, s.Catalog.CreateCustomer(t.Context(), scope, models.Actor{}, &c))
		add := func(status models.ExemptionStatus, end *time.Time, want string) {
			e := models.ExemptionRecord{Exemption: models.Exemption{ID: models.NewID(models.PrefixExemption),
				ExemptionType: models.ExemptionCustomer,
				StartDate:     today.AddDate(-1, 0, 0), EndDate: end, CustomerID: &c.ID, CountryCode: "US", Status: status}}
			require.NoError(t, s.Catalog.CreateExemption(t.Context(), scope, models.Actor{}, &e))
			all = append(all, stored{scope, e.ID, want})
		}
		yesterday := today.AddDate(0, 0, -1)
		add(models.ExemptionActive, &yesterday, "EXPIRED")
		add(models.ExemptionActive, &today, "ACTIVE") // its last day
		add(models.ExemptionActive, nil, "ACTIVE")
		add(models.ExemptionInactive, &yesterday, "INACTIVE")
		add(models.ExemptionDeactivated, &yesterday, "DEACTIVATED")
		add(models.ExemptionArchived, &yesterday, "ARCHIVED")
	}
	for _, want := range []int{2, 0} { // the second time there is nothing to do
		step, err := s.Catalog.ExpireExemptions(t.Context(), today, "")
		require.NoError(t, err)
		require.Equal(t, want, step.Expired)
		require.True(t, step.Done)
	}
	for _, one := range all {
		e, err := s.Catalog.Exemption(t.Context(), one.scope, one.id)
		require.NoError(t, err)
		require.Equal(t, one.want, string(e.Status))
		require.Equal(t, one.want == "EXPIRED", e.UpdatedAt != nil)
	}
	step, err := s.Catalog.ExpireExemptions(t.Context(), today.AddDate(0, 0, 1), all[0].scope.OrganizationID)
	require.NoError(t, err)
	require.LessOrEqual(t, step.Expired, 1, "only organizations behind the one named")
}
