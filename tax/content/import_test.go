package content

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/money"
)

func TestLinesOfRateFiles(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ line, want string }{
		{"27,45,27,0.06875,0.06875,0,0,20090701,29991231", "45 27 0.068750000 0.000000000 2009-07-01 "},
		{"27,45,27,.06875,.06875,,,20090701,20251231", "45 27 0.068750000 - 2009-07-01 2025-12-31"},
		{"27,0,53,0.0015,0.0015,0.0015,0.0015,20170101,99991231", "00 053 0.001500000 0.001500000 2017-01-01 "},
		{"27,00,053,0,0,,,20170101,20170101", "00 053 0.000000000 - 2017-01-01 2017-01-01"},
		{"27,1,4300,0.005,0.005,,,20190101,20991231", "01 04300 0.005000000 - 2019-01-01 "},
		{
			`"27","63","80004","0.01","0.01","0.00","0.00","20170101","29991231"`,
			"63 80004 0.010000000 0.000000000 2017-01-01 ",
		},
		{" 27 , 63 , R7 , 0.2 ,0,,, 20240229 , 29991231 ,more,columns", "63 R7 0.200000000 - 2024-02-29 "},
		{"27,63,80004,0.123456789,0,,,20170101,29991231", "63 80004 0.123456789 - 2017-01-01 "},
	} {
		records, err := ReadRates("MNR2026Q3.csv", strings.NewReader("\xef\xbb\xbf"+test.line+"\r\n\r\n"), "27")
		require.NoError(t, err, test.line)
		require.Len(t, records, 1)
		r, food := records[0], "-"
		if r.Food != nil {
			food = money.FormatRate(*r.Food)
		}
		require.Equal(t, test.want, strings.Join([]string{
			r.Type, r.Code, money.FormatRate(r.General), food, r.From.String(), r.To.String(),
		}, " "), test.line)
		require.Equal(t, RowRef{"MNR2026Q3.csv", 1}, r.At)
	}
}

func TestFaultsOfRateFiles(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ line, want string }{
		{"27,45,27,0.06875,0,,,20090701", "8 columns instead of 9"},
		{"28,45,27,0.06875,0,,,20090701,29991231", `state "28" instead of "27"`},
		{"027,45,27,0.06875,0,,,20090701,29991231", `state "027" instead of "27"`},
		{"27,,27,0.06875,0,,,20090701,29991231", `jurisdiction type "" is not two digits`},
		{"27,4A,27,0.06875,0,,,20090701,29991231", `jurisdiction type "4A" is not two digits`},
		{"27,450,27,0.06875,0,,,20090701,29991231", `jurisdiction type "450" is not two digits`},
		{"27,63,,0.06875,0,,,20090701,29991231", `jurisdiction code ""`},
		{"27,63,A:B,0.06875,0,,,20090701,29991231", `jurisdiction code "A:B"`},
		{"27,63,A|B,0.06875,0,,,20090701,29991231", `jurisdiction code "A|B"`},
		{"27,63,123456789012345678901,0,0,,,20090701,29991231", `jurisdiction code "123456789012345678901"`},
		{"27,00,0053,0.06875,0,,,20090701,29991231", `jurisdiction code "0053" is not up to 3 digits`},
		{"27,01,430000,0.06875,0,,,20090701,29991231", `jurisdiction code "430000" is not up to 5 digits`},
		{"27,45,27,6.875,0,,,20090701,29991231", "general rate: 6.875 is not a fraction between 0 and 0.20"},
		{
			"27,45,27,0.200000001,0,,,20090701,29991231",
			"general rate: 0.200000001 is not a fraction between 0 and 0.20",
		},
		{"27,45,27,-0.01,0,,,20090701,29991231", "general rate: -0.01 is not a fraction between 0 and 0.20"},
		{"27,45,27,0.0000000001,0,,,20090701,29991231", "general rate: 0.0000000001 is not a fraction"},
		{"27,45,27,,0,,,20090701,29991231", `general rate: "" is not a number`},
		{"27,45,27,6.875%,0,,,20090701,29991231", `general rate: "6.875%" is not a number`},
		{"27,45,27,0.06,0,x,,20090701,29991231", `food and drug rate: "x" is not a number`},
		{"27,45,27,0.06,0,2,,20090701,29991231", "food and drug rate: 2 is not a fraction"},
		{"27,45,27,0.06,0,,,2009-07-01,29991231", `begin "2009-07-01" is not a date YYYYMMDD`},
		{"27,45,27,0.06,0,,,29991231,29991231", `begin "29991231" is not a date YYYYMMDD`},
		{"27,45,27,0.06,0,,,20230229,29991231", `begin "20230229" is not a date YYYYMMDD`},
		{"27,45,27,0.06,0,,,20090701,open", `end "open" is not a date YYYYMMDD`},
		{"27,45,27,0.06,0,,,20090701,", `end "" is not a date YYYYMMDD`},
		{"27,45,27,0.06,0,,,20090701,20090630", "ends on 2009-06-30 before it begins on 2009-07-01"},
		{`27,45,"27,0.06,0,,,20090701,29991231`, "the quotes do not match"},
	} {
		good := "27,45,27,0.06875,0,,,20090701,29991231\n"
		records, err := ReadRates("MNR2026Q3.csv", strings.NewReader(good+test.line+"\n"+good), "27")
		var refused *RefusedError
		require.ErrorAs(t, err, &refused, test.line)
		require.Equal(t, 1, refused.Total, test.line)
		require.Contains(t, err.Error(), "MNR2026Q3.csv:2: "+test.want)
		require.Len(t, records, 2, "the others are read, to find their faults too")
	}
	_, err := ReadRates("MNR2026Q3.csv", strings.NewReader("\r\n\n"), "27")
	require.ErrorContains(t, err, "the file is empty")
	_, err = ReadRates("MNR2026Q3.csv", strings.NewReader("27\n"+strings.Repeat("9", maxLine+1)), "27")
	require.ErrorContains(t, err, "MNR2026Q3.csv:2: the line is longer than 64 KiB")
}

const csvHead = "zip,city,county,state,level,name,rate,valid_from,valid_to,source\n"

func TestTablesOfOperators(t *testing.T) {
	t.Parallel()
	rates, err := ReadCSV("rates.csv",
		strings.NewReader("\xef\xbb\xbfSource, Rate,NAME,level,state,county,city,zip,valid_to,valid_from\n"+
			`"Act, 1",.0125,Lake,district,mn,Hennepin,Minneapolis,55401,2026-12-31,2026-01-01`+"\n"))
	require.NoError(t, err, "columns in any order and letter case")
	require.Equal(t, []CSVRate{{
		At: RowRef{"rates.csv", 2}, ZIP: "55401", City: "Minneapolis", County: "Hennepin", State: "MN", Level: "DISTRICT",
		Name: "Lake", Source: "Act, 1", Rate: decimal.MustParse("0.0125"), From: 20260101, To: 20261231,
	}}, rates)
	for _, test := range []struct{ line, want string }{
		{"5540,,,MN,CITY,Ely,0.01,2026-01-01,,Act", `zip "5540" is not five digits`},
		{"55401-0001,,,MN,CITY,Ely,0.01,2026-01-01,,Act", `zip "55401-0001" is not five digits`},
		{",,,MN,TOWN,Ely,0.01,2026-01-01,,Act", `level "TOWN" is none of STATE, COUNTY, CITY and DISTRICT`},
		{",,,,CITY,Ely,0.01,2026-01-01,,Act", "state is empty"},
		{",,,MN,CITY,,0.01,2026-01-01,,Act", "name is empty"},
		{",,,MN,CITY,Ely,,2026-01-01,,Act", "rate is empty"},
		{",,,MN,CITY,Ely,0.01,,,Act", "valid_from is empty"},
		{",,,MN,CITY,Ely,0.01,2026-01-01,, ", "source is empty"},
		{",,,MN,CITY,Ely,1.00,2026-01-01,,Act", "rate: 1.00 is not a fraction between 0 and 0.20"},
		{",,,MN,CITY,Ely,1 %,2026-01-01,,Act", `rate: "1 %" is not a number`},
		{",,,MN,CITY,Ely,0.01,20260101,,Act", "valid_from: not a calendar day"},
		{",,,MN,CITY,Ely,0.01,2026-01-01,2026,Act", "valid_to: not a calendar day"},
		{",,,MN,CITY,Ely,0.01,2026-01-01,2025-12-31,Act", "ends on 2025-12-31 before it begins on 2026-01-01"},
		{",,,MN,CITY,Ely,0.01,2026-01-01", "wrong number of fields"},
		{`,,,MN,CITY,E"ly,0.01,2026-01-01,,Act`, "bare \" in non-quoted"},
	} {
		_, err := ReadCSV("rates.csv", strings.NewReader(csvHead+test.line+"\n"))
		require.ErrorContains(t, err, "rates.csv:2: "+test.want, test.line)
	}
	for _, test := range []struct{ line, want string }{
		{"35210,Irondale,,AL,CITY,Irondale,0.04,2026-01-01,,Act,yes", "complete is neither Y nor N"},
		{",Irondale,,AL,CITY,Irondale,0.04,2026-01-01,,Act,Y", "complete is said of a place"},
		{"35210,,,AL,CITY,Irondale,0.04,2026-01-01,,Act,Y", "complete is said of a place"},
	} {
		_, err := ReadCSV("rates.csv", strings.NewReader(strings.TrimSpace(csvHead)+",complete\n"+test.line+"\n"))
		require.ErrorContains(t, err, "rates.csv:2: "+test.want, test.line)
	}
	// A row without an end is not kept in memory: a small archive can unpack to one that fills it.
	for _, endless := range []string{csvHead + `"`, `"`, csvHead + "1,"} {
		rest := &endlessText{}
		_, err := ReadCSV("rates.csv", io.MultiReader(strings.NewReader(endless), rest))
		require.ErrorContains(t, err, "longer than 256 KiB", "%.20q", endless)
		require.Less(t, rest.read, 1<<20)
	}
	_, err = ReadCSV("rates.csv", strings.NewReader(""))
	require.ErrorContains(t, err, "rates.csv:1: the file is empty")
	_, err = ReadCSV("rates.csv", strings.NewReader("zip,city,state,level,name,valid_from,valid_to,source\n"))
	require.ErrorContains(t, err, "2 faults")
	require.ErrorContains(t, err, "the column county is missing")
	require.ErrorContains(t, err, "the column rate is missing")
}

func TestSeriesOfRates(t *testing.T) {
	t.Parallel()
	span := func(from, to calendar.Date, rate string) period {
		return period{RowRef{"f.csv", int(from % 10000)}, from, to, decimal.MustParse(rate)}
	}
	for _, test := range []struct {
		name   string
		all    []period
		want   []string
		gaps   int
		faults int
	}{
		{"one", []period{span(20260101, 0, "0.01")}, []string{"2026-01-01 "}, 0, 0},
		{"out of order", []period{span(20260701, 0, "0.02"), span(20260101, 20260630, "0.01")},
			[]string{"2026-01-01 2026-06-30", "2026-07-01 "}, 0, 0},
		{"an end on the next first day becomes the day before", []period{
			span(20260101, 20260701, "0.01"), span(20260701, 0, "0.02"),
		},
			[]string{"2026-01-01 2026-06-30", "2026-07-01 "}, 0, 0},
		{
			"the same line twice", []period{span(20260101, 0, "0.01"), span(20260101, 0, "0.010")},
			[]string{"2026-01-01 "}, 0, 0,
		},
		{
			"two rates on the same days", []period{span(20260101, 0, "0.01"), span(20260101, 0, "0.02")},
			[]string{"2026-01-01 "}, 0, 1,
		},
		{"an overlap of two days", []period{span(20260101, 20260702, "0.01"), span(20260701, 0, "0.02")},
			[]string{"2026-01-01 2026-07-02"}, 0, 1},
		{"an open rate before another", []period{span(20260101, 0, "0.01"), span(20260701, 0, "0.02")},
			[]string{"2026-01-01 "}, 0, 1},
		{"a day without a rate", []period{span(20260101, 20260629, "0.01"), span(20260701, 0, "0.02")},
			[]string{"2026-01-01 2026-06-29", "2026-07-01 "}, 1, 0},
	} {
		var refused RefusedError
		ordered, gaps := series(test.all, &refused)
		var got []string
		for _, p := range ordered {
			got = append(got, p.from.String()+" "+p.to.String())
		}
		require.Equal(t, test.want, got, test.name)
		require.Equal(t, test.gaps, gaps, test.name)
		require.Equal(t, test.faults, refused.Total, test.name)
	}
}

// generalRates are the rates of a content by jurisdiction.
type generalRates map[string]string

// GeneralRate implements GeneralRates.
func (g generalRates) GeneralRate(id string, _ calendar.Date) (decimal.Decimal, bool) {
	rate, ok := g[id]
	if !ok {
		return decimal.Decimal{}, false
	}
	return decimal.MustParse(rate), true
}

// rateRows are the rows of the table of rates, shortened to what an import decides.
func rateRows(t *testing.T, tables Tables) (rows []string) {
	t.Helper()
	s, err := tables.sheet("rates.csv")
	require.NoError(t, err)
	for _, r := range s.rows {
		rows = append(rows, fmt.Sprintf("%s %s %s %s to %s by %s", s.get(r, "jurisdiction_id"), s.get(r, "category"),
			s.get(r, "rate"), s.get(r, "valid_from"), s.get(r, "valid_to"), s.get(r, "source")))
	}
	return rows
}

func TestAnImportOfRatesEndsEarlierRates(t *testing.T) {
	t.Parallel()
	tables := few()
	name, err := ParseFeedName("MNR2026Q3.csv")
	require.NoError(t, err)
	records, err := ReadRates("MNR2026Q3.csv", strings.NewReader(strings.Join([]string{
		"27,45,27,0.0700,0,0.01,0.01,20260701,29991231",
		"27,00,053,0.0015,0,0.0015,0.0015,20260101,20260630", "27,00,053,0.0025,0,,,20260701,29991231",
		"27,01,43000,0.005,0,,,20260701,29991231", "27,63,80004,0.01,0,,,20260701,29991231",
	}, "\n")), "27")
	require.NoError(t, err)
	done, err := tables.ImportRates(generalRates{}, name, "MNR2026Q3.csv", records)
	require.NoError(t, err)
	require.Equal(t, RateImport{Jurisdictions: 4, New: 3, Rates: 6, Gaps: 0}, done)
	require.Equal(t, []string{
		"US-MN * 0.06875 2009-07-01 to 2026-06-30 by S1",
		"US-MN * 0.07 2026-07-01 to  by SST-RATES-MN", "US-MN FOOD 0.01 2026-07-01 to  by SST-RATES-MN",
		"US-MN-C053 * 0.0015 2026-01-01 to 2026-06-30 by SST-RATES-MN", "US-MN-C053 * 0.0025 2026-07-01 to  by SST-RATES-MN",
		"US-MN-D-sst-63-80004 * 0.01 2026-07-01 to  by SST-RATES-MN",
		"US-MN-M-sst-43000 * 0.005 2026-07-01 to  by SST-RATES-MN",
	}, append(rateRows(t, tables)[:3:3], sorted(rateRows(t, tables)[3:])...),
		"a food rate equal to the general one is no row")
	d, err := Read(folder(tables))
	require.NoError(t, err)
	names := map[string]string{}
	for _, j := range d.Jurisdictions {
		names[j.ID] = j.Name
	}
	require.Equal(t, map[string]string{
		"US-MN": "Minnesota", "US-MN-C053": "Hennepin County", "US-MN-M-sst-43000": "Place 43000",
		"US-MN-D-sst-63-80004": "District 80004",
	}, names)
	require.True(t, d.Coverage[0].HasLocalTax, "the state levies local taxes now")

	_, err = tables.ImportRates(generalRates{}, FeedName{"MN", 'R', 2026, 2}, "MNR2026Q2.csv", records)
	require.ErrorContains(t, err, "the rate file of 2026Q3 is imported already")
	before := rateRows(t, tables)
	done, err = tables.ImportRates(generalRates{}, name, "MNR2026Q3.csv", records)
	require.NoError(t, err)
	require.Equal(t, RateImport{Jurisdictions: 4, New: 0, Rates: 6, Gaps: 0}, done)
	require.Equal(t, sorted(before), sorted(rateRows(t, tables)), "the same file again changes nothing")
	overlapping := append(records, records[0])
	overlapping[len(overlapping)-1].General = decimal.MustParse("0.08")
	_, err = tables.ImportRates(generalRates{}, name, "MNR2026Q3.csv", overlapping)
	require.ErrorContains(t, err, "overlaps line 1 of the same jurisdiction")
	require.Equal(t, sorted(before), sorted(rateRows(t, tables)), "no row of a refused file is imported")
}

// The file of Nevada has the whole rate of a county: the rate of the state is subtracted.
func TestRatesOfNevadaIncludeTheStateRate(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		county, state, want, fault string
	}{
		{"0.08375", "0.0685", "0.01525", ""},
		{"0.0685", "0.0685", "0", ""},
		{"0", "0.0685", "0", ""},
		{"0.0600", "0.0685", "", "the rate 0.06 is less than that of the state"},
	} {
		tables := few()
		for file, text := range tables {
			tables[file] = []byte(strings.NewReplacer(
				"US-MN", "US-NV", ",MN", ",NV", "MN,", "NV,", ",27,", ",32,",
			).Replace(string(text)))
		}
		records, err := ReadRates("NVR2026Q3.csv", strings.NewReader(
			"32,45,32,0,0,,,20260701,29991231\n32,00,003,"+test.county+",0,,,20260701,29991231\n"), "32")
		require.NoError(t, err)
		_, err = tables.ImportRates(
			generalRates{"US-NV": test.state}, FeedName{"NV", 'R', 2026, 3}, "NVR2026Q3.csv", records,
		)
		if test.fault != "" {
			require.ErrorContains(t, err, test.fault)
			continue
		}
		require.NoError(t, err)
		require.Contains(t, rateRows(t, tables), "US-NV-C003 * "+test.want+" 2026-07-01 to  by SST-RATES-NV")
	}
}

func TestAnImportOfATableOfRates(t *testing.T) {
	t.Parallel()
	tables := few()
	rates, err := ReadCSV("own.csv", strings.NewReader(csvHead+
		",,,MN,STATE,minnesota,0.0690,2026-01-01,,Act 1\n55401,Minneapolis,,MN,DISTRICT,Lake Shore,0.01,2026-01-01,,Act 2\n"))
	require.NoError(t, err)
	done, err := tables.ImportCSV(rates)
	require.NoError(t, err)
	require.Equal(t, RateImport{Jurisdictions: 2, New: 1, Rates: 2, Gaps: 0}, done)
	require.Contains(t, string(tables["places.csv"]), ",US-MN|US-MN-D-csv-lake-shore,")
	rows := rateRows(t, tables)
	require.Equal(t, "US-MN * 0.06875 2009-07-01 to 2025-12-31 by S1", rows[0])
	require.Len(t, rows, 3)
	for _, test := range []struct{ line, want string }{
		{",,,WI,STATE,Wisconsin,0.05,2026-01-01,,Act", "unknown state WI"},
		{",,,MN,COUNTY,Ramsey,0.01,2026-01-01,,Act", "unknown county Ramsey"},
		{",,,MN,CITY,Ely,0.01,2026-01-01,,Act", "unknown city Ely: give the ZIPs where it applies"},
		{"55731,,,MN,CITY,Ely,0.01,2026-01-01,,Act", `no place with ZIP 55731, city "" and county "" in MN`},
		{"55401,Ely,,MN,CITY,Ely,0.01,2026-01-01,,Act", `no place with ZIP 55401, city "Ely" and county "" in MN`},
		{
			"55401,,Ramsey,MN,CITY,Ely,0.01,2026-01-01,,Act",
			`no place with ZIP 55401, city "" and county "Ramsey" in MN`,
		},
	} {
		tables := few()
		before := rateRows(t, tables)
		rates, err := ReadCSV("own.csv", strings.NewReader(csvHead+test.line+"\n"))
		require.NoError(t, err)
		_, err = tables.ImportCSV(rates)
		require.ErrorContains(t, err, "own.csv:2: "+test.want)
		require.Equal(t, before, rateRows(t, tables))
	}
	require.Equal(t, nameKey("MN", "COUNTY", "Hennepin County"), nameKey("MN", "COUNTY", "hennepin"))
	require.NotEqual(t, nameKey("MN", "CITY", "Lake County"), nameKey("MN", "CITY", "Lake"))
	require.Equal(t, nameKey("MN", "CITY", "St. Paul"), nameKey("MN", "CITY", "ST PAUL"))
}

func sorted(rows []string) []string {
	rows = slices.Clone(rows)
	slices.Sort(rows)
	return rows
}

// endlessText has no end and no line breaks. It counts what is read of it.
type endlessText struct{ read int }

// Read implements io.Reader.
func (e *endlessText) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	e.read += len(p)
	return len(p), nil
}
