package filings

import (
	"errors"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/rules"
	"levy/store/nexus"
)

// obligationsOf returns the statement that reads the obligations that decide the liability of a filing's transactions.
// It also tells whether one of them is undecided. It is undecided if its data changed since the evaluation
// (nexus.MarkChanged). It also is if it changed and not all transactions of its days are queued again
// (ApplyObligation). A state of the United States has one obligation. Elsewhere several authorities (in Canada,
// of the Union and the one-stop shop) share a transaction, which is queued again for all of them.
func obligationsOf(table string) string {
	return `
	SELECT coalesce(bool_or(` + undecided + `), false),
	       coalesce(string_agg(ROW(x.id, x.obliged_from, x.obliged_until, x.obliged_gaps)::text, ';' ORDER BY x.id), '')
	  FROM ` + table + ` f` + recordsOf + `
	 WHERE f.organization_id = $1 AND f.id = $2`
}

const (
	undecided = "x.enabled AND coalesce(x.evaluated, 0) = 0 OR " + nexus.ObligationChanged
	recordsOf = `
	  JOIN nexus_records x ON x.organization_id = f.organization_id
	   AND CASE WHEN f.country_code = '` + models.UnitedStates + `'
	            THEN x.country_code = f.country_code AND x.state_code = f.state_code
	            WHEN f.country_code = ANY ($3) THEN x.country_code = ANY ($3)
	            ELSE x.country_code = f.country_code END`
	// undecidedOf selects the filings with an undecided obligation.
	undecidedOf = `
	SELECT DISTINCT f.id FROM filings f` + recordsOf + `
	 WHERE f.organization_id = $1 AND f.id = ANY ($2) AND (` + undecided + `)`
)

// The statements for a filing, and for one that is about to be created for a registration.
var (
	obligationsOfFiling       = obligationsOf("filings")
	obligationsOfRegistration = obligationsOf("registrations")
)

// evaluateAgain makes the nexus evaluation of an organization due whose return was refused for an undecided obligation.
// If Temporal has lost the workflow that queues its transactions, the evaluation starts it again.
const evaluateAgain = `
	UPDATE nexus_changes SET pending = true, due_at = now()
	 WHERE organization_id = $1 AND country_code = '' AND state_code = '' AND NOT pending`

// obligations are the obligations of a filing at one moment.
type obligations struct {
	rules.FilingObligations

	processing int // the transactions in processing, of a filing that waits for an obligation
}

// queueObligations adds one of the two statements that read obligations. Transactions are queued again before an
// obligation becomes decided. So a caller that reads decided obligations and counts the pending transactions in a later
// statement misses none.
func queueObligations(batch *pgx.Batch, sql string, scope models.Scope, id string, o *obligations) {
	batch.Queue(sql, scope.OrganizationID, id, UnionReturns()).
		QueryRow(func(row pgx.Row) error { return row.Scan(&o.Undecided, &o.Version) })
}

// postpone makes a filing wait while one of its obligations is undecided. The transactions concerned are unknown so
// far, so it counts at least one as pending.
func (o *obligations) postpone(f *models.Filing) {
	// guard: claim: waits until its obligation is decided
	if o.Undecided {
		o.processing, f.Pending = f.Pending, max(1, f.Pending)
	}
}

// explain adds to a refusal that the filing waits for an undecided obligation, and the number of other pending
// transactions.
func (o obligations) explain(refusal error) error {
	var unready *models.FilingNotReadyError
	if o.Undecided && errors.As(refusal, &unready) {
		unready.WaitsForObligation, unready.Pending = true, o.processing
	}
	return refusal
}
