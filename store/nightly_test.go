package store_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/internal/secret"
	"levy/models"
	"levy/store/audit"
	"levy/store/storetest"
)

// nights are the nightly checks of an organization with processed sales, a refund less, and a filed return.
type nights struct {
	*storetest.FilingBundle
	t                 *testing.T
	sealer            audit.Sealer
	sales             []models.Ref
	january, february models.Filing
}

func setupNights(t *testing.T) *nights {
	t.Helper()
	ring, err := secret.ParseRing(secret.NewMasterKey("k1"))
	require.NoError(t, err)
	n := &nights{FilingBundle: storetest.SetupFilings(t), t: t, sealer: secret.NewSealer(ring)}
	for _, day := range []string{"2026-01-10", "2026-01-20", "2026-02-10", "2026-02-20"} {
		n.sales = append(n.sales, n.Sale(t, day, "100.00"))
	}
	n.Process(t, n.sales...)
	n.january = n.January(t, models.FilingUnfiled)
	_, err = n.Approve(n.january.ID)
	require.NoError(t, err)
	_, err = n.Transition(n.january.ID, models.FilingFiled)
	require.NoError(t, err)
	require.NoError(t, n.Store.Filings.LockFiling(t.Context(), n.Scope, n.january.ID))
	n.february = n.Create(t, storetest.FilingOf(n.Registration, models.FilingUnfiled, "2026-02-01", "2026-02-28"))
	for n.Count(t, "SELECT count(*) FROM transaction_count_changes") > 0 {
		_, err = n.Store.Transactions.RollUpCounts(t.Context())
		require.NoError(t, err)
	}
	require.NoError(t, n.Store.Work.CountFigures(t.Context()))
	require.NoError(t, n.Store.Audit.SealAll(t.Context(), n.sealer))
	// The stages of these tests write less than those of Levy.
	n.asOwner(`INSERT INTO transaction_explanations (organization_id, transaction_id, epoch, body)
		SELECT organization_id, id, epoch, '{}' FROM transactions`,
		`UPDATE transactions t SET taxable_amount = s.taxable, total_tax_amount_calculated = s.tax FROM (
		  SELECT transaction_id, sum(taxable_amount) AS taxable, sum(tax_amount_calculated) AS tax FROM transaction_items GROUP BY 1) s
		  WHERE s.transaction_id = t.id`,
		"UPDATE filings SET report_hash = NULL")
	return n
}

// night checks what changed and as much of a full pass as fits into a night. Small organizations are checked in full.
func (n *nights) night() {
	n.t.Helper()
	work := activities.NewNexus(n.Store.Evaluation(), n.Store.Records(n.sealer), nil, 80, func(string) {},
		slog.New(slog.DiscardHandler))
	env := (&testsuite.WorkflowTestSuite{}).NewTestActivityEnvironment()
	env.RegisterActivity(work)
	for at := (activities.RecountNexusResult{}); !at.Done; {
		value, err := env.ExecuteActivity(work.RecountNexus, at.Next)
		require.NoError(n.t, err)
		at = activities.RecountNexusResult{}
		require.NoError(n.t, value.Get(&at))
	}
}

// changes checks only what changed since the last time.
func (n *nights) changes() {
	n.t.Helper()
	at, err := n.Store.Nexus.RecountProgress(n.t.Context(), n.Scope.OrganizationID)
	require.NoError(n.t, err)
	decide := func(x models.Transaction) (o models.NexusOutcome, err error) {
		o.Ref = models.Ref{OrganizationID: x.OrganizationID, ID: x.ID, Epoch: x.Epoch}
		return o, nil
	}
	observer := activities.RecountObserver{
		Counted: func(int) {}, Differences: func([]models.NexusDifference) {}, Violations: func([]models.RecordViolation) {},
	}
	at, err = activities.CountChanges(n.t.Context(), n.Store.Evaluation(), n.Store.Records(n.sealer), at, decide, observer)
	require.NoError(n.t, err)
	require.NoError(n.t, n.Store.Nexus.SaveRecountProgress(n.t.Context(), at))
}

// found returns the open violations: the number of their rule and their record.
func (n *nights) found() []string {
	n.t.Helper()
	rows, err := n.SQL.Query(n.t.Context(), "SELECT kind || ': ' || rule || ': ' || record FROM record_violations ORDER BY 1")
	require.NoError(n.t, err)
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(n.t, err)
	return all
}

// asOwner changes rows as the owner of the tables can: without triggers, and so without an event and a row of the trail.
func (n *nights) asOwner(statements ...string) {
	n.t.Helper()
	conn, err := pgx.Connect(n.t.Context(), n.URL)
	require.NoError(n.t, err)
	defer conn.Close(context.WithoutCancel(n.t.Context()))
	for _, sql := range append([]string{"SET session_replication_role = replica"}, statements...) {
		_, err = conn.Exec(n.t.Context(), sql)
		require.NoError(n.t, err, sql)
	}
}

func TestNightsOfCorrectRecordsFindNothing(t *testing.T) {
	t.Parallel()
	n := setupNights(t)
	n.night()
	require.Empty(t, n.found())
}

// fault is what the owner of the tables does to a record, and what undoes it. The record is in what is found.
type fault struct{ harm, mend, found string }

// faults are about each kind of records and each stage of a pass. kept is a table of the test.
func (n *nights) faults() map[string]fault {
	sale, organization := n.sales[0].ID, n.Scope.OrganizationID
	return map[string]fault{
		"an explanation of a sale is gone": {
			`CREATE TABLE kept AS SELECT * FROM transaction_explanations WHERE transaction_id = '` + sale + `';
			 DELETE FROM transaction_explanations WHERE transaction_id = '` + sale + `'`,
			`INSERT INTO transaction_explanations SELECT * FROM kept; DROP TABLE kept`,
			"TRANSACTIONS: I-4 what is processed has one explanation, of its epoch: " + sale,
		},
		"a line of a return is of another registration": {
			`UPDATE filing_transactions SET registration_id = 'reg_other' WHERE transaction_id = '` + sale + `'`,
			`UPDATE filing_transactions SET registration_id = '` + n.Registration.ID + `' WHERE transaction_id = '` + sale + `'`,
			"TRANSACTIONS: I-6 return lines are of the period and the registration, and unchanged since they were claimed: " +
				sale + " " + n.january.ID,
		},
		"a return takes off what it does not have": {
			`UPDATE filings SET amount_prepaid = 5 WHERE id = '` + n.january.ID + `'`,
			`UPDATE filings SET amount_prepaid = 0 WHERE id = '` + n.january.ID + `'`,
			"RETURNS: I-6 what a return has taken off is what it says: " + n.january.ID + " FILED",
		},
		"a step of the onboarding is gone": {
			`CREATE TABLE kept AS SELECT * FROM onboarding_steps WHERE organization_id = '` + organization + `' AND number = 1;
			 DELETE FROM onboarding_steps WHERE organization_id = '` + organization + `' AND number = 1`,
			`INSERT INTO onboarding_steps SELECT * FROM kept; DROP TABLE kept`,
			"ORGANIZATION: I-13 steps are done in their order, without gaps: " + organization,
		},
		"a live return is kept with another amount": {
			`UPDATE filing_amounts SET amount = amount + 1; UPDATE organization_exceptions SET amount = amount + 1`,
			`UPDATE filing_amounts SET amount = amount - 1; UPDATE organization_exceptions SET amount = amount - 1`,
			"FIGURES: the kept figures of the first page are the sums of their records: " + n.february.ID,
		},
		"exceptions are kept with another number": {
			`UPDATE organization_exceptions SET n = n + 1`, `UPDATE organization_exceptions SET n = n - 1`,
			"FIGURES: the kept figures of the first page are the sums of their records: FILING_TO_APPROVE UNFILED USD",
		},
		"a month is kept with another figure": {
			`INSERT INTO organization_figures VALUES ('` + organization + `', 'FILED', '2020-01-01', 'USD', 7, 1)`,
			`DELETE FROM organization_figures WHERE month = '2020-01-01'`,
			"FIGURES: the kept figures of the first page are the sums of their records: FILED 2020-01-01 USD",
		},
	}
}

// The owner of the tables changes an old record, which no event tells about. The full pass finds it, and a pass that finds
// it right forgets it.
func TestAFaultInAnOldRecordIsFoundByTheFullPass(t *testing.T) {
	t.Parallel()
	n := setupNights(t)
	n.night()
	require.Empty(t, n.found())
	for name, c := range n.faults() {
		n.asOwner(c.harm)
		n.changes()
		n.night()
		require.Equal(t, []string{c.found}, n.found(), name)
		n.asOwner(c.mend)
		n.night()
		require.Empty(t, n.found(), name)
	}
}

// A row of the audit trail that was changed or written past the triggers is found. An old one is found by the full pass,
// and one that was sealed since by tonight.
func TestAFaultOfTheAuditTrailIsFoundByTheNight(t *testing.T) {
	t.Parallel()
	n := setupNights(t)
	row := func(id string) string {
		return "INSERT INTO audit (organization_id, id, action, entity_type, entity_id) VALUES ('" +
			n.Scope.OrganizationID + "', '" + id + "', 'create', 'product', 'p')"
	}
	storetest.Execute(t, n.URL, row("audt_01old"))
	require.NoError(t, n.Store.Audit.SealAll(t.Context(), n.sealer))
	n.night()
	require.Empty(t, n.found())
	for name, c := range map[string]struct{ before, harm, mend, found string }{
		"an old row was changed": {
			harm: "UPDATE audit SET staff = 'bob' WHERE id = 'audt_01old'", mend: "UPDATE audit SET staff = NULL WHERE id = 'audt_01old'",
			found: "row audt_01old of seal",
		},
		"an old row was added": {
			harm: row("audt_01added"), mend: "DELETE FROM audit WHERE id = 'audt_01added'",
			found: "row audt_01added was added past the guards",
		},
		"a new row was changed": {
			before: row("audt_01new"), harm: "UPDATE audit SET staff = 'bob' WHERE id = 'audt_01new'",
			mend: "UPDATE audit SET staff = NULL WHERE id = 'audt_01new'", found: "row audt_01new of seal",
		},
		"a new row was added": {
			harm: row("audt_zzadded"), mend: "DELETE FROM audit WHERE id = 'audt_zzadded'",
			found: "row audt_zzadded was added past the guards",
		},
		"the chain was cut off": {
			harm: "CREATE TABLE kept AS SELECT * FROM audit_seals ORDER BY number DESC LIMIT 1;" +
				"DELETE FROM audit_seals WHERE number = (SELECT number FROM kept)",
			mend: "INSERT INTO audit_seals SELECT * FROM kept; DROP TABLE kept", found: "which was verified, is missing",
		},
	} {
		old := c.before == "" && c.found != "row audt_zzadded was added past the guards" && c.found != "which was verified, is missing"
		if c.before != "" {
			storetest.Execute(t, n.URL, c.before)
			require.NoError(t, n.Store.Audit.SealAll(t.Context(), n.sealer))
		}
		n.asOwner(c.harm)
		n.changes()
		if old {
			require.Empty(t, n.found(), name)
			n.night()
		}
		require.Len(t, n.found(), 1, name)
		require.Contains(t, n.found()[0], c.found, name)
		n.asOwner(c.mend)
		n.night() // the pass that is under way may have found it again
		n.night()
		require.Empty(t, n.found(), name)
	}
}

// A record that changed today is checked tonight, with its original and its refunds, without any part of a full pass.
func TestAFaultInAChangedRecordIsFoundTonight(t *testing.T) {
	t.Parallel()
	n := setupNights(t)
	n.changes()
	require.Empty(t, n.found())
	changed := map[string]string{
		"an explanation of a sale is gone":              n.sales[0].ID,
		"a line of a return is of another registration": n.sales[0].ID,
		"a return takes off what it does not have":      n.january.ID,
		"a step of the onboarding is gone":              "",
	}
	for name, id := range changed {
		c := n.faults()[name]
		n.asOwner(c.harm)
		if id != "" {
			n.changes()
			require.Empty(t, n.found(), "%s: nothing tells about it", name)
			typed := "transaction.updated"
			if id == n.january.ID {
				typed = "filing.updated"
			}
			storetest.Execute(t, n.URL, `INSERT INTO events (organization_id, type, object_id, record) VALUES ($1, $2, $3, '{}')`,
				n.Scope.OrganizationID, typed, id)
		}
		n.changes()
		require.Equal(t, []string{c.found}, n.found(), name)
		n.asOwner(c.mend)
		n.changes()
		require.Empty(t, n.found(), "%s: it is checked again the next night", name)
	}

	// A change of a refund can make its sale wrong, and the other way round.
	c := n.faults()["an explanation of a sale is gone"]
	for _, pair := range [][2]string{{n.sales[3].ID, n.sales[0].ID}, {n.sales[0].ID, n.sales[3].ID}} {
		n.asOwner("UPDATE transactions SET related_to = NULL", `UPDATE transactions SET related_to = '`+pair[0]+`'
			WHERE id = '`+pair[1]+`'`, c.harm)
		storetest.Execute(t, n.URL, `INSERT INTO events (organization_id, type, object_id, record)
			VALUES ($1, 'transaction.updated', $2, '{}')`, n.Scope.OrganizationID, n.sales[3].ID)
		n.changes()
		require.Contains(t, n.found(), c.found)
		n.asOwner(c.mend)
		n.changes()
		require.NotContains(t, n.found(), c.found)
	}
}

// The kept figures of a large organization are added up without the time limit of statements.
func TestKeptFiguresAreComparedWithoutATimeLimit(t *testing.T) {
	t.Parallel()
	n := setupNights(t)
	n.asOwner(`CREATE FUNCTION unlimited() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
		IF current_setting('statement_timeout') <> '0' THEN RAISE 'the statement is limited'; END IF; RETURN true; END $$`)
	amount, month := n.faults()["a live return is kept with another amount"], n.faults()["a month is kept with another figure"]
	n.asOwner(amount.harm, month.harm)
	for _, table := range []string{"filing_amounts", "organization_figures"} {
		n.asOwner("ALTER TABLE "+table+" RENAME TO kept_"+table,
			"CREATE VIEW "+table+" AS SELECT * FROM kept_"+table+" WHERE unlimited()", "GRANT SELECT ON "+table+" TO PUBLIC")
	}
	n.night()
	require.ElementsMatch(t, []string{amount.found, month.found}, n.found())
}

// Nights do not visit an archived organization, so what they found there alarms no more.
func TestViolationsOfArchivedOrganizationsDoNotAlarm(t *testing.T) {
	t.Parallel()
	n := setupNights(t)
	n.asOwner(n.faults()["an explanation of a sale is gone"].harm)
	n.night()
	for open, status := range []string{"ARCHIVED", "ACTIVE"} {
		n.asOwner("UPDATE organizations SET status = '" + status + "' WHERE id = '" + n.Scope.OrganizationID + "'")
		found, err := n.Store.Integrity.Violations(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, open, found.Open)
		require.Len(t, found.Examples, open)
	}
}

// A night writes nothing but its progress where nothing differs, and waits for no lock of a row.
func TestANightLocksNoRowsAndWritesNothing(t *testing.T) {
	t.Parallel()
	n := setupNights(t)
	n.night()
	tables := []string{
		"transactions", "transaction_items", "transaction_totals", "filings", "filing_transactions", "audit_seals", "nexus_counters",
	}
	// The number of rows of each table and the versions of all of them.
	versions := func() (all []string) {
		for _, table := range append([]string{
			"audit", "events", "filing_amounts", "nexus_contributions", "nexus_records", "nexus_repairs", "nexus_taxes", "onboardings",
			"organization_figures", "organizations", "outbox", "record_violations", "transaction_explanations", "transaction_stages",
		}, tables...) {
			var is string
			require.NoError(t, n.SQL.QueryRow(t.Context(), `SELECT count(*) || ' ' ||
				coalesce(string_agg(ctid::text || ' ' || xmin::text, ',' ORDER BY ctid), '') FROM `+table).Scan(&is))
			all = append(all, table+" "+is)
		}
		return all
	}
	before := versions()
	locked, err := n.SQL.Begin(t.Context())
	require.NoError(t, err)
	for _, table := range tables {
		_, err := locked.Exec(t.Context(), "SELECT FROM "+table+" FOR UPDATE")
		require.NoError(t, err)
	}
	n.night()
	require.NoError(t, locked.Rollback(t.Context()))
	require.Empty(t, n.found())
	require.Equal(t, before, versions())
}
