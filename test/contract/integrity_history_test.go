package contract_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/store/integrity"
	"levy/test/seed"
)

// historySteps is the number of calls of a generated history, and checkedSteps after how many all rules are checked.
const historySteps, checkedSteps = 120, 40

// No history of accepted calls turns a rule of integrity red, and the history has records that each rule is about. Each
// version, liability and filed return of it has its leaf.
func TestNoTenantTurnsARuleOfIntegrityRed(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.steps.Linger, in.provesLedger = false, true
	h := &history{installation: in, drawer: drawer{rand.New(rand.NewPCG(seed.Seed(), 46))}}
	h.begin(h.open())
	h.requireIntegrity()
	h.register(h.open())
	for step := range historySteps {
		h.step()
		if (step+1)%checkedSteps == 0 {
			h.requireIntegrity()
		}
	}
	h.settle()
	h.requireIntegrity()
	h.requireExercised()
	require.NotContains(t, in.log.String(), `"level":"ERROR"`)
}

// history is a sequence of calls of some organizations, most of which the service accepts.
type history struct {
	*installation
	drawer
	shops   []*historyShop
	clients int // on their way and beyond
	story   []string
}

// historyShop is an organization with the ids of its records.
type historyShop struct {
	credentials
	sales, registrations []string
	notes                []historyNote
}

type historyNote struct{ of, id string }

// historyStates are the states that histories sell and register in.
var historyStates = []string{"NY", "TX", "TN", "CA"}

// open makes a client with products and customers.
func (h *history) open() *historyShop {
	h.t.Helper()
	shop := &historyShop{credentials: h.grocer()}
	h.call(shop.credentials, "POST", "/v1/products",
		`{"external_id":"SHIP","name":"Shipping","product_category":"MISCELLANEOUS","product_subcategory":"SHIPPING"}`, 200)
	h.call(shop.credentials, "POST", "/v1/products",
		`{"external_id":"SHIRT","name":"Shirt","product_category":"CLOTHING"}`, 200)
	h.certificate(shop.credentials, "CERTIFIED")
	for _, c := range []string{"PLAIN", "RESELLER"} {
		h.call(shop.credentials, "POST", "/v1/customers", fmt.Sprintf(`{"external_id":%q,"name":"Ada"}`, c), 200)
	}
	h.nexusOf(shop.organization, "NY")
	h.shops = append(h.shops, shop)
	return shop
}

// try makes a call that the service may refuse, and notes it in the story.
func (h *history) try(as credentials, method, target, body string) answer {
	h.t.Helper()
	a := h.send(h.t, request{as: as, method: method, target: target, body: body})
	require.Less(h.t, a.status, 500, "%s %s %s: %s", method, target, body, a.body)
	code := ""
	if a.status >= 400 {
		code = a.problem(h.t).Code
	}
	h.story = append(h.story, fmt.Sprintf("%s %s %s: %d %s", method, target, body, a.status, code))
	return a
}

func (h *history) step() {
	h.t.Helper()
	shop := h.shops[h.IntN(len(h.shops))]
	weighted := []struct {
		weight int
		do     func(*historyShop)
	}{
		{20, h.sell}, {15, h.process}, {8, h.replace}, {20, h.giveBack}, {6, h.refundTax}, {12, h.changeNote},
		{4, h.setStatus}, {2, h.archive}, {3, h.register}, {3, h.endRegistration}, {10, h.fileReturn}, {14, h.moveReturn},
		{3, h.changeSettings}, {3, h.onboardClient}, {2, h.importFile}, {2, h.useKeys}, {2, h.certify},
	}
	sum := 0
	for _, w := range weighted {
		sum += w.weight
	}
	at := h.IntN(sum)
	for _, w := range weighted {
		if at -= w.weight; at < 0 {
			w.do(shop)
			return
		}
	}
}

func drawn[T any](h *history, from []T) (one T, found bool) {
	if len(from) == 0 {
		return one, false
	}
	return from[h.IntN(len(from))], true
}

// requireIntegrity checks all rules as `levy check` does.
func (h *history) requireIntegrity() {
	h.t.Helper()
	_, found, err := h.store.Integrity.Check(h.t.Context(), "")
	require.NoError(h.t, err)
	require.Empty(h.t, found, "%s\n%s", seed.Again(), strings.Join(h.about(found), "\n"))
}

// about returns the steps of the story that name a violating record.
func (h *history) about(found []integrity.Violation) (steps []string) {
	var ids []string
	for _, v := range found {
		for _, record := range v.Some {
			ids = append(ids, strings.Fields(record)...)
		}
	}
	for _, step := range h.story {
		for _, id := range ids {
			if strings.Contains(step, id) {
				steps = append(steps, step)
				break
			}
		}
	}
	return steps
}

// settle processes all that is queued.
func (h *history) settle() {
	h.t.Helper()
	for range 6 {
		for _, shop := range h.shops {
			h.processQueued(shop, 100, allStages)
		}
	}
}

// requireExercised checks that each rule has had records to look at.
func (h *history) requireExercised() {
	h.t.Helper()
	tx, err := h.behind.BeginTx(h.t.Context(), pgx.TxOptions{AccessMode: pgx.ReadOnly})
	require.NoError(h.t, err)
	defer func() { require.NoError(h.t, tx.Rollback(context.Background())) }()
	amounts, err := integrity.Amounts(h.t.Context(), tx)
	require.NoError(h.t, err)
	rules := append(integrity.Rules(), amounts)
	require.Len(h.t, examined, len(rules), "a rule without a query of the records that it is about")
	for _, rule := range rules {
		query, known := examined[rule.Says]
		require.True(h.t, known, "no query of the records that this rule is about: %s", rule.Says)
		var records int
		require.NoError(h.t, tx.QueryRow(h.t.Context(), "SELECT count(*) FROM "+query).Scan(&records), rule.Says)
		require.Positive(h.t, records, "the history has no record that this rule is about: %s", rule.Says)
	}
}
