package tax_test

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax"
)

// delivery is a sale of classes at 50.00 each with a charge of 10.00 for their delivery, which is line 0.
func delivery(t require.TestingT, to, charge string, classes ...string) tax.Request {
	req := sale{to, charge, "10.00", "", ""}.request(t)
	for _, class := range classes {
		req.Lines = append(req.Lines, tax.Line{
			Class: tax.TaxClass(class), Amount: decimal.MustParse("50.00"), Quantity: decimal.One,
		})
	}
	return req
}

// A charge for delivery is part of the price of what is delivered, and bears the same taxes.
func TestADeliveryIsTaxedLikeWhatItDelivers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		law, to string
		classes []string
		tax     string
	}{
		{"NY TB-ST-838; 1115(a)(30): the state frees it, the county not", "Hempstead, NY 11550", []string{"CLOTHING"}, "0.46"},
		{"the same with goods that all bear everything", "Hempstead, NY 11550", []string{"PHYSICAL"}, "0.86"},
		{"Ark. Code 26-52-317; GR-18: local taxes alone", "Little Rock, AR 72201", []string{"FOOD"}, "0.21"},
		{"Tenn. Code 67-6-228: food at 4 %", "Memphis, TN 38103", []string{"FOOD"}, "0.68"},
		{"N.C.G.S. 105-164.13B: food at 2 %", "Charlotte, NC 28202", []string{"FOOD"}, "0.20"},
		{"O.C.G.A. 48-8-3(57): local taxes alone", "Atlanta, GA 30303", []string{"FOOD"}, "0.49"},
		{"Miss. Code 27-65-26: food at 5 %", "Gulfport, MS 39501", []string{"FOOD"}, "0.50"},
		{"D.C. Code 47-2002: meals at 10 %", "Washington, DC 20001", []string{"PREPARED_FOOD"}, "1.00"},
		{"72 P.S. 7204(26): clothing is free, and software is not delivered", "Philadelphia, PA 19103",
			[]string{"CLOTHING", "SAAS"}, "0.00"},
		{"software alone: whatever it is for", "Philadelphia, PA 19103", []string{"SAAS"}, "0.80"},
		{"a charge beside the goods that is never taxed tells nothing", "Minneapolis, MN 55401",
			[]string{"PHYSICAL", "NOT_TAXABLE"}, "0.90"},
	} {
		r, err := loaded(t).Calculate(delivery(t, test.to, "SHIPPING", test.classes...))
		require.NoError(t, err)
		require.Equal(t, test.tax, r.Lines[0].Tax.String(), test.law)
		for _, w := range r.Warnings {
			require.NotEqual(t, tax.WarningClassTooCoarse, w.Code, test.law)
		}
	}
}

// The laws differ for a delivery of goods that are taxed differently. Many divide the charge by price or weight, others
// tax it as a whole. The answer taxes the whole and says so.
func TestADeliveryOfGoodsThatAreTaxedDifferentlyIsNotSure(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		to, charge string
		classes    []string
		tax        string
	}{
		{"Columbus, OH 43215", "SHIPPING", []string{"FOOD", "PHYSICAL"}, "0.80"},
		{"Houston, TX 77002", "HANDLING", []string{"FOOD", "PHYSICAL"}, "0.83"},
		{"Jackson, MS 39201", "SHIPPING", []string{"FOOD", "PHYSICAL"}, "0.80"},
	} {
		r, err := loaded(t).Calculate(delivery(t, test.to, test.charge, test.classes...))
		require.NoError(t, err)
		require.Equal(t, test.tax, r.Lines[0].Tax.String(), test.to)
		require.NotEqual(t, tax.ConfidenceHigh, r.Confidence, test.to)
		require.Equal(t, []tax.WarningCode{tax.WarningClassTooCoarse}, codesOf(r), test.to)
		require.Equal(t, 0, *r.Warnings[0].Line)
		require.Contains(t, r.Warnings[0].Message, "taxed differently")
	}
	for _, test := range []struct{ to, vat string }{{"DE", "1.90"}, {"GB", "2.00"}} {
		req := abroad{to: test.to, class: "SHIPPING", amount: "10"}.request(t)
		req.Lines = append(req.Lines, delivery(t, "Columbus, OH 43215", "SHIPPING", "BOOK", "PHYSICAL").Lines[1:]...)
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, test.vat, r.Lines[0].Tax.String(), test.to)
		require.Equal(t, []tax.WarningCode{tax.WarningClassTooCoarse}, codesOf(r), test.to)
	}
}

// Only a part of an article above a limit bears local taxes, and its delivery, which is above the limit, none.
func TestTheDeliveryOfAnArticleAboveALimitIsSure(t *testing.T) {
	t.Parallel()
	req := delivery(t, "Memphis, TN 38103", "SHIPPING", "PHYSICAL")
	req.Lines[1].Amount = decimal.MustParse("5000.00")
	r, err := loaded(t).Calculate(req)
	require.NoError(t, err)
	require.Equal(t, "0.70", r.Lines[0].Tax.String())
	require.Empty(t, codesOf(r))
}

// A coupon is no goods: what is delivered decides, in a refund too.
func TestACouponDoesNotDecideHowADeliveryIsTaxed(t *testing.T) {
	t.Parallel()
	req := delivery(t, "Houston, TX 77002", "SHIPPING", "FOOD", "PHYSICAL")
	req.Lines[2].Amount = decimal.MustParse("-5.00")
	r, err := loaded(t).Calculate(req)
	require.NoError(t, err)
	require.Equal(t, "0.00", r.Lines[0].Tax.String())
	for i := range req.Lines {
		req.Lines[i].Amount = req.Lines[i].Amount.Neg()
	}
	refund, err := loaded(t).Calculate(req)
	require.NoError(t, err)
	require.Equal(t, r.Tax.Neg().String(), refund.Tax.String())
}

// A negative charge that waives a delivery belongs to the same lines as the delivery. Together they bear no tax,
// whatever the name of a coupon is.
func TestADeliveryThatIsWaivedBearsNoTax(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		to, goods, coupon string
		tax               string // of goods and coupon
	}{
		{"Houston, TX 77002", "PHYSICAL", "NOT_TAXABLE", "3.71"},
		{"Houston, TX 77002", "PHYSICAL", "PROFESSIONAL", "3.71"},
		{"New York, NY 10118", "CLOTHING", "PHYSICAL", "0.00"},
	} {
		req := delivery(t, test.to, "SHIPPING", test.goods, test.coupon, "SHIPPING")
		req.Lines[2].Amount, req.Lines[3].Amount = decimal.MustParse("-5.00"), decimal.MustParse("-10.00")
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, test.tax, r.Tax.String(), "%s to %s with a coupon of class %s", test.goods, test.to, test.coupon)
	}
}

// Goods that come for nothing are delivered all the same. Tex. Tax Code 151.007, 151.314.
func TestTheDeliveryOfAGiftIsTaxedLikeTheGift(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ class, tax string }{{"FOOD", "0.00"}, {"PHYSICAL", "0.83"}} {
		req := delivery(t, "Houston, TX 77002", "SHIPPING", test.class, "SAAS")
		req.Lines[1].Discount = req.Lines[1].Amount
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, test.tax, r.Lines[0].Tax.String(), test.class)
	}
}

// A merchant sees why the delivery is free.
func TestTheExplanationSaysWhyADeliveryIsFree(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		to      string
		classes []string
		says    string
	}{
		{"New York, NY 10118", []string{"CLOTHING"},
			"Line 1: No tax: it is taxed like what it delivers: clothing below 110.00 USD an item is exempt in New York."},
		{"Houston, TX 77002", []string{"FOOD"}, "Line 1: No tax: it is taxed like what it delivers: not taxed in Texas."},
		{"Richmond, VA 23219", []string{"PHYSICAL"},
			"Line 1: No tax: shipping on a line of its own is not taxed in Virginia."},
	} {
		r, err := loaded(t).Calculate(delivery(t, test.to, "SHIPPING", test.classes...))
		require.NoError(t, err)
		require.Contains(t, texts(r), test.says)
	}
	req := abroad{to: "DE", class: "SHIPPING", amount: "10", from: "US-NY 10118", currency: "EUR"}.request(t)
	req.Lines = append(req.Lines, tax.Line{Class: "PHYSICAL", Amount: decimal.MustParse("200.00"), Quantity: decimal.One})
	r, err := loaded(t).Calculate(req)
	require.NoError(t, err)
	require.Contains(t, texts(r),
		"Line 1: No tax: it is taxed like what it delivers: above the import limit the tax is due at the border.")
	r, err = loaded(t).Calculate(delivery(t, "Little Rock, AR 72201", "SHIPPING", "FOOD"))
	require.NoError(t, err)
	require.Contains(t, texts(r),
		"Line 1: Combined rate 2.125 % on 10.00 gives 0.2125, rounded to 0.21. It is taxed like what it delivers.")
}

// texts are the sentences of an explanation.
func texts(r tax.Result) (texts []string) {
	for _, s := range r.Explanation.Steps {
		texts = append(texts, s.Text)
	}
	return texts
}
