package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// couponShop is a client that sells lamps, desks and televisions, and takes tips, coupons and trade-ins.
func (in *installation) couponShop() credentials {
	in.t.Helper()
	client := in.client()
	for _, id := range []string{"LAMP", "DESK", "TV", "OFF"} {
		in.call(client, "POST", "/v1/products", fmt.Sprintf(`{"external_id":%q,"name":%q,"product_category":"PHYSICAL",`+
			`"product_subcategory":"PHYSICAL_GENERAL"}`, id, id), 200)
	}
	in.call(client, "POST", "/v1/products", `{"external_id":"TIP","name":"Tip","product_category":"MISCELLANEOUS",`+
		`"product_subcategory":"GRATUITY_VOLUNTARY"}`, 200)
	return client
}

// couponSale is the sale to Houston of docs/discounts.md: the coupon of 10.00 takes 6.00 off the lamp, 3.00 off the desk
// and 1.00 off the tip, so 54.00 bear 4.46 and 27.00 bear 2.23 at 8.25 %. The shop collected 7.43 less 0.74.
func (in *installation) couponSale(as credentials) (id string) {
	in.t.Helper()
	return in.soldAt(as, houston, `,"total_amount":"96.69"`,
		lineOf("L", "LAMP", "60.00", `,"tax_amount_imported":"4.95"`),
		lineOf("D", "DESK", "30.00", `,"tax_amount_imported":"2.48"`),
		lineOf("T", "TIP", "10.00", ""), lineOf("C", "OFF", "-10.00", `,"tax_amount_imported":"-0.74"`))
}

// amountsOf writes calculated tax, base, collected tax and discount of a note.
func amountsOf(n refundAnswer) string {
	return strings.Join([]string{n.Tax, n.Taxable, n.Imported}, " ")
}

// A sale with coupon lines comes to nothing when all of it is given back, however the notes divide it.
func TestACreditNoteGivesBackWhatCouponsLeft(t *testing.T) {
	t.Parallel()
	in := install(t)
	type note struct{ total, lines, want string } // tax, base and collected tax of the note
	for name, notes := range map[string][]note{
		"all lines as they were sold": {
			{"96.69", "L LAMP 60.00 D DESK 30.00 T TIP 10.00 C OFF -10.00", "6.69 81.00 6.69"},
		},
		"with the other sign": {
			{"-96.69", "L LAMP -60.00 D DESK -30.00 T TIP -10.00 C OFF 10.00", "-6.69 -81.00 -6.69"},
		},
		"list prices without the coupon: each counts with what the coupon left of it": {
			{"96.69", "L LAMP 60.00 D DESK 30.00 T TIP 10.00", "6.69 81.00 6.69"},
		},
		"line by line, after the coupon": {
			{"58.46", "L LAMP 54.00", "4.46 54.00 4.46"}, {"29.23", "D DESK 27.00", "2.23 27.00 2.23"},
			{"9.00", "T TIP 9.00", "0.00 0.00 0.00"},
		},
		"line by line, with its part of the coupon": {
			{"58.46", "L LAMP 60.00 C OFF -6.00", "4.46 54.00 4.46"}, {"29.23", "D DESK 30.00 C OFF -3.00", "2.23 27.00 2.23"},
			{"9.00", "T TIP 10.00 C OFF -1.00", "0.00 0.00 0.00"},
		},
		// 50.00 of 54.00 take 4.13 of 4.46. The others have their own parts of the coupon; 4.00 of the lamp are left.
		"all of the coupon with the first line": {
			{"54.13", "L LAMP 60.00 C OFF -10.00", "4.13 50.00 4.13"},
			{"38.23", "D DESK 30.00 T TIP 10.00", "2.23 27.00 2.23"}, {"4.33", "L LAMP 4.00", "0.33 4.00 0.33"},
		},
		"a discount that the sale did not name": {
			{"53.26", "L LAMP 54.00 L LAMP -4.80", "4.06 49.20 4.06"},
			{"43.43", "L LAMP 60.00 D DESK 30.00 T TIP 10.00", "2.63 31.80 2.63"},
		},
	} {
		shop := in.couponShop()
		original := in.couponSale(shop)
		require.Equal(t, "90.00 6.69 90.00 6.69 6.69 6.69", in.remaining(shop), name)
		for i, n := range notes {
			var lines []string
			for words := strings.Fields(n.lines); len(words) > 0; words = words[3:] {
				lines = append(lines, returned(words[0], words[1], "1", words[2]))
			}
			given := in.givenBack(shop, original, n.total, lines...)
			require.Equal(t, n.want, amountsOf(given), "%s, note %d", name, i+1)
			require.Empty(t, in.warned(shop, given.ID), "%s, note %d", name, i+1)
		}
		require.Equal(t, nothingRemains, in.remaining(shop), name)
		require.Equal(t, "FULLY_REFUNDED", in.read(shop, original).RefundStatus, name)
	}
}

// A coupon line gives nothing back, and a line no more than the coupon left of it.
func TestACouponIsNoMoneyToGiveBack(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.couponShop()
	original := in.couponSale(shop)
	p := in.refusedNote(shop, original, noteBody("X", "COMMITTED", "50.00", returned("L", "LAMP", "1", "60.00")), 400)
	require.Equal(t, "total_mismatch", p.problem(t).Errors[0].Code, "54.00 are left of the lamp")
	note := in.givenBack(shop, original, "10.00", returned("C", "OFF", "1", "10.00"))
	require.Equal(t, []string{"0.00", "TOTAL_MISMATCH"}, append([]string{note.Tax}, in.warned(shop, note.ID)...))
	lower := in.givenBack(shop, original, "15.16", returned("L", "LAMP", "0", "14.00"))
	require.Equal(t, "1.16 14.00 1.16", amountsOf(lower), "40.00 bear 3.30")
	var e struct {
		Items []struct {
			ItemID string `json:"item_id"`
			Spread []struct {
				ItemID string `json:"item_id"`
				Amount string
			}
		}
	}
	both := in.givenBack(shop, original, "61.30", returned("L", "LAMP", "1", "44.00"), returned("D", "DESK", "1", "22.00"),
		returned("C", "OFF", "1", "-9.00"))
	in.call(shop, "GET", "/v1/transactions/"+both.ID+"/explanation", "", 200).decode(t, &e)
	require.Equal(t, []string{e.Items[0].ItemID + " 6.00", e.Items[1].ItemID + " 3.00"}, []string{
		e.Items[2].Spread[0].ItemID + " " + e.Items[2].Spread[0].Amount,
		e.Items[2].Spread[1].ItemID + " " + e.Items[2].Spread[1].Amount,
	})
}

// What somebody else paid is a part of the taxed price, and so is a trade-in in Massachusetts. Its tax goes back with the
// units, though the buyer gets less.
func TestACreditNoteOfASaleThatOthersPaidFor(t *testing.T) {
	t.Parallel()
	in := install(t)
	for name, c := range map[string]struct{ address, coupon, total, taxes string }{
		// 20 NYCRR 526.5: 400.00 at 8.875 %
		"a coupon of the manufacturer": {newYork, `,"reimbursed_by":"MANUFACTURER"`, "192.75", "35.50 400.00 17.75 200.00"},
		// M.G.L. c. 64H, 1: 400.00 at 6.25 %
		"a trade-in": {boston, `,"trade_in":true`, "187.50", "25.00 400.00 12.50 200.00"},
		// N.Y. Tax Law 1101(b)(3): 350.00
		"a trade-in that lowers the base": {newYork, `,"trade_in":true`, "190.53", "31.06 350.00 15.53 175.00"},
	} {
		shop := in.couponShop()
		original := in.soldAt(shop, c.address, "", lineOf("1", "TV", "400.00", `,"quantity":2`),
			lineOf("2", "OFF", "-50.00", c.coupon))
		of := in.read(shop, original)
		one := in.givenBack(shop, original, c.total, returned("1", "TV", "1", "175.00"))
		require.Equal(t, c.taxes, strings.Join([]string{of.Tax, of.Taxable, one.Tax, one.Taxable}, " "), name)
		in.givenBack(shop, original, c.total, returned("1", "TV", "1", "200.00"), returned("2", "OFF", "1", "-25.00"))
		require.Equal(t, "0.00 0.00 0.00 0.00 0.00 0.00", in.remaining(shop), name)
	}

	// All of a lamp is paid by the manufacturer: the buyer gets the tax of 0.89 alone.
	shop := in.couponShop()
	original := in.soldAt(shop, newYork, `,"total_amount":"0.89"`, lineOf("1", "LAMP", "10.00", `,"tax_amount_imported":"0.89"`),
		lineOf("2", "OFF", "-10.00", `,"reimbursed_by":"MANUFACTURER"`))
	free := in.givenBack(shop, original, "0.89", returned("1", "LAMP", "1", "10.00"), returned("2", "OFF", "1", "-10.00"))
	require.Equal(t, "0.89 10.00 0.89", amountsOf(free))
	require.Equal(t, nothingRemains, in.remaining(shop))
	require.Equal(t, "FULLY_REFUNDED", in.read(shop, original).RefundStatus)
}
