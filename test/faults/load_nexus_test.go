package faults_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"levy/test/testbed"
)

// presenceClient sells to a state where it has a physical presence for a while. With each change nexus is evaluated and
// its sales are recalculated.
type presenceClient struct {
	*load
	random *rand.Rand
	last   bool // no further presence

	n       int
	waits   int // steps until the presence ends
	sold    bool
	id      string
	present bool
}

const presencePlace = 5

func (p *presenceClient) step() (done bool) {
	name := fmt.Sprintf("PRESENCE-%d", p.n)
	switch {
	case p.last && !p.sold:
		return true
	case !p.sold:
		body := saleTo(name, 9000+p.n, presencePlace, monthAgo(1))
		answer, o := p.send(p.random,
			request{kind: kindSale, id: name, method: http.MethodPost, path: "/v1/transactions", body: body,
				expected: []string{"duplicate_external_id"}})
		if answer.Field("existing_id") != "" {
			o = accepted
		}
		p.ledger.record(entry{Kind: kindSale, ID: name, N: 9000 + p.n, Place: presencePlace, Outcome: o})
		p.sold = o == accepted
	case !p.present: // under a key, so that a repeat creates no second one
		answer, o := p.do(p.random, request{kind: kindPresence, id: name, method: http.MethodPost,
			path: "/v1/nexus/physical_nexus", key: fmt.Sprintf("%s-%d", name, p.seed),
			expected: []string{"idempotency_key_in_use"},
			body: map[string]any{"country_code": "US", "state_code": places[presencePlace].state,
				"start_date": monthAgo(2), "category": "WAREHOUSE_AND_INVENTORY_PRESENCE", "external_id": name}})
		if p.present = o == accepted; p.present {
			p.id, p.waits = answer.Field("id"), 8
		}
	case p.waits > 0 && !p.last:
		p.waits--
	default:
		answer, o := p.send(p.random,
			request{kind: kindDeparture, id: name, method: http.MethodDelete, path: "/v1/nexus/physical_nexus/" + p.id,
				expected: []string{"not_found"}})
		if answer.Status == http.StatusNotFound {
			o = accepted // an earlier attempt had succeeded
		}
		p.ledger.record(entry{Kind: kindDeparture, ID: name, Outcome: o})
		if o == accepted {
			p.sold, p.present, p.n = false, false, p.n+1
		}
	}
	return false
}

// obligationUnapplied is true of a nexus record whose obligation is not applied to its sales yet.
const obligationUnapplied = "(obliged_from, obliged_until, obliged_gaps) IS DISTINCT FROM (applied_from, " +
	"applied_until, applied_gaps)"

// requireSettled waits until no work is pending: nexus is evaluated, and registrations and onboardings have nothing left
// to do.
func (l *load) requireSettled() {
	t := l.bed.TB()
	t.Helper()
	makeAllDue(l.bed)
	began, outbox := time.Now(), ""
	l.bed.Eventually("no work is pending", func(ctx context.Context) (bool, error) {
		left := l.bed.Rows(`
			SELECT 'nexus' AS what, count(*) FROM nexus_changes WHERE pending HAVING count(*) > 0 UNION ALL
			SELECT 'obligations', count(*) FROM nexus_records WHERE ` + obligationUnapplied + ` HAVING count(*) > 0 UNION ALL
			SELECT 'outbox', count(*) FROM outbox HAVING count(*) > 0 UNION ALL
			SELECT 'filing', count(*) FROM filings WHERE status = 'FILING' OR status = 'FILED'
			       AND (locked_at IS NULL OR next_check_at IS NOT NULL) HAVING count(*) > 0 UNION ALL
			SELECT 'onboarding', count(*)
			  FROM onboardings
			 WHERE status IN ('CANCELLED', 'EXPIRED', 'FAILED') AND next_check_at IS NOT NULL
			HAVING count(*) > 0
			UNION ALL
			SELECT 'registration', count(*) FROM registrations WHERE next_check_at IS NOT NULL OR changed HAVING count(*) > 0`)
		if outbox == "" && len(left) > 0 && time.Since(began) > testbed.WaitLimit/2 {
			outbox = describeOutbox(ctx, l.bed)
			t.Logf("%.0f s after all was made due: %v\n%s", time.Since(began).Seconds(), left, outbox)
		}
		return len(left) == 0, fmt.Errorf("%v\n%s", left, outbox)
	})
	out := l.bed.Run("nexus", "recount") // fails when there is any difference
	t.Logf("%s", out)
}
