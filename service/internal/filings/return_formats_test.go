package filings

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
	"levy/returns"
	"levy/service/internal/deps"
	"levy/tax"
	"levy/tax/calendar"
)

// aReturn is a return of August 2026, due on 21 September.
func aReturn(state string, frequency calendar.FilingFrequency) *models.Filing {
	often, due := string(frequency), time.Date(2026, 9, 21, 0, 0, 0, 0, time.UTC)
	return &models.Filing{
		CountryCode: models.UnitedStates, StateCode: state, FilingFrequency: &often, DueDate: &due,
		FilingCategory: calendar.FilingRegular, EndDate: time.Date(2026, 8, 31, 0, 0, 0, 0, time.UTC),
	}
}

// The form of New York is for quarters: months and prepayments have the general worksheet.
func TestTheLayoutOfAReturn(t *testing.T) {
	t.Parallel()
	law, err := tax.LoadContent()
	require.NoError(t, err)
	require.Equal(t, "US-NY-ST-100/2019-03", layoutOf(law, aReturn("NY", calendar.FilingQuarterly)).ID)
	require.Equal(t, "GENERAL/1", layoutOf(law, aReturn("NY", calendar.FilingMonthly)).ID)
	prepaid := aReturn("NY", calendar.FilingQuarterlyPrepayment)
	require.Equal(t, "US-NY-ST-100/2019-03", layoutOf(law, prepaid).ID)
	prepaid.FilingCategory = calendar.FilingPrepayment
	require.Equal(t, "GENERAL/1", layoutOf(law, prepaid).ID)
	require.Equal(t, "US-FL-DR-15/2020-01", layoutOf(law, aReturn("FL", calendar.FilingMonthly)).ID)
	shop := aReturn(models.EuropeanUnion, calendar.FilingQuarterly)
	shop.CountryCode = models.EuropeanUnion
	require.Equal(t, returns.ShopLayout().ID, layoutOf(law, shop).ID, "the calendar names the layout of the worksheet")
	shop.FilingCategory = models.FilingAmendment
	require.Equal(t, "GENERAL/1", layoutOf(law, shop).ID)
}

func TestTheAllowanceOfAReturn(t *testing.T) {
	t.Parallel()
	law, err := tax.LoadContent()
	require.NoError(t, err)
	require.Equal(t, "FL", allowanceOf(law, aReturn("FL", calendar.FilingMonthly), 20260921).State)
	require.Nil(t, allowanceOf(law, aReturn("WA", calendar.FilingMonthly), 20260921), "the state leaves nothing")
	require.Equal(t, "VA", allowanceOf(law, aReturn("VA", calendar.FilingMonthly), 20260921).State, "it is not known")
	abroad := aReturn("FL", calendar.FilingMonthly)
	abroad.CountryCode = models.Canada
	require.Nil(t, allowanceOf(law, abroad, 20260921))
}

// Every layout and allowance is told with its source and how sure it is.
func TestReturnFormatsHaveTheirSources(t *testing.T) {
	t.Parallel()
	law, err := tax.LoadContent()
	require.NoError(t, err)
	for _, l := range append(law.ReturnLayouts(), returns.ShopLayout()) {
		f := returnFormat(&l)
		require.NotEmpty(t, f.Source, f.Layout)
		require.Equal(t, string(l.Sure()), f.Confidence)
		require.Len(t, f.Lines, len(l.Lines))
		for _, line := range f.Lines {
			require.NotEmpty(t, line.Formula, f.Layout+" "+line.Line)
			require.NotEmpty(t, line.Confidence, f.Layout+" "+line.Line)
		}
	}
	for _, a := range law.VendorAllowances() {
		told := returnAllowance(&a)
		require.NotEmpty(t, told.Source, told.StateCode)
		require.Len(t, told.Tiers, len(a.Tiers))
		if told.StateCode == "FL" {
			require.Equal(t, []any{"MARGINAL", "0.00", "1200.00", "0.025", "30.00"}, []any{
				told.TierKind, told.Tiers[0].From, *told.Tiers[0].To, told.Tiers[0].Rate, *told.Tiers[0].Cap,
			})
		}
	}
}

// Every file for an authority is told with its source, how sure it is, and whether anybody uploads it.
func TestReturnFormatsHaveTheFiles(t *testing.T) {
	t.Parallel()
	law, err := tax.LoadContent()
	require.NoError(t, err)
	o := New(&deps.Deps{Law: theLaw{content: law}}, time.Now, nil)
	told := func(country, state string) (files []string) {
		r := contract.ListReturnFormatsRequest{}
		r.Params.CountryCode, r.Params.StateCode = country, state
		answer, err := o.ListReturnFormats(t.Context(), r)
		require.NoError(t, err)
		for _, f := range answer.Files {
			require.NotEmpty(t, f.Source, f.Layout)
			files = append(files, fmt.Sprint(f.Layout, " ", f.Format, " ", f.Confidence, " ", f.OnlySent, " ", f.FilingFrequencies))
		}
		return files
	}
	require.Len(t, told("", ""), len(returns.Files(law)))
	require.Equal(t, []string{
		"US-SER/SST2015V01 XML HIGH true []", "US-WA-E-FILE-QUARTERLY/1.0 TEXT LOW false [QUARTERLY]",
		"US-WA-E-FILE/1.0 TEXT MED false [MONTHLY]",
	}, told("US", "WA"))
	require.Equal(t, []string{"GB-VAT-MTD/1.0 JSON MED true []"}, told("GB", ""))
	require.Equal(t, []string{"DE-OSS/2.0 CSV MED false [QUARTERLY]"}, told("DE", ""))
	require.Equal(t, []string{"BE-OSS/1 XML MED false [QUARTERLY]", "DE-OSS/2.0 CSV MED false [QUARTERLY]"}, told("ZZ_EU", "ZZ_EU"))
	require.Empty(t, told("US", "TX"))
}
