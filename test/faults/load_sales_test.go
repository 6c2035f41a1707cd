package faults_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"levy/test/testbed"
)

// place is where a sale goes to.
type place struct{ street, city, state, postalCode string }

// places: the sellers sell to the first, the filers and the client with a presence to the others.
var places = []place{
	{"350 5th Ave", "New York", "NY", "10118"},
	{"400 Broad St", "Seattle", "WA", "98109"},
	{"1100 Congress Ave", "Austin", "TX", "78701"},
	{"200 E Colfax Ave", "Denver", "CO", "80203"},
	{"600 E Blvd Ave", "Bismarck", "ND", "58505"},
	{"1 Capitol Sq", "Columbus", "OH", "43215"},
}

// saleTo is testbed.Sale to a place, on a day unless that is empty.
func saleTo(externalID string, n, to int, day string) map[string]any {
	sale, p := testbed.Sale(externalID, n), places[to]
	sale["addresses"] = []any{map[string]any{"type": "SHIP_TO", "street_1": p.street, "city": p.city, "state": p.state,
		"postal_code": p.postalCode, "country": "US"}}
	if day != "" {
		sale["date"] = day + "T10:00:00Z"
		sale["transaction_items"].([]any)[0].(map[string]any)["date"] = sale["date"]
	}
	return sale
}

// changed is the number of a sale after a change: what it says is of another amount, and
// often of another customer.
func changed(n, times int) int { return n + 1000*times }

// sell posts until all transactions are sent. It repeats half of the requests that were not accepted, as often as
// needed.
func (l *load) sell(random *rand.Rand) {
	for {
		n, more := l.nextSale()
		if !more {
			return
		}
		externalID := fmt.Sprintf("LOAD-%d", n)
		switch {
		case l.many > 0 && n%128 == 15:
			l.sellByFile(random, n)
		case n%16 == 7:
			l.sellMany(random, n)
		default:
			saleID, o := l.post(random, externalID, n)
			for o != accepted && random.IntN(2) == 0 {
				<-time.After(l.pause)
				saleID, o = l.post(random, externalID, n)
			}
			if o == accepted {
				l.follow(random, externalID, saleID, n)
			}
		}
		<-time.After(time.Duration(random.Int64N(int64(2 * l.pause))))
	}
}

func (l *load) post(random *rand.Rand, externalID string, n int) (id string, o outcome) {
	key := ""
	if n%2 == 0 {
		key = fmt.Sprintf("SALE-%d-%d", l.seed, n)
	}
	answer, o := l.send(random, request{kind: kindSale, id: externalID, method: http.MethodPost, path: "/v1/transactions",
		body: testbed.Sale(externalID, n), key: key, expected: []string{"duplicate_external_id", "idempotency_key_in_use"}})
	id = answer.Field("id")
	if existing := answer.Field("existing_id"); existing != "" {
		id, o = existing, accepted // it was written the first time
	}
	l.ledger.add(externalID, n, o)
	return id, o
}

// sellMany sends some sales at once under a key, until the outcome is known: whatever
// went wrong in between, none of them may be refused as a duplicate.
func (l *load) sellMany(random *rand.Rand, n int) {
	var rows []any
	var ids []string
	size := cmp.Or(l.many, many)
	for i := range size {
		ids = append(ids, fmt.Sprintf("LOAD-%d-B%d", n, i))
		rows = append(rows, testbed.Sale(ids[i], n+i))
	}
	key := fmt.Sprintf("BATCH-%d-%d", l.seed, n)
	for known := outcome(""); ; {
		answer, o := l.send(random, request{kind: kindSale, id: key, method: http.MethodPost, path: "/v1/transactions/batch",
			body: map[string]any{"transactions": rows}, key: key, expected: []string{"idempotency_key_in_use"}})
		if o != known {
			l.ledger.addAll(ids, n, o)
			known = o
		}
		if o == accepted {
			if taken := answer.Number("accepted"); taken != size {
				l.addFinding("%s: %d of %d accepted: %s", key, taken, size, answer.Body)
			}
			return
		}
		<-time.After(l.pause)
	}
}

// follow credits, changes or archives some sales.
func (l *load) follow(random *rand.Rand, externalID, saleID string, n int) {
	switch n % 16 {
	case 0, 5, 10:
		l.credit(random, saleID, externalID)
	case 3, 11:
		for times := 1; times <= 1+random.IntN(2); times++ {
			next := changed(n, times)
			l.do(random, request{kind: kindChange, id: externalID, n: next, method: http.MethodPut,
				path: "/v1/transactions/" + saleID, body: testbed.Sale(externalID, next)})
		}
	case 13:
		answer, o := l.send(random, request{kind: kindArchive, id: externalID, method: http.MethodPost,
			path: "/v1/transactions/archive",
			body: map[string]any{"transaction_ids": []string{saleID}}})
		if done := answer.Number("archived"); o == accepted && done != 1 {
			l.addFinding("%s is not archived: %s", externalID, answer.Body)
		}
		l.ledger.record(entry{Kind: kindArchive, ID: externalID, Outcome: o})
	}
}

// credit sends four credit notes at once, of which two fit into the sale. Before its tax is known, the others are not
// refused for good.
func (l *load) credit(random *rand.Rand, saleID, externalID string) {
	var all sync.WaitGroup
	for i := range 4 {
		own := rand.New(rand.NewPCG(random.Uint64(), 0))
		all.Go(func() {
			id := fmt.Sprintf("%s-R%d", externalID, i)
			l.do(own, request{kind: kindNote, id: id, method: http.MethodPost, path: "/v1/transactions/" + saleID +
				"/credit_notes",
				body: testbed.CreditNote(id, "4.00"), expected: []string{"credit_exceeds_original", "not_processed"}})
		})
	}
	all.Wait()
}
