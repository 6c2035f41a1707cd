package attack_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/stretchr/testify/require"
)

// greedyClient: a client that holds all exports, uploads and large bodies that it can leaves the other clients of its
// partner their own: nothing is refused to them, also when all ask at once.
func greedyClient(b *attackRun) {
	const siblings = 8
	partner := b.tenant("127.0.4.1")
	join := func(client *tenant) *tenant {
		b.bed.Exec("UPDATE organizations SET parent_organization_id = $1 WHERE id = $2", partner.organization,
			client.organization)
		return client
	}
	b.fill(3000)
	join(b.attacker)
	for _, request := range []string{
		b.attacker.head("GET", sales+"/export?format=csv") + "\r\n",
		b.attacker.head("POST", sales+"/imports") + "Content-Type: text/csv\r\nContent-Length: 1000000\r\n\r\nexternal_id,",
		b.attacker.head("POST", sales+"/batch") + "Content-Type: application/json\r\nContent-Length: 10000000\r\n\r\n{",
	} {
		b.parallel(6, func(int) {
			_, status := b.unread(request)
			b.saw(status)
		})
	}
	require.GreaterOrEqual(b, b.count("200")+b.count("open"), 6, "the attack is one")
	clients := make([]*tenant, siblings)
	for i := range clients {
		clients[i] = join(b.tenant(fmt.Sprintf("127.0.4.%d", i+2)))
	}
	b.parallel(siblings, func(i int) { clients[i].worksBeside(b, i) })
	b.waitForCalls()
	b.only("200", "202", "429", "503", "open")
}

// worksBeside exports, imports and sends a large batch, none of which may be refused.
func (of *tenant) worksBeside(b *attackRun, i int) {
	answered := func(status int, method, target, body string, headers ...string) {
		answer, err := of.send(context.WithoutCancel(b.Context()), method, target, body, headers...)
		if err != nil || answer.Status != status {
			b.Errorf("client %d, %s %s: %v, %d %s", i, method, target, err, answer.Status, answer.Body)
		}
	}
	sale := saleBody(fmt.Sprintf("BESIDE-GREED-%d", i), 1)
	answered(http.StatusOK, http.MethodPost, sales+"/batch", `{"transactions":[`+strings.Repeat(" ", 2<<20)+sale+`]}`)
	answered(http.StatusOK, http.MethodGet, sales+"/export?format=csv", "")
	answered(http.StatusAccepted, http.MethodPost, sales+"/imports", "external_id,type,date,customer_external_id,"+
		"external_product_id,amount\n"+fmt.Sprintf("GREED-%d,SALE,2026-05-15T10:00:00Z,C-1,P-1,1.00\n", i),
		"Content-Type", "text/csv")
}
