package filings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/tax/calendar"
)

// A credit is what a FILED return left (amount_credit_carried), or a FILED prepayment that no return of its period takes
// off any more. Returns take it off in the order of the periods. Every change of a filing holds its registration, so two
// claims do not take the same credit. The constraint filings_credit_used refuses it too.

// prepaymentIsLate is the condition on a FILED prepayment s that no return of its days takes it off any more. The return
// is over, or none has all of its days. Prepayments of earlier releases claimed transactions and were credited by people.
const prepaymentIsLate = `
	   s.settled AND EXISTS (
	     SELECT 1 FROM filings q
	      WHERE q.organization_id = s.organization_id AND q.registration_id = s.registration_id
	        AND q.filing_category = 'REGULAR' AND q.start_date <= s.end_date AND q.end_date >= s.start_date)
	   /* guard: credit: a prepayment waits for its return */ AND NOT EXISTS (
	     SELECT 1 FROM filings q
	      WHERE q.organization_id = s.organization_id AND q.registration_id = s.registration_id
	        AND q.filing_category = 'REGULAR' AND q.start_date <= s.start_date AND q.end_date >= s.end_date
	        AND q.status IN ('UNFILED', 'PAUSED', 'FILING', 'ISSUE'))`

// CreditLeft is the unused credit of a FILED filing s. Other prepayments wait for the return of their period.
const CreditLeft = `CASE WHEN s.filing_category <> 'PREPAYMENT' THEN s.amount_credit_carried - s.credit_used - s.credit_claimed
	     WHEN` + prepaymentIsLate + ` THEN s.tax_remitted - s.credit_used - s.credit_claimed ELSE 0 END`

// WithCredit is the condition of the index filings_credit on a filing s.
const WithCredit = `s.status = 'FILED' AND CASE WHEN s.filing_category = 'PREPAYMENT' THEN s.tax_remitted
	     ELSE s.amount_credit_carried END > s.credit_used + s.credit_claimed`

// Claimed returns the condition that the authority of a filing wants a claim for a credit. Other states take the credit
// off later returns.
func Claimed(f string) string {
	return "(" + f + ".country_code || '-' || " + f + ".state_code) = ANY ('{" +
		strings.Join(calendar.CreditClaims(), ",") + "}'::text[])"
}

// ClaimDeadline returns the last day on which a claim is surely in time, counted from a day; NULL if it is not known.
func ClaimDeadline(country, state, day string) string {
	months := calendar.CreditDeadlines()
	sql := "(CASE " + country + " || '-' || " + state
	for _, place := range slices.Sorted(maps.Keys(months)) {
		sql += fmt.Sprintf(" WHEN '%s' THEN %s + interval '%d months'", place, day, months[place])
	}
	return sql + " END)::date"
}

// ToClaim is the condition that no return takes off the credit of a filing s of a registration r. Its law wants a claim,
// or the registration has ended and its last return is over. A registration that has ended may have returns left to
// file.
var ToClaim = "(" + Claimed("s") + `
	    OR s.end_date >= r.deregistration_date
	    OR r.status = 'DEREGISTERED'
	       /* guard: credit: a return that is left to be filed takes it off */ AND NOT EXISTS (
	         SELECT FROM filings q
	          WHERE q.organization_id = s.organization_id AND q.registration_id = s.registration_id
	            AND q.filing_category = 'REGULAR' AND q.start_date > s.end_date
	            AND q.status IN ('UNFILED', 'PAUSED', 'FILING', 'ISSUE'))
	       AND (r.do_not_file OR EXISTS (
	         SELECT FROM filings q
	          WHERE q.organization_id = s.organization_id AND q.registration_id = s.registration_id
	            AND q.filing_category = 'REGULAR' AND r.deregistration_date BETWEEN q.start_date AND q.end_date)))`

// offers is the FROM and WHERE of the credits s that filings f may take off now. a has their amount, and tells whether it
// is a prepayment of the period.
var offers = `
	  FROM filings f
	  JOIN filings s ON s.organization_id = f.organization_id AND s.registration_id = f.registration_id
	   AND ` + WithCredit + ` AND s.currency = f.currency AND s.id <> f.id
	 CROSS JOIN LATERAL (
	   SELECT s.filing_category = 'PREPAYMENT' AND s.start_date >= f.start_date AND s.end_date <= f.end_date) i (inside)
	 CROSS JOIN LATERAL (
	   SELECT f.filing_category = 'REGULAR' AND i.inside AS prepaid,
	          CASE WHEN f.filing_category = 'REGULAR' AND i.inside THEN s.tax_remitted - s.credit_used - s.credit_claimed
	               /* guard: credit: a later period takes it off */ WHEN f.filing_category = 'REGULAR' AND s.end_date < f.start_date
	                AND NOT ` + Claimed("f") + ` THEN ` + CreditLeft + `
	               WHEN f.filing_category = 'AMENDMENT' AND (i.inside OR f.amends_filing_id IN (s.id, s.amends_filing_id))
	               THEN ` + CreditLeft + `
	               ELSE 0 END AS amount) a
	 WHERE a.amount > 0`

// creditOffered adds up what the filings $2 of an organization $1 could take off now.
var creditOffered = `
	SELECT f.id, coalesce(sum(a.amount) FILTER (WHERE a.prepaid), 0),
	       coalesce(sum(a.amount) FILTER (WHERE NOT a.prepaid), 0)` + offers + `
	   AND f.organization_id = $1 AND f.id = ANY ($2)
	 GROUP BY f.id`

// enteredAmounts is the part of the amount of a filing f that people enter.
const enteredAmounts = "f.amount_adjusted - f.amount_discounts + f.amount_fees + f.amount_penalties"

// AmountOf is the amount to pay of a filing f that has claimed its lines.
const AmountOf = "(f.total_tax_liability + " + enteredAmounts +
	" - f.amount_prepaid - f.amount_credit_applied + f.amount_credit_carried - f.amount_deferred)"

const (
	// freeCredit gives back what a return has taken off.
	freeCredit = "DELETE FROM filing_credits WHERE organization_id = $1 AND used_by = $2"
	// unsettle takes back the decisions that were made with a claim.
	unsettle = `
	UPDATE filings SET settled = false, amount_prepaid = 0, amount_credit_applied = 0, amount_credit_carried = 0,
	       amount_deferred = 0, amended_totals = NULL
	 WHERE organization_id = $1 AND id = $2`
)

// settle decides the offsets of a claimed return and takes its credit, the oldest first. models.Filing.Settle decides the
// same for a live one.
var settle = `
	WITH offers AS MATERIALIZED (
	  SELECT s.id, s.end_date, s.filed_at, a.prepaid, a.amount` + offers + `
	   AND f.organization_id = $1 AND f.id = $2),
	due AS MATERIALIZED (
	  SELECT f.total_tax_liability + ` + enteredAmounts + ` - coalesce((SELECT sum(amount) FROM offers WHERE prepaid), 0) AS rest,
	         f.filing_category IN ('REGULAR', 'AMENDMENT') AS leaves,
	         greatest(round(f.total_tax_liability * coalesce(f.prepaid_share, 1), 2) + ` + enteredAmounts + `, 0) AS now
	    FROM filings f WHERE f.organization_id = $1 AND f.id = $2),
	taken AS (
	  SELECT o.id, o.prepaid, CASE WHEN o.prepaid THEN o.amount
	         ELSE least(o.amount, d.rest - (sum(o.amount) OVER (PARTITION BY o.prepaid ORDER BY o.end_date, o.filed_at, o.id)
	                                        - o.amount)) END AS amount
	    FROM offers o CROSS JOIN due d),
	written AS (
	  INSERT INTO filing_credits (organization_id, used_by, credit_of, prepaid, amount)
	  SELECT $1, $2, id, prepaid, amount FROM taken WHERE amount > 0
	  RETURNING prepaid, amount)
	UPDATE filings
	   SET settled = true,
	       amount_prepaid = coalesce((SELECT sum(amount) FROM written WHERE prepaid), 0),
	       amount_credit_applied = coalesce((SELECT sum(amount) FROM written WHERE NOT prepaid), 0),
	       amount_credit_carried = CASE WHEN due.leaves THEN greatest(-due.rest, 0) ELSE 0 END,
	       amount_deferred = CASE WHEN due.leaves THEN 0 ELSE due.rest - due.now END
	  FROM due WHERE organization_id = $1 AND id = $2`

// queueSettle adds the statements that decide the offsets of a return with its claim, and again when the amounts change
// that people enter.
func (u *filingUpdate) queueSettle(batch *pgx.Batch) {
	claimed := u.next.Status == models.FilingFiling || u.next.Status == models.FilingFiled ||
		u.next.Status == models.FilingIssue && u.next.ClaimedAt != nil
	switch {
	case !claimed:
		return
	case u.stored.ClaimedAt == nil:
	case u.stored.Settled && u.stored.EnteredAmounts() != u.next.EnteredAmounts():
		batch.Queue(freeCredit, u.scope.OrganizationID, u.next.ID)
		batch.Queue(unsettle, u.scope.OrganizationID, u.next.ID)
	default:
		return
	}
	batch.Queue(settle, u.scope.OrganizationID, u.next.ID)
	batch.Queue(fixAmendedTotals, u.scope.OrganizationID, u.next.ID)
}
