package returns

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

// example is a return with the lines that were worked out by hand with the rates of July 2026.
type example struct {
	name      string
	input     func(t *testing.T) Input
	purchases []string
	want      string // "line amount" pairs
}

var examples = []example{
	{
		name:  "Texas taxes whole dollars and has sales of marketplaces in item 1",
		input: func(t *testing.T) Input { t.Helper(); return inTexas(t, austinAndDallas...) },
		purchases: []string{
			"- - 800.60 50.04", "CITY Austin 800.60 8.01", "SPECIAL Austin_MTA 800.60 8.01",
		},
		want: `1 51800.00 2 41237.00 3 801.00 4 42038.00 l 93838.00 S1 22038.00 S1t 220.38 S2 22038.00 S2t 220.38 S3 20000.00 S3t 200.00
			S4 20000.00 S4t 200.00 8a 2627.38 8b 840.76 9a 0.00 9b 0.00 10a 2627.38 10b 840.76 11a 13.14 11b 4.20 12a 0.00
			12b 0.00 13a 2614.24 13b 836.56 14a 0.00 14b 0.00 15a 2614.24 15b 836.56 15 3450.80 X 3468.14 XD 0.00`,
	},
	{
		name: "Washington has equal gross amounts in lines 1 and 2, and resale in line 3",
		input: func(t *testing.T) Input {
			t.Helper()
			return monthly(t, "US", "WA", "STATE Washington 0.065 OWN /PHYSICAL 28300.40 28300.40 1839.53 1839.53",
				"STATE Washington 0 OWN NOT_TAXABLE/FOOD 2200.00 0.00 0.00 0.00",
				"STATE Washington 0 OWN RESALE/PHYSICAL 5000.00 0.00 0.00 0.00",
				"CITY Bellevue 0.038 OWN /PHYSICAL 0.00 10000.00 380.00 380.00",
				"CITY Seattle 0.0405 OWN /PHYSICAL 0.00 18300.40 741.17 741.17")
		},
		want: `2n 30500.40 2r 0.00 2g 30500.40 3g 5000.00 1g 30500.40 1d 2200.00 1d22 2200.00 1d31 0.00 1d04 0.00 1d21 0.00 1d01 0.00 1d99 0.00
			1t 28300.40 1x 1839.53
			45-1 10000.00 45-1x 380.00 45-2 18300.40 45-2x 741.17 45 28300.40 45x 1121.17 T 2960.70 X 2960.70 XD 0.00
			5 0.00 5x 0.00 46 0.00 PAID 0.00 DUE 2960.70`,
	},
	{
		name: "Florida has no surtax above 5,000 of an item, and leaves sales of marketplaces out",
		input: func(t *testing.T) Input {
			t.Helper()
			in := monthly(t, "US", "FL",
				"STATE Florida 0.06 OWN /PHYSICAL 25000.00 25000.00 1500.00 1500.00 Miami-Dade_County",
				"STATE Florida 0.06 OWN /PHYSICAL 15000.00 15000.00 900.00 900.00 Duval_County",
				"STATE Florida 0 OWN RESALE/PHYSICAL 5000.00 0.00 0.00 0.00 Duval_County",
				"STATE Florida 0 OWN NOT_TAXABLE/FOOD 2400.00 0.00 0.00 0.00 Duval_County",
				"STATE Florida 0.06 MARKETPLACE /PHYSICAL 5000.00 5000.00 300.00 0.00 Duval_County",
				"COUNTY Miami-Dade_County 0.01 OWN /PHYSICAL 0.00 22000.00 220.00 220.00 Miami-Dade_County",
				"COUNTY Duval_County 0.015 OWN /PHYSICAL 0.00 15000.00 225.00 225.00 Duval_County")
			in.Fields = map[string]string{tax.FieldCounty: "Miami-Dade County"}
			return in
		},
		purchases: []string{"- - 600.00 36.00", "COUNTY Miami-Dade_County 600.00 6.00"},
		want: `A1 47400.00 A2 7400.00 A3 40000.00 A4 2845.00 B3 600.00 B4 42.00 C1 0.00 C2 0.00 C3 0.00 C4 0.00 D1 0.00 D2 0.00 D3 0.00
			D4 0.00 E1 0.00 E2 0.00 E3 0.00 E4 0.00 17 0.00 18 0.00 19 0.00 5 2887.00 6 0.00
			7 2887.00 8 0.00 9 0.00 10 2887.00 11 30.00 12 0.00 13 0.00 14 2857.00 15a 3000.00 15b 0.00 15c 15000.00 15d 451.00
			X 2887.00 XD 0.00`,
	},
	{
		name: "New York has one rate for each place",
		input: func(t *testing.T) Input {
			t.Helper()
			in := ofPeriod(t, "US", "NY", calendar.FilingQuarterly, 20260601, 20260831, 20260921,
				"STATE New_York 0.04 OWN /PHYSICAL 12345.50 12345.50 493.82 493.82 New_York_County,_New_York_City,_MCTD",
				"STATE New_York 0 OWN NOT_TAXABLE/FOOD 4000.01 0.00 0.00 0.00 New_York_County,_New_York_City,_MCTD",
				"STATE New_York 0.04 OWN /PHYSICAL 7654.49 7654.49 306.18 306.18 Albany_County",
				"COUNTY Albany_County 0.04 OWN /PHYSICAL 0.00 7654.49 306.18 306.18 Albany_County",
				"CITY New_York_City 0.045 OWN /PHYSICAL 0.00 12345.50 555.55 555.55 New_York_County,_New_York_City,_MCTD",
				"DISTRICT MCTD 0.00375 OWN /PHYSICAL 0.00 12345.50 46.29 46.29 New_York_County,_New_York_City,_MCTD")
			return in
		},
		purchases: []string{"COUNTY Albany_County 250.00 20.00"},
		want: `1 24000.00 1-C 12346.00 1-D 0.00 1-F 1095.71 2-C 7654.00 2-D 250.00 2-F 632.32 12 20000.00 13 250.00 14 1728.03
			15 0.00 PAID 0.00 VC 86.40 PEN 0.00 DUE 1641.63 X 1728.02 XD 0.01`,
	},
	{
		name: "Pennsylvania has three columns",
		input: func(t *testing.T) Input {
			t.Helper()
			return monthly(t, "US", "PA",
				"STATE Pennsylvania 0.06 OWN /PHYSICAL 5000.00 5000.00 300.00 300.00 Allegheny_County,_Pittsburgh",
				"STATE Pennsylvania 0.06 OWN /PHYSICAL 8000.00 8000.00 480.00 480.00 Philadelphia_County,_Philadelphia",
				"STATE Pennsylvania 0.06 OWN /PHYSICAL 11600.00 11600.00 696.00 696.00 Erie_County",
				"STATE Pennsylvania 0 OWN NOT_TAXABLE/CLOTHING 1500.00 0.00 0.00 0.00 Allegheny_County,_Pittsburgh",
				"STATE Pennsylvania 0 OWN NOT_TAXABLE/CLOTHING 1900.00 0.00 0.00 0.00 Philadelphia_County,_Philadelphia",
				"STATE Pennsylvania 0 OWN NOT_TAXABLE/CLOTHING 3800.00 0.00 0.00 0.00 Erie_County",
				"STATE Pennsylvania 0 OWN RESALE/PHYSICAL 1200.00 0.00 0.00 0.00 Erie_County",
				"STATE Pennsylvania 0.06 MARKETPLACE /PHYSICAL 700.00 700.00 42.00 0.00 Erie_County",
				"COUNTY Allegheny_County 0.01 OWN /PHYSICAL 0.00 5000.00 50.00 50.00 Allegheny_County,_Pittsburgh",
				"COUNTY Philadelphia_County 0.02 OWN /PHYSICAL 0.00 8000.00 160.00 160.00 Philadelphia_County,_Philadelphia")
		},
		want: `1-00 33000.00 1-02 6500.00 1-51 9900.00 1-PH 0.00 2-PH 0.00 3-PH 0.00 2-00 24600.00 2-02 5000.00 2-51 8000.00 3-00 1476.00
			3-02 50.00
			3-51 160.00 3 1686.00 4 16.86 5 0.00 6 0.00 7 0.00 DUE 1669.14 X 1686.00 XD 0.00`,
	},
	{
		name: "California has whole dollars everywhere",
		input: func(t *testing.T) Input {
			t.Helper()
			return monthly(t, "US", "CA", "STATE California 0.06 OWN /PHYSICAL 44800.50 44800.50 2688.03 2688.03",
				"STATE California 0 OWN RESALE/PHYSICAL 12000.00 0.00 0.00 0.00",
				"STATE California 0 OWN NOT_TAXABLE/FOOD 3450.25 0.00 0.00 0.00",
				"COUNTY Alameda_County 0.03 OWN /PHYSICAL 0.00 28000.25 840.01 840.01",
				"CITY Oakland 0.005 OWN /PHYSICAL 0.00 28000.25 140.00 140.00",
				"COUNTY Los_Angeles_County 0.025 OWN /PHYSICAL 0.00 16800.25 420.01 420.01",
				"CITY Santa_Monica 0.01 OWN /PHYSICAL 0.00 16800.25 168.00 168.00",
				"DISTRICT California_uniform_local_tax_(Bradley-Burns) 0.0125 OWN /PHYSICAL 0.00 44800.50 560.01 560.01")
		},
		purchases: []string{
			"- - 1200.40 72.02", "COUNTY Alameda_County 1200.40 36.01", "CITY Oakland 1200.40 6.00",
			"DISTRICT California_uniform_local_tax_(Bradley-Burns) 1200.40 15.01",
		},
		want: `1 60251.00 2 1200.00 3 61451.00 A4 12000.00 A5 3450.00 A6 0.00 A7 0.00 A8 0.00 A9 0.00 A10 0.00 A11 15450.00
			B6 0.00 11 15450.00 12 46001.00 13 2760.00 14 115.00 15 460.00 A2-1 29201.00 A2-1t 876.00 A2-2 29201.00 A2-2t 146.00
			A2-3 16800.00 A2-3t 420.00 A2-4 16800.00 A2-4t 168.00 16 1610.00 17 4945.00 18 0.00 19 4945.00 20a 0.00
			20b 0.00 20c 0.00 20d 0.00 20 0.00 21 4945.00
			22 0.00 23 4945.00 24 0.00 25 0.00 26 4945.00 X 4945.10 XD -0.10`,
	},
	{
		name: "Washington has refunds as a deduction",
		input: func(t *testing.T) Input {
			t.Helper()
			return monthly(t, "US", "WA", "STATE Washington 0.065 OWN /PHYSICAL 1000.00 1000.00 65.00 65.00 Seattle",
				"STATE Washington 0.065 OWN /PHYSICAL -200.00 -200.00 -13.00 -13.00 Seattle",
				"STATE Washington 0 OWN NOT_TAXABLE/FOOD 50.00 0.00 0.00 0.00 Seattle",
				"STATE Washington 0 OWN NOT_TAXABLE/FOOD -10.00 0.00 0.00 0.00 Seattle",
				"CITY Seattle 0.0405 OWN /PHYSICAL 0.00 800.00 32.40 32.40 Seattle")
		},
		want: `2n 840.00 2r 210.00 2g 1050.00 3g 0.00 1g 1050.00 1d 40.00 1d22 40.00 1d31 210.00 1d04 0.00 1d21 0.00 1d01 0.00 1d99 0.00
			1t 800.00 1x 52.00 45-1 800.00 45-1x 32.40 45 800.00 45x 32.40 T 84.40 X 84.40 XD 0.00 5 0.00 5x 0.00 46 0.00 PAID 0.00
			DUE 84.40`,
	},
	{
		name: "Florida has rows of their own for rentals, and electricity beside the tax",
		input: func(t *testing.T) Input {
			t.Helper()
			in := monthly(t, "US", "FL", "STATE Florida 0.06 OWN /PHYSICAL 1000.00 1000.00 60.00 60.00 Miami-Dade_County",
				"COUNTY Miami-Dade_County 0.01 OWN /PHYSICAL 0.00 1000.00 10.00 10.00 Miami-Dade_County")
			in.Fields = map[string]string{tax.FieldCounty: "Miami-Dade County"}
			named(t, &in, "D1", models.EntryPurchase, "0.00", "500.00")
			named(t, &in, "D2", models.EntryPurchase, "0.00", "100.00")
			named(t, &in, "D4", models.EntryExcessTax, "28.00", "400.00")
			named(t, &in, "17", models.EntryPurchase, "0.00", "300.00")
			return in
		},
		want: `A1 1000.00 A2 0.00 A3 1000.00 A4 70.00 B3 0.00 B4 0.00 C1 0.00 C2 0.00 C3 0.00 C4 0.00 D1 500.00 D2 100.00 D3 400.00
			D4 28.00 E1 0.00 E2 0.00 E3 0.00 E4 0.00 5 98.00 6 0.00 7 98.00 8 0.00 9 0.00 10 98.00 11 2.45 12 0.00 13 0.00 14 95.55
			15a 0.00 15b 0.00 15c 0.00 15d 10.00 17 300.00 18 0.00 19 0.00 X 70.00 XD 28.00`,
	},
	{
		name: "Pennsylvania has a column for hotels in Philadelphia, which people fill in",
		input: func(t *testing.T) Input {
			t.Helper()
			in := monthly(t, "US", "PA", "STATE Pennsylvania 0.06 OWN /PHYSICAL 100.00 100.00 6.00 6.00 Philadelphia_County",
				"COUNTY Philadelphia_County 0.02 OWN /PHYSICAL 0.00 100.00 2.00 2.00 Philadelphia_County")
			named(t, &in, "1-PH", models.EntryPurchase, "0.00", "1200.00")
			named(t, &in, "2-PH", models.EntryExcessTax, "10.00", "1000.00")
			return in
		},
		want: `1-00 100.00 1-02 0.00 1-51 100.00 1-PH 1200.00 2-00 100.00 2-02 0.00 2-51 100.00 2-PH 1000.00 3-00 6.00 3-02 0.00
			3-51 2.00 3-PH 10.00 3 18.00 4 0.18 5 0.00 6 0.00 7 0.00 DUE 17.82 X 8.00 XD 0.00`,
	},
	{
		name: "California has sales to the government apart, and four credits",
		input: func(t *testing.T) Input {
			t.Helper()
			in := monthly(t, "US", "CA", "STATE California 0.06 OWN /PHYSICAL 10000.49 10000.49 600.03 600.03",
				"STATE California 0 OWN GOVERNMENT/PHYSICAL 2000.25 0.00 0.00 0.00",
				"STATE California 0 OWN GOVERNMENT/FOOD 100.25 0.00 0.00 0.00", "STATE California 0 OWN NOT_TAXABLE/FOOD 50.00 0.00 0.00 0.00",
				"DISTRICT California_uniform_local_tax_(Bradley-Burns) 0.0125 OWN /PHYSICAL 0.00 10000.49 125.01 125.01")
			named(t, &in, "", models.EntryBadDebt, "7.25", "100.00")
			named(t, &in, "20c", models.EntryCredit, "12.00", "0.00")
			return in
		},
		want: `1 12151.00 2 0.00 3 12151.00 A4 0.00 A5 50.00 A6 0.00 A7 2101.00 A8 0.00 A9 0.00 A10 0.00 A11 2151.00 B6 0.00
			11 2151.00 12 10000.00 13 600.00 14 25.00 15 100.00 16 0.00 17 725.00 18 0.00 19 725.00 20a 0.00 20b 7.00 20c 12.00
			20d 0.00 20 19.00 21 706.00 22 0.00 23 706.00 24 0.00 25 0.00 26 706.00 X 725.04 XD -19.04`,
	},
	{
		name: "Illinois taxes purchases of drugs at 1 %, in whole dollars",
		input: func(t *testing.T) Input {
			t.Helper()
			in := monthly(t, "US", "IL", "STATE Illinois 0.0625 OWN /PHYSICAL 1000.40 1000.40 62.53 62.53 Cook_County,_Chicago",
				"STATE Illinois 0.01 OWN /DRUGS_OTC 200.00 200.00 2.00 2.00 Cook_County,_Chicago",
				"STATE Illinois 0.0625 OWN /PHYSICAL 500.00 500.00 31.25 31.25 Brown_County",
				"STATE Illinois 0 OWN RESALE/PHYSICAL 300.00 0.00 0.00 0.00 Brown_County",
				"CITY Chicago 0.04 OWN /PHYSICAL 0.00 1000.40 40.02 40.02 Cook_County,_Chicago",
				"COUNTY Cook_County 0.01 OWN /DRUGS_OTC 0.00 200.00 2.00 2.00 Cook_County,_Chicago")
			named(t, &in, "13a", models.EntryPurchase, "0.50", "50.00")
			return in
		},
		purchases: []string{"- - 80.00 5.00"},
		want: `1 2138.00 2 438.00 3 1700.00 4a 1000.00 4b 103.00 5a 200.00 5b 4.00 6a 500.00 6b 31.00 7a 0.00 7b 0.00 8a 0.00 8b 0.00
			9 138.00 10 2.00 11 136.00 12a 80.00 12b 5.00 13a 50.00 13b 1.00 14 0.00 15 6.00 16 142.00 PAID 0.00 DUE 142.00
			X 137.80 XD 0.20`,
	},
	{
		name: "Illinois taxed groceries at 1 % until 2025",
		input: func(t *testing.T) Input {
			t.Helper()
			return ofPeriod(t, "US", "IL", calendar.FilingMonthly, 20250701, 20250731, 20250820,
				"STATE Illinois 0.01 OWN /FOOD 300.00 300.00 3.00 3.00 Cook_County,_Chicago",
				"STATE Illinois 0.0625 OWN /PHYSICAL 100.00 100.00 6.25 6.25 Brown_County",
				"COUNTY Cook_County 0.01 OWN /FOOD 0.00 300.00 3.00 3.00 Cook_County,_Chicago")
		},
		want: `1 412.00 2 12.00 3 400.00 4a 0.00 4b 0.00 5a 300.00 5b 6.00 6a 100.00 6b 6.00 7a 0.00 7b 0.00 8a 0.00 8b 0.00 9 12.00
			10 0.00 11 12.00 12a 0.00 12b 0.00 13a 0.00 13b 0.00 14 0.00 15 0.00 16 12.00 PAID 0.00 DUE 12.00 X 12.25 XD -0.25`,
	},
	{
		name: "Ohio has an overpayment, and sales of marketplaces among the exempt ones",
		input: func(t *testing.T) Input {
			t.Helper()
			in := monthly(t, "US", "OH", "STATE Ohio 0.0575 OWN /PHYSICAL 1000.00 1000.00 57.50 57.50 Cuyahoga_County",
				"STATE Ohio 0 OWN RESALE/PHYSICAL 100.00 0.00 0.00 0.00 Cuyahoga_County",
				"STATE Ohio 0.0575 MARKETPLACE /PHYSICAL 500.00 500.00 28.75 0.00 Cuyahoga_County",
				"COUNTY Cuyahoga_County 0.0225 OWN /PHYSICAL 0.00 1000.00 22.50 22.50 Cuyahoga_County")
			in.Filing.AmountPrepaid = total(t, "100.00")
			return in
		},
		want: `1 1600.00 2m 500.00 2 600.00 3 1000.00 4 0.00 5 1000.00 C1 1000.00 C1t 80.00 6 80.00 7 0.00 8 0.00 9 80.00 10 100.00
			11 0.00 12 20.00 X 80.00 XD 0.00`,
	},
	{
		name: "Missouri has totals of its columns",
		input: func(t *testing.T) Input {
			t.Helper()
			return monthly(t, "US", "MO", "STATE Missouri 0.04225 OWN /PHYSICAL 100.00 100.00 4.23 4.23 St._Louis",
				"STATE Missouri 0 OWN RESALE/PHYSICAL 50.00 0.00 0.00 0.00 Boone_County",
				"CITY St._Louis 0.05 OWN /PHYSICAL 0.00 100.00 5.00 5.00 St._Louis")
		},
		want: `1-g 100.00 1-t 100.00 1-a 0.00 1-x 9.23 2-g 50.00 2-t 0.00 2-a -50.00 2-x 0.00 1g 150.00 1a -50.00 1t 100.00 1 9.23
			2 0.18 3 0.00 4 0.00 5 9.05 6 0.00 7 0.00 8 9.05 X 9.23 XD 0.00`,
	},
	{
		name: "Wisconsin has counties, Milwaukee County and the city apart",
		input: func(t *testing.T) Input {
			t.Helper()
			return monthly(t, "US", "WI", "STATE Wisconsin 0.05 OWN /PHYSICAL 1000.00 1000.00 50.00 50.00 Milwaukee_County,_Milwaukee",
				"STATE Wisconsin 0.05 OWN /PHYSICAL 500.00 500.00 25.00 25.00 Dane_County",
				"STATE Wisconsin 0 OWN RESALE/PHYSICAL 200.00 0.00 0.00 0.00 Dane_County",
				"COUNTY Dane_County 0.005 OWN /PHYSICAL 0.00 500.00 2.50 2.50 Dane_County",
				"COUNTY Milwaukee_County 0.009 OWN /PHYSICAL 0.00 1000.00 9.00 9.00 Milwaukee_County,_Milwaukee",
				"CITY Milwaukee 0.02 OWN /PHYSICAL 0.00 1000.00 20.00 20.00 Milwaukee_County,_Milwaukee")
		},
		want: `1 1700.00 2 200.00 3 0.00 4 0.00 5 0.00 6 200.00 7 1500.00 8 75.00 9-1 500.00 9-1t 2.50 9 2.50 10-1 1000.00
			10-1t 9.00 10 9.00 CITY-1 1000.00 CITY-1t 20.00 CITY 20.00 DISC 10.00 USE 0.00 PAID 0.00 DUE 96.50 X 106.50 XD 0.00`,
	},
	{
		name: "Utah has a discount on grocery food that a person enters",
		input: func(t *testing.T) Input {
			t.Helper()
			in := monthly(t, "US", "UT", "STATE Utah 0.0485 OWN /PHYSICAL 1000.00 1000.00 48.50 48.50 Salt_Lake_County",
				"STATE Utah 0.0175 OWN /FOOD 200.00 200.00 3.50 3.50 Salt_Lake_County",
				"STATE Utah 0 OWN RESALE/PHYSICAL 100.00 0.00 0.00 0.00 Salt_Lake_County",
				"COUNTY Salt_Lake_County 0.024 OWN /PHYSICAL 0.00 1000.00 24.00 24.00 Salt_Lake_County",
				"COUNTY Salt_Lake_County 0.0125 OWN /FOOD 0.00 200.00 2.50 2.50 Salt_Lake_County")
			named(t, &in, "13", models.EntryCredit, "0.08", "0.00")
			return in
		},
		want: `1 1300.00 2 100.00 3 1200.00 4 0.00 5 1200.00 6 0.00 7 1200.00 A1 1000.00 A1t 72.50 G1 200.00 G1t 6.00 8a 72.50 8b 6.00
			8u 0.00 9 78.50 10 0.00 11 78.50 12 1.03 13p 0.08 13 0.08 PAID 0.00 DUE 77.39 X 78.50 XD 0.00`,
	},
	{
		name: "Virginia had a rate of its own for food until 2022",
		input: func(t *testing.T) Input {
			t.Helper()
			return ofPeriod(t, "US", "VA", calendar.FilingMonthly, 20221101, 20221130, 20221220,
				"STATE Virginia 0.043 OWN /PHYSICAL 1000.00 1000.00 43.00 43.00", "STATE Virginia 0.015 OWN /FOOD 200.00 200.00 3.00 3.00",
				"DISTRICT Virginia_statewide_local_tax 0.01 OWN /PHYSICAL 0.00 1000.00 10.00 10.00",
				"DISTRICT Virginia_statewide_local_tax 0.01 OWN /FOOD 0.00 200.00 2.00 2.00")
		},
		want: `1 1200.00 2 0.00 3 0.00 4 1200.00 5 200.00 5x 3.00 5a 0.00 5ax 0.00 6 1000.00 6x 43.00 7 46.00 8 0.00 9 46.00
			10-1 1200.00 10-1t 12.00 LOC 12.00 PAID 0.00 PEN 0.00 DUE 58.00 X 58.00 XD 0.00`,
	},
	{
		name: "Canada has sales in whole dollars",
		input: func(t *testing.T) Input {
			t.Helper()
			return ofPeriod(t, "CA", "CA", calendar.FilingQuarterly, 20260401, 20260630, 20260731,
				"FEDERAL Canada 0.05 OWN /PHYSICAL 1000.50 1000.50 50.03 50.03",
				"FEDERAL Canada 0 OWN ZERO_RATE/FOOD 99.00 0.00 0.00 0.00",
				"FEDERAL Canada 0.05 MARKETPLACE /PHYSICAL 10.00 10.00 0.50 0.00")
		},
		want: `101 1100.00 103 50.03 104 0.00 105 50.03 106 0.00 107 0.00 108 0.00 109 50.03 110 0.00 111 0.00 112 0.00
			113A 50.03 205 0.00 405 0.00 113B 0.00 113C 50.03 114 0.00 115 50.03 X 50.03 XD 0.00`,
	},
}

// named adds an entry that names a line to a return.
func named(t *testing.T, in *Input, line string, kind models.FilingEntryKind, amount, taxable string) {
	t.Helper()
	e := entry(t, kind, amount, taxable)
	e.Line = line
	in.Entries = append(in.Entries, e)
	in.Filing.AmountAdjusted = mustPlus(t, in.Filing.AmountAdjusted, e.Effect())
}

// of returns the input of an example with its purchases.
func (x *example) of(t *testing.T) Input {
	t.Helper()
	in := x.input(t)
	for _, text := range x.purchases {
		e := purchase(t, text)
		in.Entries = append(in.Entries, e)
		var err error
		in.Filing.AmountAdjusted, err = in.Filing.AmountAdjusted.Plus(e.Effect())
		require.NoError(t, err)
	}
	return in
}

func TestWorksheetsOfExamples(t *testing.T) {
	t.Parallel()
	for _, x := range examples {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			want := map[string]string{}
			fields := strings.Fields(x.want)
			for i := 0; i < len(fields); i += 2 {
				want[fields[i]] = fields[i+1]
			}
			amounts, w := made(t, x.of(t))
			require.Equal(t, want, amounts)
			for _, code := range []string{"SUMS_DIFFER", "ENTRY_WITHOUT_LINE", "ENTRY_LINE_UNKNOWN", "FREE_ADJUSTMENT", "PERIOD_KIND"} {
				require.NotContains(t, w.codes(), code)
			}
			require.Equal(t, amounts["XD"] != "0.00", slices.Contains(w.codes(), "FORM_DIFFERS"))
		})
	}
}

// changedLines are the lines that two worksheets have with other amounts, or one of them alone.
func changedLines(a, b map[string]string) (lines []string) {
	for line := range a {
		if a[line] != b[line] {
			lines = append(lines, line)
		}
	}
	for line := range b {
		if _, ok := a[line]; !ok {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return lines
}
