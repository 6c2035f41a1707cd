package web

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
)

// Versions are compared by their submitted values: fields, addresses by type, lines by id.
func TestVersionsOfATransactionAreCompared(t *testing.T) {
	t.Parallel()
	const stored = `{"external_id":"A-1","total_amount":"10.00","marketplace":false,"date":"2026-05-15T10:00:00Z","batch_id":"batc_1",
		"customer":{"external_id":"C-1","name":"Ada"},
		"addresses":[{"id":"addr_1","type":"SHIP_TO","city":"Sprangville","state":"Wahsinton"},{"type":"SHIP_FROM","city":"Boston"}],
		"transaction_items":[{"id":"item_1","external_product_id":"P-1","amount":"4.00","quantity":"1"},
			{"id":"item_2","external_product_id":"P-2","amount":"6.00","quantity":"2"}]}`
	for name, c := range map[string]struct {
		next string
		want []difference
	}{
		"nothing": {stored, nil},
		"fields": {
			strings.NewReplacer("10.00", "12.00", "false", "true", "05-15", "05-16", "batc_1", "batc_2", "C-1",
				"C-2").Replace(stored),
			[]difference{
				{"Date", "15 May 2026, 10:00 UTC", "16 May 2026, 10:00 UTC"}, {"Marketplace", "no", "yes"},
				{"Total", "10.00", "12.00"}, {"Customer", "C-1", "C-2"},
			},
		},
		"an address, and a line less": {
			`{"external_id":"A-1","total_amount":"10.00","marketplace":false,"date":"2026-05-15T10:00:00Z","customer":{"external_id":"C-1"},
			"addresses":[{"id":"addr_9","type":"SHIP_TO","city":"Seattle","state":"WA"}],
			"transaction_items":[{"id":"item_2","external_product_id":"P-2","amount":"6.50","quantity":"2"},
				{"id":"item_3","external_product_id":"P-3","amount":"3.50","quantity":"1"}]}`,
			[]difference{
				{"Address ship to: city", "Sprangville", "Seattle"}, {"Address ship to: state", "Wahsinton", "WA"},
				{"Address ship from", "Boston", ""},
				{"Line 1", "P-1, 1, 4.00", ""}, {"Line 2: amount", "6.00", "6.50"}, {"Line 3", "", "P-3, 1, 3.50"},
			},
		},
		"amounts and names": {
			strings.NewReplacer(`"10.00"`, `"12345.00","total_tax_amount_imported":"1000.50"`, `"4.00"`,
				`"1234567.00","tax_amount_imported":"2000.00"`, "A-1", "2026.11").Replace(stored),
			[]difference{
				{"Your ID", "A-1", "2026.11"}, {"Total", "10.00", "12,345.00"}, {"Tax collected", "", "1,000.50"},
				{"Line 1: amount", "4.00", "1,234,567.00"}, {"Line 1: tax collected", "", "2,000.00"},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var before, after contract.Transaction
			require.NoError(t, contract.Decode([]byte(stored), &before))
			require.NoError(t, contract.Decode([]byte(c.next), &after))
			found, _ := differences(&before, &after)
			for i := range found {
				found[i].Before, found[i].After = plainText(found[i].Before), plainText(found[i].After)
			}
			require.Equal(t, c.want, found)
		})
	}
}
