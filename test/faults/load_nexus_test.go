package faults_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"levy/test/testbed"
)

// landlord sells to a state where it is present for a while, and then no more: each
// change has nexus looked at, and what was sold calculated anew.
type landlord struct {
	*load
	random *rand.Rand
	last   bool // no further presence

	n       int
	waits   int // turns until it moves out
	sold    bool
	id      string
	present bool
}

const landlordPlace = 5

func (l *landlord) step() (done bool) {
	name := fmt.Sprintf("PRESENCE-%d", l.n)
	switch {
	case l.last && !l.sold:
		return true
	case !l.sold:
		body := saleTo(name, 9000+l.n, landlordPlace, monthAgo(1))
		answer, o := l.send(l.random,
			request{kind: kindSale, id: name, method: http.MethodPost, path: "/v1/transactions", body: body,
				expected: []string{"duplicate_external_id"}})
		if answer.Field("existing_id") != "" {
			o = accepted
		}
		l.book.note(entry{Kind: kindSale, ID: name, N: 9000 + l.n, Place: landlordPlace, Outcome: o})
		l.sold = o == accepted
	case !l.present: // under a key, so that one that is sent again is the same one
		answer, o := l.do(l.random, request{kind: kindPresence, id: name, method: http.MethodPost,
			path: "/v1/nexus/physical_nexus", key: fmt.Sprintf("%s-%d", name, l.seed),
			expected: []string{"idempotency_key_in_use"},
			body: map[string]any{"country_code": "US", "state_code": places[landlordPlace].state,
				"start_date": monthAgo(2), "category": "WAREHOUSE_AND_INVENTORY_PRESENCE", "external_id": name}})
		if l.present = o == accepted; l.present {
			l.id, l.waits = answer.Field("id"), 8
		}
	case l.waits > 0 && !l.last:
		l.waits--
	default:
		answer, o := l.send(l.random,
			request{kind: kindDeparture, id: name, method: http.MethodDelete, path: "/v1/nexus/physical_nexus/" + l.id,
				expected: []string{"not_found"}})
		if answer.Status == http.StatusNotFound {
			o = accepted // it had succeeded unseen
		}
		l.book.note(entry{Kind: kindDeparture, ID: name, Outcome: o})
		if o == accepted {
			l.sold, l.present, l.n = false, false, l.n+1
		}
	}
	return false
}

// obligationMoved is true of a nexus record whose sales do not follow it yet.
const obligationMoved = "(obliged_from, obliged_until, obliged_gaps) IS DISTINCT FROM (applied_from, " +
	"applied_until, applied_gaps)"

// requireSettled waits until every promise is kept: nexus is looked at, registrations
// and onboardings have nothing left to do.
func (l *load) requireSettled() {
	t := l.bed.TB()
	t.Helper()
	makeAllDue(l.bed)
	began, outbox := time.Now(), ""
	l.bed.Eventually("every promise is kept", func(ctx context.Context) (bool, error) {
		left := l.bed.Rows(`
			SELECT 'nexus' AS what, count(*) FROM nexus_changes WHERE pending HAVING count(*) > 0 UNION ALL
			SELECT 'obligations', count(*) FROM nexus_records WHERE ` + obligationMoved + ` HAVING count(*) > 0 UNION ALL
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
			outbox = leftOver(ctx, l.bed)
			t.Logf("%.0f s after all was made due: %v\n%s", time.Since(began).Seconds(), left, outbox)
		}
		return len(left) == 0, fmt.Errorf("%v\n%s", left, outbox)
	})
	out := l.bed.Run("nexus", "recount") // fails when there is any difference
	t.Logf("%s", out)
}
