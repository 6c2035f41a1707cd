package rules

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

func content(t *testing.T) *tax.Content {
	t.Helper()
	engine, err := tax.LoadContent()
	require.NoError(t, err)
	return engine
}

// Two lamps at 60.00 in Houston: 4.95 each by law, 11.00 collected in all.
func TestASaleAndItsRefundsAreJudgedTogether(t *testing.T) {
	t.Parallel()
	engine := content(t)
	twoLamps := [][2]string{{"60.00", "5.50"}, {"60.00", "5.50"}}

	t.Run("a lamp back leaves the other, the excess given back its tax", func(t *testing.T) {
		t.Parallel()
		h := newHistory(t, engine, inHouston, twoLamps, "TX")
		require.Equal(t, "11.00", h.owed())
		require.Equal(t, models.LiabilityCollected, h.sold.LiabilitySource)
		lamp := h.credit([3]string{"0", "60.00", "5.50"})
		require.Equal(t, "5.50", h.owed())
		require.Equal(t, "11.00 5.50", lamp.explained(t))
		excess := h.refund(models.TypeTaxRefund, [3]string{"1", "0.00", "0.55"})
		require.Equal(t, "4.95", h.owed())
		require.Equal(t, "-0.55", money.Format(excess.outcome.LiabilityAmount))
		require.Equal(t, map[string]string{
			"STATE Texas": "3.75", "CITY Houston": "0.60", "SPECIAL Houston Metropolitan Transit Authority": "0.60",
		}, renamed(h.owedAtPlaces("TX")))
	})

	t.Run("everything given back leaves nothing, whatever of it was cancelled on the way", func(t *testing.T) {
		t.Parallel()
		h := newHistory(t, engine, inHouston, twoLamps, "TX")
		first := h.credit([3]string{"0", "60.00", "5.50"})
		h.credit([3]string{"1", "30.00", "2.75"})
		h.cancel(first)
		require.Equal(t, "8.25", h.owed())
		h.credit([3]string{"0", "60.00", "5.50"}, [3]string{"1", "30.00", "2.75"})
		require.Equal(t, "0.00", h.owed())
		require.Empty(t, h.owedAtPlaces("TX"))
	})

	t.Run("the buyer did not get the tax back: it stays owed until a refund of tax", func(t *testing.T) {
		t.Parallel()
		h := newHistory(t, engine, inHouston, [][2]string{{"100.00", "8.25"}}, "TX")
		h.credit([3]string{"0", "100.00", "0.00"})
		require.Equal(t, "8.25", h.owed())
		h.refund(models.TypeTaxRefund, [3]string{"0", "0.00", "8.25"})
		require.Equal(t, "0.00", h.owed())
	})

	t.Run("an exemption that arrives late: what was collected stays owed", func(t *testing.T) {
		t.Parallel()
		h := newHistory(t, engine, inHouston, [][2]string{{"100.00", "8.25"}}, "TX")
		require.Equal(t, models.LiabilityCalculated, h.sold.LiabilitySource)
		h.sale.Items[0].Exempt, h.sale.Items[0].TaxExemption = true, given("TRANSACTION")
		h.sell()
		require.Equal(t, "0.00", money.Format(h.sold.TaxAmount))
		require.Equal(t, "8.25", h.owed())
		require.Equal(t, map[string]string{"STATE Texas": "8.25"}, h.owedAtPlaces("TX"), "no tax says where")
		h.refund(models.TypeTaxRefund, [3]string{"0", "0.00", "8.25"})
		require.Equal(t, "0.00", h.owed())
	})

	t.Run("a refund in a return stays, and the sale takes the difference", func(t *testing.T) {
		t.Parallel()
		h := newHistory(t, engine, inHouston, [][2]string{{"100.00", "0.00"}}, "TX")
		note := h.credit([3]string{"0", "40.00", "0.00"})
		note.locked = true
		require.Equal(t, "-3.30", money.Format(note.outcome.LiabilityAmount))
		h.sale.Items[0].Exempt, h.sale.Items[0].TaxExemption = true, given("TRANSACTION")
		h.sell()
		require.Equal(t, "-3.30", money.Format(note.outcome.LiabilityAmount))
		require.Equal(t, "3.30", money.Format(h.sold.LiabilityAmount), "the whole document owes nothing")
		require.Equal(t, "0.00", h.owed())
		require.Empty(t, h.owedAtPlaces("TX"))
	})

	t.Run("of a sale that owed nothing nothing is taken off", func(t *testing.T) {
		t.Parallel()
		for name, alter := range map[string]func(*history){
			"no obligation": func(h *history) { h.sale.Obligations = nil },
			"marketplace":   func(h *history) { h.sale.Marketplace = true },
		} {
			h := newHistory(t, engine, inHouston, [][2]string{{"100.00", "0.00"}}, "TX")
			alter(h)
			h.sell()
			note := h.credit([3]string{"0", "50.00", "0.00"})
			require.Equal(t, "0.00", money.Format(note.outcome.LiabilityAmount), name)
			require.Equal(t, "0.00", h.owed(), name)
		}
	})

	t.Run("preferred collected tax is owed as far as it is not given back", func(t *testing.T) {
		t.Parallel()
		h := newHistory(t, engine, inHouston, nil, "TX")
		h.settings.PreferCollectedTaxAmounts = true
		h.sale.Items, h.sale.TotalTaxAmountImported = nil, amountOf("8.00")
		line := ofProduct("P-0", "100.00")
		line.LineNo, line.ID, line.TaxClass = 0, "txi_0", tax.ClassPhysical
		h.sale.Items = []models.TransactionItem{line}
		h.sell()
		require.Equal(t, "8.00", h.owed())
		h.refund(models.TypeTaxRefund, [3]string{"0", "0.00", "8.00"})
		require.Equal(t, "0.00", h.owed())
	})
}

// renamed leaves the name of the transit authority to the content.
func renamed(owed map[string]string) map[string]string {
	for name, amount := range owed {
		if name != "STATE Texas" && name != "CITY Houston" {
			delete(owed, name)
			owed["SPECIAL Houston Metropolitan Transit Authority"] = amount
		}
	}
	return owed
}

// British Columbia, 100.00, registered for GST alone.
func TestEachAuthorityIsJudgedByItself(t *testing.T) {
	t.Parallel()
	engine := content(t)
	for collected, want := range map[string]string{
		"0.00": "5.00 0.00", "5.00": "5.00 0.00", "12.00": "5.00 7.00", "3.00": "5.00 0.00", "24.00": "10.00 14.00",
	} {
		h := newHistory(t, engine, inBC, [][2]string{{"100.00", collected}}, "CA")
		owed := []decimal.Decimal{h.sold.Totals[0].Liability, h.sold.Totals[1].Liability}
		require.Equal(t, want, words(owed), collected)
		h.credit([3]string{"0", "100.00", collected})
		require.Equal(t, "0.00", h.owed(), collected)
		for _, state := range []string{"CA", "BC"} {
			require.Empty(t, h.owedAtPlaces(state), collected)
		}
	}
}

// A return without its sale takes off the tax that was given back, or the calculated one.
func TestAReturnWithoutItsSale(t *testing.T) {
	t.Parallel()
	engine := content(t)
	for collected, want := range map[string]string{"0.00": "-8.25", "-8.00": "-8.00", "-9.00": "-8.25", "-8.25": "-8.25"} {
		h := newHistory(t, engine, inHouston, [][2]string{{"-100.00", collected}}, "TX")
		require.Equal(t, want, h.owed(), collected)
	}
	h := newHistory(t, engine, inHouston, [][2]string{{"-100.00", "-8.00"}})
	require.Equal(t, "-8.00", h.owed(), "without an obligation, what was handed over comes back")
}

// A refund adds nothing to what is owed, also if an earlier release let the sale owe less than was collected.
func TestARefundAddsNothing(t *testing.T) {
	t.Parallel()
	h := newHistory(t, content(t), inHouston, [][2]string{{"100.00", "20.00"}}, "TX")
	h.sold.LiabilityAmount = amountOf("8.25")
	h.sold.Totals[0].Liability, h.sold.Totals[0].Places = amountOf("8.25"), nil
	note := h.credit([3]string{"0", "10.00", "0.83"})
	require.Equal(t, "0.00", money.Format(note.outcome.LiabilityAmount))
	require.Equal(t, "0.00", money.Format(note.outcome.Totals[0].Liability))
	require.Nil(t, note.outcome.Totals[0].Places)
}

func TestRefundsThatWereCommittedLaterCountLater(t *testing.T) {
	t.Parallel()
	h := newHistory(t, content(t), inHouston, [][2]string{{"100.00", "0.00"}}, "TX")
	first, second := h.credit([3]string{"0", "60.00", "0.00"}), h.credit([3]string{"0", "40.00", "0.00"})
	alone := h.original(2)
	first.Original = alone
	require.Equal(t, []string{second.ID}, LaterRefunds(&first.Transaction))
	again, err := DecideRefund(first.Transaction, nil, noLaw)
	require.NoError(t, err)
	first.outcome = again
	require.Equal(t, "8.25 3.30", first.explained(t), "the second is decided after it")
	second.Original = alone
	require.Empty(t, LaterRefunds(&second.Transaction))
	batch := []models.Transaction{second.Transaction, first.Transaction, h.sale}
	OrderRefunds(batch)
	require.Equal(t, []string{h.sale.ID, first.ID, second.ID}, []string{batch[0].ID, batch[1].ID, batch[2].ID})
	second.locked = true
	first.Original = h.original(2)
	require.Empty(t, LaterRefunds(&first.Transaction), "what is in a return is not decided again")
}

func TestWarningsOfCollectedTax(t *testing.T) {
	t.Parallel()
	engine := content(t)
	warned := func(h *history) (codes []string) {
		for _, w := range h.sold.Certainty.Warnings {
			codes = append(codes, string(w.Code))
		}
		return codes
	}
	for collected, want := range map[string][]string{
		"8.25": nil, "8.26": nil, "8.27": {"OVER_COLLECTED"}, "8.24": nil, "8.23": {"UNDER_COLLECTED"}, "0.00": nil,
	} {
		h := newHistory(t, engine, inHouston, [][2]string{{"100.00", collected}}, "TX")
		require.Equal(t, want, warned(h), collected)
		h.sale.Obligations = nil
		h.sell()
		require.Empty(t, warned(h), "without an obligation nothing is to be collected")
	}
	h := newHistory(t, engine, inHouston, [][2]string{{"100.00", "8.27"}, {"100.00", "8.25"}}, "TX")
	require.Empty(t, warned(h), "a cent a line")
	require.Equal(t, "0.02", money.Format(h.sold.Totals[0].OverCollected), "returns count it")
	h.settings.PreferCollectedTaxAmounts = true
	h.sale.TotalTaxAmountImported = amountOf("16.00")
	h.sell()
	require.Equal(t, []string{"UNDER_COLLECTED"}, warned(h))
	require.Contains(t, h.sold.Certainty.Warnings[0].Message, "prefers collected amounts")
	h.credit([3]string{"0", "100.00", "8.00"})
	require.Equal(t, "-0.25", money.Format(h.refunds[0].outcome.Totals[0].UnderCollected), "its part of 0.50")
}
