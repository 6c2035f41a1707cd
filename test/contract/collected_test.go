package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The collected or the calculated tax is owed, as the organization prefers: for transactions that are calculated from
// then on, where tax is owed and was collected.
func TestCollectedAmountsArePreferredAsTheSettingSays(t *testing.T) {
	t.Parallel()
	in := install(t)
	free, obliged := in.merchant(), in.merchant()
	in.call(obliged, "POST", "/v1/registrations",
		`{"country_code":"US","state_code":"NY","filing_frequency":"QUARTERLY","registration_date":"2026-01-01",`+
			`"imported":true}`, 200)
	in.execute(`UPDATE nexus_records SET status = 'REGISTERED', obliged_from = '2026-01-01' WHERE id = $1`,
		in.nexusOf(obliged.organization, "NY")) // as its evaluation would
	const preferred, collected, calculated = "The organization prefers", "what was collected is owed",
		"The calculated tax is owed"
	for _, c := range []struct {
		name              string
		as                credentials
		prefer            bool
		members, imported string // of the sale, and of its only line
		liability, source string
		rule              string
	}{
		{"without an obligation what was collected is owed in any case", free, false, "", "5.00", "5.00",
			"COLLECTED", collected},
		{"and with the setting too", free, true, "", "5.00", "5.00", "COLLECTED", "No obligation"},
		{"without an obligation and without tax nothing is owed", free, true, "", "0.00", "0.00", "CALCULATED",
			"nothing is owed"},
		{"with an obligation the calculated tax is owed", obliged, false, "", "5.00", "8.88", "CALCULATED", calculated},
		{"unless more was collected", obliged, false, "", "50.00", "50.00", "COLLECTED", "until it is given back"},
		{"unless collected amounts are preferred", obliged, true, "", "5.00", "5.00", "COLLECTED", preferred},
		{"also when they are higher", obliged, true, "", "50.00", "50.00", "COLLECTED", preferred},
		{"by the total of the sale, before its lines", obliged, true, `"total_tax_amount_imported":"7.00",`, "5.00", "7.00",
			"COLLECTED", preferred},
		{"without collected tax the calculated tax is owed", obliged, true, "", "0.00", "8.88", "CALCULATED", calculated},
		{"a marketplace remits for the seller", obliged, true, `"marketplace":true,`, "5.00", "0.00", "CALCULATED",
			"The marketplace"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in.prefer(c.as, c.prefer)
			body := strings.Replace(saleBody(in.next("ORDER"), "P-1", 1), `"currency"`, c.members+`"currency"`, 1)
			var made []struct{ ID string }
			in.call(c.as, "POST", "/v1/transactions",
				strings.Replace(body, `"tax_amount_imported":"8.88"`,
					fmt.Sprintf(`"tax_amount_imported":%q`, c.imported), 1), 202).decode(t, &made)
			in.processed(c.as, made[0].ID)
			in.owes(t, c.as, made[0].ID, c.liability, c.source, c.rule)
		})
	}

	t.Run("a change counts from then on, and a refund takes back what was owed", func(t *testing.T) {
		in.prefer(obliged, true)
		sale := in.posted(obliged, `"total_tax_amount_imported":"5.00",`)
		in.processed(obliged, sale)
		in.owes(t, obliged, sale, "5.00", "COLLECTED", preferred)
		in.prefer(obliged, false)
		note := in.credit(obliged, sale,
			noteBody(in.next("NOTE"), "COMMITTED", "-119.77",
				noteLine("L1", "P-1", "4", "-100.00", "-4.00")+","+noteLine("L2", "SHIP", "1", "-10.00", "-1.00")))
		in.processed(obliged, note.ID)
		require.Equal(t, []string{"-9.77", "-5.00"},
			[]string{in.read(obliged, note.ID).Tax, in.read(obliged, note.ID).Liability})
		in.owes(t, obliged, sale, "5.00", "COLLECTED", preferred)

		later := in.posted(obliged, `"total_tax_amount_imported":"5.00",`)
		in.processed(obliged, later)
		in.owes(t, obliged, later, "9.77", "CALCULATED", calculated)
		in.prefer(obliged, true)
		in.put(obliged, later, `"total_tax_amount_imported":"5.00",`, 200)
		in.processed(obliged, later)
		in.owes(t, obliged, later, "5.00", "COLLECTED", preferred)
	})

	t.Run("an estimate states the law and what to collect, whatever is preferred", func(t *testing.T) {
		var answers []string
		for _, prefer := range []bool{false, true} {
			in.prefer(obliged, prefer)
			a := in.call(obliged, "POST", "/v1/tax/estimate", estimateBody(1, "PHYSICAL", ""), 200)
			require.Equal(t, []string{"8.88", "8.88"},
				[]string{a.text(t, "total_tax_amount_calculated"), a.text(t, "tax_to_collect")})
			answers = append(answers, string(a.body))
		}
		require.JSONEq(t, answers[0], answers[1])
	})
}

// prefer changes the setting.
func (in *installation) prefer(as credentials, collected bool) {
	in.t.Helper()
	in.call(as, "POST", "/v1/organizations/"+as.organization+"/settings",
		fmt.Sprintf(`{"prefer_collected_tax_amounts":%t}`, collected), 200)
}

// owes checks what a transaction adds to the tax that is owed, and how that is explained.
func (in *installation) owes(t *testing.T, as credentials, id, liability, source, rule string) {
	t.Helper()
	var stored struct {
		Imported   string `json:"total_tax_amount_imported"`
		Calculated string `json:"total_tax_amount_calculated"`
		Liability  string `json:"total_tax_liability_amount"`
		Source     string `json:"tax_liability_source"`
	}
	in.call(as, "GET", "/v1/transactions/"+id, "", 200).decode(t, &stored)
	require.Equal(t, []string{liability, source}, []string{stored.Liability, stored.Source})
	var explained struct {
		Liability struct {
			Source, Amount, Rule string
			Collected            string `json:"collected_amount"`
			Calculated           string `json:"calculated_amount"`
		}
		Steps []struct{ Code, Text string }
	}
	in.call(as, "GET", "/v1/transactions/"+id+"/explanation", "", 200).decode(t, &explained)
	l := explained.Liability
	require.Equal(t, []string{liability, source, stored.Imported, stored.Calculated},
		[]string{l.Amount, l.Source, l.Collected, l.Calculated})
	require.Contains(t, l.Rule, rule)
	last := explained.Steps[len(explained.Steps)-1]
	require.Equal(t, "LIABILITY", last.Code)
	require.Contains(t, last.Text, rule)
}
