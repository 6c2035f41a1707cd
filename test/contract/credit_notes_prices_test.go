package contract_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A lower price takes the part of the collected tax that it takes of the calculated tax, whatever the total of its note
// says beyond it. In Miami the state takes 6 % of an article, the county 1 % of the first 5,000.00.
func TestALowerPriceGivesCollectedTaxBackByTheLaw(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	for name, c := range map[string]struct {
		address, product, amount, collected string
		notes                               [][4]string // quantity, amount, total, collected tax of each
		left                                string      // of the collected tax, after all notes
	}{
		// 6,000.00 bear 360.00 + 50.00.
		"a total of price and tax":        {miami, "LAMP", "9000.00", "590.00", [][4]string{{"0", "3000.00", "3180.00", "180.00"}}, "410.00"},
		"a total with all tax":            {miami, "LAMP", "9000.00", "590.00", [][4]string{{"0", "3000.00", "3590.00", "180.00"}}, "410.00"},
		"a total beyond all tax":          {miami, "LAMP", "9000.00", "590.00", [][4]string{{"0", "3000.00", "3700.00", "180.00"}}, "410.00"},
		"a total that keeps some of it":   {miami, "LAMP", "9000.00", "590.00", [][4]string{{"0", "3000.00", "3100.00", "100.00"}}, "490.00"},
		"half of the tax was collected":   {miami, "LAMP", "9000.00", "295.00", [][4]string{{"0", "3000.00", "3590.00", "90.00"}}, "205.00"},
		"more than the tax was collected": {miami, "LAMP", "9000.00", "1180.00", [][4]string{{"0", "3000.00", "3590.00", "360.00"}}, "820.00"},
		// 4,000.00 bear 240.00 + 40.00.
		"twice": {miami, "LAMP", "9000.00", "590.00",
			[][4]string{{"0", "3000.00", "3590.00", "180.00"}, {"0", "2000.00", "2590.00", "130.00"}}, "280.00"},
		"and then the rest": {miami, "LAMP", "9000.00", "590.00",
			[][4]string{{"0", "3000.00", "3180.00", "180.00"}, {"1", "6000.00", "6410.00", "410.00"}}, "0.00"},
		"to nothing": {miami, "LAMP", "9000.00", "590.00", [][4]string{{"0", "9000.00", "9590.00", "590.00"}}, "0.00"},
		// Massachusetts taxes a garment on what is above 175.00: 55.00 at 6.25 %.
		"a coat, to where it is free": {boston, "COAT", "230.00", "3.44", [][4]string{{"0", "60.00", "80.00", "3.44"}}, "0.00"},
		"a coat, by less":             {boston, "COAT", "230.00", "3.44", [][4]string{{"0", "15.00", "20.00", "0.94"}}, "2.50"},
		"a coat that was free":        {boston, "COAT", "150.00", "9.00", [][4]string{{"0", "50.00", "60.00", "3.00"}}, "6.00"},
	} {
		original := in.soldAt(shop, c.address, "", lineOf("L1", c.product, c.amount, `,"tax_amount_imported":"`+c.collected+`"`))
		for _, n := range c.notes {
			note := in.givenBack(shop, original, n[2], returned("L1", c.product, n[0], n[1]))
			require.Equal(t, n[3], note.Imported, name)
		}
		var left string
		in.query(&left, `SELECT sum(collected)::numeric(20,2)::text FROM transaction_totals x JOIN transactions t
			   ON t.organization_id = x.organization_id AND t.id = x.transaction_id AND t.epoch = x.epoch
			WHERE t.id = $1 OR t.related_to = $1`, original)
		require.Equal(t, c.left, left, name)
	}
}

// Each note takes its part of what those before it leave, also where these wait for a decision. A refund of tax alone is
// one of them.
func TestALowerPriceFollowsWhatOtherNotesLeave(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	original := in.soldAt(shop, miami, "", lineOf("L1", "LAMP", "9000.00", `,"tax_amount_imported":"590.00"`))
	pending := in.credit(shop, original, noteBody(in.next("NOTE"), "PENDING", "3590.00", returned("L1", "LAMP", "0", "3000.00")))
	require.Equal(t, "180.00", pending.Imported)
	second := in.givenBack(shop, original, "2590.00", returned("L1", "LAMP", "0", "2000.00"))
	require.Equal(t, "130.00", second.Imported, "of 6,000.00, as the pending note leaves it")
	cancelled := in.call(shop, "PUT", "/v1/transactions/"+original+"/credit_notes/"+pending.ID, `{"status":"CANCELLED"}`, 200)
	require.Equal(t, "CANCELLED", cancelled.text(t, "status"))
	third := in.givenBack(shop, original, "1500.00", returned("L1", "LAMP", "0", "1000.00"))
	require.Equal(t, []string{"58.72", "60.00"}, []string{third.Imported, third.Tax},
		"7,000.00 bear 470.00, and 6,000.00 bear 410.00: 60.00 of 470.00, of the 460.00 that are left")

	// Half of the tax goes back as exempt: a lower price then takes half of its tax, 90.00 of 295.00.
	original = in.soldAt(shop, miami, "", lineOf("L1", "LAMP", "9000.00", `,"tax_amount_imported":"590.00"`))
	alone := in.givenBack(shop, original, "295.00", strings.Replace(returned("L1", "LAMP", "0", "0.00"), "}",
		`,"tax_amount_imported":"295.00"}`, 1))
	require.Equal(t, []string{"295.00", "295.00"}, []string{alone.Imported, alone.Tax})
	half := in.givenBack(shop, original, "3590.00", returned("L1", "LAMP", "0", "3000.00"))
	require.Equal(t, []string{"90.00", "90.00"}, []string{half.Imported, half.Tax})
}

// Prices that include tax: 9,590.00 is 9,000.00 and 590.00. Lowered by 3,180.00 it is 6,410.00: 6,000.00 and 410.00.
func TestALowerPriceThatIncludesTax(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	original := in.soldAt(shop, miami, `,"prices_include_tax":true`,
		lineOf("L1", "LAMP", "9590.00", `,"tax_amount_imported":"590.00"`))
	note := in.givenBack(shop, original, "3180.00", returned("L1", "LAMP", "0", "3180.00"))
	require.Equal(t, []string{"180.00", "180.00"}, []string{note.Imported, note.Tax})
	rest := in.givenBack(shop, original, "6410.00", returned("L1", "LAMP", "1", "6410.00"))
	require.Equal(t, []string{"410.00", "410.00"}, []string{rest.Imported, rest.Tax})
}
