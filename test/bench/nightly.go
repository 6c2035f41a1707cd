package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/govalues/decimal"

	"levy/activities"
	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/audit"
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
	// The rest of the rows that the rules of records read. The last is a row of the audit trail, which the processes seal.
	`INSERT INTO transaction_stages (organization_id, transaction_id, epoch, stage, revision, attempt, workflow_id, run_id, detail)
	 SELECT organization_id, id, 1, s.stage, 1, 1, 'fill', 'fill', '{}' FROM transactions t
	  CROSS JOIN LATERAL (VALUES ('ADDRESS_DONE'), ('EXEMPT_DONE'), ('NEXUS_DONE'), ('PROCESSED')) AS s (stage)
	  WHERE organization_id = $1 AND processing_status = 'PROCESSED' AND id > 'txn_' || lpad($2::bigint::text, 26, '0')`,
	`INSERT INTO transaction_explanations (organization_id, transaction_id, epoch, body)
	 SELECT organization_id, id, 1, '{}' FROM transactions
	  WHERE organization_id = $1 AND processing_status = 'PROCESSED' AND id > 'txn_' || lpad($2::bigint::text, 26, '0')`,
	`INSERT INTO transaction_totals (organization_id, transaction_id, epoch, country_code, state_code, member_code, tax_date,
	        marketplace, currency, sales, taxable, tax, collected, liability, figure_place, figure_keys, figure_gross,
	        figure_taxable, figure_tax, figure_owed)
	 SELECT organization_id, id, 1, 'US', state, 'US', tax_date, marketplace, 'USD', 100, 100, 8.88, 8.88, 8.88, '', '{fill}',
	        '{100}', '{100}', '{8.88}', '{8.88}' FROM transactions
	  WHERE organization_id = $1 AND processing_status = 'PROCESSED' AND id > 'txn_' || lpad($2::bigint::text, 26, '0')`,
	nightlyTrail + `organization_id = $1 AND id > 'txn_' || lpad($2::bigint::text, 26, '0')`,
	`VACUUM ANALYZE nexus_contributions, nexus_counters, transaction_stages, transaction_explanations, transaction_totals, audit,
	        audit_seals`,
}

// nightlyTrail adds a row of the trail about each of some sales. Its id begins with $3, the present time. It is none of
// those that need a leaf of the ledger.
const nightlyTrail = `
	INSERT INTO audit (organization_id, id, action, entity_type, entity_id)
	SELECT organization_id, $3 || right(id, 16), 'resolve', 'transaction', id FROM transactions WHERE `

// presentAudit is the beginning of the ids of audit rows that are made now.
func presentAudit() string { return models.FirstID(models.PrefixAudit, time.Now())[:len("audt_")+10] }

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
	ring, err := secret.ParseRing(b.masterKeys)
	if err != nil {
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
			switch i {
			case len(nightlyFills) - 2:
				args = append(args, presentAudit())
			case len(nightlyFills) - 1:
				args = nil
			}
			if _, err := b.db.Exec(ctx, sql, args...); err != nil {
				return fmt.Errorf("fill nexus: %w", err)
			}
		}
		if last, err = b.night(ctx, s, secret.NewSealer(ring), rows); err != nil {
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

// night counts and checks the changes of a night, and some pages of the full pass. It returns the milliseconds of a changed
// sale, the shortest of five nights.
func (b *bench) night(ctx context.Context, s *store.Store, sealer audit.Sealer, rows int) (perSale float64, err error) {
	const nights = 5
	if err := s.Audit.SealAll(ctx, sealer); err != nil {
		return 0, err
	}
	at, err := s.Nexus.RecountProgress(ctx, b.organizationID)
	if err != nil {
		return 0, err
	}
	// The filled sales were counted by an earlier night.
	if err := b.db.QueryRow(ctx, `SELECT (SELECT coalesce(max(sequence), 0) FROM events),
		(SELECT coalesce(max(number), 0) FROM audit_seals WHERE organization_id = $1)`, b.organizationID).Scan(
		&at.AfterEvent, &at.SealedThrough); err != nil {
		return 0, err
	}
	for range nights {
		at.ChangesDone = false
		if _, err := b.db.Exec(ctx, nightlyChange, b.organizationID, nightlyChanges); err != nil {
			return 0, err
		}
		if _, err := b.db.Exec(ctx, nightlyTrail+"organization_id = $1 ORDER BY id DESC LIMIT $2", b.organizationID,
			nightlyChanges, presentAudit()); err != nil {
			return 0, err
		}
		if err := s.Audit.SealAll(ctx, sealer); err != nil {
			return 0, err
		}
		began, counted, differences, violations := time.Now(), 0, 0, []models.RecordViolation{}
		found := activities.RecountObserver{
			Counted:     func(step int) { counted += step },
			Differences: func(all []models.NexusDifference) { differences += len(all) },
			Violations: func(all []models.RecordViolation) {
				if violations = append(violations, all...); len(all) > 0 {
					b.say("  %s: %s", all[0].Rule, all[0].Record)
				}
			},
		}
		if at, err = activities.CountChanges(ctx, s.Evaluation(), s.Records(sealer), at, decideFilled, found); err != nil {
			return 0, err
		}
		took := time.Since(began)
		if err := s.Nexus.SaveRecountProgress(ctx, at); err != nil {
			return 0, err
		}
		if counted < nightlyChanges || differences > 0 || len(violations) > 0 {
			return 0, fmt.Errorf("%d of %d changed sales counted, %d differences, %d violations", counted, nightlyChanges,
				differences, len(violations))
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
		found, err := s.Records(sealer).CheckSome(ctx, b.organizationID, models.RecordTransactions, step.Page)
		if err != nil {
			return 0, err
		}
		if len(found) > 0 {
			return 0, fmt.Errorf("%s: %s", found[0].Rule, found[0].Record)
		}
		counted, after = counted+step.Counted, step.Next
	}
	pass := time.Since(began).Seconds() * 1000 / float64(counted)
	began = time.Now()
	seals, err := s.Audit.VerifySlice(ctx, sealer, b.organizationID, 0, 0)
	if err != nil {
		return 0, err
	}
	if seals.Broken != "" {
		return 0, errors.New(seals.Broken)
	}
	slice := time.Since(began)
	const says = "%d transactions: %.3f ms for each changed sale, %.3f ms for each of the full pass, %d ms for a slice of %d seals"
	b.say("  "+says, rows, perSale, pass, slice.Milliseconds(), seals.Through)
	b.report.note("A night of "+says+". There are no refunds and no returns.", rows, perSale, pass, slice.Milliseconds(), seals.Through)
	return perSale, nil
}
