package content

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/money"
	"levy/tax/nexus"
)

// few is a folder with one row in each table.
func few() Tables {
	const nexusHead = "country,state,type,seller,currency,amount,amount_test,count,count_test,test,period_model," +
		"exempt_sales,marketplace,trigger,effective_from,effective_to,source,confidence,notes\n"
	t := Tables{}
	for file, text := range map[string]string{
		"VERSION":           "2026.11.1\n",
		"iso_countries.csv": "code,name,iso_3166_1,eu_member,note\nUS,United States,Y,N,\n",
		"sources.csv": "source_id,title,publisher,edition,obtained_via,licence\n" +
			"S1,Rates,Department of Revenue,2026-05-05,web,facts\n",
		"jurisdictions.csv": "id,country,state,level,name,label,slug,parent_id,fips_or_code,code_system,admin,scope,notes\n" +
			"US-MN,US,MN,STATE,Minnesota,,,US,27,FIPS-STATE,STATE,,\n",
		"rates.csv": "jurisdiction_id,tax_type,category,rate,valid_from,valid_to,from_basis,source,as_of,confidence,notes\n" +
			"US-MN,SALES,*,0.06875,2009-07-01,,STATUTE,S1,2026-08-19,HIGH,\n",
		"coverage.csv": "state,has_local_tax\nMN,N\n",
		publicationsTable: "state,publication,feed,next_publication,confirmed_until\n" +
			"MN,Rate file,SST,2026-12-01,2026-12-31\n",
		"rules_checked.csv": "jurisdiction_id,as_of\nUS-MN,2026-08-19\n",
		"us_sourcing.csv": "state,intrastate_sourcing,effective_from,confidence,local_use_tax,from_outside\n" +
			"MN,DESTINATION,2002-01-01,MED,law,another\n",
		"us_taxability.csv": "state,category,treatment,state_rate_pct,local_rule,threshold_usd,threshold_mode," +
			"effective_from,effective_to,source,confidence\nMN,CLOTHING,REDUCED,4.5,FIXED:1.25,110,EXCESS_ONLY,2020-01-01,2026-12-31,law,MED\n",
		"us_local_rules.csv": "rule_id,state,kind,levels,jurisdictions,except_cities,classes,rate,amount_usd,amount_to_usd," +
			"tax_name,valid_from,valid_to,confidence,source\n" +
			"MN-CAP,MN,LOCAL_SUM_CAP,CITY|COUNTY,US-MN,Duluth|Ely,FOOD,0.02,1600,3200,Surtax,2020-01-01,2026-12-31,HIGH,law\n",
		"local_tiers.csv": "jurisdiction_id,above_usd,rate,classes,valid_from,valid_to,confidence,source,notes\n" +
			"US-MN,5000,0.01,FOOD|BOOK,2020-01-01,2026-12-31,MED,law,\n",
		"us_holidays.csv": "state,name,starts_on,ends_on,goods,classes,max_item_usd,limit,source,confidence,delivery\n" +
			"MN,School,2026-08-07,2026-08-09,clothing,CLOTHING|BOOK,100,BELOW,law,LOW,COUNTS\n",
		"categories.csv": "category,subcategory,display_name,tax_class,default_subcategory,is_frequent,description," +
			"example\nPHYSICAL,PHYSICAL_GENERAL,General goods,PHYSICAL,,Y,Things,A chair\n",
		"us_nexus_thresholds.csv": nexusHead + "US,MN,STATE,ANY,USD,100000,EXCEEDED,200,REACHED,EITHER,PREVIOUS_12_MONTHS," +
			"DEPENDS,Y,DAYS_60,2018-10-01,2019-09-30,law,HIGH,\n",
		"ca_nexus.csv":         nexusHead,
		"vat_nexus.csv":        nexusHead,
		"us_filing_due.csv":    "state,frequency,default,due_rule,source,confidence\nMN,MONTHLY,Y,DAY:20,law,HIGH\n",
		"us_holiday_rules.csv": "name,rule,observed_rule,scope,since\nChristmas,FIXED:12-25,NEAREST,US|US-MN,1870-06-28\n",
		"filing_sites.csv": "country,state,name,url,as_of,source\n" +
			"US,MN,Revenue,https://www.revenue.state.mn.us,2025-01-01,Department of Revenue\n",
		"return_layouts.csv": "layout,country,state,form,name,edition,from,to,amends,discount,source,confidence,rounding,filers," +
			"last_months,notes\nUS-MN-ST1/2020,US,MN,ST1,Return,2020,2020-01-01,2026-12-31,REPLACES,,law,HIGH,DOLLAR_BASE," +
			"MONTHLY|QUARTERLY,3|6,OTHER_TAXES: Waste.\n",
		linesTable: "layout,line,name,unit,rule,source,confidence,each,formula,from_zero\n" +
			"US-MN-ST1/2020,*,Sales,DOLLAR,All,law,MED,places(own),\"sum(gross, at)\",Y\n",
		"vendor_allowances.csv": "state,program,filers,from,to,dates,by_day,tier_kind,tier_by,tier_from,tier_to,rate,minimum,cap," +
			"cap_per,basis,condition,source,confidence\nMN,SALES,MONTHLY,2020-01-01,2026-12-31,DUE,12,WHOLE,TAX_DUE,1,2,0.01," +
			"3,4,RETURN,TAX_DUE,In time.,law,LOW\n",
		"registration_fields.csv": "country,state,field,pattern,expected,source,confidence\n" +
			"US,MN,sales_tax_id,[0-9]{7},7 digits,law,MED\n",
		"simplified_lines.csv": "edition,line,name,rule,source,confidence\nV1,TotalSales,Sales,All,law,MED\n",
		"simplified_rules.csv": "state,part,value,from,to,source,confidence\n" +
			"MN,OWN_RATE,FOOD|BOOK,2020-01-01,2026-12-31,law,HIGH\n",
		"return_files.csv": "layout,country,state,form,frequency,name,edition,from,to,media_type,extension,source,confidence\n" +
			"US-MN-FILE/1,US,MN,FILE,MONTHLY,File,1,2020-01-01,2026-12-31,text/csv,csv,page,MED\n",
		"return_codes.csv": "form,state,place,code,from,to,source,confidence\n" +
			"FILE,MN,\"Cook County, Ely\",12,2020-01-01,2026-12-31,list,LOW\n",
		"class_rules.csv": "jurisdiction_id,class,treatment,valid_from,valid_to,source,confidence,up_to,currency\n" +
			"AT,SERVICE,CONDITIONAL,2020-01-01,2026-12-31,law,MED,150,EUR\n",
		"territories.csv": "country,postal_from,postal_to,jurisdiction_id,name,source,tax,states,digits\n" +
			"AT,6691,6692,AT-JM,Jungholz,the law,another,7|J,4\n",
		"import_limits.csv": "territory,amount,currency,per,valid_from,valid_to,source\n" +
			"EU,150.00,EUR,ITEM,2021-07-01,2026-12-31,law\n",
		"filing_due_abroad.csv": "country,state,frequency,default,due_rule,source,confidence\n" +
			"GB,GB,QUARTERLY,N,MONTH2_DAY:7,law,HIGH\n",
		"marketplace_laws.csv": "country,state,goods,sellers,valid_from,source,without\nUS,MN,ALL,ANY,2018-10-01,law,FOOD\n",
		"discount_laws.csv": "country,state,kind,lowers,valid_from,valid_to,source\n" +
			"US,MN,TRADE_IN,Y,2000-01-01,2026-12-31,law\n",
		"other_taxes.csv": "jurisdiction_id,cities,classes,tax,valid_from,valid_to,source,least_usd\n" +
			"US-MN,Duluth|Ely,PREPARED_FOOD,A tax on meals,2020-01-01,2026-12-31,law,100\n",
		"places.csv": "zip5,city,state,county_fips,county,jurisdiction_ids,primary,ambiguous,basis,completeness\n" +
			"55401,Minneapolis,MN,27053,Hennepin County,US-MN,Y,N,POSTAL_CITY,COMPLETE\n",
		boundariesTable: "state,load,file,sha256\nMN,42,MNB2026Q3.csv,abc\n",
	} {
		t[file] = []byte(text)
	}
	return t
}

// folder is a file system with tables as files.
func folder(t Tables) fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range t {
		files[name] = &fstest.MapFile{Data: text}
	}
	return files
}

func TestEveryColumnIsRead(t *testing.T) {
	t.Parallel()
	d, err := Read(folder(few()))
	require.NoError(t, err)
	at := func(file string) RowRef { return RowRef{File: file, Line: 2} }
	require.Equal(t, "2026.11.1", d.Version)
	require.Equal(t, []CountryRow{{"US", "United States"}}, d.Countries)
	require.Equal(t, []SourceRow{{"S1", "Rates", "Department of Revenue", "2026-05-05"}}, d.Sources)
	require.Equal(t, []JurisdictionRow{{
		At: at("jurisdictions.csv"), ID: "US-MN", Country: "US", State: "MN", Level: "STATE", Name: "Minnesota",
		Parent: "US", Code: "27", CodeSystem: "FIPS-STATE",
	}}, d.Jurisdictions)
	require.Len(t, d.Rates, 1)
	require.Equal(t, "0.068750000", money.FormatRate(d.Rates[0].Rate))
	require.True(t, d.Rates[0].CertainStart)
	require.Empty(t, d.Rates[0].Class, "the general rate")
	require.Equal(t, calendar.Date(20090701), d.Rates[0].From)
	require.Equal(t, calendar.Date(0), d.Rates[0].To)
	require.Equal(t, []CoverageRow{{at("coverage.csv"), "MN", false}}, d.Coverage)
	require.Equal(t, []PublicationRow{
		{at(publicationsTable), "MN", "Rate file", FeedRates, 20261201, 20261231},
	}, d.Publications)
	require.Equal(t, []SourcingRow{
		{at("us_sourcing.csv"), "MN", "DESTINATION", 20020101, 0, "MED", "law", "another"},
	}, d.Sourcing)
	require.Equal(t, "0.045000000", money.FormatRate(*d.Taxability[0].StateRate), "a percentage becomes a fraction")
	require.Equal(t, "FIXED:1.25 EXCESS_ONLY", d.Taxability[0].LocalRule+" "+d.Taxability[0].ThresholdMode)
	require.Equal(t, "110", d.Taxability[0].Threshold.String())
	require.Equal(t, []RegistrationFieldRow{{
		At: at("registration_fields.csv"), Country: "US", State: "MN", Field: "sales_tax_id", Pattern: "[0-9]{7}",
		Expected: "7 digits", Source: "law", Confidence: "MED",
	}}, d.RegistrationFields)
	rule := d.LocalRules[0]
	require.Equal(t, []string{"CITY", "COUNTY"}, rule.Levels)
	require.Equal(t, []string{"Duluth", "Ely"}, rule.ExceptCities)
	require.Equal(t, []string{"US-MN"}, rule.Jurisdictions)
	require.Equal(t, "0.02 1600 3200", rule.Rate.String()+" "+rule.Amount.String()+" "+rule.AmountTo.String())
	require.Equal(t, "Surtax", rule.TaxName)
	require.Equal(t, []ReturnFileRow{{
		At: at("return_files.csv"), ID: "US-MN-FILE/1", Country: "US", State: "MN", Form: "FILE", Frequency: "MONTHLY", Name: "File",
		Edition: "1", From: 20200101, To: 20261231, MediaType: "text/csv", Extension: "csv", Source: "page", Confidence: "MED",
	}}, d.ReturnFiles)
	require.Equal(t, []ReturnCodeRow{{
		At: at("return_codes.csv"), Form: "FILE", State: "MN", Place: "Cook County, Ely", Code: "12", From: 20200101, To: 20261231,
		Source: "list", Confidence: "LOW",
	}}, d.ReturnCodes)
	require.Equal(t, []TierRow{{
		At: at("local_tiers.csv"), JurisdictionID: "US-MN", Above: decimal.MustParse("5000"), Rate: decimal.MustParse("0.01"),
		Classes: []string{"FOOD", "BOOK"}, From: 20200101, To: 20261231, Source: "law", Confidence: "MED",
	}}, d.Tiers)
	require.Equal(t, []OtherTaxRow{{
		At: at("other_taxes.csv"), JurisdictionID: "US-MN", Cities: []string{"Duluth", "Ely"},
		Classes: []string{"PREPARED_FOOD"}, Tax: "A tax on meals", From: 20200101, To: 20261231, Source: "law",
		Least: decimal.MustParse("100"),
	}}, d.OtherTaxes)
	require.Equal(t, "GB GB MONTH2_DAY:7", d.FilingDues[1].Country+" "+d.FilingDues[1].State+" "+d.FilingDues[1].Rule)
	holiday := d.Holidays[0]
	require.True(t, holiday.Below)
	require.Equal(t, "COUNTS", holiday.Delivery)
	require.Equal(t, []string{"CLOTHING", "BOOK"}, holiday.Classes)
	require.Equal(t, [2]calendar.Date{20260807, 20260809}, [2]calendar.Date{holiday.From, holiday.To})
	require.Equal(t, []CategoryRow{{
		At: at("categories.csv"), Category: "PHYSICAL", Subcategory: "PHYSICAL_GENERAL", DisplayName: "General goods",
		Class: "PHYSICAL", Frequent: true, Description: "Things", Example: "A chair",
	}}, d.Categories)
	threshold := d.Nexus[0]
	require.Equal(t, nexus.TestEither, threshold.Test)
	require.True(t, threshold.AmountExceeded && !threshold.CountExceeded && threshold.Marketplace)
	require.Equal(t, 200, threshold.Count)
	require.Equal(t, nexus.TriggerDays60, threshold.Trigger)
	require.Equal(t, calendar.DueRow{
		At: at("us_filing_due.csv"), State: "MN", Frequency: calendar.FilingMonthly, Rule: "DAY:20", Default: true,
		Source: "law", Confidence: "HIGH",
	}, d.FilingDues[0])
	require.Equal(t, []string{"US", "US-MN"}, d.HolidayRules[0].Scope)
	require.Equal(t, "CONDITIONAL", d.ClassRules[0].Treatment)
	require.Equal(t, "150 EUR", d.ClassRules[0].UpTo.String()+" "+d.ClassRules[0].Currency)
	require.Equal(t, []TerritoryRow{{at("territories.csv"), "AT", "6691", "6692", 4, "AT-JM", "Jungholz", "the law",
		"another", []string{"7", "J"}}}, d.Territories)
	require.True(t, d.ImportLimits[0].PerItem)
	require.Equal(t, "150.00", money.Format(d.ImportLimits[0].Amount))
	require.Equal(t, []MarketplaceLawRow{{
		at("marketplace_laws.csv"), "US", "MN", "ALL", "ANY", []string{"FOOD"}, calendar.MustDate("2018-10-01"), "law",
	}}, d.MarketplaceLaws)
	require.Equal(t, []DiscountLawRow{{
		at("discount_laws.csv"), "US", "MN", "TRADE_IN", true, 20000101, 20261231, "law",
	}}, d.DiscountLaws)
	require.Equal(t, []ReturnLayoutRow{{
		At: at("return_layouts.csv"), ID: "US-MN-ST1/2020", Country: "US", State: "MN", Form: "ST1", Name: "Return",
		Edition: "2020", From: 20200101, To: 20261231, Amends: "REPLACES", Rounding: "DOLLAR_BASE",
		Filers: []string{"MONTHLY", "QUARTERLY"}, LastMonths: []string{"3", "6"}, Notes: []string{"OTHER_TAXES: Waste."},
		Source: "law", Confidence: "HIGH",
	}}, d.Layouts)
	require.Equal(t, []ReturnLineRow{{
		At: at(linesTable), Layout: "US-MN-ST1/2020", Line: "*", Name: "Sales", Unit: "DOLLAR", Rule: "All", Source: "law",
		Confidence: "MED", Each: "places(own)", Formula: "sum(gross, at)", FromZero: true,
	}}, d.LayoutLines)
	require.Equal(t, []VendorAllowanceRow{{
		At: at("vendor_allowances.csv"), State: "MN", Program: "SALES", Filers: []string{"MONTHLY"}, From: 20200101, To: 20261231,
		Dates: "DUE", ByDay: 12, TierKind: "WHOLE", TierBy: "TAX_DUE", TierFrom: decimal.One, TierTo: decimal.Two,
		Rate: decimal.MustNew(1, 2), Minimum: decimal.MustNew(3, 0), Cap: decimal.MustNew(4, 0), CapPer: "RETURN",
		Basis: "TAX_DUE", Condition: "In time.", Source: "law", Confidence: "LOW",
	}}, d.Allowances)
	require.Equal(t, []SimplifiedLineRow{{
		at("simplified_lines.csv"), "V1", "TotalSales", "Sales", "All", "law", "MED",
	}}, d.SimplifiedLines)
	require.Equal(t, []SimplifiedRuleRow{{
		at("simplified_rules.csv"), "MN", "OWN_RATE", []string{"FOOD", "BOOK"}, 20200101, 20261231, "law", "HIGH",
	}}, d.SimplifiedRules)
	require.Equal(t, []BoundaryRow{{at(boundariesTable), "MN", 42}}, d.Boundaries)
	for p, err := range d.Places {
		require.NoError(t, err)
		require.Equal(t, PlaceRow{
			At: at("places.csv"), ZIP: "55401", City: "Minneapolis", State: "MN", County: "Hennepin County",
			Jurisdictions: "US-MN", Primary: true, Basis: "POSTAL_CITY", Completeness: "COMPLETE",
		}, p)
	}
}

// One cell is wrong: the fault names the file, the line and the column.
func TestAWrongCellIsReportedWithItsPlace(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ file, cell, wrong, want string }{
		{"rates.csv", "0.06875", "6.875%", `rate: not a decimal number: "6.875%"`},
		{"rates.csv", "0.06875", "1e-2", `rate: not a decimal number: "1e-2"`},
		{"rates.csv", "0.06875", "12345678901234567890", "rate: amount out of range"},
		{"rates.csv", "0.06875", "0.00000000000000000001", "rate: too many decimals"},
		{"rates.csv", "2009-07-01", "2009-02-29", "valid_from: not a calendar day"},
		{"rates.csv", "2009-07-01", "01.07.2009", "valid_from: not a calendar day"},
		{"rates.csv", ",,STATUTE", ",2009,STATUTE", "valid_to: not a calendar day"},
		{"rates.csv", "STATUTE", "GUESS", "from_basis: not one of the allowed values"},
		{"rates.csv", "STATUTE", "", "from_basis: not one of the allowed values"},
		{"rates.csv", "HIGH", "high", "confidence: not one of the allowed values"},
		{"rates.csv", "HIGH", "", "confidence: not one of the allowed values"},
		{"coverage.csv", "MN,N", "MN,no", "has_local_tax: want Y or N"},
		{publicationsTable, "SST,2026", "PDF,2026", "feed: not one of the allowed values"},
		{publicationsTable, ",2026-12-31", ",", "feed: not one of the allowed values"},
		{publicationsTable, "SST,2026-12-01", "SST,", "next_publication: not one of the allowed values"},
		{"coverage.csv", "MN,N", "MN,", "has_local_tax: want Y or N"},
		{"us_sourcing.csv", "2002-01-01", "2002-13-01", "effective_from: not a calendar day"},
		{"us_taxability.csv", "4.5", "4,5", "wrong number of fields"},
		{"us_taxability.csv", "4.5", "x", "state_rate_pct: not a decimal number"},
		{"us_taxability.csv", "110", "$110", "threshold_usd: not a decimal number"},
		{"us_taxability.csv", "2020-01-01", "2020-1-1", "effective_from: not a calendar day"},
		{"us_taxability.csv", "2026-12-31", "2026-12-32", "effective_to: not a calendar day"},
		{"us_taxability.csv", "MED", "MEDIUM", "confidence: not one of the allowed values"},
		{"us_local_rules.csv", "0.02", "2%", "rate: not a decimal number"},
		{"us_local_rules.csv", "1600", "1.600.00", "amount_usd: not a decimal number"},
		{"us_local_rules.csv", "3200", "three", "amount_to_usd: not a decimal number"},
		{"us_local_rules.csv", "2020-01-01", "2020", "valid_from: not a calendar day"},
		{"us_local_rules.csv", "2026-12-31", "never", "valid_to: not a calendar day"},
		{"us_local_rules.csv", "HIGH", "SURE", "confidence: not one of the allowed values"},
		{"us_holidays.csv", "2026-08-07", "7 August", "starts_on: not a calendar day"},
		{"us_holidays.csv", "2026-08-09", "9 August", "ends_on: not a calendar day"},
		{"us_holidays.csv", ",100,", ",about 100,", "max_item_usd: not a decimal number"},
		{"us_holidays.csv", "BELOW", "UNDER", "limit: not one of the allowed values"},
		{"us_holidays.csv", "COUNTS", "MAYBE", "delivery: not one of the allowed values"},
		{"us_holidays.csv", "law,LOW", "law,LOWER", "confidence: not one of the allowed values"},
		{"categories.csv", ",Y,", ",y,", "is_frequent: want Y or N"},
		{"us_nexus_thresholds.csv", "100000", "100,000", "wrong number of fields"},
		{"us_nexus_thresholds.csv", "100000", "100k", "amount: not a decimal number"},
		{"us_nexus_thresholds.csv", "EXCEEDED", "OVER", "amount_test: not one of the allowed values"},
		{"us_nexus_thresholds.csv", ",200,", ",2e2,", `count: strconv.Atoi: parsing "2e2"`},
		{"us_nexus_thresholds.csv", "REACHED", "AT", "count_test: not one of the allowed values"},
		{"us_nexus_thresholds.csv", ",Y,", ",YES,", "marketplace: want Y or N"},
		{"us_nexus_thresholds.csv", "2018-10-01", "2018-10", "effective_from: not a calendar day"},
		{"us_nexus_thresholds.csv", "2019-09-30", "2019-09-31", "effective_to: not a calendar day"},
		{"us_nexus_thresholds.csv", "HIGH", "?", "confidence: not one of the allowed values"},
		{"us_filing_due.csv", ",Y,", ",X,", "default: want Y or N"},
		{"us_filing_due.csv", "HIGH", "", "confidence: not one of the allowed values"},
		{"us_holiday_rules.csv", "1870-06-28", "1870", "since: not a calendar day"},
		{"class_rules.csv", "2020-01-01", "1.1.2020", "valid_from: not a calendar day"},
		{"class_rules.csv", "2026-12-31", "31.12.", "valid_to: not a calendar day"},
		{"class_rules.csv", "MED", "M", "confidence: not one of the allowed values"},
		{"import_limits.csv", "150.00", "150 EUR", "amount: not a decimal number"},
		{"import_limits.csv", "ITEM", "PIECE", "per: not one of the allowed values"},
		{"import_limits.csv", "2021-07-01", "2021-07-00", "valid_from: not a calendar day"},
		{"import_limits.csv", "2026-12-31", "0", "valid_to: not a calendar day"},
		{boundariesTable, ",42,", ",forty,", `load: strconv.ParseInt: parsing "forty"`},
	} {
		tables := few()
		head, row, _ := strings.Cut(string(tables[test.file]), "\n")
		require.Contains(t, row, test.cell, "%s: the test names a cell", test.file)
		tables[test.file] = []byte(head + "\n" + strings.Replace(row, test.cell, test.wrong, 1))
		_, err := Read(folder(tables))
		require.ErrorContains(t, err, test.want, "%s: %q", test.file, test.wrong)
		require.ErrorIs(t, err, ErrContent)
		require.ErrorContains(t, err, test.file+":2: ")
	}
}

// A missing column is reported, not read as empty.
func TestAMissingColumnIsAFault(t *testing.T) {
	t.Parallel()
	for file := range maps.Keys(few()) {
		if file == "VERSION" || file == "ca_nexus.csv" || file == "vat_nexus.csv" || file == "places.csv" {
			continue
		}
		tables := few()
		head, row, _ := strings.Cut(string(tables[file]), "\n")
		first, others, _ := strings.Cut(head, ",")
		tables[file] = []byte("renamed," + others + "\n" + row)
		_, err := Read(folder(tables))
		require.ErrorContains(t, err, file+":2: "+first+": the table has no such column")
	}
	tables := few()
	tables["places.csv"] = []byte(strings.Replace(string(tables["places.csv"]), "zip5", "zip", 1))
	d, err := Read(folder(tables))
	require.NoError(t, err, "places are read when they are asked for")
	for _, err := range d.Places {
		require.ErrorContains(t, err, "places.csv:1: zip5: the table has no such column")
	}
}

func TestAFolderWithoutATable(t *testing.T) {
	t.Parallel()
	for file := range maps.Keys(few()) {
		tables := few()
		delete(tables, file)
		_, err := Read(folder(tables))
		if _, own := ownTables[file]; own || file == "places.csv" {
			require.NoError(t, err, file)
			continue
		}
		require.ErrorContains(t, err, file)
		tables[file] = nil
		_, err = Read(folder(tables))
		if file != "VERSION" {
			require.ErrorContains(t, err, file+": EOF", "not even a header")
		}
	}
}

// All faults of a table are reported at once.
func TestAllFaultsOfTheTablesAreReported(t *testing.T) {
	t.Parallel()
	tables := few()
	tables["rates.csv"] = append(tables["rates.csv"], "US-MN,SALES,*,x,2009,,NONE,S1,2026-08-19,SURE,\n"...)
	_, err := Read(folder(tables))
	require.Error(t, err)
	for _, want := range []string{"rates.csv:3: rate:", "rates.csv:3: valid_from:", "rates.csv:3: from_basis:",
		"rates.csv:3: confidence:"} {
		require.ErrorContains(t, err, want)
	}
	require.Equal(t, 4, strings.Count(err.Error(), "rates.csv:3"))
}

// Rows end at line breaks that are not in quotes, whatever the blocks in which the file is read.
func TestRowsAreReadAsTheyAreQuoted(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxLine-100)
	text := "a,b,c\r\n\n1,,\n\"2\"\"\",\"x,\ny\",z\r\n3," + long + ",\n4," + long + ",\n,,5"
	files := fstest.MapFS{"t.csv": {Data: []byte(text)}}
	var got []string
	require.NoError(t, readTable(files, "t.csv", func(r *row) {
		got = append(got, fmt.Sprint(r.at().Line, r.text("a"), "|", r.text("b"), "|", r.text("c")))
	}))
	require.Equal(t, []string{"31||", "42\"|x,\ny|z", "63|" + long + "|", "74|" + long + "|", "8||5"}, got)

	for text, want := range map[string]string{
		"a,b\n1\"2,3\n":         "t.csv:2: bare \" in non-quoted-field",
		"a,b\n1,2\n\"3\"4,5\n":  "t.csv:3: extraneous or missing \" in quoted-field",
		"a,b\n1,2\n3,\"4\n5":    "t.csv:3: extraneous or missing \" in quoted-field",
		"a,b\n1,2,3\n":          "t.csv:2: wrong number of fields",
		"a,b\n1\n":              "t.csv:2: wrong number of fields",
		"a,b\n1," + long + long: "t.csv:2: the line is longer than 64 KiB",
		"a,b\n1,\"" + strings.Repeat(long+"\n", 3): "t.csv:2: extraneous or missing",
	} {
		err := readTable(fstest.MapFS{"t.csv": {Data: []byte(text)}}, "t.csv", func(*row) {})
		require.ErrorIs(t, err, ErrContent)
		require.ErrorContains(t, err, want)
	}
}
