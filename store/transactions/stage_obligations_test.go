package transactions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store/storetest"
	"levy/tax"
	"levy/tax/calendar"
)

// A seller in Germany sells to a consumer in France whom an exemption frees in Germany alone. Below the threshold of the
// Union Germany taxes the sale, and frees it. When the threshold is crossed between two stages, France taxes it, and
// nothing of the exemption may stay, whichever stages were over.
func TestAnExemptionFollowsAnObligationThatAroseBetweenTheStages(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]int{
		"before the exemptions were decided": 1, "after the exemptions": 2, "after nexus": 3, "after the tax": 4,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := abroad{Bundle: storetest.Setup(t, 1, 8)}
			b.begin(t)
			for i, stage := range b.stages(t) {
				if i == before {
					b.cross(t)
				}
				stage()
			}
			if before == 4 {
				b.cross(t)
			}
			for range 2 { // the transactions are queued again
				for _, stage := range b.stages(t) {
					stage()
				}
			}
			require.Equal(t, []string{"PROCESSED 20.00 NOT_EXEMPT", "0.00", "0"}, []string{
				b.text(t, "SELECT processing_status || ' ' || total_tax_amount_calculated || ' ' || exempt FROM transactions"),
				b.text(t, "SELECT exempt_amount::text FROM nexus_contributions"),
				b.text(t, "SELECT count(*)::text FROM transaction_exemptions WHERE applied"),
			})
			require.Equal(t, "0", b.text(t, "SELECT count(*)::text FROM outbox"))
			if before < 4 {
				require.Equal(t, "20.00 NOT_EXEMPT", b.text(t, `
					SELECT string_agg(DISTINCT (record->>'total_tax_amount_calculated') || ' ' || (record->>'exempt'), ', ')
					  FROM events WHERE type = 'transaction.processed'`), "nobody is told of another tax")
			}
		})
	}
}

// abroad is the seller, with the one sale.
type abroad struct {
	*storetest.Bundle
	law *tax.Content
	id  string
}

func (b *abroad) begin(t *testing.T) {
	t.Helper()
	var err error
	b.law, err = tax.LoadContent()
	require.NoError(t, err)
	storetest.BeginNexus(t, b.Store)
	_, err = b.SQL.Exec(t.Context(), `UPDATE organization_details
		SET business_address = '{"country": "DE"}', place = '{"country": "DE"}'`)
	require.NoError(t, err)
	d := storetest.Draft(b.Scope, "SALE-FR")
	d.Currency = "EUR"
	d.Date = calendar.MustDate("2026-05-15").Time()
	d.TaxDate = d.Date
	require.NoError(t, b.Intake.Accept(t.Context(), d))
	b.id = d.ID
	customer := b.text(t, "SELECT id FROM customers")
	e := models.ExemptionRecord{Exemption: models.Exemption{
		ID: models.NewID(models.PrefixExemption), ExemptionType: models.ExemptionCustomer, CustomerID: &customer,
		StartDate: calendar.MustDate("2026-01-01").Time(), CountryCode: "DE", Status: models.ExemptionActive,
	}}
	require.NoError(t, b.Store.Catalog.CreateExemption(t.Context(), b.Scope, models.Actor{}, &e))
}

// stages are the four of the version that there is now, as their activities work.
func (b *abroad) stages(t *testing.T) []func() {
	s := b.Store.Transactions
	refs := func() []models.Ref {
		ref := models.Ref{OrganizationID: b.Scope.OrganizationID, ID: b.id}
		require.NoError(t, b.SQL.QueryRow(t.Context(), "SELECT epoch FROM transactions").Scan(&ref.Epoch))
		return []models.Ref{ref}
	}
	at := func(country, postal string) tax.Place {
		return b.law.Resolve(tax.Address{Country: country, PostalCode: postal})
	}
	return []func(){
		func() {
			loaded, err := s.LoadForAddresses(t.Context(), storetest.Run, refs())
			require.NoError(t, err)
			outcomes := make([]models.AddressOutcome, len(loaded))
			for i := range loaded {
				origin := at("DE", "10115")
				outcomes[i] = models.AddressOutcome{
					Ref: loaded[i].Ref(), To: models.ProcessingAddressDone, Place: at("FR", "75007"), Origin: &origin,
				}
			}
			_, err = s.SaveAddresses(t.Context(), storetest.Run, refs(), outcomes)
			require.NoError(t, err)
		},
		func() {
			loaded, err := s.LoadForExemptions(t.Context(), refs())
			require.NoError(t, err)
			outcomes := decided(t, loaded, rules.DecideExemptions)
			_, err = s.SaveExemptions(t.Context(), storetest.Run, refs(), outcomes)
			require.NoError(t, err)
		},
		func() {
			loaded, err := s.LoadForNexus(t.Context(), refs())
			require.NoError(t, err)
			outcomes := decided(t, loaded, func(sale models.Transaction) (models.NexusOutcome, error) {
				return rules.DecideNexus(sale, nil, b.law.Calculate)
			})
			_, err = s.SaveNexus(t.Context(), storetest.Run, refs(), outcomes)
			require.NoError(t, err)
			require.Equal(t, `["FR"]`, b.text(t, "SELECT detail->>'jurisdictions' FROM transaction_stages "+
				"WHERE stage = 'NEXUS_DONE' ORDER BY at DESC LIMIT 1"))
		},
		func() {
			loaded, err := s.LoadForTax(t.Context(), refs())
			require.NoError(t, err)
			outcomes := decided(t, loaded, func(sale models.Transaction) (models.TaxOutcome, error) {
				return rules.DecideTax(sale, models.OrganizationSettings{}, nil, b.law.Calculate)
			})
			_, err = s.SaveTax(t.Context(), storetest.Run, refs(), outcomes)
			require.NoError(t, err)
		},
	}
}

func decided[O any](t *testing.T, loaded []models.Transaction, decide func(models.Transaction) (O, error)) []O {
	t.Helper()
	outcomes := make([]O, len(loaded))
	for i := range loaded {
		var err error
		outcomes[i], err = decide(loaded[i])
		require.NoError(t, err)
	}
	return outcomes
}

// cross lets the obligation to the Union begin, and applies it to what there is, as its workflow does.
func (b *abroad) cross(t *testing.T) {
	t.Helper()
	ref := models.NexusRef{OrganizationID: b.Scope.OrganizationID}
	require.NoError(t, b.SQL.QueryRow(t.Context(),
		"UPDATE nexus_records SET obliged_from = '2026-05-01' WHERE state_code = 'ZZ_EU' RETURNING id").Scan(&ref.NexusID))
	change, err := b.Store.Transactions.NexusObligation(t.Context(), ref)
	require.NoError(t, err)
	step, err := b.Store.Transactions.RequeueForObligation(t.Context(), storetest.Run, change, models.ObligationCursor{})
	require.NoError(t, err)
	require.True(t, step.Done)
	require.NoError(t, b.Store.Transactions.ApplyObligation(t.Context(), change))
}

func (b *abroad) text(t *testing.T, sql string) (text string) {
	t.Helper()
	require.NoError(t, b.SQL.QueryRow(t.Context(), sql).Scan(&text))
	return text
}
