package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/content"
	"levy/tax/money"
)

const csvHeader = "zip,city,county,state,level,name,rate,valid_from,valid_to,source\n"

func TestATableOfAnOperatorEndsAndAddsRates(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	denver := tax.Address{City: "Denver", State: "CO", PostalCode: "80202"}
	before := o.rate(denver, tax.ClassPhysical, 20270101)
	text := csvHeader +
		",,,CO,STATE,Colorado,0.039,2027-01-01,,Notice 1\n" +
		"80202,Denver,Denver,CO,DISTRICT,Downtown Improvement,0.01,2027-01-01,2027-12-31,Notice 2\n" +
		"80203,,,CO,DISTRICT,Downtown Improvement,0.01,2027-01-01,2027-12-31,Notice 2\n"
	version := o.recorded(o.must("import-csv", o.file("rates.csv", text)))
	o.must("activate", version)
	require.Equal(t, before, o.rate(denver, tax.ClassPhysical, 20261231), "the day before")
	require.Equal(t, plus(t, before, "200.00"), o.rate(denver, tax.ClassPhysical, 20270101))
	require.Equal(t, plus(t, before, "100.00"), o.rate(denver, tax.ClassPhysical, 20280101), "the district has ended")

	o.must("activate", o.recorded(o.must("import-rates", o.file("GAR2026Q4SEP01.csv", georgia))))
	for line, fault := range map[string]string{
		",,,GA,COUNTY,Fulton,0.05,2027-01-01,,me":               "the rate file of GA gives the rate of Fulton already",
		",,,CO,COUNTY,Nowhere,0.05,2027-01-01,,me":              "unknown county Nowhere",
		",,,CO,DISTRICT,Nowhere,0.05,2027-01-01,,me":            "give the ZIPs where it applies",
		",,,ZZ,CITY,Nowhere,0.05,2027-01-01,,me":                "unknown state ZZ",
		"80202,Boulder,,CO,DISTRICT,Nowhere,.05,2027-01-01,,me": `no place with ZIP 80202, city "Boulder"`,
	} {
		_, err := o.levy("import-csv", o.file("bad.csv", csvHeader+line+"\n"))
		require.ErrorContains(t, err, "bad.csv:2: ")
		require.ErrorContains(t, err, fault)
	}
}

func plus(t *testing.T, a, b string) string {
	t.Helper()
	x, err := money.ParseDecimal(a)
	require.NoError(t, err)
	y, err := money.ParseDecimal(b)
	require.NoError(t, err)
	sum, err := x.AddExact(y, 2)
	require.NoError(t, err)
	return sum.String()
}

func TestABadTableIsRefusedWithEveryLine(t *testing.T) {
	t.Parallel()
	lines := []string{
		"8020,,,CO,CITY,Denver,0.05,2027-01-01,,me", ",,,CO,TOWN,Denver,0.05,2027-01-01,,me",
		",,,CO,CITY,,0.05,2027-01-01,,me",
		",,,CO,CITY,Denver,5,2027-01-01,,me", ",,,CO,CITY,Denver,0.05,1/1/2027,,me",
		",,,CO,CITY,Denver,0.05,2027-01-01,2026-01-01,me",
		",,,CO,CITY,Denver,0.05,2027-01-01,,", "too,few",
	}
	_, err := content.ReadCSV("rates.csv", strings.NewReader(csvHeader+strings.Join(lines, "\n")))
	var refused *content.RefusedError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, len(lines), refused.Total, err)
	_, err = content.ReadCSV("rates.csv", strings.NewReader("zip,rate\n"))
	require.ErrorContains(t, err, "rates.csv:1: the column city is missing")
	_, err = content.ReadCSV("rates.csv", strings.NewReader(""))
	require.ErrorContains(t, err, "the file is empty")
}
