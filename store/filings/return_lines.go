package filings

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

// returnLinesOf are the parts of a SELECT of the transactions that belong to a filing f. They are taxed at its
// registration, dated in its period, COMMITTED or refunded, and processed. A claim by another registration does not
// matter. The epoch ties the sums to the version of the transaction that is locked or read.
const (
	returnLinesOf = `
	  JOIN transaction_totals x ON x.organization_id = f.organization_id AND x.country_code = f.country_code
	    AND x.state_code = f.state_code
	   AND x.tax_date BETWEEN f.start_date AND f.end_date
	  JOIN transactions t ON t.organization_id = x.organization_id AND t.id = x.transaction_id
	   /* guard: claim: the epoch of what it waited for */ AND t.epoch = x.epoch
	   AND t.status IN ('COMMITTED', 'FULLY_REFUNDED', 'PARTIALLY_REFUNDED')
	   /* guard: claim: only what is processed */ AND t.processing_status IN ('PROCESSED', 'FILING_STARTED', 'FILING_DONE', 'LOCKED')`
	notClaimed = `
	   NOT EXISTS (
	     SELECT 1 FROM filing_transactions m
	      WHERE m.organization_id = x.organization_id AND m.transaction_id = x.transaction_id
	        AND m.registration_id = f.registration_id AND m.claims_as = f.claims_as)`
)

// lineSumsAt returns the amounts that transactions add to a filing, in its currency. rate is the number of units of the
// currency of x for one unit of the filing's. Without a rate they are NULL, which no claim accepts.
func lineSumsAt(rate string) string {
	names := []string{"sales", "taxable", "tax", "collected", "liability", "over_collected", "under_collected", "form_tax"}
	sums := make([]string, 0, len(names))
	for _, name := range names {
		decimals := 2
		if name == "form_tax" {
			decimals = 6
		}
		sums = append(sums, fmt.Sprintf("CASE WHEN x.currency = f.currency THEN x.%[1]s "+
			"ELSE round(x.%[1]s / %[2]s, %[3]d) END AS %[1]s", name, rate, decimals))
	}
	return " " + strings.Join(sums, ", ")
}

// lineMarks are the other columns that a line of a return has; NULL where there is nothing to say.
const lineMarks = ` nullif(coalesce(x.liability_case = 3, NOT x.marketplace AND x.tax <> 0 AND x.collected = 0
	          AND x.liability = 0), false) AS no_obligation, nullif(t.ambiguous, false) AS uncertain, x.beyond_rounding`

// markSums adds up over- and under-collected tax and the marks of lines c.
const markSums = `
	       coalesce(sum(c.over_collected), 0) AS over_collected, coalesce(sum(c.under_collected), 0) AS under_collected,
	       count(*) FILTER (WHERE c.over_collected <> 0) AS over_n, count(*) FILTER (WHERE c.under_collected <> 0) AS under_n,
	       count(*) FILTER (WHERE c.no_obligation) AS no_obligation_n,
	       coalesce(sum(c.sales) FILTER (WHERE c.no_obligation), 0) AS no_obligation_sales,
	       count(*) FILTER (WHERE c.uncertain) AS uncertain_n,
	       coalesce(sum(c.tax) FILTER (WHERE c.uncertain), 0) AS uncertain_tax,
	       coalesce(sum(c.tax), 0) - round(coalesce(sum(coalesce(c.form_tax, c.tax)), 0), 2) AS form_difference,
	       count(*) FILTER (WHERE c.beyond_rounding) AS beyond_n`

// setMarkSums sets these sums of a filing from a row s.
const setMarkSums = `
	       amount_over_collected = coalesce(s.over_collected, 0), amount_under_collected = coalesce(s.under_collected, 0),
	       over_collected_count = coalesce(s.over_n, 0), under_collected_count = coalesce(s.under_n, 0),
	       no_obligation_count = coalesce(s.no_obligation_n, 0), no_obligation_sales = coalesce(s.no_obligation_sales, 0),
	       uncertain_count = coalesce(s.uncertain_n, 0), uncertain_tax = coalesce(s.uncertain_tax, 0),
	       form_difference = coalesce(s.form_difference, 0), beyond_rounding_count = coalesce(s.beyond_n, 0)`

// lineSums are the current amounts.
var lineSums = lineSumsAt("coalesce(" + returnRate + ", euro_rate(x.currency, " + periodEnd + "))")

// FilingPreview is the FROM and WHERE of the transactions that filing f would claim now. t is the transaction,
// x has the amounts that it adds.
const FilingPreview = ` FROM filings f` + returnLinesOf + ` WHERE` + ofOneStopShop + ` AND` + notClaimed

// liveSumsOf returns the statement that sums up the transactions that filings would claim now. It counts those that
// wait for a rate after the end of the period. $1 is the organization, ids an array with the filings.
func liveSumsOf(ids string) string {
	return `
	SELECT c.id, count(*) FILTER (WHERE NOT c.marketplace), count(*) FILTER (WHERE c.marketplace),
	       coalesce(sum(c.sales), 0), coalesce(sum(c.taxable), 0), coalesce(sum(c.tax), 0),
	       coalesce(sum(c.collected), 0), coalesce(sum(c.liability), 0), count(*) FILTER (WHERE c.waits),` + markSums + `
	  FROM (SELECT f.id, x.marketplace,` + lineMarks + "," + lineSums + `,
	               x.currency <> f.currency AND f.end_date < (now() AT TIME ZONE 'UTC')::date
	                 AND ` + returnRate + ` IS NULL AS waits` + FilingPreview +
		` AND f.organization_id = $1 AND f.id = ANY (` + ids + `)) c
	 GROUP BY c.id`
}

// pendingOf counts the transactions in processing that are dated in the periods of filings, by their outbox rows.
// It omits those that fail repeatedly, because they are unresolved. It counts by day first, so it reads the outbox once
// for any number of filings.
var pendingOf = `
	WITH f AS MATERIALIZED (
	  SELECT f.id, f.start_date, f.end_date FROM filings f WHERE f.organization_id = $1 AND f.id = ANY ($2)),
	d AS MATERIALIZED (
	  SELECT t.tax_date, count(*) AS n` +
	pendingBetween("$1", "(SELECT min(f.start_date) FROM f)", "(SELECT max(f.end_date) FROM f)") + `
	   GROUP BY 1)
	SELECT f.id, sum(d.n)::bigint FROM f JOIN d ON d.tax_date BETWEEN f.start_date AND f.end_date GROUP BY f.id`

// pendingBetween returns the FROM and WHERE of the transactions in processing of an organization, dated between two
// days.
func pendingBetween(organization, from, until string) string {
	return `
	  FROM outbox o
	 CROSS JOIN LATERAL (
	   SELECT t.tax_date FROM transactions t
	    WHERE t.organization_id = o.organization_id AND t.id = o.aggregate_id
	      AND t.tax_date BETWEEN ` + from + ` AND ` + until + ` OFFSET 0) t
	 WHERE ` + pendingIn(organization)
}

// pendingIn returns the condition on outbox rows o of transactions in processing of an organization.
func pendingIn(organization string) string {
	return `o.organization_id = ` + organization + ` AND o.kind = 1 AND NOT coalesce(` + failsRepeatedly + `, false)`
}

// mayBePending returns the expression that tells whether such transactions may exist, for callers that repeat until
// there are none. It returns true for a long backlog without reading it, which would take seconds each time.
func mayBePending(organization, from, until string) string {
	return `CASE WHEN EXISTS (SELECT FROM outbox o WHERE ` + pendingIn(organization) + ` OFFSET 10000) THEN true
	        ELSE EXISTS (SELECT 1` + pendingBetween(organization, from, until) + `) END`
}

const causesOf = `
	SELECT c.filing_id, c.reason, count(*) FROM filing_causes c
	 WHERE c.organization_id = $1 AND c.filing_id = ANY ($2) GROUP BY c.filing_id, c.reason ORDER BY c.filing_id, c.reason`

// queueFilingParts adds the statements that complete filings: live sums, pending and unresolved transactions,
// and the causes of amendments.
func queueFilingParts(batch *pgx.Batch, scope models.Scope, filings []models.Filing) {
	byID := make(map[string]*models.Filing, len(filings))
	var ids, live, amendments []string
	for i := range filings {
		f := &filings[i]
		byID[f.ID] = f
		ids = append(ids, f.ID)
		if f.Status.Live() {
			live = append(live, f.ID)
		}
		if f.FilingCategory == models.FilingAmendment {
			amendments = append(amendments, f.ID)
		}
	}
	if ids != nil {
		queueUnresolved(batch, scope, byID, ids)
		batch.Queue(aroundOf, scope.OrganizationID, ids).Query(intoAround(byID))
		batch.Queue(documentsOf, scope.OrganizationID, ids).Query(intoDocuments(byID))
	}
	if live != nil {
		batch.Queue(liveSumsOf("$2"), scope.OrganizationID, live).Query(intoLiveSums(byID))
		batch.Queue(creditOffered, scope.OrganizationID, live).Query(intoSettled(byID))
		batch.Queue(pendingOf, scope.OrganizationID, live).Query(intoPending(byID))
		var id string
		batch.Queue(undecidedOf, scope.OrganizationID, live, UnionReturns()).Query(pg.Each([]any{&id}, func() error {
			(&obligations{FilingObligations: rules.FilingObligations{Undecided: true}}).postpone(byID[id])
			return nil
		}))
	}
	if amendments != nil {
		batch.Queue(previousTotals, scope.OrganizationID, liveOf(amendments, byID)).Query(intoAmended(byID))
		var id string
		var c models.FilingCause
		cause := []any{&id, &c.Reason, &c.Transactions}
		batch.Queue(causesOf, scope.OrganizationID, amendments).Query(pg.Each(cause, func() error {
			byID[id].Causes = append(byID[id].Causes, c)
			return nil
		}))
	}
}

// liveOf returns those of the filings that are live.
func liveOf(ids []string, byID map[string]*models.Filing) []string {
	live := []string{}
	for _, id := range ids {
		if byID[id].Status.Live() {
			live = append(live, id)
		}
	}
	return live
}

// intoLiveSums returns a reader of the rows of liveSumsOf.
func intoLiveSums(byID map[string]*models.Filing) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for rows.Next() {
			var id string
			var s models.FilingSums
			var waits int
			if err := rows.Scan(&id, &s.TransactionCount, &s.MarketplaceTransactionCount,
				&s.AmountSales, &s.TotalTaxableSales, &s.AmountCalculated, &s.AmountTaxCollected,
				&s.TotalTaxLiability, &waits, &s.AmountOverCollected, &s.AmountUnderCollected, &s.OverCollectedCount,
				&s.UnderCollectedCount, &s.NoObligationCount, &s.NoObligationSales, &s.UncertainCount, &s.UncertainTax,
				&s.FormDifference, &s.BeyondRoundingCount); err != nil {
				return err
			}
			byID[id].FilingSums, byID[id].Pending = s, waits
		}
		return rows.Err()
	}
}

// intoSettled returns a reader of the rows of creditOffered. It settles the live filings, whose sums were read before.
func intoSettled(byID map[string]*models.Filing) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for _, f := range byID {
			if f.Status.Live() {
				f.Settle(models.CreditOffered{})
			}
		}
		var id string
		var offered models.CreditOffered
		return pg.Each([]any{&id, &offered.Prepaid, &offered.Credit}, func() error {
			byID[id].Settle(offered)
			return nil
		})(rows)
	}
}

// intoPending returns a reader of the rows of pendingOf.
func intoPending(byID map[string]*models.Filing) func(pgx.Rows) error {
	var id string
	var n int
	return pg.Each([]any{&id, &n}, func() error {
		byID[id].Pending += n
		return nil
	})
}
