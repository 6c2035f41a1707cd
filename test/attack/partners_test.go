package attack_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// shareOfOne is how many connections to the database a partner has: a quarter of the default of 20.
const shareOfOne = 5

// writesOfOneSale: 64 changes of one sale are serialized in the service. While the row is locked they hold no
// more connections than the attacker's share, and the victim is served.
func writesOfOneSale(b *attackRun) {
	id := b.processed("CHANGED")
	waiting := func() int {
		return b.bed.Count(`SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = 'levy' AND wait_event_type = 'Lock'`)
	}
	b.locked(id, 64, func(i int) {
		b.attack(http.MethodPut, sales+"/"+id, strings.Replace(saleBody("CHANGED", i), `"type":"SALE",`, "", 1))
	}, func(*sync.WaitGroup) {
		b.bed.Eventually("somebody waits for the sale", func(context.Context) (bool, error) { return waiting() > 0, nil })
		most := 0
		b.servedBeside(func() { most = max(most, waiting()) })
		require.LessOrEqual(b, most, shareOfOne, "connections of one partner that wait for a lock")
		b.Logf("at most %d connections of the attacker waited", most)
	})
	b.only("200", "202", "429 rate_limited", "503 service_unavailable")
}

// keyedRefunds: 40 batches with keys, each of which gives back a part of one sale. Taking in a credit note
// does not wait for its sale: while that is locked all are answered, and the victim is served.
func keyedRefunds(b *attackRun) {
	id := b.processed("GIVEN-BACK")
	b.locked(id, 40, func(i int) {
		note := testbed.CreditNote(fmt.Sprint("BACK-", i), "0.01")
		note["type"], note["related_to"], note["customer"] = "PARTIAL_CREDIT_NOTE", id,
			map[string]any{"external_id": testbed.SaleCustomer(1)}
		body := encoded(map[string]any{"transactions": []any{note}})
		b.attack(http.MethodPost, sales+"/batch", body, "Idempotency-Key", fmt.Sprint("back-", i))
	}, func(writing *sync.WaitGroup) {
		b.servedBeside(func() {})
		writing.Wait()
	})
	b.only("200", "202", "429 rate_limited")
}

// processed is a sale of the attacker with which the service has nothing left to do.
func (b *attackRun) processed(externalID string) (id string) {
	b.attack(http.MethodPost, sales, saleBody(externalID, 1))
	b.bed.Eventually("the sale is processed", func(ctx context.Context) (bool, error) {
		read, err := b.attacker.send(ctx, http.MethodGet, sales+"/external/"+externalID, "")
		id = read.Field("id")
		return read.Field("processing_status") == "PROCESSED", err
	})
	return id
}

// locked locks a sale, lets n attackers write beside it and calls during; then it unlocks the sale and waits for them.
func (b *attackRun) locked(id string, n int, write func(i int), during func(writing *sync.WaitGroup)) {
	tx, err := b.bed.DB.Begin(b.Context())
	require.NoError(b, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(b.Context())) }()
	_, err = tx.Exec(b.Context(), "SELECT id FROM transactions WHERE id = $1 FOR UPDATE", id)
	require.NoError(b, err)
	var writing sync.WaitGroup
	for i := range n {
		writing.Go(func() { write(i) })
	}
	during(&writing)
	require.NoError(b, tx.Rollback(b.Context()))
	writing.Wait()
}

// servedBeside lets the victim read and write, and calls each after each round.
func (b *attackRun) servedBeside(each func()) {
	for round := range 5 {
		for _, call := range []struct{ method, target, body, key string }{
			{http.MethodGet, sales + "?size=1", "", ""},
			{http.MethodPost, sales, saleBody(fmt.Sprintf("BESIDE-%s-%d", b.Name(), round), 1), fmt.Sprint(b.Name(), round)},
		} {
			var headers []string
			if call.key != "" {
				headers = []string{"Idempotency-Key", call.key}
			}
			answer, err := b.victim.send(b.Context(), call.method, call.target, call.body, headers...)
			require.NoError(b, err)
			require.Less(b, answer.Status, 300, "%s: %s", call.method, answer.Body)
		}
		each()
	}
}

// keyedSales: 64 posts of 100 lines at a time, each with a key and so a connection of its own.
func keyedSales(b *attackRun) {
	var n atomic.Int64
	sale := testbed.Sale("KEYED", 1)
	line := sale["transaction_items"].([]any)[0]
	delete(sale, "total_amount")
	items := make([]any, 100)
	for i := range items {
		items[i] = line
	}
	sale["transaction_items"] = items
	body := encoded(sale)
	b.while(flooders, func(int, int) {
		name := fmt.Sprintf("KEYED-%d", n.Add(1))
		b.attack(http.MethodPost, sales, strings.Replace(body, "KEYED", name, 1), "Idempotency-Key", name)
	})
	b.only("202", "429 rate_limited")
}

// estimatesOfClients: twelve clients of one partner have one share of the CPUs.
func estimatesOfClients(b *attackRun) {
	clients := make([]*tenant, 12)
	for i := range clients {
		clients[i] = b.tenant(fmt.Sprintf("127.0.2.%d", i+1))
		if i > 0 {
			b.bed.Exec("UPDATE organizations SET parent_organization_id = $1 WHERE id = $2", clients[0].organization,
				clients[i].organization)
		}
	}
	b.while(48, func(i, _ int) {
		answer, err := clients[i%len(clients)].send(b.Context(), http.MethodPost, "/v1/tax/estimate", largeEstimate)
		b.ended(answer, err)
	})
	b.only("200", "429 rate_limited")
}

// largePages: pages of sales with hundreds of lines are written while they are read.
func largePages(b *attackRun) {
	count, lines := 30, 100
	if b.long {
		count, lines = 100, 700
	}
	b.fill(count - 1)
	b.bed.Exec(copiedLines(b.bed), b.attacker.organization, lines)
	b.parallel(4, func(int) {
		answer := b.attack(http.MethodGet, sales+"?size=100", "")
		if answer.Status == http.StatusOK {
			require.Equal(b, count*lines, strings.Count(string(answer.Body), `"external_product_id"`))
		}
	})
	b.only("200", "202", "429 rate_limited", "503 service_unavailable")
	require.Positive(b, b.count("200"))
}

// slowReaders: other partners that do not read their exports take no places of the victim either.
func slowReaders(b *attackRun) {
	const readers = 4
	b.fill(3000)
	for i := range readers {
		reader := b.tenant(fmt.Sprintf("127.0.3.%d", i+1))
		b.bed.Exec("UPDATE organizations SET parent_organization_id = $1 WHERE id = $2", reader.organization,
			b.attacker.organization)
		b.bed.Exec(`INSERT INTO client_grants (partner_id, organization_id) VALUES ($1, $2)
			ON CONFLICT (organization_id) DO UPDATE SET partner_id = excluded.partner_id`, reader.organization,
			b.attacker.organization)
		request := strings.Replace(b.attacker.head("GET", "/v1/transactions/export?format=csv"), b.attacker.key,
			reader.key, 1)
		for range 2 {
			_, status := b.unread(request + "\r\n")
			b.saw(status)
		}
	}
	answer, err := b.victim.send(b.Context(), http.MethodGet,
		"/v1/transactions/export?format=csv&search_query=VICTIM-1", "")
	require.NoError(b, err)
	require.Equal(b, http.StatusOK, answer.Status, "exports of others take all places: %s", answer.Body)
	b.only("200", "202", "open")
}

// importBeside: while a file is taken in and processed, what the victim sells is processed first.
func importBeside(b *attackRun) {
	rows, sold := 300, 3
	if b.long {
		rows, sold = 15_000, 40
	}
	file := &strings.Builder{}
	file.WriteString("external_id,type,date,customer_external_id,external_product_id,amount,country,state," +
		"city,postal_code\n")
	for n := range rows {
		fmt.Fprintf(file, "IMPORTED-%d,SALE,2026-05-15T10:00:00Z,C-%d,P-1,10.00,US,NY,New York,10118\n", n, n%50)
	}
	b.attack(http.MethodPost, sales+"/imports", file.String(), "Content-Type", "text/csv")
	b.only("202")
	b.bed.Eventually("the import has begun", func(context.Context) (bool, error) {
		return b.bed.Count("SELECT count(*) FROM transactions WHERE organization_id = $1", b.attacker.organization) > 0, nil
	})
	start, took := time.Now(), make([]time.Duration, sold)
	for n := range took {
		name := fmt.Sprintf("BESIDE-AN-IMPORT-%d", n)
		answer, err := b.victim.send(b.Context(), http.MethodPost, sales, saleBody(name, n))
		require.NoError(b, err)
		require.Equal(b, http.StatusAccepted, answer.Status)
		began := time.Now()
		b.bed.Eventually("the victim's sale is processed", func(ctx context.Context) (bool, error) {
			read, err := b.victim.send(ctx, http.MethodGet, sales+"/external/"+name, "")
			return read.Field("processing_status") == "PROCESSED", err
		})
		took[n] = time.Since(began)
	}
	done := b.bed.Count(`SELECT count(*)
		FROM transactions
		WHERE organization_id = $1 AND processing_status = 'PROCESSED'`, b.attacker.organization)
	slices.Sort(took)
	b.saw(fmt.Sprintf("victim's sales PROCESSED after %s (p50), %s at most; of the import %d meanwhile, %.0f/s",
		inMilliseconds(took[sold/2]), inMilliseconds(took[sold-1]), done, float64(done)/time.Since(start).Seconds()))
}
