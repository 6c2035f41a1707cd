package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

// couponSale is a sale of a lamp and of pills with a coupon line, whose products have classes.
func couponSale(amounts ...string) []models.TransactionItem {
	items := lines(amounts...)
	for i, class := range []tax.TaxClass{tax.ClassPhysical, tax.ClassDrugsOTC, tax.ClassDrugsOTC} {
		items[i].TaxClass, items[i].ExternalProductID = class, string(class)+string(rune('a'+i))
	}
	return items
}

func netsOf(t *testing.T, items []models.TransactionItem) (nets []string) {
	for i := range items {
		net, err := items[i].NetAmount()
		require.NoError(t, err)
		nets = append(nets, net.String())
	}
	return nets
}

func TestCouponLinesLowerTheNetAmountsOfOthers(t *testing.T) {
	t.Parallel()
	items := couponSale("60.00", "40.00", "-10.00")
	require.NoError(t, SpreadCoupons(items, "USD"))
	require.Equal(t, []string{"60.00", "30.00", "0.00"}, netsOf(t, items))
	require.True(t, items[2].IsCoupon)
	items = couponSale("5.00", "4.00", "-10.00")
	require.NoError(t, SpreadCoupons(items, "USD"))
	require.Equal(t, []string{"0.00", "0.00", "-1.00"}, netsOf(t, items), "more discount than goods")
	items = couponSale("-5.00", "-4.00", "-10.00")
	require.NoError(t, SpreadCoupons(items, "USD"))
	require.Equal(t, []string{"-5.00", "-4.00", "-10.00"}, netsOf(t, items), "an unmatched return")
	require.False(t, items[2].IsCoupon)
}

// The class is known only after the products were read. The discount of the sale counts after the coupon.
func TestDiscountsOfTheSaleFollowTheClassesOfCoupons(t *testing.T) {
	t.Parallel()
	items := couponSale("60.00", "40.00", "-10.00")
	items[0].Sent = &models.SubmittedLine{Discount: discount(wholeSale, "9.00")}
	items[0].Sent.Discount.ReimbursedBy = tax.ReimbursedByManufacturer
	SpreadDiscountsByClass(items, "USD")
	require.Equal(t, "6.00", items[0].TotalDiscount.String())
	require.Equal(t, "3.00", items[1].TotalDiscount.String(), "of the 30.00 that the coupon leaves")
	require.Equal(t, "6.00 6.00", items[0].Terms().Shared.String()+" "+items[0].Terms().ByManufacturer.String())
	require.Nil(t, items[2].Terms())
	require.NoError(t, SpreadCoupons(items, "USD"))
	require.Equal(t, []string{"54.00", "27.00", "0.00"}, netsOf(t, items), "coupons count before discounts of the sale")
	SpreadDiscountsByClass(items, "USD")
	require.Equal(t, "6.00", items[0].TotalDiscount.String(), "spread anew, it is the same")
}

// A coupon line is neither exempt nor taxed, and does not decide whether its sale is exempt.
func TestACouponLineHasNoExemptionOfItsOwn(t *testing.T) {
	t.Parallel()
	engine, err := tax.LoadContent()
	require.NoError(t, err)
	sold := sale()
	place := engine.Resolve(tax.Address{City: "New York", State: "NY", PostalCode: "10118", Country: "US"})
	sold.Place, sold.Items = &place, couponSale("60.00", "40.00", "-10.00")
	for i := range sold.Items {
		sold.Items[i].LineNo = i
	}
	sold.ExemptSent = models.FullyExempt
	decided, err := DecideExemptions(sold)
	require.NoError(t, err)
	require.Equal(t, models.FullyExempt, decided.Exempt)
	require.Equal(t, models.LineExemption{LineNo: 2}, decided.Lines[2])
	applyExemptions(decided, &sold)
	counted, err := DecideNexus(sold, nil, engine.Calculate)
	require.NoError(t, err)
	require.Equal(t, "90.00 90.00", counted.Contributions[0].Amount.String()+" "+
		counted.Contributions[0].ExemptAmount.String())
	require.Equal(t, 1, counted.Contributions[0].ExemptCount)
	outcome, err := DecideTax(sold, noSettings, nil, engine.Calculate)
	require.NoError(t, err)
	require.Equal(t, models.FullyExempt, outcome.Exempt)
	require.False(t, outcome.Lines[2].Exempt)
	require.Empty(t, outcome.Lines[2].TaxExemption)
}

// A coupon of 100 yen takes 66.78 and 33.22 of lines of 1005 and 500 yen: 67 and 33. With 8.5 dollars it takes cents.
func TestCouponsOfACurrencyWithoutCentsAreSpreadInItsUnit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		currency, lamp, coupon string
		nets                   []string
	}{
		{"JPY", "1005.00", "-100.00", []string{"938.00", "467.00", "0.00"}},
		{"USD", "1005.00", "-100.00", []string{"938.22", "466.78", "0.00"}},
		{"JPY", "1005.50", "-100.00", []string{"938.71", "466.79", "0.00"}}, // amounts that are no yen
		{"JPY", "0.00", "-100.00", []string{"0.00", "400.00", "0.00"}},
	} {
		items := lines(c.lamp, "500.00", c.coupon)
		require.NoError(t, SpreadCoupons(items, c.currency))
		require.Equal(t, c.nets, netsOf(t, items), "%s %s", c.currency, c.lamp)
	}
	items := lines("1005.00", "500.00", "-100.00")
	items[0].Sent = &models.SubmittedLine{Discount: discount(wholeSale, "50.00")}
	SpreadDiscountsByClass(items, "JPY")
	require.Equal(t, []string{"33.00", "17.00"}, []string{
		items[0].TotalDiscount.String(), items[1].TotalDiscount.String(),
	}, "50 x 938 / 1405 = 33.4 and 16.6")
}
