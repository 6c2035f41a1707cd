package filings

import (
	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
)

// lockRegistrationOf takes the lock of the registration of a filing: every change of a filing does so before any row lock. A
// stage has it too, shared and without waiting, from before it reads filings until it commits: so the claim, a later
// statement, sees every transaction whose stage saw no claim.
//
// guard: claim: holds its registration against stages
var lockRegistrationOf = "SELECT " + pg.LockRegistration.Wait("f.registration_id") +
	" FROM filings f WHERE f.organization_id = $1 AND f.id = $2"

// awaitStages waits for the stages of the organization that are under way, and lets
// those that come later pass: what it holds ends with its savepoint. A stage may have
// read registrations before that of the filing was made.
func awaitStages(batch *pgx.Batch, organizationID string) {
	batch.Queue("SAVEPOINT stages")
	batch.Queue("SELECT "+pg.LockStages.Wait("$1"), organizationID)
	batch.Queue("ROLLBACK TO SAVEPOINT stages")
}

// longWork is for statements that count, add up or lock every transaction of a period:
// they get time, also to wait for locks of others, and memory to sort them in.
const longWork = `SELECT set_config('statement_timeout', '10min', true), set_config('lock_timeout', '10min', true),
	set_config('work_mem', '64MB', true)`

// A claim is three statements of one database transaction that holds the registration
// and the filing.
const (
	// claimRates fixes the rates at which the claim takes sales in other currencies.
	claimRates = `
	INSERT INTO filing_rates (organization_id, filing_id, currency, rate)
	SELECT f.organization_id, f.id, x.currency, ` + returnRate + `
	  FROM filings f` + returnLinesOf + `
	 WHERE f.organization_id = $1 AND f.id = $2 AND f.country_code = '` + models.EuropeanUnion + `' AND x.currency <> f.currency
	   AND ` + returnRate + ` > 0
	 GROUP BY 1, 2, 3, f.end_date, f.filing_frequency`

	// sumReturnLines takes the filing to FILING with the sums of its lines, unless it
	// does not wait to be claimed.
	sumReturnLines = `
	UPDATE filings SET status = 'FILING', claimed_at = now(), transaction_count = s.n,
	       marketplace_transaction_count = s.m, amount_sales = s.sales,
	       total_taxable_sales = s.taxable, amount_calculated = s.tax, amount_tax_collected = s.collected,
	       total_tax_liability = s.liability
	  FROM (SELECT count(*) FILTER (WHERE NOT marketplace) AS n, count(*) FILTER (WHERE marketplace) AS m,
	               coalesce(sum(sales), 0) AS sales, coalesce(sum(taxable), 0) AS taxable, coalesce(sum(tax), 0) AS tax,
	               coalesce(sum(collected), 0) AS collected, coalesce(sum(liability), 0) AS liability
	          FROM filing_transactions WHERE organization_id = $1 AND filing_id = $2) s
	 WHERE organization_id = $1 AND id = $2
	   /* guard: claim: its sums are written once */ AND claimed_at IS NULL AND status IN ('UNFILED', 'ISSUE')`

	// moveReturnLines takes the return lines from one state to another: those whose state
	// follows this filing, because it claimed them first.
	moveReturnLines = `SELECT move_members($1, $2, $3, $4)`
)

// claimReturnLines claims the lines of a return, in one statement: amounts come from the
// very versions that are locked. Transactions are locked in the order of their ids;
// one that was processed anew while the claim waited for its lock has another epoch
// and stays out. What another filing of the registration holds is passed over, so an
// amendment gets exactly what the regular return does not have.
func claimReturnLines(unclaimed string) string {
	return `
	INSERT INTO filing_transactions (organization_id, filing_id, transaction_id, registration_id, claims_as, epoch,
	       tax_date, marketplace,
	       sales, taxable, tax, collected, liability)
	SELECT f.organization_id, f.id, c.id, f.registration_id, f.claims_as, c.epoch, c.tax_date, c.marketplace, c.sales,
	       c.taxable, c.tax, c.collected, c.liability
	  FROM (
	    SELECT t.id, t.epoch, t.tax_date, t.marketplace,` +
		lineSumsAt("(SELECT r.rate FROM filing_rates r WHERE r.organization_id = $1 AND r.filing_id = $2 "+
			"AND r.currency = x.currency)") + `
	      FROM filings f` + returnLinesOf + `
	     WHERE f.organization_id = $1 AND f.id = $2
	       /* guard: claim: a filing that is claimed claims nothing more */ AND f.claimed_at IS NULL AND f.status IN ('UNFILED', 'ISSUE')
	       AND` + ofOneStopShop + unclaimed + `
	     ORDER BY t.id FOR NO KEY UPDATE OF t) c
	  JOIN filings f ON f.organization_id = $1 AND f.id = $2
	ON CONFLICT DO NOTHING`
}

// A regular return is the first to claim its period: that nobody holds a transaction
// already is not asked beforehand. Others search for the few that are left.
var (
	claimRegular = claimReturnLines("")
	claimOther   = claimReturnLines(" AND" + notClaimed)
)

// queueClaim adds the claim of a filing, whose lines go to a state. Afterwards the
// filing is FILING.
func queueClaim(batch *pgx.Batch, f *models.Filing, lines models.ProcessingStatus) {
	claim := claimOther
	if f.FilingCategory == calendar.FilingRegular {
		claim = claimRegular
	}
	batch.Queue(claimRates, f.OrganizationID, f.ID)
	batch.Queue(claim, f.OrganizationID, f.ID)
	batch.Queue(sumReturnLines, f.OrganizationID, f.ID).Exec(changedOne)
	batch.Queue(moveReturnLines, f.OrganizationID, f.ID, string(models.ProcessingProcessed), string(lines))
}

// lacksRate reports whether a claim met a sale in a currency for which no reference
// rate is loaded: it waits until there is one.
func lacksRate(err error) bool {
	return pg.ValueMissing(err, "filing_transactions")
}
