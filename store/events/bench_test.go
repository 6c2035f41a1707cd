package events_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/storetest"
)

// rounds is the number of alternating measurements with events and without: other load of the machine affects both
// alike.
const rounds = 8

// measured is a database whose triggers of sales can be disabled.
type measured struct {
	b     *testing.B
	sql   *pgx.Conn
	store *store.Store
	scope models.Scope
	cpu   [2]time.Duration // without events, with them
	n     [2]int
}

func measure(b *testing.B) *measured {
	url := storetest.URL(b)
	m := &measured{b: b, store: storetest.Open(b, store.Options{URL: url}), scope: storetest.Organization(b, url)}
	var err error
	m.sql, err = pgx.Connect(b.Context(), url)
	require.NoError(b, err)
	b.Cleanup(func() { _ = m.sql.Close(context.Background()) })
	return m
}

func (m *measured) exec(sql string) {
	_, err := m.sql.Exec(m.b.Context(), sql)
	require.NoError(m.b, err)
}

// take measures the processor time of PostgreSQL for n records, with events or without.
func (m *measured) take(round, n int, do func()) {
	with := (round + round/2) % 2 // 0 1 1 0 0 1 1 0
	verb := []string{"DISABLE", "ENABLE"}[with]
	for _, trigger := range []string{"transactions_write_created", "transactions_write_changed",
		"customers_write_created"} {
		table, _, _ := strings.Cut(trigger, "_")
		m.exec("ALTER TABLE " + table + " " + verb + " TRIGGER " + trigger)
	}
	before := m.processors()
	do()
	after := m.processors()
	took := time.Duration(0)
	for pid, then := range before {
		now, ok := after[pid]
		if !ok {
			return // the time of a connection that has ended is unknown
		}
		took += now - then
		delete(after, pid)
	}
	for _, now := range after { // new ones
		took += now
	}
	m.cpu[with] += took
	m.n[with] += n
}

// processors is the processor time that each connection of the database has taken, by its process.
func (m *measured) processors() map[int]time.Duration {
	const tick = 10 * time.Millisecond
	rows, err := m.sql.Query(m.b.Context(),
		"SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'")
	require.NoError(m.b, err)
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
	require.NoError(m.b, err)
	all := map[int]time.Duration{}
	for _, pid := range pids {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			m.b.Skip("PostgreSQL is not on this machine, or it does not say what processes take")
		}
		fields := strings.Fields(string(stat[strings.LastIndex(string(stat), ")")+1:]))
		for _, field := range fields[11:13] { // in user mode, and in that of the kernel
			ticks, err := strconv.Atoi(field)
			require.NoError(m.b, err)
			all[pid] += time.Duration(ticks) * tick
		}
	}
	return all
}

func (m *measured) report() {
	per := func(with int) float64 { return float64(m.cpu[with].Microseconds()) / float64(max(1, m.n[with])) }
	m.b.ReportMetric(per(0), "µs/record-without")
	m.b.ReportMetric(per(1), "µs/record-with")
	m.b.ReportMetric((per(1)/per(0)-1)*100, "%more")
}

// accept writes sales with two lines and two addresses, all of one customer, or each of a customer of its own.
func (m *measured) accept(from, n int, own bool) []models.Ref {
	const together = 64
	refs := []models.Ref{}
	for first := from; first < from+n; first += together {
		drafts := make([]*models.TransactionDraft, min(together, from+n-first))
		for i := range drafts {
			d := storetest.Draft(m.scope, fmt.Sprintf("B-%d", first+i))
			if own {
				d.Customer.ExternalID = d.ExternalID
			}
			d.Items = append(d.Items, storetest.Item(d, 1, "P-1", "19.99"))
			bill := d.Addresses[0]
			bill.Type = "BILL_TO"
			d.Addresses = append(d.Addresses, bill)
			drafts[i] = d
			refs = append(refs, models.Ref{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: 1})
		}
		for _, err := range m.store.Transactions.Accept(m.b.Context(), drafts) {
			require.NoError(m.b, err)
		}
	}
	return refs
}

// The time that PostgreSQL needs for the events of sales: when sales are accepted, and when they are processed.
func BenchmarkEventsOfSales(b *testing.B) {
	const n, processed = 4000, 1000 // of a round: the kernel counts in hundredths of a second
	m := measure(b)
	m.accept(-n, n, true) // tables that are no longer new, and analyzed
	m.exec("ANALYZE")
	refs := make([][]models.Ref, rounds)
	for _, own := range []bool{false, true} {
		b.Run(fmt.Sprintf("accept/new-customers=%t", own), func(b *testing.B) {
			m.b, m.cpu, m.n = b, [2]time.Duration{}, [2]int{}
			for round := range rounds {
				first := round * n
				if own {
					first += rounds * n
				}
				m.take(round, n, func() { refs[round] = m.accept(first, n, own) })
			}
			m.report()
		})
	}
	b.Run("process", func(b *testing.B) {
		m.b, m.cpu, m.n = b, [2]time.Duration{}, [2]int{}
		for round := range rounds {
			m.take(round, processed, func() { m.process(refs[round][:processed]) })
		}
		m.report()
	})
}

func (m *measured) process(refs []models.Ref) {
	const together = 250
	load := []func(context.Context, []models.Ref) ([]models.Transaction, error){
		func(ctx context.Context, refs []models.Ref) ([]models.Transaction, error) {
			return m.store.Transactions.LoadForAddresses(ctx, storetest.Run, refs)
		}, m.store.Transactions.LoadForExemptions, m.store.Transactions.LoadForNexus, m.store.Transactions.LoadForTax,
	}
	for first := 0; first < len(refs); first += together {
		batch := refs[first:min(first+together, len(refs))]
		for i, stage := range storetest.Stages {
			_, err := load[i](m.b.Context(), batch)
			require.NoError(m.b, err)
			_, err = stage.Save(m.store, storetest.Run, batch)
			require.NoError(m.b, err)
		}
	}
}

// The time that PostgreSQL needs for the events of a filed return, which locks all its sales.
func BenchmarkEventsOfAReturn(b *testing.B) {
	for _, sales := range []int{250, 2500} {
		b.Run(fmt.Sprintf("sales=%d", sales), func(b *testing.B) {
			m := measure(b)
			for round := range rounds / 2 {
				scope := storetest.Organization(b, m.sql.Config().ConnString())
				filing := storetest.Return(b, m.store, m.sql.Config().ConnString(), scope, sales)
				storetest.File(b, m.store, scope, filing)
				m.exec("ANALYZE")
				m.take(round, sales, func() {
					require.NoError(b, m.store.Filings.LockFiling(b.Context(), scope, filing))
				})
			}
			m.report()
		})
	}
}
