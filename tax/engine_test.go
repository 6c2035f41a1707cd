package tax

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/content"
	"levy/tax/money"
)

func TestLocalRatesAreCutToTheCapOfTheState(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	r, err := c.Calculate(Request{
		TaxDate: calendar.MustDate("2026-05-01"), Destination: zip(c, "75001"), Lines: oneLine("100.00"),
	})
	require.NoError(t, err)
	require.Equal(t, "8.25", r.Tax.String())
	require.Equal(t, "0.082500000", r.Rate.String())
	var rates []string
	for _, i := range r.Lines[0].TaxItems {
		rates = append(rates, i.JurisdictionName+" "+i.Rate.String())
	}
	require.Equal(t, []string{
		"Texas 0.062500000", "Big County 0.005000000", "Town 0.012500000", "Rail 0.002500000",
	}, rates)
}

func TestInsideAnOriginStateThePlaceOfTheSellerTaxes(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	origin, destination := zip(c, "75002"), zip(c, "75001")
	origin.AddressType = "SHIP_FROM"
	r, err := c.Calculate(Request{
		TaxDate: calendar.MustDate("2026-05-01"), Destination: destination, Origin: &origin,
		Lines: oneLine("100.00"),
	})
	require.NoError(t, err)
	require.Equal(t, SourcingOrigin, r.Sourcing)
	require.Equal(t, "6.75", r.Tax.String())
	require.Equal(t, "SHIP_FROM", r.Explanation.Sourcing.AddressType)
	require.Contains(t, r.Explanation.Steps[0].Text, "Taxed at the origin, Field, TX 75002.")

	elsewhere := zip(c, "94001")
	r, err = c.Calculate(Request{
		TaxDate: calendar.MustDate("2026-05-01"), Destination: destination, Origin: &elsewhere,
		Lines: oneLine("100.00"),
	})
	require.NoError(t, err)
	require.Equal(t, SourcingDestination, r.Sourcing, "a seller in another state")
	require.Equal(t, "8.25", r.Tax.String())
}

func TestAMixedStateUsesDistrictsOfTheDestination(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	origin := zip(c, "94002")
	r, err := c.Calculate(Request{
		TaxDate: calendar.MustDate("2026-05-01"), Destination: zip(c, "94001"), Origin: &origin,
		Lines: oneLine("100.00"),
	})
	require.NoError(t, err)
	require.Equal(t, SourcingDestination, r.Sourcing)
	require.Equal(t, "8.25", r.Tax.String(), "6 state, 1.25 uniform, 1 of the delivery city and not 2 of the seller's")
	require.Contains(t, r.Explanation.Sourcing.Reason, "district taxes the delivery")
}

func TestRatesApplyFromTheirFirstDay(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	tax := func(day string) Result {
		r, err := c.Calculate(Request{
			TaxDate: calendar.MustDate(day), Destination: zip(c, "75002"), Lines: oneLine("1000.00"),
		})
		require.NoError(t, err)
		return r
	}
	require.Equal(t, "62.50", tax("2009-12-31").Tax.String())
	require.Equal(t, "67.50", tax("2010-01-01").Tax.String())
	before := tax("1990-06-30")
	require.Equal(t, "0.00", before.Tax.String())
	require.Equal(t, ExemptionNoRuleFound, before.Lines[0].TaxExemption)
	require.Equal(t, ReasonNoRuleFound, before.Lines[0].TaxItems[0].Reason)
}

func TestARateWithoutAKnownFirstDayAppliesEarlierWithAWarning(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	r, err := c.Calculate(Request{
		TaxDate: calendar.MustDate("2025-12-31"), Destination: zip(c, "75001"), Lines: oneLine("100.00"),
	})
	require.NoError(t, err)
	require.Equal(t, "8.25", r.Tax.String())
	require.Equal(t, ConfidenceLow, r.Confidence)
	r, err = c.Calculate(Request{
		TaxDate: calendar.MustDate("2026-01-01"), Destination: zip(c, "75001"), Lines: oneLine("100.00"),
	})
	require.NoError(t, err)
	require.Equal(t, ConfidenceHigh, r.Confidence)
}

func TestPlacesWithoutRulesGiveNoTaxAndAReason(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	for _, a := range []Address{{Country: "JP"}, {Country: "JP", City: "Osaka"}} {
		p := c.Resolve(a)
		require.True(t, p.Known())
		require.Equal(t, StatusUnverifiable, p.Status)
		r, err := c.Calculate(Request{
			TaxDate: calendar.MustDate("2026-05-01"), Destination: p, Lines: oneLine("100.00"),
		})
		require.NoError(t, err)
		require.Equal(t, "0.00", r.Tax.String())
		require.Equal(t, ReasonNoRuleFound, r.Lines[0].TaxItems[0].Reason)
		require.False(t, r.Lines[0].Exempt)
	}
}

func TestOverflowIsAnErrorAndTheLargestAmountsAreExact(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	req := Request{
		TaxDate: calendar.MustDate("2026-05-01"), Destination: zip(c, "75001"), Lines: oneLine("9999999999.99"),
	}
	r, err := c.Calculate(req)
	require.NoError(t, err)
	require.Equal(t, "825000000.00", r.Tax.String())
	require.Equal(t, "824999999.999175", r.Explanation.Items[0].Rounding.UnroundedTotal.String())
	req.Lines = append(req.Lines, req.Lines[0])
	_, err = c.Calculate(req)
	require.ErrorIs(t, err, money.ErrOverflow)
	req.Lines = oneLine("10000000000.00")
	_, err = c.Calculate(req)
	require.ErrorIs(t, err, money.ErrOverflow)
	req.Lines = oneLine("0.001")
	_, err = c.Calculate(req)
	require.ErrorIs(t, err, money.ErrPrecision)
}

func TestBadRequestsAreRefused(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	good := Request{TaxDate: calendar.MustDate("2026-05-01"), Destination: zip(c, "75001"), Lines: oneLine("1.00")}

	bad := good
	bad.Lines = []Line{{Class: "GOLD"}}
	_, err := c.Calculate(bad)
	require.ErrorIs(t, err, ErrClass)

	bad = good
	bad.Rounding = "PER_MOON"
	_, err = c.Calculate(bad)
	require.ErrorIs(t, err, ErrRounding)

	bad = good
	bad.Destination = c.Resolve(Address{Street1: "Main street 1"})
	_, err = c.Calculate(bad)
	require.ErrorIs(t, err, ErrPlaceUnknown)

	bad = good
	bad.Destination.Jurisdictions = []string{"US-TX", "US-TX-M-gone"}
	_, err = c.Calculate(bad)
	var unknown *UnknownJurisdictionError
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, "US-TX-M-gone", unknown.ID)
}

func TestContentFaultsNameTheRow(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		spoil func(*content.Data)
		want  string
	}{
		"overlapping rates": {
			func(d *content.Data) { d.Rates = append(d.Rates, d.Rates[0]) }, "rates.csv:7: overlaps",
		},
		"rate of an unknown jurisdiction": {
			func(d *content.Data) { d.Rates[0].JurisdictionID = "US-XX" }, "unknown jurisdiction US-XX",
		},
		"rate that is a percentage": {
			func(d *content.Data) { d.Rates[0].Rate = decimal.MustParse("8.25") }, "not a fraction",
		},
		"period that ends too early": {
			func(d *content.Data) { d.Rates[0].To = calendar.MustDate("1980-01-01") }, "before it starts",
		},
		"unknown source": {func(d *content.Data) { d.Rates[0].SourceID = "?" }, "unknown source"},
		"a source without a day": {
			func(d *content.Data) { d.Sources[0].Edition = "" }, "neither an edition of its source nor a day",
		},
		"place of an unknown jurisdiction": {func(d *content.Data) {
			d.Places = rows(content.PlaceRow{
				At: content.RowRef{File: "rates.csv", Line: 7}, ZIP: "75001", State: "TX",
				Jurisdictions: "US-TX|US-TX-M-gone", Primary: true, Basis: "POSTAL_CITY",
				Completeness: "COMPLETE",
			})
		}, `rates.csv:7: unknown jurisdiction "US-TX-M-gone"`},
		"ZIP without primary row": {func(d *content.Data) {
			d.Places = rows(content.PlaceRow{
				At: content.RowRef{File: "rates.csv", Line: 7}, ZIP: "75001", State: "TX",
				Jurisdictions: "US-TX", Basis: "POSTAL_CITY", Completeness: "COMPLETE",
			})
		}, "0 primary rows"},
		"overlapping treatments": {
			func(d *content.Data) { d.Taxability = append(d.Taxability, d.Taxability[0]) },
			"overlaps another row",
		},
		"unknown treatment": {
			func(d *content.Data) { d.Taxability[0].Treatment = "MAYBE" }, `treatment "MAYBE"`,
		},
		"threshold without mode": {
			func(d *content.Data) { d.Taxability[0].Treatment = "THRESHOLD" }, "do not go together",
		},
		"unknown kind of local rule": {func(d *content.Data) { d.LocalRules[0].Kind = "X" }, `kind "X"`},
		"unknown parent": {
			func(d *content.Data) { d.Jurisdictions[1].Parent = "MOON" }, "unknown parent MOON",
		},
		"same rule ids": {func(d *content.Data) { d.Jurisdictions[4].Slug = "town" }, "give it a slug"},
		"unknown level": {
			func(d *content.Data) { d.Jurisdictions[1].Level = "VILLAGE" }, `level "VILLAGE"`,
		},
		"an id that stands twice": {
			func(d *content.Data) { d.Jurisdictions = append(d.Jurisdictions, d.Jurisdictions[1]) },
			"stands twice",
		},
		"unknown state":    {func(d *content.Data) { d.Coverage[0].State = "XX" }, `unknown state "XX"`},
		"unknown sourcing": {func(d *content.Data) { d.Sourcing[0].Intrastate = "BOTH" }, `sourcing "BOTH"`},
		"overlapping sourcing": {
			func(d *content.Data) { d.Sourcing = append(d.Sourcing, d.Sourcing[0]) }, "overlaps another row",
		},
		"unknown local rule": {
			func(d *content.Data) { d.Taxability[0].LocalRule = "SOME" }, `local rule "SOME"`,
		},
		"bad fixed local rate": {
			func(d *content.Data) { d.Taxability[0].LocalRule = "FIXED:x" }, `"x" is not a percentage`,
		},
		"unknown class": {
			func(d *content.Data) { d.Taxability[0].Class = "GOLD" }, `unknown class "GOLD"`,
		},
		"negative cap": {
			func(d *content.Data) { d.LocalRules[0].Amount = decimal.MustParse("-1") }, "not an amount of money",
		},
		"category without class": {
			func(d *content.Data) { d.Categories = []content.CategoryRow{{Category: "X"}} }, "unknown class",
		},
		"subcategory of an unknown category": {func(d *content.Data) {
			d.Categories = []content.CategoryRow{{Category: "X", Subcategory: "Y", Class: "PHYSICAL"}}
		}, "unknown category X"},
		"no version": {func(d *content.Data) { d.Version = "" }, "version"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := sample()
			for i := range d.Rates {
				d.Rates[i].At = content.RowRef{File: "rates.csv", Line: 7}
			}
			test.spoil(&d)
			_, err := newContent(d)
			require.ErrorIs(t, err, content.ErrContent)
			require.ErrorContains(t, err, test.want)
		})
	}
}
