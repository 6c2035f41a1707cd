package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
	"levy/test/seed"
)

// told are the figures of a total in short, as a table has them.
func told(total models.AuthorityTotal) (lines []string) {
	for _, x := range total.Figures {
		lines = append(lines, fmt.Sprintf("%s %s %s %s %s %s/%s %s %s %s %s", x.Level, x.Name, x.Rate, x.Sign, x.Channel,
			x.Category, x.Class, money.Format(x.Gross), money.Format(x.Taxable), money.Format(x.Tax), money.Format(x.Owed)))
	}
	return lines
}

const (
	inCity    = "CITY Houston 0.01 %s OWN /PHYSICAL 0.00 %s %s %s"
	inTransit = "SPECIAL Houston MTA (METRO) 0.01 %s OWN /PHYSICAL 0.00 %s %s %s"
)

func TestTheFiguresOfASaleAreItsPartsInTheWordsOfForms(t *testing.T) {
	t.Parallel()
	h := newHistory(t, content(t), inHouston, [][2]string{{"100.00", "8.25"}}, "TX")
	require.Equal(t, []string{
		"STATE Texas 0.0625 SALE OWN /PHYSICAL 100.00 100.00 6.25 6.25",
		fmt.Sprintf(inCity, "SALE", "100.00", "1.00", "1.00"),
		fmt.Sprintf(inTransit, "SALE", "100.00", "1.00", "1.00"),
	}, told(h.sold.Totals[0]))
	require.Equal(t, "Harris County, Houston, Houston MTA (METRO)", h.sold.Totals[0].FigurePlace)
}

func TestARefundHasTheFiguresOfItsSaleBelowZero(t *testing.T) {
	t.Parallel()
	h := newHistory(t, content(t), inHouston, [][2]string{{"100.00", "8.25"}}, "TX")
	note := h.credit([3]string{"0", "40.00", "3.30"})
	require.Equal(t, []string{
		"STATE Texas 0.0625 REFUND OWN /PHYSICAL -40.00 -40.00 -2.50 -2.50",
		fmt.Sprintf(inCity, "REFUND", "-40.00", "-0.40", "-0.40"),
		fmt.Sprintf(inTransit, "REFUND", "-40.00", "-0.40", "-0.40"),
	}, told(note.outcome.Totals[0]))
}

// Tennessee taxes the part of one article from 1,600 to 3,200 once more: 400 at 2.75 % are 11.00. The sale is one of 2,000 all the
// same. Half of it given back leaves nothing above 1,600.
func TestAFurtherTaxOfTheStateDoesNotCountTheSaleAgain(t *testing.T) {
	t.Parallel()
	inNashville := tax.Address{Street1: "1 Public Sq", City: "Nashville", State: "TN", PostalCode: "37201", Country: "US"}
	h := newHistory(t, content(t), inNashville, [][2]string{{"2000.00", "195.00"}}, "TN")
	require.Equal(t, []string{
		"STATE Tennessee 0.0275 SALE OWN ADDITIONAL/PHYSICAL 0.00 400.00 11.00 11.00",
		"STATE Tennessee 0.07 SALE OWN /PHYSICAL 2000.00 2000.00 140.00 140.00",
	}, slices.DeleteFunc(told(h.sold.Totals[0]), func(line string) bool { return !strings.HasPrefix(line, "STATE") }))
	note := h.credit([3]string{"0", "1000.00", "97.50"})
	for _, x := range note.outcome.Totals[0].Figures {
		if x.Level == "STATE" {
			require.Equal(t, x.Gross.IsZero(), x.Category == models.CategoryAdditional, x)
		}
	}
}

// A refund of tax alone takes back no sale: on a form the sale has become exempt.
func TestARefundOfTaxHasNoGross(t *testing.T) {
	t.Parallel()
	h := newHistory(t, content(t), inHouston, [][2]string{{"100.00", "8.25"}}, "TX")
	note := h.refund(models.TypeTaxRefund, [3]string{"0", "0.00", "8.25"})
	for _, x := range note.outcome.Totals[0].Figures {
		require.Equal(t, "0.00 -100.00", money.Format(x.Gross)+" "+money.Format(x.Taxable), x.Name)
	}
}

func TestTheFiguresOfWhatIsNotTaxedSayWhy(t *testing.T) {
	t.Parallel()
	engine := content(t)
	for _, c := range []struct {
		why    string
		change func(*models.Transaction)
		want   []string
	}{
		{"sold for resale", func(s *models.Transaction) {
			s.Items[0].Exempt, s.Items[0].TaxExemption = true, given(string(tax.ExemptionWholesale))
		}, []string{"RESALE/PHYSICAL 100.00 0.00"}},
		{"a certificate of the customer", func(s *models.Transaction) {
			s.Items[0].Exempt, s.Items[0].TaxExemption = true, given(string(tax.ExemptionCustomer))
		}, []string{"CUSTOMER/PHYSICAL 100.00 0.00"}},
		{"the shop says so", func(s *models.Transaction) {
			s.Items[0].Exempt, s.Items[0].TaxExemption = true, given(string(tax.ExemptionTransaction))
		}, []string{"TRANSACTION/PHYSICAL 100.00 0.00"}},
		{"a certificate with a category", func(s *models.Transaction) {
			s.Items[0].Exempt, s.Items[0].TaxExemption, s.Items[0].ExemptionID = true, given(string(tax.ExemptionCustomer)), given("exmp_1")
			s.ExemptionCategories = map[string]string{"exmp_1": "GOVERNMENT", "exmp_2": "OTHER"}
		}, []string{"GOVERNMENT/PHYSICAL 100.00 0.00"}},
		{"a reseller who gives another reason", func(s *models.Transaction) {
			s.Items[0].Exempt, s.Items[0].TaxExemption, s.Items[0].ExemptionID = true, given(string(tax.ExemptionWholesale)), given("exmp_1")
			s.ExemptionCategories = map[string]string{"exmp_1": "MANUFACTURING"}
		}, []string{"MANUFACTURING/PHYSICAL 100.00 0.00"}},
		{"the shop says so, and why", func(s *models.Transaction) {
			s.Items[0].Exempt, s.Items[0].TaxExemption = true, given(string(tax.ExemptionTransaction))
			s.Items[0].Sent = &models.SubmittedLine{ExemptionCategory: "AGRICULTURE"}
		}, []string{"AGRICULTURE/PHYSICAL 100.00 0.00"}},
		{"a product that is never taxed, of an exempt buyer", func(s *models.Transaction) {
			s.Items[0].Exempt, s.Items[0].TaxExemption = true, given(string(tax.ExemptionProduct))
			s.Items[0].Sent = &models.SubmittedLine{ExemptionCategory: "AGRICULTURE"}
		}, []string{"PRODUCT/PHYSICAL 100.00 0.00"}},
		{"food", func(s *models.Transaction) { s.Items[0].TaxClass = tax.ClassFood },
			[]string{"NOT_TAXABLE/FOOD 100.00 0.00"}},
	} {
		h := newHistory(t, engine, inHouston, [][2]string{{"100.00", "0.00"}}, "TX")
		c.change(&h.sale)
		h.sell()
		var got []string
		for _, x := range h.sold.Totals[0].Figures {
			if x.Level == "STATE" {
				got = append(got, x.Category+"/"+x.Class+" "+money.Format(x.Gross)+" "+money.Format(x.Taxable))
			}
		}
		require.Equal(t, c.want, got, c.why)
	}
}

// A refund of an exempt sale lowers the sales of its category.
func TestARefundHasTheCategoryOfItsSale(t *testing.T) {
	t.Parallel()
	h := newHistory(t, content(t), inHouston, [][2]string{{"100.00", "0.00"}}, "TX")
	h.sale.Items[0].Exempt, h.sale.Items[0].TaxExemption = true, given(string(tax.ExemptionTransaction))
	h.sale.Items[0].Sent = &models.SubmittedLine{ExemptionCategory: "AGRICULTURE"}
	h.sell()
	note := h.credit([3]string{"0", "40.00", "0.00"})
	require.Equal(t, []string{"STATE Texas 0 REFUND OWN AGRICULTURE/PHYSICAL -40.00 0.00 0.00 0.00"}, told(note.outcome.Totals[0]))
}

// The explanation repeats no category that its kind of exemption says, so that those of resellers stay as they were.
func TestTheCategoryOfAnExemption(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		e    models.Exemption
		want string
	}{
		{models.Exemption{ExemptionType: models.ExemptionCustomer}, ""},
		{models.Exemption{ExemptionType: models.ExemptionCustomer, Reseller: true}, "RESALE"},
		{models.Exemption{ExemptionType: models.ExemptionWholesale}, "RESALE"},
		{models.Exemption{ExemptionType: models.ExemptionWholesale, ExemptionCategory: given("OTHER")}, "OTHER"},
	} {
		require.Equal(t, c.want, c.e.Category())
	}
	resold := models.Transaction{ExemptionCategories: map[string]string{"exmp_1": "RESALE"}}
	line := models.TransactionItem{Exempt: true, TaxExemption: given(string(tax.ExemptionWholesale)), ExemptionID: given("exmp_1")}
	require.Empty(t, exemptOf(resold, line).Category)
	line.TaxExemption = given(string(tax.ExemptionCustomer))
	require.Equal(t, "RESALE", exemptOf(resold, line).Category)
	line.Sent = &models.SubmittedLine{ExemptionCategory: "OTHER"}
	require.Equal(t, "RESALE", exemptOf(resold, line).Category, "the exemption comes before the line")
	resold.ExemptionCategories = nil
	require.Equal(t, "OTHER", exemptOf(resold, line).Category, "the exemption does not say it")
	resold.Exemptions = []models.Exemption{{ID: "exmp_1", ExemptionCategory: given("MEDICAL")}}
	require.Equal(t, "MEDICAL", exemptOf(resold, line).Category, "as stage 4 has loaded it")
}

func TestTheChannelSaysWhoOwes(t *testing.T) {
	t.Parallel()
	engine := content(t)
	channel := func(h *history) string { return h.sold.Totals[0].Figures[0].Channel }
	h := newHistory(t, engine, inHouston, [][2]string{{"100.00", "0.00"}}, "TX")
	require.Equal(t, models.ChannelOwn, channel(h))
	h.sale.Marketplace = true
	h.sell()
	require.Equal(t, models.ChannelMarketplace, channel(h))
	require.Equal(t, models.ChannelNoObligation, channel(newHistory(t, engine, inHouston, [][2]string{{"100.00", "0.00"}})))
}

func TestTheOriginSaysWhetherGoodsShipFromTheState(t *testing.T) {
	t.Parallel()
	h := newHistory(t, content(t), inHouston, [][2]string{{"100.00", "0.00"}}, "TX")
	for state, want := range map[string]string{"": models.OriginUnknown, "TX": models.OriginInState, "OK": models.OriginOutOfState} {
		h.sale.Origin = nil
		if state != "" {
			h.sale.Origin = &tax.Place{Country: "US", State: state}
		}
		total := h.sold.Totals[0]
		facts := figureFacts{explained: &tax.Explanation{}, origin: h.sale.Origin, rate: decimal.One}
		require.NoError(t, facts.addTo(&total))
		require.Equal(t, want, total.Figures[0].Origin)
	}
}

// Sales, refunds, late exemptions and obligations in any order, in states with places, with two authorities, through
// marketplaces: the figures of each document add up to its totals and, by place, to what its report says.
func TestFiguresAddUpToTheReturn(t *testing.T) {
	t.Parallel()
	engine := content(t)
	for _, gross := range []bool{false, true} {
		random := rand.New(rand.NewPCG(seed.Seed(), 48))
		for n := range 80 {
			s := &randomHistory{random: random, gross: gross}
			s.begin(t, engine)
			s.checkFigures(n)
			for range 1 + random.IntN(6) {
				s.step()
				s.checkFigures(n)
			}
			s.giveAllBack()
			s.checkFigures(n)
		}
	}
}

func (s *randomHistory) checkFigures(n int) {
	s.t.Helper()
	kinds := []models.TransactionType{s.sale.Type}
	for _, r := range s.refunds {
		kinds = append(kinds, r.Type)
	}
	for d, o := range s.documents() {
		for i := range o.Totals {
			requireFigures(s.t, &o, i, fmt.Sprintf("history %d, %s: %s", n, seed.Again(), s.story))
			earlier := models.FigureTotal{
				AuthorityTotal: o.Totals[i], Type: kinds[d], Marketplace: s.sale.Marketplace, Explanation: o.Explanation,
				ConversionRate: o.ConversionRate,
			}
			earlier.Figures, earlier.FigurePlace = nil, ""
			require.NoError(s.t, FiguresOfEarlier(&earlier))
			require.Equal(s.t, told(o.Totals[i]), told(earlier.AuthorityTotal), "later: %s", s.story)
			require.Equal(s.t, o.Totals[i].FigurePlace, earlier.FigurePlace)
		}
	}
}

// requireFigures compares the figures of a total of a decision with the total, and with its tax lines by place.
func requireFigures(t *testing.T, o *models.TaxOutcome, i int, story string) {
	t.Helper()
	total := &o.Totals[i]
	sum := models.Figure{Gross: nothing, Taxable: nothing, Tax: nothing, Owed: nothing}
	places := map[string][3]decimal.Decimal{}
	for _, x := range total.Figures {
		require.NoError(t, sum.Add(x.Gross, x.Taxable, x.Tax))
		sum.Owed = add(t, sum.Owed, x.Owed)
		at := places[x.Level+" "+x.Name]
		places[x.Level+" "+x.Name] = [3]decimal.Decimal{
			add(t, at[0], x.Taxable), add(t, at[1], x.Tax), add(t, at[2], x.Owed),
		}
		key, err := models.ParseFigureKey(x.String())
		require.NoError(t, err)
		require.Equal(t, x.FigureKey, key)
	}
	require.Equal(t, money.Format(total.Sales), money.Format(sum.Gross), story)
	require.Equal(t, money.Format(total.Tax), money.Format(sum.Tax), story)
	require.Equal(t, money.Format(total.Liability), money.Format(sum.Owed), story)
	taxes := make(documentTaxes, 1)
	if total.CountryCode == models.Canada {
		taxes = make(documentTaxes, 2)
	}
	require.NoError(t, taxes.addItems(itemsOf(*o)))
	own := taxes[min(i, len(taxes)-1)]
	own.sort()
	calculated, err := own.asTaxed(total.Tax)
	require.NoError(t, err)
	for _, p := range calculated {
		require.Equal(t, money.Format(p.amount), money.Format(places[p.kind+" "+p.name][1]), "%s: %s", p.name, story)
	}
	of := saidAt{}
	require.NoError(t, of.addPlaces(total, own))
	for _, p := range of.places {
		require.Equal(t, money.Format(p.amount), money.Format(places[p.kind+" "+p.name][2]), "owed at %s: %s", p.name, story)
	}
}

// A sale in another currency: each amount is converted as a whole, and the figures share its cents.
func TestFiguresOfConvertedSalesAddUp(t *testing.T) {
	t.Parallel()
	engine := content(t)
	random := rand.New(rand.NewPCG(seed.Seed(), 4809))
	for n := range 80 {
		s := &randomHistory{random: random}
		s.begin(t, engine)
		pair := models.CurrencyPair{From: "GBP", To: s.sale.Currency, Day: s.sale.TaxDate}
		s.sale.Currency = pair.From
		s.rates = Rates{pair: {Rate: decimal.MustNew(700_000_000+random.Int64N(900_000_000), money.RateScale), Day: pair.Day, Source: "test"}}
		s.sell()
		for i := range s.sold.Totals {
			requireFigures(t, &s.sold, i, fmt.Sprintf("sale %d, %s: %s", n, seed.Again(), s.story))
		}
	}
}

// Without an explanation, as a restored record may be, one figure has all of the total.
func TestFiguresOfATotalWithoutAnExplanation(t *testing.T) {
	t.Parallel()
	h := newHistory(t, content(t), inHouston, [][2]string{{"100.00", "8.25"}}, "TX")
	earlier := models.FigureTotal{AuthorityTotal: h.sold.Totals[0], Type: h.sale.Type, ConversionRate: decimal.One}
	require.NoError(t, FiguresOfEarlier(&earlier))
	require.Equal(t, []string{"STATE TX 0 SALE OWN / 100.00 0.00 8.25 8.25"}, told(earlier.AuthorityTotal))
}

func TestKeysOfFiguresAreRefused(t *testing.T) {
	t.Parallel()
	_, err := models.ParseFigureKey("STATE|0.0625|SALE")
	require.ErrorContains(t, err, "no key")
	key := models.FigureKey{Level: "CITY", Name: "a|b"}
	again, err := models.ParseFigureKey(key.String())
	require.NoError(t, err)
	require.Equal(t, key, again)
}

// Keys are in the order of their texts, in which "|" comes after digits and letters.
func TestKeysOfFiguresAreInTheOrderOfTheirTexts(t *testing.T) {
	t.Parallel()
	var keys []models.FigureKey
	for _, rate := range []string{"0", "0.04", "0.045", "0.0625"} {
		for _, category := range []string{"", "EXPORT", "EXPORT_ALL"} {
			for _, name := range []string{"", "a", "a|b"} {
				keys = append(keys, models.FigureKey{Level: "CITY", Rate: rate, Category: category, Name: name})
			}
		}
	}
	for i := range keys {
		for j := range keys {
			require.Equal(t, strings.Compare(keys[i].String(), keys[j].String()), keys[i].Compare(&keys[j]))
		}
	}
}
