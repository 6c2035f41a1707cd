package store

import (
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"levy/models"
)

// Who moves a filing, or writes one, first holds its registration: a lock that knows
// no row, so that nothing but filings and the last stage of processing ever asks for
// it. It is the first lock of all of them. A stage holds it too, shared and without
// waiting, from before it looks at filings until it commits: so the claim, a later
// statement, sees every transaction whose stage saw no claim.
const (
	filingLock  = `pg_advisory_xact_lock(10, hashtext(f.registration_id))`
	holdFiling  = `SELECT ` + filingLock + ` FROM filings f WHERE f.organization_id = $1 AND f.id = $2`
	longerLimit = `SET LOCAL statement_timeout = '10min'` // a claim reads and locks every transaction of a period
)

// claimFiling claims the members of a filing and adds them up, in one statement:
// amounts come from the very rows that are claimed. Transactions are locked in the
// order of their ids; one that was processed anew while the claim waited for its lock
// has another epoch and stays out. What another filing of the registration holds is
// passed over, so an amendment gets exactly what the regular return does not have.
//
// $3 is the state that members go to. It changes nothing unless the filing waits to
// be claimed.
func claimFiling(notHeld string) string {
	return `
	WITH f AS (
	  SELECT * FROM filings
	   WHERE organization_id = $1 AND id = $2 AND claimed_at IS NULL AND status IN ('UNFILED', 'ISSUE') FOR NO KEY UPDATE),
	candidates AS (
	  SELECT f.id AS filing_id, f.registration_id, f.claims_as, t.id, t.epoch, t.tax_date, t.marketplace,` + memberSums + `
	    FROM f` + membersOf + `
	   WHERE` + ofOneStopShop + notHeld + `
	   ORDER BY t.id FOR NO KEY UPDATE OF t),
	claimed AS (
	  INSERT INTO filing_transactions (organization_id, filing_id, transaction_id, registration_id, claims_as, epoch, tax_date, marketplace,
	         sales, taxable, tax, collected, liability)
	  SELECT $1, filing_id, id, registration_id, claims_as, epoch, tax_date, marketplace, sales, taxable, tax, collected, liability FROM candidates
	  ON CONFLICT DO NOTHING
	  RETURNING *),
	marked AS (
	  UPDATE transactions t SET processing_status = $3, filing_id = c.filing_id, updated_at = now()
	    FROM claimed c
	   WHERE t.organization_id = $1 AND t.id = c.transaction_id AND t.processing_status = 'PROCESSED')
	UPDATE filings SET status = 'FILING', claimed_at = now(), transaction_count = s.n, marketplace_transaction_count = s.m, amount_sales = s.sales,
	       total_taxable_sales = s.taxable, amount_calculated = s.tax, amount_tax_collected = s.collected, total_tax_liability = s.liability
	  FROM f, (SELECT count(*) FILTER (WHERE NOT marketplace) AS n, count(*) FILTER (WHERE marketplace) AS m,
	                  coalesce(sum(sales), 0) AS sales, coalesce(sum(taxable), 0) AS taxable, coalesce(sum(tax), 0) AS tax,
	                  coalesce(sum(collected), 0) AS collected, coalesce(sum(liability), 0) AS liability FROM claimed) s
	 WHERE filings.organization_id = f.organization_id AND filings.id = f.id`
}

// A regular return is the first to claim its period: that nobody holds a transaction
// already is not asked beforehand. Others look for the few that are left.
var (
	claimRegular = claimFiling("")
	claimOther   = claimFiling(" AND" + notClaimed)
)

// queueClaim adds the claim of a filing. Afterwards the filing is FILING.
func queueClaim(batch *pgx.Batch, f *models.Filing, members models.ProcessingStatus) {
	claim := claimOther
	if f.FilingCategory == "REGULAR" {
		claim = claimRegular
	}
	batch.Queue(longerLimit)
	batch.Queue(claim, f.OrganizationID, f.ID, string(members)).Exec(func(tag pgconn.CommandTag) error {
		if tag.RowsAffected() == 0 {
			return models.ErrChangedMeanwhile
		}
		return nil
	})
}

// withoutRate reports whether a claim met a sale in a currency for which no reference
// rate is loaded: it waits until there is one.
func withoutRate(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23502" && pg.TableName == "filing_transactions"
}

const (
	// settleMembers moves the members whose state follows this filing: those that it
	// claimed first.
	settleMembers = `
	WITH locked AS (
	  SELECT t.id FROM filing_transactions m
	    JOIN transactions t ON t.organization_id = m.organization_id AND t.id = m.transaction_id
	   WHERE m.organization_id = $1 AND m.filing_id = $2 AND t.filing_id = $2 AND t.processing_status = $3
	   ORDER BY t.id FOR NO KEY UPDATE OF t)
	UPDATE transactions t SET processing_status = $4, updated_at = now() FROM locked l WHERE t.organization_id = $1 AND t.id = l.id`

	// A filing gives its members back in two statements: the second sees what others
	// released while the first waited for the locks. A transaction that another filing
	// holds follows that one from now on.
	lockMembers = `
	SELECT count(*) FROM (
	  SELECT t.id FROM filing_transactions m
	    JOIN transactions t ON t.organization_id = m.organization_id AND t.id = m.transaction_id
	   WHERE m.organization_id = $1 AND m.filing_id = $2 ORDER BY t.id FOR NO KEY UPDATE OF t) l`
	releaseMembers = `
	WITH released AS (
	  DELETE FROM filing_transactions m USING filings f
	   WHERE m.organization_id = $1 AND m.filing_id = $2 AND f.organization_id = $1 AND f.id = $2
	  RETURNING m.transaction_id, f.claimed_at),
	noted AS (
	  INSERT INTO filing_releases (organization_id, transaction_id, filing_id, claimed_at, released_at)
	  SELECT $1, transaction_id, $2, claimed_at, now() FROM released),
	followed AS (
	  SELECT r.transaction_id, o.filing_id, o.status
	    FROM released r
	    LEFT JOIN LATERAL (
	      SELECT m.filing_id, g.status FROM filing_transactions m
	        JOIN filings g ON g.organization_id = m.organization_id AND g.id = m.filing_id
	       WHERE m.organization_id = $1 AND m.transaction_id = r.transaction_id AND m.filing_id <> $2
	       ORDER BY g.claimed_at, g.id LIMIT 1) o ON true),
	moved AS (
	  UPDATE transactions t
	     SET filing_id = o.filing_id, updated_at = now(),
	         processing_status = CASE WHEN o.filing_id IS NULL THEN 'PROCESSED' WHEN o.status = 'FILED' THEN 'FILING_DONE' ELSE t.processing_status END
	    FROM followed o
	   WHERE t.organization_id = $1 AND t.id = o.transaction_id AND t.filing_id = $2 AND t.processing_status = 'FILING_STARTED')
	UPDATE filings SET status = $3, claimed_at = NULL WHERE organization_id = $1 AND id = $2 AND status = 'ISSUE'`

	// freezeSums keeps what a filing adds up to at the moment it ends without members.
	freezeSums = `
	UPDATE filings SET transaction_count = s.n, marketplace_transaction_count = s.m, amount_sales = s.sales, total_taxable_sales = s.taxable,
	       amount_calculated = s.tax, amount_tax_collected = s.collected, total_tax_liability = s.liability
	  FROM (` + liveSums + `) s (id, n, m, sales, taxable, tax, collected, liability)
	 WHERE filings.organization_id = $1 AND filings.id = s.id`
)
