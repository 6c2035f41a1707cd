package main

import (
	"context"
	"fmt"
	"time"

	"github.com/govalues/decimal"

	"levy/activities"
	"levy/models"
	"levy/store"
)

// nightlyChanges is how many sales change before each night. They are the newest ones, as most changes are.
const nightlyChanges = 2000

// nightlyAim is how much more a changed sale may cost in the largest organization than in the smallest.
const nightlyAim = 1.2

// nightlyFills write what filled sales add to nexus, as decideFilled returns it, after the number $2.
var nightlyFills = []string{
	`INSERT INTO nexus_contributions (organization_id, transaction_id, country_code, state_code, currency, day, marketplace,
	        n, amount, exempt_n, exempt_amount, resale_amount, collected_tax, sold_at)
	 SELECT organization_id, id, 'US', state, 'USD', tax_date, marketplace, 1, 100, 0, 0, 0, 0, date FROM transactions
	  WHERE organization_id = $1 AND processing_status = 'PROCESSED' AND id > 'txn_' || lpad($2::bigint::text, 26, '0')
	 ON CONFLICT DO NOTHING`,
	`INSERT INTO nexus_counters AS k (organization_id, country_code, state_code, currency, day, marketplace, n, amount,
	        exempt_n, exempt_amount, resale_amount, collected_tax)
	 SELECT organization_id, country_code, state_code, currency, day, marketplace, sum(n), sum(amount), 0, 0, 0, 0
	   FROM nexus_contributions WHERE organization_id = $1 AND transaction_id > 'txn_' || lpad($2::bigint::text, 26, '0')
	  GROUP BY 1, 2, 3, 4, 5, 6
	 ON CONFLICT (organization_id, country_code, state_code, currency, day, marketplace) DO UPDATE
	    SET n = k.n + excluded.n, amount = k.amount + excluded.amount`,
	`VACUUM ANALYZE nexus_contributions, nexus_counters`,
}

// nightlyChange adds an event of each of the newest sales.
const nightlyChange = `
	INSERT INTO events (organization_id, type, object_id, record)
	SELECT organization_id, 'transaction.processed', id, '{}' FROM (
	  SELECT organization_id, id FROM transactions WHERE organization_id = $1 AND processing_status = 'PROCESSED'
	   ORDER BY id DESC LIMIT $2) t`

// decideFilled is the contribution of a filled sale.
func decideFilled(t models.Transaction) (models.NexusOutcome, error) {
	return models.NexusOutcome{
		Ref: models.Ref{OrganizationID: t.OrganizationID, ID: t.ID, Epoch: t.Epoch},
		Contributions: []models.NexusContribution{{
			CountryCode: "US", StateCode: *t.State, Currency: "USD", Day: t.TaxDate, Marketplace: t.Marketplace, Count: 1,
			Amount: decimal.MustParse("100.00"), SoldAt: t.Date,
		}},
	}, nil
}

// measureNightly measures what a night costs for each changed sale while an organization grows, and what a page of the
// full pass costs.
func (b *bench) measureNightly(ctx context.Context) error {
	if err := b.ensure(ctx, true); err != nil { // organizations are made by a workflow
		return err
	}
	s, err := store.Open(ctx, store.Options{URL: b.postgres.URL("")})
	if err != nil {
		return err
	}
	defer s.Close()
	back, err := b.moveToNewOrganization(ctx, "Nights")
	if err != nil {
		return err
	}
	defer back()
	if err := b.ensure(ctx, false); err != nil {
		return err
	}
	var first, last float64
	for _, rows := range b.Growth {
		before := b.filled
		if err := b.fill(ctx, rows); err != nil {
			return err
		}
		for i, sql := range nightlyFills {
			args := []any{b.organizationID, before}
			if i == len(nightlyFills)-1 {
				args = nil
			}
			if _, err := b.db.Exec(ctx, sql, args...); err != nil {
				return fmt.Errorf("fill nexus: %w", err)
			}
		}
		if last, err = b.night(ctx, s, rows); err != nil {
			return fmt.Errorf("a night of %d transactions: %w", rows, err)
		}
		if first == 0 {
			first = last
		}
	}
	b.report.atMost(fmt.Sprintf("night, a changed sale at %d transactions over %d", b.Growth[len(b.Growth)-1], b.Growth[0]),
		"", last/first, nightlyAim)
	return nil
}

// night counts the changes of a night and some pages of the full pass. It returns the milliseconds of a changed sale, the
// shortest of three nights.
func (b *bench) night(ctx context.Context, s *store.Store, rows int) (perSale float64, err error) {
	const nights = 3
	at, err := s.Nexus.RecountProgress(ctx, b.organizationID)
	if err != nil {
		return 0, err
	}
	// The filled sales were counted by an earlier night.
	if err := b.db.QueryRow(ctx, "SELECT coalesce(max(sequence), 0) FROM events").Scan(&at.AfterEvent); err != nil {
		return 0, err
	}
	for range nights {
		at.ChangesDone = false
		if _, err := b.db.Exec(ctx, nightlyChange, b.organizationID, nightlyChanges); err != nil {
			return 0, err
		}
		began, counted, differences := time.Now(), 0, 0
		found := func(step int, all []models.NexusDifference) {
			counted, differences = counted+step, differences+len(all)
		}
		if at, err = activities.CountChanges(ctx, s.Evaluation(), at, decideFilled, found); err != nil {
			return 0, err
		}
		took := time.Since(began)
		if err := s.Nexus.SaveRecountProgress(ctx, at); err != nil {
			return 0, err
		}
		if counted < nightlyChanges || differences > 0 {
			return 0, fmt.Errorf("%d of %d changed sales counted, %d differences", counted, nightlyChanges, differences)
		}
		if each := took.Seconds() * 1000 / float64(counted); perSale == 0 || each < perSale {
			perSale = each
		}
	}
	began, counted := time.Now(), 0
	after := ""
	const pages = 10
	for range pages {
		step, err := s.Transactions.RecountContributions(ctx,
			models.NexusRecount{OrganizationID: b.organizationID, After: after, Repair: true}, decideFilled)
		if err != nil {
			return 0, err
		}
		counted, after = counted+step.Counted, step.Next
	}
	pass := time.Since(began).Seconds() * 1000 / float64(counted)
	b.say("  %d transactions: %.3f ms for each changed sale, %.3f ms for each of the full pass", rows, perSale, pass)
	b.report.note("A night of %d transactions: %.3f ms for each changed sale, %.3f ms for each of the full pass.", rows, perSale, pass)
	return perSale, nil
}
