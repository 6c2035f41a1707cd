package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/content"
)

// georgia raises the rate of Fulton County from October 2026 and has a district that the pack lacks.
const georgia = "\xef\xbb\xbf13,45,13,0.04,0.04,0,0,19890401,29991231\r\n" +
	"13,0,121,.03,.03,,,20110101,20261001\r\n" +
	"13,00,121,0.035,0.035,,,20261001,29991231\r\n" +
	"13,63,77777,0.01,0.01,0.00,0.00,20260101,99991231\r\n"

func TestARateFileReplacesRatesFromItsFirstDayOn(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	atlanta := tax.Address{City: "Atlanta", State: "GA", PostalCode: "30303"}
	before, after := o.rate(atlanta, tax.ClassPhysical, 20260930), o.rate(atlanta, tax.ClassPhysical, 20261001)
	require.Equal(t, before, after)
	version := o.recorded(o.must("import-rates", o.zipped("GAR2026Q4.zip", "GAR2026Q4SEP01.csv", georgia)))
	require.Equal(t, after, o.rate(atlanta, tax.ClassPhysical, 20261001), "nothing counts before it is activated")

	diff := o.must("diff", version)
	require.Regexp(t, `GA +Fulton County +\* +3 % +3\.5 % +2026-10-01`, diff)
	require.Regexp(t, `GA +District 77777 +\* +none +1 % +2026-01-01`, diff)
	require.Contains(t, diff, "0 lines taxed at an old rate")
	require.Equal(t, diff, o.must("diff"), "without a version it is the newest one")

	o.must("activate", version)
	require.Equal(t, before, o.rate(atlanta, tax.ClassPhysical, 20260930), "the day before the change")
	require.Equal(t, "940.00", o.rate(atlanta, tax.ClassPhysical, 20261001))
	require.Equal(t, "490.00", o.rate(atlanta, tax.ClassFood, 20260930))

	t.Run("importing the same file again changes nothing", func(t *testing.T) {
		require.Equal(t, version, o.recorded(o.must("import-rates", o.file("GAR2026Q4SEP01.csv", georgia))))
	})
	t.Run("an older file does not replace a newer one", func(t *testing.T) {
		_, err := o.levy("import-rates", o.file("GAR2026Q3.csv", georgia))
		require.ErrorContains(t, err, "the rate file of 2026Q4 is imported already")
	})
	t.Run("a boundary file leads to the new district", func(t *testing.T) {
		record := columns(map[int]string{1: "A", 2: "20260101", 3: "29991231", 4: "1", 5: "99", 6: "B", 8: "PEACHTREE",
			9: "ST", 16: "30303", 23: "13", 25: "121",
			31: "77777", 32: "63"})
		version := o.recorded(o.must("import-boundaries", o.file("GAB2026Q4.csv", record)))
		require.Contains(t, o.must("diff"), "Other boundary files: [GA]. 0 sales")
		o.must("activate", version)
		require.Equal(t, "850.00", o.rate(tax.Address{
			Street1: "50 Peachtree Street", City: "Atlanta", State: "GA", PostalCode: "30303",
		}, tax.ClassPhysical, 20261101))
	})
}

func TestNevadaCountiesReportTheWholeRate(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	vegas := tax.Address{City: "Las Vegas", State: "NV", PostalCode: "89101"}
	require.Equal(t, "837.50", o.rate(vegas, tax.ClassPhysical, 20260801))
	o.must(
		"activate",
		o.recorded(o.must(
			"import-rates",
			o.file("NVR2026Q3.csv", "32,45,32,0,0,,,20090701,29991231\n32,0,3,0.085,0.085,,,20260401,29991231\n"),
		)),
	)
	require.Equal(t, "850.00", o.rate(vegas, tax.ClassPhysical, 20260801))
	_, err := o.levy("import-rates", o.file("NVR2026Q4.csv", "32,0,3,0.05,0.05,,,20260401,29991231\n"))
	require.ErrorContains(t, err, "NVR2026Q4.csv:1: the rate 0.05 is less than that of the state")
}

func TestABadRateFileIsRefusedWithEveryLine(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ line, fault string }{
		"columns":            {"13,00,121,0.03", "4 columns instead of 9"},
		"state":              {"14,00,121,0.03,0.03,,,20110101,29991231", `state "14" instead of "13"`},
		"type":               {"13,x,121,0.03,0.03,,,20110101,29991231", "is not two digits"},
		"code":               {"13,00,FULTON,0.03,0.03,,,20110101,29991231", "not up to 3 digits"},
		"no code":            {"13,63,,0.03,0.03,,,20110101,29991231", "jurisdiction code"},
		"rate":               {"13,00,121,three,0.03,,,20110101,29991231", "is not a number"},
		"a percentage":       {"13,00,121,3.0,3.0,,,20110101,29991231", "not a fraction between 0 and 0.20"},
		"negative":           {"13,00,121,-0.03,0.03,,,20110101,29991231", "not a fraction"},
		"food":               {"13,00,121,0.03,0.03,x,,20110101,29991231", "food and drug rate"},
		"begin":              {"13,00,121,0.03,0.03,,,20110231,29991231", "begin"},
		"end":                {"13,00,121,0.03,0.03,,,20110101,never", "end"},
		"ends before begins": {"13,00,121,0.03,0.03,,,20110101,20101231", "ends on 2010-12-31"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := content.ReadRates("GAR2026Q4.csv", strings.NewReader(georgia+test.line), "13")
			var refused *content.RefusedError
			require.ErrorAs(t, err, &refused)
			require.Equal(t, 1, refused.Total)
			require.Equal(t, 5, refused.First[0].Line)
			require.Contains(t, err.Error(), test.fault)
		})
	}
	o := newOperator(t)
	_, err := o.levy("import-rates", o.file("GAR2026Q4.csv", georgia+"13,00,121,0.05,0.05,,,20270101,29991231\n"))
	require.ErrorContains(t, err, "GAR2026Q4.csv:5: overlaps line 3 of the same jurisdiction")
	require.Equal(t, 1, o.count("SELECT count(*) FROM content_versions"))
}
