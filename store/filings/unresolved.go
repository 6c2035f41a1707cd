package filings

import (
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
	taxnexus "levy/tax/nexus"
)

// A transaction is unresolved if it is in NEEDS_REFETCH, if its processing fails repeatedly, or if it waits for an
// unresolved original. It may belong to a return if it is delivered to the jurisdiction, or if its destination is
// unknown.
//
// Unresolved transactions are few, and are found without reading others. Transactions in NEEDS_REFETCH have a row of
// their own with their day. Transactions that fail or wait are in an index of the outbox.

var (
	fails = pg.FailingRepeatedly("o")
	// blockedByOriginal is the condition on outbox rows o of refunds whose original is unresolved.
	blockedByOriginal = `o.waits_for IS NOT NULL AND (
	       EXISTS (SELECT 1 FROM transaction_refetches h
	                WHERE h.organization_id = o.organization_id AND h.transaction_id = o.waits_for)
	    OR EXISTS (SELECT 1 FROM outbox w
	                WHERE w.organization_id = o.organization_id AND w.kind = 1 AND w.aggregate_id = o.waits_for
	         AND ` + pg.FailingRepeatedly("w") + `))`
	// failsRepeatedly is the condition on outbox rows o of transactions that fail repeatedly or are blocked by their
	// original.
	failsRepeatedly = "(" + fails + " OR " + blockedByOriginal + ")"
)

// netOf is the amount that transaction t would add to the sales of a return, as rules.NetSales, in the currency of the
// sale.
const netOf = `CASE WHEN t.type = 'TAX_REFUND' THEN 0
	              WHEN t.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE') THEN -abs(t.subtotal - t.total_discount)
	              ELSE t.subtotal - t.total_discount END`

// unresolvedBetween returns the statement that reads the unresolved transactions of an organization with a tax date
// between two days. Its rows d have the destination ("" for unknown) and the net amount.
func unresolvedBetween(organization, from, until string) string {
	return `
	  SELECT t.id, t.external_id, t.type, t.tax_date, t.currency, t.processing_reason,
	         coalesce(coalesce(t.place, s.place) ->> 'country', '') AS country,
	         coalesce(coalesce(t.place, s.place) ->> 'state', '') AS state,
	         ` + netOf + ` AS net
	    FROM (
	      SELECT r.transaction_id AS id FROM transaction_refetches r
	       WHERE r.organization_id = ` + organization + ` AND r.tax_date BETWEEN ` + from + ` AND ` + until + `
	      UNION
	      SELECT o.aggregate_id FROM outbox o
	       WHERE o.organization_id = ` + organization + ` AND o.kind = 1 AND ` + fails + `
	      UNION
	      SELECT o.aggregate_id FROM outbox o
	       WHERE o.organization_id = ` + organization + ` AND o.kind = 1 AND ` + blockedByOriginal + `) c
	   CROSS JOIN LATERAL (
	     SELECT * FROM transactions x
	      WHERE x.organization_id = ` + organization + ` AND x.id = c.id
	        AND x.tax_date BETWEEN ` + from + ` AND ` + until + `
	        AND x.status IN ('COMMITTED', 'FULLY_REFUNDED', 'PARTIALLY_REFUNDED')
	        AND x.processing_status IN ('NEEDS_REFETCH', 'NEW', 'UPDATED', 'QUEUED', 'ADDRESS_DONE', 'EXEMPT_DONE',
	                                    'NEXUS_DONE') OFFSET 0) t
	    LEFT JOIN LATERAL (
	     SELECT x.place FROM transactions x
	      WHERE x.organization_id = ` + organization + ` AND x.id = t.related_to AND t.place IS NULL OFFSET 0) s ON true`
}

// mayBelong returns the condition that d may belong to a filing f. union names the members of the European Union with
// the one-stop shop: the tax of a sale decides to which of their returns it belongs.
func mayBelong(union string) string {
	return ` d.tax_date BETWEEN f.start_date AND f.end_date AND CASE
	    WHEN d.country = '' THEN true
	    WHEN f.country_code = '` + models.UnitedStates + `'
	    THEN d.country = f.country_code AND d.state IN ('', f.state_code)
	    WHEN f.country_code = '` + models.Canada + `'
	    THEN d.country = f.country_code AND (d.state IN ('', f.state_code) OR f.state_code = f.country_code)
	    WHEN f.country_code = ANY (` + union + `) THEN d.country = ANY (` + union + `)
	    ELSE d.country = f.country_code END`
}

// inCurrencyOfFiling returns an amount of d in the currency of f; NULL without a reference rate.
func inCurrencyOfFiling(amount string) string {
	rate := func(currency string) string {
		return "CASE WHEN " + currency + " = 'EUR' THEN 1 ELSE nullif(euro_rate(" + currency + ", d.tax_date), 0) END"
	}
	return "CASE WHEN d.currency = f.currency THEN " + amount + " ELSE round(" + amount + " / " + rate("d.currency") +
		" * " + rate("f.currency") + ", 2) END"
}

// unresolvedOf counts the unresolved transactions of filings, except for skipped and cancelled ones.
// It counts them by day, place and currency first, because both filings and transactions may be many.
var unresolvedOf = `
	WITH f AS MATERIALIZED (
	  SELECT f.id, f.country_code, f.state_code, f.start_date, f.end_date, f.currency FROM filings f
	   WHERE f.organization_id = $1 AND f.id = ANY ($2) AND f.status NOT IN ('SKIPPED', 'CANCELLED')),
	d AS MATERIALIZED (
	  SELECT h.tax_date, h.country, h.state, h.currency, count(*) AS n, sum(h.net) AS net
	    FROM (` + unresolvedBetween("$1", "(SELECT min(f.start_date) FROM f)", "(SELECT max(f.end_date) FROM f)") + `) h
	   GROUP BY 1, 2, 3, 4)
	SELECT f.id, sum(d.n)::bigint, coalesce(sum(` + inCurrencyOfFiling("d.net") + `), 0)::numeric(20,2)
	  FROM f JOIN d ON` + mayBelong("$3") + `
	 GROUP BY f.id`

// unresolvedOfOne returns the FROM and WHERE of the unresolved transactions of one filing f.
func unresolvedOfOne(organization, filing, union string) string {
	return ` FROM filings f CROSS JOIN LATERAL (` + unresolvedBetween(organization, "f.start_date", "f.end_date") + `) d
	 WHERE f.organization_id = ` + organization + ` AND f.id = ` + filing + ` AND f.status NOT IN ('SKIPPED', 'CANCELLED')
	   AND` + mayBelong(union)
}

// UnresolvedIDs selects the unresolved transactions that may belong to a filing. Its arguments are the filing and
// UnionReturns.
var UnresolvedIDs = "SELECT d.id" + unresolvedOfOne("$1", "%[1]s", "%[2]s::text[]")

var unresolvedIDsOf = "SELECT d.id" + unresolvedOfOne("$1", "$2", "$3")

// excludeUnresolved records the transactions that an approval excludes: those that are unresolved when its lines are
// claimed. It adds those that were when it was decided ($4) and are neither claimed nor resolved.
var excludeUnresolved = `
	INSERT INTO filing_exclusions (organization_id, filing_id, claimed_at, transaction_id, external_id, type, tax_date,
	                               amount, reason)
	SELECT f.organization_id, f.id, f.claimed_at, d.id, d.external_id, d.type, d.tax_date,
	       ` + inCurrencyOfFiling("d.net") + `, d.processing_reason` +
	unresolvedOfOne("$1", "$2", "$3") + `
	UNION ALL
	SELECT f.organization_id, f.id, f.claimed_at, d.id, d.external_id, d.type, d.tax_date,
	       ` + inCurrencyOfFiling("d.net") + `,
	       d.processing_reason
	  FROM filings f CROSS JOIN LATERAL (
	    SELECT t.id, t.external_id, t.type, t.tax_date, t.currency, t.processing_reason, ` + netOf + ` AS net
	      FROM transactions t WHERE t.organization_id = $1 AND t.id = ANY ($4)) d
	 WHERE f.organization_id = $1 AND f.id = $2
	   AND NOT EXISTS (SELECT 1 FROM filing_transactions m
	                    WHERE m.organization_id = $1 AND m.filing_id = f.id AND m.transaction_id = d.id)
	ON CONFLICT DO NOTHING`

// UnionReturns returns the countries whose sales may be returned to another of them: the members of the European Union,
// and its one-stop shop.
func UnionReturns() []string {
	return append(taxnexus.UnionMembers(calendar.DateOf(time.Now().UTC())), taxnexus.EuropeanUnion)
}

// queueUnresolved adds the statement that counts the unresolved transactions of filings.
func queueUnresolved(batch *pgx.Batch, scope models.Scope, filings map[string]*models.Filing, ids []string) {
	batch.Queue(unresolvedOf, scope.OrganizationID, ids, UnionReturns()).Query(intoUnresolved(filings))
}

// intoUnresolved returns a reader of the rows of unresolvedOf.
func intoUnresolved(byID map[string]*models.Filing) func(pgx.Rows) error {
	var id string
	var u models.UnresolvedTransactions
	return pg.Each([]any{&id, &u.Transactions, &u.Amount}, func() error {
		byID[id].Unresolved = u
		return nil
	})
}
