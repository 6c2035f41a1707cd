package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/tax"
	"levy/tax/calendar"
)

// KnowNexus records in a store where organizations can have nexus.
func KnowNexus(t *testing.T, s *store.Store) []models.NexusJurisdiction {
	t.Helper()
	taxes, err := tax.LoadContent()
	require.NoError(t, err)
	all := models.NexusJurisdictionsOf(taxes, calendar.MustDate("2026-05-15"))
	require.NoError(t, s.Nexus.RecordNexusJurisdictions(t.Context(), all))
	return all
}

// BeginNexus is KnowNexus, and creates the records of every organization.
func BeginNexus(t *testing.T, s *store.Store) []models.NexusJurisdiction {
	t.Helper()
	all := KnowNexus(t, s)
	_, _, err := s.Nexus.EnsureNexusRecords(t.Context(), "")
	require.NoError(t, err)
	return all
}

// TaxesDiffer counts the days whose sums of taxes, with changes that are not rolled up yet, differ from those of the
// transactions. It adds the totals of transactions in processing or in the archive.
const TaxesDiffer = `
	SELECT (SELECT count(*) FROM (
	  SELECT organization_id, country_code, state_code, member_code, currency, day, sum(tax) AS tax,
	         sum(collected) AS collected, sum(liability) AS liability
	    FROM (SELECT * FROM nexus_taxes UNION ALL SELECT * FROM nexus_tax_changes
	          UNION ALL SELECT organization_id, country_code, state_code, member_code, currency, tax_date, -tax,
	          -collected, -liability FROM transaction_totals) x
	   GROUP BY 1, 2, 3, 4, 5, 6) d WHERE (tax, collected, liability) <> (0, 0, 0))
	  + (SELECT count(*) FROM transaction_totals x JOIN transactions t ON t.organization_id = x.organization_id
	    AND t.id = x.transaction_id
	      WHERE t.processing_status NOT IN ('PROCESSED', 'LOCKED', 'FILING_STARTED', 'FILING_DONE', 'QUEUED',
	                                        'ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE'))`

var RecountNexus = `SELECT count(*) FROM nexus_counters k FULL JOIN (
	SELECT organization_id, country_code, state_code, currency, day, marketplace, sum(n) n, sum(amount) amount,
	       sum(exempt_n) exempt_n,
	       sum(exempt_amount) exempt_amount, sum(resale_n) resale_n, sum(resale_amount) resale_amount,
	       sum(collected_tax) collected_tax
	  FROM nexus_contributions GROUP BY 1, 2, 3, 4, 5, 6) c
	USING (organization_id, country_code, state_code, currency, day, marketplace)
	WHERE (k.n, k.amount, k.exempt_n, k.exempt_amount, k.resale_n, k.resale_amount, k.collected_tax) IS DISTINCT FROM
	      (coalesce(c.n, 0), coalesce(c.amount, 0), coalesce(c.exempt_n, 0), coalesce(c.exempt_amount, 0),
	       coalesce(c.resale_n, 0), coalesce(c.resale_amount, 0), coalesce(c.collected_tax, 0))`

// Evaluated returns the records of a case unchanged, as evaluated with all changes.
func Evaluated(c models.NexusCase, day calendar.Date) []models.NexusEvaluated {
	all := make([]models.NexusEvaluated, len(c.Records))
	for i, r := range c.Records {
		seen, now := c.Seen(r.Place(), day), time.Now().UTC()
		r.Evaluated, r.LastProcessedAt, r.LastTaxLiabilityProcessedAt = &seen, &now, &now
		r.TransactionCount = 0
		for _, d := range c.Days {
			if r.Place().Counts(d.CountryCode, d.StateCode, c.Home, day) {
				r.TransactionCount += d.N
			}
		}
		all[i] = models.NexusEvaluated{NexusState: r, Changed: true}
	}
	return all
}

// WriteNexus writes evaluated records, and deletes the changes they have seen.
func WriteNexus(t *testing.T, s *store.Store, c models.NexusCase, all []models.NexusEvaluated) (saved int) {
	t.Helper()
	saved, err := s.Nexus.SaveNexusRecords(t.Context(), c, all)
	require.NoError(t, err)
	if saved == len(all) {
		require.NoError(t, s.Nexus.DeleteEvaluatedChanges(t.Context(), []models.NexusSeen{
			{OrganizationID: c.OrganizationID, Changes: c.Changes},
		}))
	}
	return saved
}
