package tax

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/money"
)

// Every figure that differs after recomputing is reported with both values; sentences, sources and names of places
// are not compared.
func TestEveryDifferenceOfTwoExplanationsIsReported(t *testing.T) {
	t.Parallel()
	place := zip(sampleContent(t), "75001")
	const part = "0.062500000 on 100.00 is 6.25, RULE_FOUND_TAXABLE"
	for _, test := range []struct {
		figure string
		change func(*Explanation)
		want   []Difference
	}{
		{"nothing", func(*Explanation) {}, nil},
		{"sentences", func(e *Explanation) { e.Steps = nil }, nil},
		{"sources", func(e *Explanation) { e.Items[0].Lines[0].Source = nil }, nil},
		{"the place", func(e *Explanation) { e.Sourcing.Rule = SourcingOrigin },
			[]Difference{{"sourcing", "DESTINATION", "ORIGIN"}}},
		{"the sum of the bases", func(e *Explanation) { e.Totals.TaxableAmount = money.FromCents(1) },
			[]Difference{{"taxable amount", "150.00", "0.01"}}},
		{"the sum of the tax", func(e *Explanation) { e.Totals.TaxAmount = money.FromCents(1) },
			[]Difference{{"tax", "12.38", "0.01"}}},
		{"the rate", func(e *Explanation) { e.Totals.TaxRate = money.FromNano(1) },
			[]Difference{{"rate", "0.082500000", "0.000000001"}}},
		{"an item less", func(e *Explanation) { e.Items = e.Items[:1] }, []Difference{{"items", "2", "1"}}},
		{"a net amount", func(e *Explanation) { e.Items[1].NetAmount = money.FromCents(1) },
			[]Difference{{"item 2 net amount", "50.00", "0.01"}}},
		{"an item that is free", func(e *Explanation) { e.Items[1].Exempt = true },
			[]Difference{{"item 2 exempt", "false", "true"}}},
		{"why it is free", func(e *Explanation) { e.Items[0].TaxExemption = ExemptionProduct },
			[]Difference{{"item 1 exemption", "", "PRODUCT"}}},
		{"the tax before it is rounded", func(e *Explanation) { e.Items[0].Rounding.UnroundedTotal = money.Exact{} },
			[]Difference{{"item 1 unrounded tax", "8.25", "0.00"}}},
		{"the rounded tax", func(e *Explanation) { e.Items[0].Rounding.RoundedTotal = money.FromCents(1) },
			[]Difference{{"item 1 tax", "8.25", "0.01"}}},
		{"a part", func(e *Explanation) { e.Items[0].Lines[0].Amount = money.FromCents(626) },
			[]Difference{{"item 1 us-tx-general", part, "0.062500000 on 100.00 is 6.26, RULE_FOUND_TAXABLE"}}},
		{"a part less", func(e *Explanation) { e.Items[0].Lines = e.Items[0].Lines[1:] },
			[]Difference{{"item 1 us-tx-general", part, "none"}}},
		{"a part more of one rule", func(e *Explanation) {
			e.Items[0].Lines = append(slices.Clone(e.Items[0].Lines), e.Items[0].Lines[0])
		}, []Difference{{"item 1 us-tx-general", part, part + "; " + part}}},
		{"the hash alone", func(e *Explanation) { e.ResultHash = "x" }, []Difference{{"result hash", "", "x"}}},
		{"the hash of a figure that differs", func(e *Explanation) {
			e.Totals.TaxRate, e.ResultHash = money.FromNano(1), "x"
		}, []Difference{{"rate", "0.082500000", "0.000000001"}}},
		{"the input", func(e *Explanation) { e.InputHash = "x" }, []Difference{{"input hash", "", "x"}}},
		{"the input, with another content", func(e *Explanation) { e.InputHash, e.ContentVersion = "x", "next" }, nil},
	} {
		stored := soldAt(t, place, "", physical("100.00"), physical("50.00"))
		again := soldAt(t, place, "", physical("100.00"), physical("50.00"))
		stored.InputHash, stored.ResultHash, again.InputHash, again.ResultHash = "", "", "", ""
		test.change(&again)
		require.Equal(t, test.want, Compare(&stored, &again), test.figure)
		for i := range test.want {
			test.want[i].Stored, test.want[i].Recomputed = test.want[i].Recomputed, test.want[i].Stored
		}
		require.Equal(t, test.want, Compare(&again, &stored), "%s, the other way round", test.figure)
	}
}

// An explanation without its input, as of an early release, or with missing items cannot be recomputed.
func TestAnExplanationWithoutItsInput(t *testing.T) {
	t.Parallel()
	place := zip(sampleContent(t), "75001")
	for name, change := range map[string]func(*Explanation){
		"no input":             func(e *Explanation) { e.Input = nil },
		"an item without it":   func(e *Explanation) { e.Input.Items = e.Input.Items[:1] },
		"an input of no item":  func(e *Explanation) { e.Items = e.Items[:1] },
		"no items on one side": func(e *Explanation) { e.Input.Items = nil },
	} {
		e := soldAt(t, place, "", physical("1.00"), physical("2.00"))
		_, err := e.Request()
		require.NoError(t, err)
		change(&e)
		_, err = e.Request()
		require.ErrorIs(t, err, ErrNoInput, name)
	}
}
