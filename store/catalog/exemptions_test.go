package catalog_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/pg"
	"levy/store/storetest"
)

// The database allows the same transitions as the models.
func TestTheDatabaseAllowsTheSameTransitionsOfExemptions(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, pg.Options{URL: url})
	scope := storetest.Organization(t, url)
	c := models.Customer{ID: models.NewID(models.PrefixCustomer), ExternalID: "C-1", Status: models.CustomerActive,
		AddressStatus: "BLANK", Source: "API",
		TaxRegistrations: []models.CustomerTaxRegistration{}}
	require.NoError(t, s.Catalog.CreateCustomer(t.Context(), scope, models.Actor{}, &c))
	for _, from := range models.ExemptionTransitions.States {
		for _, to := range models.ExemptionTransitions.States {
			e := models.ExemptionRecord{Exemption: models.Exemption{
				ID: models.NewID(models.PrefixExemption), ExemptionType: models.ExemptionCustomer,
				StartDate: time.Now(), CustomerID: &c.ID, CountryCode: "US", Status: models.ExemptionStatus(from),
			}}
			require.NoError(t, s.Catalog.CreateExemption(t.Context(), scope, models.Actor{}, &e))
			_, err := s.Catalog.UpdateExemption(t.Context(), scope, models.Actor{}, e.ID, func(e *models.Exemption) error {
				e.Status = models.ExemptionStatus(to) // bypassing the check in Go
				return nil
			})
			if models.ExemptionTransitions.Check(from, to) == nil {
				require.NoError(t, err, "%s to %s", from, to)
			} else {
				require.Error(t, err, "%s to %s", from, to)
			}
		}
	}
}
