package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// obliged lets a client owe tax to an authority since the beginning of 2026, as an evaluation of its nexus would.
func (in *installation) obliged(as credentials, country, state string) {
	in.t.Helper()
	in.nexusOf(as.organization, "TX")
	in.execute(fmt.Sprintf(`UPDATE nexus_records SET status = 'REGISTERED', obliged_from = '2026-01-01'
		WHERE organization_id = '%s' AND country_code = '%s' AND state_code = '%s'`, as.organization, country, state))
}

// owedBy returns what documents owe: each of them, and all together.
func (in *installation) owedBy(as credentials, ids ...string) string {
	in.t.Helper()
	var each, sum string
	in.query(&each, `SELECT string_agg(t.total_tax_liability_amount::text, ' ' ORDER BY array_position($2, t.id::text))
		FROM transactions t WHERE t.organization_id = $1 AND t.id = ANY ($2)`, as.organization, ids)
	in.query(&sum, `SELECT sum(x.liability)::text FROM transaction_totals x
		WHERE x.organization_id = $1 AND x.transaction_id = ANY ($2)`, as.organization, ids)
	return each + " = " + sum
}

// What was collected is owed until it is given back, and what is due is owed whether or not it was collected.
func TestASaleAndItsNotesOweTogether(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	in.obliged(shop, "US", "TX")
	lamp := func(id, amount, collected string) string {
		return lineOf(id, "LAMP", amount, `,"tax_amount_imported":"`+collected+`"`)
	}

	t.Run("two lamps at 60.00, 4.95 each by law, 11.00 collected", func(t *testing.T) {
		sale := in.soldAt(shop, houston, "", lamp("L1", "60.00", "5.50"), lamp("L2", "60.00", "5.50"))
		in.owes(t, shop, sale, "11.00", "COLLECTED", "until it is given back")
		require.Equal(t, []string{"OVER_COLLECTED"}, in.warned(shop, sale))
		// One lamp goes back with its 5.50: the other 5.50 stay.
		note := in.givenBack(shop, sale, "65.50", returned("L2", "LAMP", "1", "60.00"))
		require.Equal(t, "11.00 -5.50 = 5.50", in.owedBy(shop, sale, note.ID))
		var explained struct {
			Original struct {
				Before string `json:"owed_before"`
				After  string `json:"owed_after"`
			}
		}
		in.call(shop, "GET", "/v1/transactions/"+note.ID+"/explanation", "", 200).decode(t, &explained)
		require.Equal(t, "11.00 5.50", explained.Original.Before+" "+explained.Original.After)
		// The excess of 0.55 goes back alone: the 4.95 of the law stay.
		excess := in.taxRefund(shop, sale, "0.55", "0.55").ID
		require.Equal(t, "11.00 -5.50 -0.55 = 4.95", in.owedBy(shop, sale, note.ID, excess))
	})

	t.Run("a lamp of 100.00 with 8.25 collected", func(t *testing.T) {
		for total, owed := range map[string]string{
			"100.00": "8.25 0.00 = 8.25", // the buyer did not get the tax back
			"108.25": "8.25 -8.25 = 0.00",
		} {
			sale := in.soldAt(shop, houston, "", lamp("L1", "100.00", "8.25"))
			note := in.givenBack(shop, sale, total, returned("L1", "LAMP", "1", "100.00"))
			require.Equal(t, owed, in.owedBy(shop, sale, note.ID), total)
			if total == "100.00" {
				refund := in.taxRefund(shop, sale, "8.25", "8.25").ID
				require.Equal(t, "8.25 0.00 -8.25 = 0.00", in.owedBy(shop, sale, note.ID, refund))
			}
		}
	})

	t.Run("a thousand small lines, of which a shop rounds the whole", func(t *testing.T) {
		lines := make([]string, 1000)
		for i := range lines {
			lines[i] = lineOf(fmt.Sprint("L", i), "LAMP", "0.05", "")
		}
		sale := in.soldAt(shop, houston, `,"total_tax_amount_imported":"4.13"`, lines...)
		in.owes(t, shop, sale, "4.13", "COLLECTED", "until it is given back")
	})

	t.Run("too little was collected", func(t *testing.T) {
		sale := in.soldAt(shop, houston, "", lamp("L1", "100.00", "8.00"))
		in.owes(t, shop, sale, "8.25", "CALCULATED", "The calculated tax is owed.")
		require.Equal(t, []string{"UNDER_COLLECTED"}, in.warned(shop, sale))
	})

	t.Run("an exemption arrives late", func(t *testing.T) {
		sale := in.soldAt(shop, houston, "", lamp("L1", "100.00", "8.25"))
		note := in.givenBack(shop, sale, "54.13", returned("L1", "LAMP", "1", "50.00"))
		require.Equal(t, "8.25 -4.13 = 4.12", in.owedBy(shop, sale, note.ID))
		in.rewritten(shop, "/v1/transactions/"+sale, func(r record) { r["exempt"] = "FULLY_EXEMPT" })
		require.Equal(t, "QUEUED", in.read(shop, note.ID).ProcessingStatus)
		in.processed(shop, note.ID)
		require.Equal(t, "0.00", in.read(shop, sale).Tax)
		require.Equal(t, "8.25 -4.13 = 4.12", in.owedBy(shop, sale, note.ID), "what was collected stays owed")
		var places string
		in.query(&places, `SELECT places::text FROM transaction_totals WHERE transaction_id = $1`, sale)
		require.JSONEq(t, `[{"type":"STATE","name":"Texas","code":"48","amount":"8.25"}]`, places)
		refund := in.taxRefund(shop, sale, "4.12", "4.12").ID
		require.Equal(t, "8.25 -4.13 -4.12 = 0.00", in.owedBy(shop, sale, note.ID, refund))
	})

	t.Run("a note is cancelled: those committed after it are decided anew", func(t *testing.T) {
		// 10.00 at 8.25 % is 0.825: 0.83. Half of it is 0.4125: the first note takes 0.41, the second the rest.
		sale := in.soldAt(shop, houston, "", lineOf("L1", "LAMP", "10.00", ""))
		first := in.givenBack(shop, sale, "5.41", returned("L1", "LAMP", "0.5", "5.00"))
		second := in.givenBack(shop, sale, "5.42", returned("L1", "LAMP", "0.5", "5.00"))
		require.Equal(t, "0.83 -0.41 -0.42 = 0.00", in.owedBy(shop, sale, first.ID, second.ID))
		in.call(shop, "PUT", "/v1/transactions/"+sale+"/credit_notes/"+first.ID, `{"status":"CANCELLED"}`, 200)
		require.Equal(t, "QUEUED", in.read(shop, second.ID).ProcessingStatus)
		in.processed(shop, first.ID, second.ID)
		require.Equal(t, "EXCLUDED_IN_CALCULATION", in.read(shop, first.ID).ProcessingStatus)
		require.Equal(t, "0.83 -0.41 = 0.42", in.owedBy(shop, sale, second.ID))
	})

	t.Run("a note is decided before one that was committed earlier", func(t *testing.T) {
		sale := in.soldAt(shop, houston, "", lineOf("L1", "LAMP", "10.00", ""))
		body := func() string {
			return noteBody(in.next("NOTE"), "COMMITTED", "5.41", returned("L1", "LAMP", "0.5", "5.00"))
		}
		first, second := in.credit(shop, sale, body()), in.credit(shop, sale, body())
		in.processed(shop, second.ID)
		require.Equal(t, "0.83 -0.41 = 0.42", in.owedBy(shop, sale, second.ID))
		in.processed(shop, first.ID)
		require.Equal(t, "QUEUED", in.read(shop, second.ID).ProcessingStatus, "it is decided after the first")
		in.processed(shop, second.ID)
		require.Equal(t, "0.83 -0.41 -0.42 = 0.00", in.owedBy(shop, sale, first.ID, second.ID))
		in.call(shop, "POST", "/v1/transactions/"+sale+"/reprocess", "", 202)
		in.processed(shop, sale)
		in.processed(shop, second.ID, first.ID) // as one batch, in the order of their commitment
		require.Equal(t, "0.83 -0.41 -0.42 = 0.00", in.owedBy(shop, sale, first.ID, second.ID))
	})

	t.Run("a note that is committed later counts later", func(t *testing.T) {
		sale := in.soldAt(shop, houston, "", lineOf("L1", "LAMP", "10.00", ""))
		pending := in.credit(shop, sale, noteBody(in.next("NOTE"), "PENDING", "5.41", returned("L1", "LAMP", "0.5", "5.00")))
		in.processed(shop, pending.ID)
		note := in.givenBack(shop, sale, "5.41", returned("L1", "LAMP", "0.5", "5.00"))
		in.call(shop, "PUT", "/v1/transactions/"+sale+"/credit_notes/"+pending.ID, `{"status":"COMMITTED"}`, 200)
		in.processed(shop, pending.ID)
		require.Equal(t, "PROCESSED", in.read(shop, note.ID).ProcessingStatus, "it was before")
		require.Equal(t, "0.83 -0.41 -0.42 = 0.00", in.owedBy(shop, sale, note.ID, pending.ID))
	})
}

// A refund in a return is not decided again: the sale takes the difference.
func TestASaleTakesWhatItsLockedNotesLeave(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	registration := in.call(shop, "POST", "/v1/registrations", `{"country_code":"US","state_code":"TX",
		"filing_frequency":"MONTHLY","registration_date":"2026-01-01","imported":true}`, 200).text(t, "id")
	in.obliged(shop, "US", "TX")
	sale := in.soldAt(shop, houston, "", lineOf("L1", "LAMP", "100.00", ""))
	note := in.givenBack(shop, sale, "43.30", returned("L1", "LAMP", "0.4", "40.00"))
	open := in.credit(shop, sale, strings.Replace(noteBody(in.next("NOTE"), "COMMITTED", "10.83",
		returned("L1", "LAMP", "0.1", "10.00")), "2026-06-01", "2026-06-02", 1))
	in.processed(shop, open.ID)
	require.Equal(t, "8.25 -3.30 -0.83 = 4.12", in.owedBy(shop, sale, note.ID, open.ID))
	in.obligationsDecided()
	in.call(shop, "POST", "/v1/filings", strings.Replace(in.filingOf(registration, "REGULAR", "FILED"),
		`"start_date":"2026-01-01","end_date":"2026-01-31"`, `"start_date":"2026-06-01","end_date":"2026-06-01"`, 1), 200)
	require.Equal(t, "FILING_DONE", in.read(shop, note.ID).ProcessingStatus)
	in.rewritten(shop, "/v1/transactions/"+sale, func(r record) { r["exempt"] = "FULLY_EXEMPT" })
	in.processed(shop, open.ID)
	require.Equal(t, "3.30 -3.30 0.00 = 0.00", in.owedBy(shop, sale, note.ID, open.ID), "the whole owes nothing")
}

// A refund of tax that was never collected takes off what was due. A filed report says so, and its verification agrees.
func TestARefundOfMoreTaxThanWasCollectedIsFiled(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	registration := in.call(shop, "POST", "/v1/registrations", `{"country_code":"US","state_code":"TX",
		"filing_frequency":"MONTHLY","registration_date":"2026-01-01","imported":true}`, 200).text(t, "id")
	in.obliged(shop, "US", "TX")
	sale := in.soldAt(shop, houston, "", lineOf("L1", "LAMP", "100.00", `,"tax_amount_imported":"2.00"`))
	refund := in.taxRefund(shop, sale, "8.25", "8.25")
	var collected string
	in.query(&collected, "SELECT collected::text FROM transaction_totals WHERE transaction_id = $1", refund.ID)
	require.Equal(t, "-2.00", collected)
	in.obligationsDecided()
	filing := in.call(shop, "POST", "/v1/filings", strings.Replace(in.filingOf(registration, "REGULAR", "FILED"),
		`"start_date":"2026-01-01","end_date":"2026-01-31"`, `"start_date":"2026-06-10","end_date":"2026-06-10"`, 1), 200).
		text(t, "id")
	require.Equal(t, "FILING_DONE", in.read(shop, refund.ID).ProcessingStatus)
	_, result, err := in.store.Filings.VerifyReport(t.Context(), models.Scope{OrganizationID: shop.organization}, filing)
	require.NoError(t, err)
	require.Empty(t, result.Differences)
}

// Of several authorities each is judged by itself: 100.00 in British Columbia, registered for GST alone.
func TestEachAuthorityOwesByItself(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	in.obliged(shop, "CA", "CA")
	const vancouver = `{"type":"SHIP_TO","city":"Vancouver","state":"BC","postal_code":"V6B 1A1","country":"CA"}`
	for _, c := range []struct{ collected, members, owed string }{
		{"5.00", "", "5.00 0.00"},
		{"12.00", "", "5.00 7.00"},
		{"5.00", `,"tax_items":[{"name":"PST","amount":"5.00","rate":"0.07"}]`, "5.00 5.00"},
	} {
		sale := in.soldAt(shop, vancouver, `,"currency":"CAD"`,
			lineOf("L1", "LAMP", "100.00", `,"tax_amount_imported":"`+c.collected+`"`+c.members))
		var owed string
		in.query(&owed, `SELECT string_agg(liability::text, ' ' ORDER BY state_code DESC) FROM transaction_totals
			WHERE transaction_id = $1`, sale)
		require.Equal(t, c.owed, owed, c.members)
		var explained struct {
			Liability struct {
				Authorities []struct {
					State string `json:"state_code"`
					Case  int
				}
			}
		}
		in.call(shop, "GET", "/v1/transactions/"+sale+"/explanation", "", 200).decode(t, &explained)
		require.Len(t, explained.Liability.Authorities, 2)
		require.Equal(t, 5, explained.Liability.Authorities[0].Case)
	}
}
