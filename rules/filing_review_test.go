package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
)

// Each place has its tax of both filings, the difference and its cause. The largest change comes first.
func TestPlacesOfTwoFilingsAreCompared(t *testing.T) {
	t.Parallel()
	figure := func(level, name, rate, taxable, owed string) models.FilingFigure {
		return models.FilingFigure{FigureKey: models.FigureKey{Level: level, Name: name, Rate: rate},
			Taxable: total(t, taxable), Owed: total(t, owed)}
	}
	before := []models.FilingFigure{
		figure("STATE", "Texas", "0.0625", "1000.00", "62.50"), figure("CITY", "Austin", "0.01", "1000.00", "10.00"),
		figure("CITY", "Dallas", "0.01", "500.00", "5.00"), figure("COUNTY", "Travis", "0.01", "100.00", "1.00"),
		figure("CITY", "Waco", "0.01", "100.00", "1.00"),
	}
	now := []models.FilingFigure{
		figure("STATE", "Texas", "0.0625", "1500.00", "93.75"), figure("STATE", "Texas", "0.0625", "-100.00", "-6.25"),
		figure("CITY", "Austin", "0.02", "1000.00", "20.00"), figure("CITY", "Houston", "0.01", "400.00", "4.00"),
		figure("COUNTY", "Travis", "0.01", "100.00", "1.00"), figure("CITY", "Waco", "0.01", "100.00", "1.50"),
	}
	places, err := rules.ComparePlaces(now, before)
	require.NoError(t, err)
	var shown [][]string
	for _, p := range places {
		shown = append(shown, []string{p.Name, p.Now.String(), p.Before.String(), p.Change.String(), p.Cause})
	}
	require.Equal(t, [][]string{
		{"Texas", "87.50", "62.50", "25.00", models.ChangeMoreTaxable},
		{"Austin", "20.00", "10.00", "10.00", models.ChangeRate},
		{"Dallas", "0.00", "5.00", "-5.00", models.ChangeNoSales},
		{"Houston", "4.00", "0.00", "4.00", models.ChangeNewPlace},
		{"Waco", "1.50", "1.00", "0.50", models.ChangeOther},
		{"Travis", "1.00", "1.00", "0.00", ""},
	}, shown)
}

// A check does not pass if a person should look.
func TestAFilingIsCheckedBeforeItsApproval(t *testing.T) {
	t.Parallel()
	filing := func(owed, collected string) models.Filing {
		return models.Filing{FilingSums: models.FilingSums{TotalTaxLiability: total(t, owed), AmountTaxCollected: total(t, collected)}}
	}
	failed := func(facts rules.FilingReviewFacts) (codes []string) {
		checks, err := rules.CheckFiling(&facts)
		require.NoError(t, err)
		for _, c := range checks {
			if !c.Passed {
				codes = append(codes, c.Code)
			}
		}
		return codes
	}
	before := filing("100.00", "100.00")
	require.Empty(t, failed(rules.FilingReviewFacts{Filing: filing("150.00", "1.00"), Before: &before}))
	require.Empty(t, failed(rules.FilingReviewFacts{Filing: filing("0.00", "0.00")}))
	require.Equal(t, []string{models.CheckUnusual},
		failed(rules.FilingReviewFacts{Filing: filing("150.01", "1.00"), Before: &before}))
	require.Equal(t, []string{models.CheckUnusual},
		failed(rules.FilingReviewFacts{Filing: filing("49.99", "1.00"), Before: &before}))
	require.Equal(t, []string{models.CheckCollected}, failed(rules.FilingReviewFacts{Filing: filing("10.00", "0.00")}))
	held := filing("10.00", "10.00")
	held.Unresolved.Transactions = 2
	require.Equal(t, []string{models.CheckUnresolved, models.CheckFindings, models.CheckFiguresKnown},
		failed(rules.FilingReviewFacts{Filing: held, FindingsToRead: 1, Figures: models.FilingFigures{Missing: 1}}))
	require.Equal(t, []string{models.CheckFiguresKnown}, failed(rules.FilingReviewFacts{Filing: filing("100.00", "1.00"),
		Before: &before, BeforeFigures: models.FilingFigures{Missing: 3}}), "the filing before lacks figures")
}
