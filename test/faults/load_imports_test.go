package faults_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"levy/test/testbed"
)

// salesOfFile is how many sales the file of an import has: four chunks.
const salesOfFile = 2000

// sellByFile uploads a file of sales under a key, and polls its import until that has ended: then all of its sales were
// accepted once, whatever happened to the worker that read it. Only one file is imported at a time, because Levy refuses
// a fourth one: while a file is being imported, a batch is sent instead.
func (l *load) sellByFile(random *rand.Rand, n int) {
	file := strings.Builder{}
	file.WriteString("external_id,type,date,currency,customer_external_id,customer_name,country,state,city,postal_code," +
		"external_product_id,amount,transaction_total_amount\n")
	ids := make([]string, salesOfFile)
	for i := range ids {
		ids[i] = fmt.Sprintf("LOAD-%d-F%d", n, i)
		amount := testbed.SaleAmount(n + i)
		fmt.Fprintf(&file, "%s,SALE,2026-05-15T10:00:00Z,USD,%s,Ada,US,NY,New York,%s,%s,%s,%s\n",
			ids[i], testbed.SaleCustomer(n+i), places[0].postalCode, testbed.Product, amount, amount)
	}
	if !l.files.TryLock() {
		l.sellMany(random, n)
		return
	}
	defer l.files.Unlock()
	key := fmt.Sprintf("FILE-%d-%d", l.seed, n)
	l.ledger.intend(kindSale, key)
	l.ledger.addAll(ids, n, unknown)
	upload := request{method: http.MethodPost, path: "/v1/transactions/imports", body: testbed.CSV(file.String()),
		key:      key,
		expected: []string{"idempotency_key_in_use"}}
	made, o := l.send(random, upload)
	for o != accepted {
		<-time.After(l.pause)
		made, o = l.send(random, upload)
	}
	for {
		<-time.After(5 * l.pause)
		now, o := l.send(random, request{method: http.MethodGet, path: upload.path + "/" + made.Field("id")})
		if status := now.Field("status"); o != accepted || status == "QUEUED" || status == "RUNNING" {
			continue
		}
		if now.Field("status") != "COMPLETED" || now.Number("accepted") != salesOfFile {
			l.addFinding("%s: %s", key, now.Body)
			return
		}
		l.ledger.addAll(ids, n, accepted)
		return
	}
}
