package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// register creates the registration of the sellers' state before they sell. Their sales, all dated in one period, are
// filed after they have ended.
func (l *load) register() {
	t := l.bed.TB()
	t.Helper()
	answer := l.bed.Post("/v1/registrations", map[string]any{
		"country_code": "US", "state_code": places[0].state, "filing_frequency": "MONTHLY", "imported": true,
		"registration_date": "2026-01-01", "do_not_file": true,
	})
	require.Equal(t, http.StatusOK, answer.Status, "%s", answer.Body)
	l.returns = answer.Field("id")
	l.ledger.record(entry{Kind: kindRegistered, ID: places[0].state, Outcome: accepted})
}

// fileEverything files what the sellers sold and every return that is open, and waits
// until the authority has accepted everything.
func (l *load) fileEverything() {
	t := l.bed.TB()
	t.Helper()
	answer := l.bed.Post("/v1/filings",
		map[string]any{"registration_id": l.returns, "country_code": "US", "state_code": places[0].state,
			"state_name": "New York",
			"start_date": "2026-05-01", "end_date": "2026-06-30", "status": "UNFILED"})
	require.Equal(t, http.StatusOK, answer.Status, "%s", answer.Body)
	l.bed.Eventually("all returns are filed", func(ctx context.Context) (bool, error) {
		for _, open := range l.bed.Rows("SELECT id, status FROM filings WHERE status IN ('UNFILED', 'PAUSED', 'ISSUE')") {
			method, path, body := http.MethodPut, "/approve", map[string]any{"approved_by": "Ann"}
			switch open["status"] {
			case "PAUSED":
				path, body = "", map[string]any{"status": "UNFILED"}
			case "ISSUE":
				method, path, body = http.MethodPost, "/retry", nil
			}
			var content any
			if body != nil {
				content = body
			}
			answer, err := l.bed.Send(ctx, l.bed.API, method, "/v1/filings/"+open["id"].(string)+path, content)
			if err != nil || answer.Status >= 500 {
				return false, errors.Join(err, fmt.Errorf("%s", answer.Body))
			}
		}
		left := l.bed.Rows(`SELECT id, state_code, status, issue_reason, next_check_at
			FROM filings
			WHERE status <> 'FILED' OR locked_at IS NULL OR next_check_at IS NOT NULL`)
		late := l.bed.Count("SELECT count(*) FROM late_transactions")
		return len(left) == 0 && late == 0, fmt.Errorf("%d late sales; %v", late, left)
	})
	t.Logf("filed: %v", l.bed.Rows(`SELECT state_code, filing_category, count(*), sum(transaction_count) AS transactions,
		  sum(amount_sales)::text AS sales, max(attempt) AS attempts
		FROM filings GROUP BY 1, 2 ORDER BY 1, 2`))
}

// filer registers a state, sells there and files its returns, month by month; sales after that go to an amendment.
type filer struct {
	*load
	index  int
	random *rand.Rand
	last   bool // no further month

	registration string
	month        int // how many months ago
	phase        int
	sold         int
	filing       string
	amends       bool
	rejected     bool
}

// The phases of a month.
const (
	phaseSell = iota
	phaseWait
	phaseFind
	phasePause
	phaseResume
	phaseApprove
	phaseFiled
	monthsFiled = 6
)

func (f *filer) place() int { return 1 + f.index }

func (f *filer) step() (done bool) {
	if f.registration == "" {
		f.enroll()
		return false
	}
	if f.month == monthsFiled || f.last && f.phase == phaseSell {
		return true
	}
	switch f.phase {
	case phaseSell:
		f.sellInState()
	case phaseWait:
		if answer, o := f.read("/v1/transactions/external/" + f.externalID()); o == accepted &&
			answer.Field("processing_status") == "PROCESSED" {
			f.phase = phaseFind
		}
	case phaseFind:
		f.find()
	case phasePause, phaseResume:
		f.pauseAndResume()
	case phaseApprove:
		f.approve()
	case phaseFiled:
		f.awaitFiled()
	}
	return false
}

func (f *filer) read(path string) (testbed.Answer, outcome) {
	return f.send(f.random, request{id: fmt.Sprint("filer ", f.index), method: http.MethodGet, path: path,
		expected: []string{"not_found"}})
}

func (f *filer) enroll() {
	state := places[f.place()].state
	answer, o := f.send(f.random,
		request{kind: kindRegistered, id: state, method: http.MethodPost, path: "/v1/registrations",
			expected: []string{"duplicate_registration"},
			body: map[string]any{"country_code": "US", "state_code": state, "filing_frequency": "MONTHLY", "imported": true,
				"registration_date": monthAgo(monthsFiled + 1)}})
	f.registration = answer.Field("id")
	if existing := answer.Field("existing_id"); existing != "" {
		f.registration, o = existing, accepted
	}
	f.ledger.record(entry{Kind: kindRegistered, ID: state, Outcome: o})
}

func (f *filer) externalID() string { return fmt.Sprintf("FILER-%d-%d", f.index, f.sold) }

func (f *filer) sellInState() {
	id, n := f.externalID(), 5000+1000*f.index+f.sold
	answer, o := f.send(f.random,
		request{kind: kindSale, id: id, method: http.MethodPost, path: "/v1/transactions",
			body:     saleTo(id, n, f.place(), monthAgo(f.month+1)),
			expected: []string{"duplicate_external_id"}})
	if answer.Field("existing_id") != "" {
		o = accepted
	}
	f.ledger.record(entry{Kind: kindSale, ID: id, N: n, Place: f.place(), Outcome: o})
	if o == accepted {
		f.phase = phaseWait
	}
}

// find finds the return, or the amendment with the late sale.
func (f *filer) find() {
	answer, o := f.read("/v1/filings?size=100&registration_id=" + f.registration)
	if o != accepted {
		return
	}
	var list struct {
		Items []struct {
			ID, Status, Category, Start string
		}
	}
	text := strings.NewReplacer(`"filing_category"`, `"Category"`, `"start_date"`, `"Start"`).Replace(string(answer.Body))
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		f.addFinding("filings: %v", err)
		return
	}
	for _, item := range list.Items {
		if item.Start == monthAgo(f.month+1) && (item.Category == "AMENDMENT") == f.amends && item.Status == "UNFILED" {
			f.filing, f.phase = item.ID, phasePause
			return
		}
	}
}

// pauseAndResume holds up one return of two for a moment, and has one of four rejected.
func (f *filer) pauseAndResume() {
	if f.phase == phasePause && f.random.IntN(2) == 0 {
		f.phase = phaseApprove
		return
	}
	body, next := map[string]any{"status": "PAUSED"}, phaseResume
	if f.phase == phaseResume {
		body, next = map[string]any{"status": "UNFILED", "internal_notes": nil}, phaseApprove
		if f.rejected = f.random.IntN(2) == 0; f.rejected {
			body["internal_notes"] = "SIMULATE_REJECT"
		}
	}
	if _, o := f.do(f.random, request{kind: kindPause, id: f.filing, method: http.MethodPut, path: "/v1/filings/" +
		f.filing, body: body}); o == accepted {
		f.phase = next
	}
}

func (f *filer) approve() {
	answer, o := f.send(f.random,
		request{kind: kindApproval, id: f.filing, method: http.MethodPut, path: "/v1/filings/" + f.filing + "/approve",
			body: map[string]any{"approved_by": "Ann"}, expected: []string{"invalid_status_transition", "filing_not_ready"}})
	if answer.Code() == "invalid_status_transition" {
		o = accepted // an earlier attempt had succeeded
	}
	f.ledger.record(entry{Kind: kindApproval, ID: f.filing, Outcome: o})
	if o == accepted {
		f.phase = phaseFiled
	}
}

// awaitFiled corrects and retries a rejected return, and posts a late sale after a filed one.
func (f *filer) awaitFiled() {
	answer, o := f.read("/v1/filings/" + f.filing)
	if o != accepted {
		return
	}
	switch answer.Field("status") {
	case "ISSUE":
		if f.rejected {
			_, o := f.do(f.random, request{kind: kindPause, id: f.filing, method: http.MethodPut, path: "/v1/filings/" +
				f.filing, body: map[string]any{"internal_notes": nil}})
			f.rejected = o != accepted
			return
		}
		f.send(f.random, request{kind: kindPause, id: f.filing, method: http.MethodPost, path: "/v1/filings/" +
			f.filing + "/retry", expected: []string{"invalid_status_transition"}})
	case "FILED":
		f.phase, f.sold = phaseSell, f.sold+1
		if f.amends {
			f.month++
		}
		f.amends = !f.amends
	}
}

// monthAgo is the first day of the month n months ago.
func monthAgo(n int) string {
	return testbed.FirstOfPeriod(n).Format(time.DateOnly)
}
