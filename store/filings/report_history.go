package filings

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/models/report"
	"levy/store/pg"
)

// readExcluded reads the transactions that the approval excluded from the claim.
func (r *filingReport) readExcluded(ctx context.Context) error {
	rows, err := r.tx.Query(ctx, `
		SELECT e.amount::text, e.external_id, e.reason, e.tax_date, e.transaction_id, e.type
		  FROM filing_exclusions e
		  JOIN filings f ON f.organization_id = e.organization_id AND f.id = e.filing_id AND f.claimed_at = e.claimed_at
		 WHERE e.organization_id = $1 AND e.filing_id = $2
		 ORDER BY e.transaction_id`, r.scope.OrganizationID, r.head.Filing.ID)
	all, err := pg.Collect(rows, err, func(row pgx.CollectableRow) (x report.Excluded, err error) {
		return x, row.Scan(&x.Amount, &x.ExternalID, &x.Reason, &x.TaxDate, &x.ID, &x.Type)
	})
	if err != nil || len(all) == 0 {
		return err
	}
	f := &r.head.Filing
	r.head.Excluded = &report.Exclusion{DecidedAt: f.ApprovedAt, DecidedBy: f.ApprovedBy,
		Count: int64(len(all)), Transactions: all}
	return r.tx.QueryRow(ctx, `
		SELECT coalesce(sum(e.amount), 0.00)::numeric(20,2)::text
		  FROM filing_exclusions e
		  JOIN filings f ON f.organization_id = e.organization_id AND f.id = e.filing_id AND f.claimed_at = e.claimed_at
		 WHERE e.organization_id = $1 AND e.filing_id = $2`, r.scope.OrganizationID, f.ID).Scan(&r.head.Excluded.Amount)
}

// history reads the history of the filing, with its notes as text.
func (r *filingReport) history(ctx context.Context) ([]report.Event, error) {
	rows, err := r.tx.Query(ctx, selectHistory, r.scope.OrganizationID, r.head.Filing.ID)
	events, err := pg.Collect(rows, err, scanEvent)
	if err != nil {
		return nil, err
	}
	history := make([]report.Event, len(events))
	for i, e := range events {
		history[i] = report.Event{At: e.At, Action: string(e.Action), By: actorName(e), Note: noteOfEvent(e)}
	}
	return history, nil
}

func actorName(e models.FilingEvent) string {
	switch {
	case e.Actor.Name != "":
		return e.Actor.Name
	case e.Actor.ID != "":
		return e.Actor.ID
	}
	return "Levy"
}

// noteOfEvent returns the further values of an event as text.
func noteOfEvent(e models.FilingEvent) string {
	var parts []string
	add := func(what, value string) {
		if value != "" {
			parts = append(parts, strings.TrimSpace(what+" "+value))
		}
	}
	if e.Attempt > 1 {
		add("attempt", fmt.Sprint(e.Attempt))
	}
	add("", e.Reason)
	if a := e.Authority; a != nil {
		if a.Code != e.Reason {
			add("", a.Code)
		}
		add("", a.Message)
		add("confirmation", a.ConfirmationID)
	}
	if x := e.Excluded; x != nil {
		add("without", fmt.Sprintf("%d unresolved transactions of %s", x.Transactions, x.Amount))
	}
	return strings.Join(parts, "; ")
}
