package tax_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// The tables in testdata/law hold the tax by law on 100.00, with a citation. The customer is a consumer, or a business
// with a VAT id. They were written from the law, not from the content. Each result is right to the cent, or it has a
// warning. There is never a wrong or missing tax without a warning.
func TestTheTableOfLaw(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/law/*.csv")
	require.NoError(t, err)
	right, warned := 0, 0
	for _, file := range files {
		for i, c := range lawCases(t, file) {
			require.NotEmpty(t, c.source, "%s:%d", file, i+2)
			r := c.calculate(t)
			said := saysItMayBeWrong(r)
			for _, item := range r.Lines[0].TaxItems {
				if cited := item.Source.Citation(); (cited == "") != (item.Reason == tax.ReasonNoRuleFound) {
					t.Errorf("%s:%d: %s in %s on %s cites %q (%s)", file, i+2, c.class, c.place, c.day, cited, item.Reason)
				}
			}
			switch {
			case c.tax != "" && c.tax != r.Tax.String():
				t.Errorf("%s:%d: %s in %s on %s is %s, want %s by %s (%v)", file, i+2, c.class, c.place, c.day, r.Tax, c.tax,
					c.source, codes(r))
			case c.warning == "any" && !said:
				t.Errorf("%s:%d: %s in %s on %s is %s without a warning", file, i+2, c.class, c.place, c.day, r.Tax)
			case c.warning != "" && c.warning != "any" && !slices.Contains(codes(r), tax.WarningCode(c.warning)):
				t.Errorf("%s:%d: %s in %s on %s: want %s, got %v", file, i+2, c.class, c.place, c.day, c.warning, codes(r))
			case c.warning == "" && said:
				t.Errorf("%s:%d: %s in %s on %s is %s, and warns without a reason: %v", file, i+2, c.class, c.place, c.day,
					r.Tax, codes(r))
			case c.tax == "":
				warned++
			default:
				right++
			}
		}
	}
	t.Logf("%d cases right, %d warned", right, warned)
}

// Every state has each of these classes. Every member state of the Union and each other country with a VAT has its own.
// The ten largest cities have all years since 2018.
func TestTheTableOfLawIsWhole(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, file := range []string{"states", "vat", "cities"} {
		for _, c := range lawCases(t, "testdata/law/"+file+".csv") {
			at := c.place
			if _, rest, ok := strings.Cut(c.place, ", "); ok && file == "states" {
				at, _, _ = strings.Cut(rest, " ")
			}
			if file == "cities" {
				found[at+" "+c.day[:4]] = true
			} else {
				found[at+" "+c.class+" "+c.vat] = true
			}
		}
	}
	states := strings.Fields(`AK AL AR AZ CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE
		NH NJ NM NV NY OH OK OR PA PR RI SC SD TN TX UT VA VT WA WI WV WY`)
	classes := strings.Fields(`CLOTHING FOOD CANDY SOFT_DRINK PREPARED_FOOD DRUGS_RX DRUGS_OTC SAAS_B2B SAAS_B2C EBOOK
		AUDIO_VIDEO SOFTWARE_DOWNLOAD SOFTWARE_CUSTOM REPAIR LANDSCAPING CLEANING ADMISSION ADVERTISING PROFESSIONAL MEDICAL
		SHIPPING HANDLING`)
	countries := strings.Fields(`AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK CH GB NO`)
	for _, state := range states {
		for _, class := range classes {
			require.True(t, found[state+" "+class+" "], "%s in %s", class, state)
		}
	}
	for _, country := range countries {
		for class := range strings.FieldsSeq("BOOK EBOOK FOOD SAAS_B2C") {
			require.True(t, found[country+" "+class+" "], "%s in %s", class, country)
		}
		require.True(t, found[country+" SAAS_B2B "+country], "services to businesses in %s", country)
	}
	for _, city := range []string{
		"New York, NY 10001", "Los Angeles, CA 90012", "Chicago, IL 60601", "Houston, TX 77002", "Phoenix, AZ 85003",
		"Philadelphia, PA 19103", "San Antonio, TX 78205", "San Diego, CA 92101", "Dallas, TX 75201", "San Jose, CA 95113",
	} {
		for year := range strings.FieldsSeq("2018 2019 2020 2021 2022 2023 2024 2025 2026") {
			require.True(t, found[city+" "+year], "%s in %s", city, year)
		}
	}
}

// lawCase is a row of the tables. A place is "city, ST ZIP", or a country with a province or postal code, before
// it perhaps the place of the seller and ">". Without tax
// the answer must warn; the warning "any" is any warning that the tax may be wrong.
type lawCase struct{ place, class, vat, day, tax, warning, source string }

func lawCases(t *testing.T, file string) (list []lawCase) {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	require.Equal(t, "place,class,vat_id,date,tax,warning,source", strings.Join(rows[0], ","))
	for _, r := range rows[1:] {
		list = append(list, lawCase{r[0], r[1], r[2], r[3], r[4], r[5], r[6]})
	}
	return list
}

func (c lawCase) calculate(t *testing.T) tax.Result {
	t.Helper()
	if strings.Contains(c.place, ", ") {
		return sale{c.place, c.class, "100.00", "", c.day}.calculate(t)
	}
	from, to, ok := strings.Cut(c.place, ">")
	switch {
	case ok:
	case c.vat != "":
		from, to = "US-NY", c.place
	default:
		from, to = "", c.place
	}
	r, err := loaded(t).Calculate(abroad{
		to: to, class: c.class, amount: "100.00", day: c.day, vat: c.vat, from: from,
	}.request(t))
	require.NoError(t, err)
	return r
}

func codes(r tax.Result) (list []tax.WarningCode) {
	for _, w := range r.Warnings {
		list = append(list, w.Code)
	}
	return list
}

// saysItMayBeWrong reports a warning about the tax itself. A warning that another tax is due besides does not count.
func saysItMayBeWrong(r tax.Result) bool {
	return slices.ContainsFunc(r.Warnings, func(w tax.Warning) bool { return w.Code != tax.WarningOtherLocalTax })
}
