package filings

import (
	"errors"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/rules"
	"levy/store/nexus"
)

// obligationsOf reads the obligations by which the liability of what a filing claims is
// decided, and whether one of them is about to be decided anew: somebody changed what it
// depends on and the evaluation has not seen that (nexus.Changed), or it changed and the
// transactions of its days have not all been queued again (ApplyObligation). A state of
// the United States has one of its own. Elsewhere a transaction is returned to several
// authorities (those of Canada, the members of the Union and the one-stop shop), and
// queued again for all of them.
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
	// undecidedOf lists those of filings of which an obligation is undecided.
	undecidedOf = `
	SELECT DISTINCT f.id FROM filings f` + recordsOf + `
	 WHERE f.organization_id = $1 AND f.id = ANY ($2) AND (` + undecided + `)`
)

// Of a filing, and of one that is about to be written for a registration.
var (
	obligationsOfFiling       = obligationsOf("filings")
	obligationsOfRegistration = obligationsOf("registrations")
)

// evaluateAgain has the nexus of an organization evaluated whose return was refused for an
// undecided obligation: when Temporal has lost the workflow by which its transactions
// follow, the evaluation starts it once more.
const evaluateAgain = `
	UPDATE nexus_changes SET pending = true, due_at = now()
	 WHERE organization_id = $1 AND country_code = '' AND state_code = '' AND NOT pending`

// obligations are those of a filing at one moment.
type obligations struct {
	rules.FilingObligations

	processing int // transactions in processing, of a filing that is held up
}

// queueObligations reads obligations by one of the two statements. What they queue again
// is committed before they are decided: whoever reads decided obligations and then, by a
// later statement, counts what is pending, misses nothing.
func queueObligations(batch *pgx.Batch, sql string, scope models.Scope, id string, o *obligations) {
	batch.Queue(sql, scope.OrganizationID, id, UnionReturns()).
		QueryRow(func(row pgx.Row) error { return row.Scan(&o.Undecided, &o.Version) })
}

// postpone makes a filing wait while an obligation of it is undecided. Nobody knows yet which
// of its transactions that concerns: one is enough.
func (o *obligations) postpone(f *models.Filing) {
	// guard: claim: waits until its obligation is decided
	if o.Undecided {
		o.processing, f.Pending = f.Pending, max(1, f.Pending)
	}
}

// explain says of a refusal that the filing waits for the undecided obligation, and for how many transactions besides.
func (o obligations) explain(refusal error) error {
	var unready *models.FilingNotReadyError
	if o.Undecided && errors.As(refusal, &unready) {
		unready.WaitsForObligation, unready.Pending = true, o.processing
	}
	return refusal
}
