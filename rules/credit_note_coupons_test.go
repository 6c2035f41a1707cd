package rules

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

// soldWithCoupon is a sale of a book and cups for 90.00 after a coupon of 10.00, calculated by Houston's law. Its lines
// are taxed each by itself where it was calculated before coupon lines were spread.
func soldWithCoupon(t *testing.T, alone bool) *models.CreditAccount {
	t.Helper()
	engine := content(t)
	place := engine.Resolve(inHouston)
	a := soldTwoLines()
	withCoupon(a, nil)
	a.Sale.Marketplace, a.Sale.Place = false, &place
	for i := range a.Sale.Items {
		a.Sale.Items[i].ID, a.Sale.Items[i].TaxClass = "txi_"+a.Sale.Items[i].ExternalProductID, tax.ClassPhysical
	}
	outcome, err := DecideTax(a.Sale, noSettings, nil, func(r tax.Request) (tax.Result, error) {
		r.EachAlone = alone
		return engine.Calculate(r)
	})
	require.NoError(t, err)
	for i := range a.Sale.Items {
		a.Sale.Items[i].Coupons, a.Sale.Items[i].IsCoupon = nothing, false
	}
	require.NoError(t, ReadCoupons(a, outcome.Explanation))
	return a
}

// Before coupon lines were spread, each line had tax of its own: the book is refunded with all of its price.
func TestASaleFromBeforeIsRefundedLineByLine(t *testing.T) {
	t.Parallel()
	for _, alone := range []bool{false, true} {
		a := soldWithCoupon(t, alone)
		require.Equal(t, alone, a.EachAlone)
		d := followingTax("64.50", ofProduct("book", "60.00"))
		require.NoError(t, AdmitRefund(a, d))
		left := map[bool]string{false: "54.00", true: "60.00"}
		require.Equal(t, left[alone], netOf(t, d).String())
		back := followingTax("97.20", ofProduct("book", "60.00"), ofProduct("cup", "40.00"), ofProduct("coupon", "-10.00"))
		require.NoError(t, AdmitRefund(a, back))
		require.Equal(t, "90.00", netOf(t, back).String())
		require.Equal(t, models.TypeFullCreditNote, back.Type)
	}
}

// A sale that is not calculated yet has no explanation: the classes of its products say where its coupons go.
func TestCouponsOfASaleThatIsNotCalculated(t *testing.T) {
	t.Parallel()
	a := soldWithCoupon(t, false)
	require.NoError(t, ReadCoupons(a, nil))
	require.Equal(t, "6.00 4.00", a.Sale.Items[0].Coupons.String()+" "+a.Sale.Items[1].Coupons.String())
	require.ErrorContains(t, ReadCoupons(a, json.RawMessage("[")), "read the explanation")
}

// The class of a product may change after a note was recorded. Then its explanation does not say where its coupon went.
func TestTheSpreadOfANoteWhoseClassesChanged(t *testing.T) {
	t.Parallel()
	for class, places := range map[tax.TaxClass]int{tax.ClassClothing: 1, tax.ClassPhysical: 0} {
		a := soldWithCoupon(t, false)
		d := followingTax("97.20", ofProduct("book", "60.00"), ofProduct("cup", "40.00"), ofProduct("coupon", "-10.00"))
		d.Items[1].TaxClass, d.Items[2].TaxClass = tax.ClassClothing, tax.ClassClothing
		require.NoError(t, AdmitRefund(a, d))
		d.Items[1].TaxClass = class
		taken, parts, err := couponsOfRefund(&d.Transaction)
		require.NoError(t, err)
		require.Equal(t, "0.00 10.00 -10.00", words(taken))
		require.Len(t, parts, places)
	}
}
