package attack_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// flooders is how many connections post as fast as they can.
const flooders = 64

// floodOfSales: beyond its rate the organization gets 429; what was accepted is
// recorded, and the victim's sales are processed while the flood's wait.
func floodOfSales(b *attackRun) {
	var n atomic.Int64
	b.while(flooders, func(int, int) {
		id := n.Add(1)
		b.attack(http.MethodPost, "/v1/transactions", saleBody(fmt.Sprintf("FLOOD-%d", id), int(id)))
	})
	b.only("202", "429 rate_limited")
	require.Equal(b, b.count("202"),
		b.bed.Count("SELECT count(*) FROM transactions WHERE organization_id = $1", b.attacker.organization))
	began := time.Now()
	answer, err := b.victim.send(b.Context(), http.MethodPost, "/v1/transactions", saleBody("BESIDE-THE-FLOOD", 1))
	require.NoError(b, err)
	require.Equal(b, http.StatusAccepted, answer.Status)
	var waiting int
	b.bed.Eventually("the victim's sale is processed", func(ctx context.Context) (bool, error) {
		waiting = b.bed.Count("SELECT count(*) FROM outbox WHERE organization_id = $1", b.attacker.organization)
		read, err := b.victim.send(ctx, http.MethodGet, "/v1/transactions/external/BESIDE-THE-FLOOD", "")
		return read.Field("processing_status") == "PROCESSED", err
	})
	b.saw(fmt.Sprintf("victim's sale PROCESSED after %.1f s, %d of the flood behind it", time.Since(began).Seconds(),
		waiting))
}

func floodOfReads(b *attackRun) {
	targets := []string{
		"/v1/transactions?size=100", "/v1/transactions?search_query=order", "/v1/transactions?page=1000&size=100",
		"/v1/transactions?order_by=-total_amount&size=100&date__gte=2020-01-01", "/v1/nexus", "/v1/products?query=%25%25%25",
	}
	b.while(flooders, func(i, round int) { b.attack(http.MethodGet, targets[(i+round)%len(targets)], "") })
	b.only("200", "429 rate_limited")
}

func floodOfEstimates(b *attackRun) {
	b.while(flooders, func(int, int) { b.attack(http.MethodPost, "/v1/tax/estimate", largeEstimate) })
	b.only("200", "429 rate_limited")
}

// largeEstimate is an estimate of 100 lines.
var largeEstimate = func() string {
	line := `{"external_product_id":"P-1","amount":"10.00"}`
	return `{"date":"2026-05-15T10:00:00Z","currency":"USD","addresses":[{"type":"SHIP_TO","street_1":"350 5th Ave",
		"city":"New York","state":"NY","postal_code":"10118","country":"US"}],
		"transaction_items":[` + strings.Repeat(line+",", 99) + line + `]}`
}()

// guessedKeys: the address that has failed too often has to wait, whatever it says of
// where it comes from.
func guessedKeys(b *attackRun) {
	nearly, other := b.victim.key[:len(b.victim.key)-1], "x"
	if nearly+other == b.victim.key {
		other = "y"
	}
	keys := []string{"", "x", "levy_test_" + strings.Repeat("a", 40), nearly + other, b.victim.key + "x",
		strings.ToUpper(b.victim.key), " " + strings.Repeat("k", 10_000)}
	b.parallel(8, func(i int) {
		for round := range 40 {
			answer, err := b.attacker.send(b.Context(), http.MethodGet, "/v1/products", "", "X-API-KEY",
				keys[(i+round)%len(keys)], "X-Forwarded-For", fmt.Sprintf("10.0.%d.%d", i, round))
			b.ended(answer, err)
		}
	})
	b.only("401", "429 rate_limited")
	require.Positive(b, b.count("429 rate_limited"))
	require.LessOrEqual(b, b.count("401 unauthenticated"), 110, "an address fails a hundred times a minute")
}

// replayedKeys: one key is one request, however often and from wherever it comes.
func replayedKeys(b *attackRun) {
	b.parallel(32, func(int) {
		b.retry(func() testbed.Answer {
			return b.attack(http.MethodPost, "/v1/transactions", saleBody("REPLAYED", 1), "Idempotency-Key", "one")
		})
	})
	b.parallel(8, func(i int) {
		b.retry(func() testbed.Answer {
			return b.attack(http.MethodPost, "/v1/transactions", saleBody(fmt.Sprintf("REPLAYED-%d", i), 2),
				"Idempotency-Key", "one")
		})
	})
	b.only("202", "409 idempotency", "429 rate_limited")
	require.Equal(b, 1, b.bed.Count("SELECT count(*) FROM transactions WHERE external_id LIKE 'REPLAYED%'"))
	answer, err := b.victim.send(b.Context(), http.MethodPost, "/v1/products",
		`{"external_id":"OWN","name":"Own","product_category":"PHYSICAL"}`, "Idempotency-Key", "one")
	require.NoError(b, err)
	require.Equal(b, http.StatusOK, answer.Status, "the victim's key of the same name is another one: %s", answer.Body)
}

// retry repeats a call that was rate-limited.
func (b *attackRun) retry(call func() testbed.Answer) testbed.Answer {
	for {
		answer := call()
		if answer.Status != http.StatusTooManyRequests {
			return answer
		}
		<-time.After(50 * time.Millisecond)
	}
}
