package filings

import (
	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
)

// lockRegistrationOf takes the lock of the registration of a filing. Every change of a filing does so before any row
// lock. A stage tries the same lock, shared, before it reads filings, and keeps it until it commits. So the claim,
// a later statement, sees every transaction whose stage did not see the claim.
//
// guard: claim: holds its registration against stages
var lockRegistrationOf = "SELECT " + pg.LockRegistration.Wait("f.registration_id") +
	" FROM filings f WHERE f.organization_id = $1 AND f.id = $2"

// awaitStages adds statements that wait for the running stages of the organization. Later stages do not wait,
// because the lock ends with the savepoint. A running stage may have read the registrations before that of the filing
// was created.
func awaitStages(batch *pgx.Batch, organizationID string) {
	batch.Queue("SAVEPOINT stages")
	batch.Queue("SELECT "+pg.LockStages.Wait("$1"), organizationID)
	batch.Queue("ROLLBACK TO SAVEPOINT stages")
}

// LongWork gives statements that count, sum up or lock every transaction of a period more time, also to wait for locks,
// and more memory.
const LongWork = `SELECT set_config('statement_timeout', '10min', true), set_config('lock_timeout', '10min', true),
	set_config('work_mem', '64MB', true)`

// A claim is three statements of one database transaction that has locked the registration and the filing.
const (
	// claimRates fixes the rates by which the claim converts sales in other currencies.
	claimRates = `
	INSERT INTO filing_rates (organization_id, filing_id, currency, rate)
	SELECT f.organization_id, f.id, x.currency, ` + returnRate + `
	  FROM filings f` + returnLinesOf + `
	 WHERE f.organization_id = $1 AND f.id = $2 AND f.country_code = '` + models.EuropeanUnion + `' AND x.currency <> f.currency
	   AND ` + returnRate + ` > 0
	 GROUP BY 1, 2, 3, f.end_date, f.filing_frequency`

	// sumReturnLines sets the filing to FILING with the sums of its lines, unless it does not wait for its claim.
	sumReturnLines = `
	UPDATE filings SET status = 'FILING', claimed_at = now(), transaction_count = s.n,
	       marketplace_transaction_count = s.m, amount_sales = s.sales,
	       total_taxable_sales = s.taxable, amount_calculated = s.tax, amount_tax_collected = s.collected,
	       total_tax_liability = s.liability,` + setMarkSums + `
	  FROM (SELECT count(*) FILTER (WHERE NOT marketplace) AS n, count(*) FILTER (WHERE marketplace) AS m,
	               coalesce(sum(sales), 0) AS sales, coalesce(sum(taxable), 0) AS taxable, coalesce(sum(tax), 0) AS tax,
	               coalesce(sum(collected), 0) AS collected, coalesce(sum(liability), 0) AS liability,` + markSums + `
	          FROM filing_transactions c WHERE organization_id = $1 AND filing_id = $2) s
	 WHERE organization_id = $1 AND id = $2
	   /* guard: claim: its sums are written once */ AND claimed_at IS NULL AND status IN ('UNFILED', 'ISSUE')`

	// moveReturnLines moves the return lines from one status to another. It moves only lines that this filing claimed
	// first, because their status follows it.
	moveReturnLines = `SELECT move_members($1, $2, $3, $4)`
)

// claimReturnLines returns the statement that claims the lines of a return, so that the amounts come from the locked
// versions. It locks transactions in id order. A transaction that was processed again while the claim waited for its
// lock has another epoch and is left out. Lines of other filings of the registration are skipped, so an amendment gets
// exactly the lines that the regular return lacks.
func claimReturnLines(unclaimed string) string {
	return `
	INSERT INTO filing_transactions (organization_id, filing_id, transaction_id, registration_id, claims_as, epoch,
	       tax_date, marketplace,
	       sales, taxable, tax, collected, liability, over_collected, under_collected, no_obligation, uncertain,
	       form_tax, beyond_rounding)
	SELECT f.organization_id, f.id, c.id, f.registration_id, f.claims_as, c.epoch, c.tax_date, c.marketplace, c.sales,
	       c.taxable, c.tax, c.collected, c.liability, c.over_collected, c.under_collected, c.no_obligation, c.uncertain,
	       c.form_tax, c.beyond_rounding
	  FROM (
	    SELECT t.id, t.epoch, t.tax_date, t.marketplace,` + lineMarks + "," +
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

// sumPrepayment sets a prepayment to FILING with the sums of its days. It claims and locks no transaction: the return of
// its period does.
var sumPrepayment = `
	UPDATE filings SET status = 'FILING', claimed_at = now(), transaction_count = coalesce(s.n, 0),
	       marketplace_transaction_count = coalesce(s.m, 0), amount_sales = coalesce(s.sales, 0),
	       total_taxable_sales = coalesce(s.taxable, 0), amount_calculated = coalesce(s.tax, 0),
	       amount_tax_collected = coalesce(s.collected, 0), total_tax_liability = coalesce(s.liability, 0),` + setMarkSums + `
	  FROM (SELECT) one LEFT JOIN (` + liveSumsOf("ARRAY[$2]") + `) s (id, n, m, sales, taxable, tax, collected, liability) ON true
	 WHERE organization_id = $1 AND filings.id = $2 AND claimed_at IS NULL AND status IN ('UNFILED', 'ISSUE')`

// A regular return is the first to claim its period, so its statement does not check for other claims.
// Other returns search for the few lines that are left.
var (
	claimRegular = claimReturnLines("")
	claimOther   = claimReturnLines(" AND" + notClaimed)
)

// queueClaim adds the claim of a filing, which sets its lines to a status and the filing to FILING.
func queueClaim(batch *pgx.Batch, f *models.Filing, lines models.ProcessingStatus) {
	if f.FilingCategory == calendar.FilingPrepayment {
		batch.Queue(sumPrepayment, f.OrganizationID, f.ID).Exec(changedOne)
		for _, sql := range freezePrepayment {
			batch.Queue(sql, f.OrganizationID, f.ID)
		}
		return
	}
	claim := claimOther
	if f.FilingCategory == calendar.FilingRegular {
		claim = claimRegular
	}
	batch.Queue(claimRates, f.OrganizationID, f.ID)
	batch.Queue(claim, f.OrganizationID, f.ID)
	batch.Queue(sumReturnLines, f.OrganizationID, f.ID).Exec(changedOne)
	batch.Queue(moveReturnLines, f.OrganizationID, f.ID, string(models.ProcessingProcessed), string(lines))
}

// lacksRate reports whether a claim found a sale in a currency without a reference rate. The claim waits until the rate
// is loaded.
func lacksRate(err error) bool {
	return pg.ValueMissing(err, "filing_transactions")
}
