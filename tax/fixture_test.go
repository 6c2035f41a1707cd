package tax

import (
	"iter"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/content"
)

// sample is a small made-up content: Texas with local taxes that together pass
// the cap of the state, and California with its statewide local tax.
func sample() content.Data {
	at := content.RowRef{File: "sample", Line: 1}
	us := func(id, state, level, name, parent string) content.JurisdictionRow {
		return content.JurisdictionRow{
			At: at, ID: id, Country: "US", State: state, Level: level, Name: name, Parent: parent,
		}
	}
	rate := func(id, rate, from string, certain bool) content.RateRow {
		return content.RateRow{
			At: at, JurisdictionID: id, TaxType: "SALES", Rate: decimal.MustParse(rate),
			From: calendar.MustDate(from), CertainStart: certain, SourceID: "S", Confidence: "HIGH",
		}
	}
	place := func(zip, city, state, county, ids string) content.PlaceRow {
		return content.PlaceRow{
			At: at, ZIP: zip, City: city, State: state, County: county, Jurisdictions: ids, Primary: true,
			Basis: "POSTAL_CITY", Completeness: "COMPLETE",
		}
	}
	taxable := func(state string) content.TaxabilityRow {
		return content.TaxabilityRow{
			At: at, State: state, Class: "PHYSICAL", Treatment: "TAXABLE", LocalRule: "FULL", Confidence: "HIGH",
		}
	}
	statewide := us("US-CA-D-uniform", "CA", "DISTRICT", "Uniform local tax", "US-CA")
	statewide.Statewide = true
	return content.Data{
		Version: "sample",
		Countries: []content.CountryRow{
			{Code: "US", Name: "United States"}, {Code: "CA", Name: "Canada"}, {Code: "JP", Name: "Japan"},
		},
		Sources: []content.SourceRow{{ID: "S", Title: "Rates", Publisher: "Department", Edition: "1"}},
		Jurisdictions: []content.JurisdictionRow{
			{At: at, ID: "US", Country: "US", Level: "COUNTRY", Name: "United States"},
			us("US-TX", "TX", "STATE", "Texas", "US"),
			us("US-TX-C001", "TX", "COUNTY", "Big County", "US-TX"),
			us("US-TX-M-town", "TX", "CITY", "Town", "US-TX-C001"),
			us("US-TX-D-rail", "TX", "DISTRICT", "Rail", "US-TX"),
			us("US-CA", "CA", "STATE", "California", "US"),
			statewide,
			us("US-CA-M-bay", "CA", "CITY", "Bay", "US-CA"),
			us("US-CA-M-hill", "CA", "CITY", "Hill", "US-CA"),
		},
		Rates: []content.RateRow{
			rate("US-TX", "0.0625", "1990-07-01", true),
			rate("US-TX-C001", "0.005", "2010-01-01", true),
			rate("US-TX-M-town", "0.0125", "2026-01-01", false),
			rate("US-TX-D-rail", "0.01", "2020-01-01", true),
			rate("US-CA", "0.06", "2000-01-01", true),
			rate("US-CA-D-uniform", "0.0125", "2000-01-01", true),
			rate("US-CA-M-bay", "0.01", "2000-01-01", true),
			rate("US-CA-M-hill", "0.02", "2000-01-01", true),
		},
		Places: rows(
			place("75001", "Town", "TX", "Big County", "US-TX|US-TX-C001|US-TX-M-town|US-TX-D-rail"),
			place("75002", "Field", "TX", "Big County", "US-TX|US-TX-C001"),
			place("94001", "Bay", "CA", "", "US-CA|US-CA-D-uniform|US-CA-M-bay"),
			place("94002", "Hill", "CA", "", "US-CA|US-CA-D-uniform|US-CA-M-hill"),
		),
		Coverage: []content.CoverageRow{
			{At: at, State: "TX", HasLocalTax: true}, {At: at, State: "CA", HasLocalTax: true},
		},
		Sourcing: []content.SourcingRow{
			{At: at, State: "TX", Intrastate: "ORIGIN", Confidence: "HIGH"},
			{At: at, State: "CA", Intrastate: "MIXED", Confidence: "HIGH"},
		},
		Taxability: []content.TaxabilityRow{taxable("TX"), taxable("CA")},
		LocalRules: []content.LocalRuleRow{
			{
				At: at, ID: "TX-LOCAL-CAP", State: "TX", Kind: "LOCAL_SUM_CAP", Rate: decimal.MustParse("0.02"),
				Source: "Code", Confidence: "HIGH",
			},
		},
	}
}

func rows(list ...content.PlaceRow) iter.Seq2[content.PlaceRow, error] {
	return func(yield func(content.PlaceRow, error) bool) {
		for _, r := range list {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func sampleContent(t *testing.T) *Content {
	t.Helper()
	c, err := newContent(sample())
	require.NoError(t, err)
	return c
}

func zip(c *Content, code string) Place {
	a := Address{PostalCode: code, Country: "US"}
	return c.Resolve(a)
}

func oneLine(amount string) []Line {
	return []Line{{Class: ClassPhysical, Amount: decimal.MustParse(amount), Quantity: decimal.One}}
}
