package store_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"levy/models"
	"levy/store"
	"levy/store/pg"
	"levy/store/storetest"
)

// BenchmarkClosedTables compares the cost of reads and writes of closed tables as the owner, who sees all rows,
// and as the API. The API sets the visible organizations with each statement. Both run alternately.
// The benchmark compares the CPU time of this process and of that of PostgreSQL in the median round.
// Elapsed time would depend on other load of the machine.
func BenchmarkClosedTables(b *testing.B) {
	s := newSecured(b)
	conn := connectTo(b, s.address)
	_, err := conn.Exec(b.Context(), `INSERT INTO audit (organization_id, id, action, entity_type, entity_id)
		SELECT $1, 'audi_' || to_char(n, 'FM000000'), 'CREATE', 'product', 'prod_1'
		FROM generate_series(2, 5000) n`, s.mine.OrganizationID)
	require.NoError(b, err)
	sides := [2]*side{
		newSide(b, storetest.Open(b, store.Options{URL: s.address, MaxConnections: 1})),
		newSide(b, s.api),
	}
	sales := 0
	sell := func(db *store.Store) error { // writes into the audit trail; a group of one is the worst case
		sales++
		return db.Transactions.Accept(s.asMine,
			[]*models.TransactionDraft{storetest.Draft(s.mine, fmt.Sprint("sale ", sales))})[0]
	}
	for range 300 { // a plan that was made for empty tables reads all of them
		require.NoError(b, sell(s.api))
	}
	_, err = conn.Exec(b.Context(), "VACUUM ANALYZE")
	require.NoError(b, err)
	compare(b, sides, []work{
		{"key", func(db *store.Store) error {
			_, _, err := db.Organizations.DataKey(s.asMine, s.mine.OrganizationID)
			return err
		}},
		{"bank", func(db *store.Store) error {
			_, err := db.Organizations.BankDetails(s.asMine, s.mine)
			return err
		}},
		{"registration", func(db *store.Store) error {
			_, err := db.Registrations.Registration(s.asMine, s.mine, "regi_1")
			return err
		}},
		{"audit", func(db *store.Store) error {
			_, err := db.Audit.ListAudit(s.asMine, s.mine, models.AuditFilter{}, models.Page{Limit: 50})
			return err
		}},
		{"product", func(db *store.Store) error { // of a table that is not closed
			var id string
			return db.OpenTables().QueryRow(s.asMine,
				"SELECT id FROM products WHERE organization_id = $1", s.mine.OrganizationID).Scan(&id)
		}},
		{"intake", sell},
	})
}

// BenchmarkPoliciesOfSales compares statements on tables of sales without and with a policy as closed tables have it. The
// policies exist in this database only (see decision 30).
func BenchmarkPoliciesOfSales(b *testing.B) {
	s := newSecured(b)
	conn := connectTo(b, s.address)
	filing := storetest.Return(b, storetest.Open(b, store.Options{URL: s.address}), s.address, s.mine, 20_000)
	for _, sql := range []string{
		`INSERT INTO customers (organization_id, id, external_id, name, status, address_status, source, tax_registrations,
		        created_at, updated_at)
		 SELECT '` + s.mine.OrganizationID + `', 'cust_' || to_char(n, 'FM000000'), 'C-' || n, 'Customer ' || n, 'ACTIVE', 'BLANK',
		        'OTHER', '[]', now(), now() FROM generate_series(1, 20000) n`,
		"VACUUM ANALYZE",
	} {
		_, err := conn.Exec(b.Context(), sql)
		require.NoError(b, err)
	}
	for _, table := range []string{"transactions", "customers", "filings"} {
		_, err := conn.Exec(b.Context(), "ALTER TABLE "+table+` ENABLE ROW LEVEL SECURITY;
			CREATE POLICY own_organization ON `+table+` USING (organization_id = ANY (
			  (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]))`)
		require.NoError(b, err)
	}
	read := func(sql string, args ...any) func(*store.Store) error {
		return func(db *store.Store) error {
			rows, err := db.Query(s.asMine, sql, append([]any{s.mine.OrganizationID}, args...)...)
			n := 0
			if err = pg.ForEach(rows, err, []any{new(string)}, func() error { n++; return nil }); err == nil && n == 0 {
				return models.ErrNotFound
			}
			return err
		}
	}
	of := func(table string) string {
		return "SELECT x::text FROM " + table + " x WHERE organization_id = $1 AND "
	}
	compare(b, [2]*side{
		newSide(b, storetest.Open(b, store.Options{URL: s.address, MaxConnections: 1})),
		newSide(b, s.api),
	}, []work{
		{"sale", read(of("transactions")+"id = $2", "txn_"+fmt.Sprintf("%026d", 777))},
		{"sales", read(of("transactions") + "date <= '2026-01-20' ORDER BY date DESC, id DESC LIMIT 50")},
		{"search", read(of("transactions")+"external_id ILIKE $2 ORDER BY date DESC, id DESC LIMIT 50", "%ORDER-1777%")},
		{"customer", read(of("customers")+"id = $2", "cust_000777")},
		{"customers", read(of("customers")+"name ILIKE $2 ORDER BY id LIMIT 50", "%omer 1777%")},
		{"return", read(of("filings")+"id = $2", filing)},
	})
}

// work is a piece of work whose cost is compared.
type work struct {
	name string
	do   func(*store.Store) error
}

// compare lets both sides, the owner and the API, do each work by turns.
func compare(b *testing.B, sides [2]*side, works []work) {
	for _, work := range works {
		b.Run(work.name, func(b *testing.B) {
			for _, side := range sides {
				side.turn(b, work.do) // plans and statements are made
				side.busy, side.server = nil, nil
			}
			for b.Loop() {
				for _, side := range sides {
					side.turn(b, work.do)
				}
			}
			owner, api := median(sides[0].busy), median(sides[1].busy)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(owner, "owner-µs")
			b.ReportMetric(api, "api-µs")
			b.ReportMetric((api/owner-1)*100, "%more")
			b.ReportMetric(median(sides[1].server)-median(sides[0].server), "µs-of-it-in-PostgreSQL")
		})
	}
}

// perTurn is how often each side does its work in a round.
const perTurn = 10

// side is one of the two that are compared, with one connection.
type side struct {
	db           *store.Store
	backend      int
	busy, server []float64 // per turn: microseconds for one piece of work, and those of PostgreSQL
}

func newSide(b *testing.B, db *store.Store) *side {
	s := &side{db: db}
	require.NoError(b, db.QueryRow(b.Context(), "SELECT pg_backend_pid()").Scan(&s.backend))
	return s
}

// turn does the work perTurn times and records its CPU time.
func (s *side) turn(b *testing.B, work func(*store.Store) error) {
	own, server := s.cpu(b)
	for range perTurn {
		if err := work(s.db); err != nil {
			b.Fatal(err)
		}
	}
	ownAfter, serverAfter := s.cpu(b)
	s.busy = append(s.busy, float64(ownAfter-own+serverAfter-server)/1000/perTurn)
	s.server = append(s.server, float64(serverAfter-server)/1000/perTurn)
}

func median(values []float64) float64 { return slices.Sorted(slices.Values(values))[len(values)/2] }

// cpu is the CPU time of this process and of the connection's process, in nanoseconds.
func (s *side) cpu(b *testing.B) (own, server int64) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", s.backend))
	if err != nil {
		b.Skip("the time of PostgreSQL's processes cannot be read: ", err)
	}
	server, err = strconv.ParseInt(string(bytes.Fields(stat)[0]), 10, 64)
	require.NoError(b, err)
	var t unix.Timespec
	require.NoError(b, unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t))
	return t.Nano(), server
}
