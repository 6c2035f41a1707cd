package contract_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/activities"
	"levy/models"
)

func TestACreditNoteWaitsForItsOriginal(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	original := in.posted(shop, "")
	note := in.credit(shop, original, noteBody("R", "COMMITTED", "-10.00", noteLine("L1", "P-1", "0", "-10.00", "0")))
	due := func() (n int) {
		in.query(&n, `SELECT count(*)
			FROM outbox
			WHERE aggregate_id = $1 AND next_attempt_at <= now() + interval '10 seconds'`, note.ID)
		return n
	}
	require.Zero(t, due(), "no dispatcher takes it")
	in.processed(shop, note.ID) // and processing it anyway changes nothing
	require.Equal(t, "QUEUED", in.read(shop, note.ID).ProcessingStatus)
	require.Zero(t, due())
	in.processed(shop, original)
	require.Equal(t, 1, due(), "with its original processed it is due")
	in.processed(shop, note.ID)
	require.Equal(t, "-0.89", in.read(shop, note.ID).Tax)

	// The same with a batch of both, and with an original that is processed again.
	other := in.posted(shop, "")
	note = in.credit(shop, other, noteBody("S", "COMMITTED", "-10.00", noteLine("L1", "P-1", "0", "-10.00", "0")))
	in.processed(shop, other, note.ID)
	require.Equal(t, []string{"PROCESSED", "QUEUED"},
		[]string{in.read(shop, other).ProcessingStatus, in.read(shop, note.ID).ProcessingStatus})
	require.Equal(t, 1, due())
	in.processed(shop, note.ID)
	require.Equal(t, "PROCESSED", in.read(shop, note.ID).ProcessingStatus)
}

// Many clients credit, change and cancel at once: the notes never refund more than the sale, the totals are the sums
// of the notes, and the status follows.
func TestConcurrentCreditNotesNeverExceedTheSale(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	original := in.sold(shop)
	path := "/v1/transactions/" + original + "/credit_notes"
	var accepted, refused sync.Map
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			amount := "-9.99"
			if i == 0 {
				amount = "-119.77"
			}
			externalID := fmt.Sprintf("R-%d", i)
			_, a := in.do(request{as: shop, method: "POST", target: path,
				body: noteBody(externalID, []string{"COMMITTED", "PENDING"}[i%2], amount,
					noteLine("L1", "P-1", "0", amount, "0"))})
			if a.status != 200 {
				refused.Store(i, string(a.body))
				return
			}
			var note refundAnswer
			if json.Unmarshal(a.body, &note) != nil {
				return
			}
			accepted.Store(note.ID, true)
			for _, change := range []string{`{"total_amount":"-19.98"}`, `{"status":"CANCELLED"}`, `{"total_amount":"-1.00"}`} {
				if i%3 == 0 || change != `{"status":"CANCELLED"}` {
					in.do(request{as: shop, method: "PUT", target: path + "/" + note.ID, body: change})
				}
			}
		})
	}
	wg.Wait()
	refused.Range(func(_, body any) bool {
		require.Contains(t, body, "credit_exceeds_original")
		return true
	})
	var sums []string
	in.query(&sums, `SELECT ARRAY[c.reserved, c.committed,
		  coalesce(sum(abs(n.total_amount)) FILTER (WHERE n.status = 'PENDING'), 0.00),
		coalesce(sum(abs(n.total_amount)) FILTER (WHERE n.status = 'COMMITTED'), 0.00),
		  c.creditable - c.reserved - c.committed]::text[]
		FROM credit_totals c JOIN transactions n ON n.organization_id = c.organization_id AND n.related_to = c.transaction_id
		WHERE c.transaction_id = $1 GROUP BY c.reserved, c.committed, c.creditable`, original)
	require.Equal(t, sums[2:4], sums[:2], "the totals are the sums of the notes")
	require.False(t, strings.HasPrefix(sums[4], "-"), "%v", sums)
	want := "PARTIALLY_REFUNDED"
	if sums[1] == "0.00" {
		want = ""
	}
	require.Equal(t, want, in.read(shop, original).RefundStatus)

	// All calculations at once, one batch each, as different workers would.
	wg = sync.WaitGroup{}
	accepted.Range(func(id, _ any) bool {
		wg.Go(func() { in.processed(shop, id.(string)) })
		return true
	})
	wg.Wait()
	var over int
	in.query(&over, `SELECT count(*) FROM transaction_items o JOIN (
		  SELECT n.related_to, i.original_line_no, sum(i.tax_amount_calculated) AS tax
		    FROM transactions n JOIN transaction_items i ON i.transaction_id = n.id
		   WHERE n.status = 'COMMITTED' AND n.related_to = $1 GROUP BY 1, 2) r ON r.related_to = o.transaction_id
		       AND r.original_line_no = o.line_no
		WHERE o.tax_amount_calculated + r.tax < 0`, original)
	require.Zero(t, over)
}

// Of many notes at the same moment exactly those are accepted that fit.
func TestCreditNotesAtTheSameMomentAreAcceptedAsFarAsTheyFit(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	for range 5 {
		original := in.sold(shop)
		var accepted atomic.Int32
		at := make(chan struct{})
		var wg sync.WaitGroup
		for i := range 12 {
			body := noteBody(in.next("R"), []string{"COMMITTED", "PENDING"}[i%2], "-50.00",
				noteLine("L1", "P-1", "0", "-50.00", "0"))
			wg.Go(func() {
				<-at
				if _, a := in.do(request{as: shop, method: "POST", target: "/v1/transactions/" + original +
					"/credit_notes", body: body}); a.status == 200 {
					accepted.Add(1)
				}
			})
		}
		close(at)
		wg.Wait()
		require.EqualValues(t, 2, accepted.Load())
	}
}

// Calculations of notes of one line at the same moment, as different workers make them, never refund more tax than
// the sale had. Tax that their line does not have is taken off the other line.
func TestRefundsCalculatedAtTheSameMomentNeverExceedTheTax(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	for range 5 {
		original := in.sold(shop)
		at := make(chan struct{})
		var wg sync.WaitGroup
		for range 6 {
			note := in.credit(shop, original,
				noteBody(in.next("R"), "COMMITTED", "-1.60", noteLine("L1", "P-1", "0", "0", "-1.60")))
			work := activities.StageInput{Refs: []models.Ref{{OrganizationID: shop.organization, ID: note.ID, Epoch: 1}}}
			in.through(work, allStages-1)
			wg.Go(func() {
				<-at
				in.through(work, allStages)
			})
		}
		close(at)
		wg.Wait()
		for range 6 { // those that were decided before one that was committed earlier are decided again
			var again []string
			in.query(&again, `SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM transactions
				WHERE related_to = $1 AND processing_status = 'QUEUED'`, original)
			if len(again) == 0 {
				break
			}
			in.processed(shop, again...)
		}
		var tax string
		in.query(&tax, `SELECT sum(total_tax_amount_calculated)::text
			FROM transactions
			WHERE related_to = $1 AND processing_status = 'PROCESSED'`, original)
		require.Equal(t, "-9.60", tax)
	}
}
