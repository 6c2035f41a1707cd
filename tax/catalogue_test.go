package tax_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

func loaded(t require.TestingT) *tax.Content {
	c, err := tax.LoadContent()
	require.NoError(t, err)
	return c
}

func TestLoadParsesOnce(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	require.Equal(t, "2026.11.22", c.Version())
	require.Same(t, c, loaded(t))
}

func TestFaultsInTablesNameFileAndLine(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ file, line, want string }{
		"a rate that is no number": {
			"rates.csv", "US-TX,SALES,*,abc,2030-01-01,,STATUTE,STATE-RATES,2026-01-01,HIGH,", "rates.csv:",
		},
		"a date that does not exist": {
			"rates.csv", "US-TX,SALES,*,0.06,2030-02-30,,STATUTE,STATE-RATES,2026-01-01,HIGH,", "valid_from",
		},
		"an overlap": {
			"rates.csv", "US-TX,SALES,*,0.06,2020-01-01,,STATUTE,STATE-RATES,2026-01-01,HIGH,",
			"overlaps rates.csv:",
		},
		"an unknown jurisdiction": {
			"rates.csv", "US-TX-M-nowhere,SALES,*,0.06,2020-01-01,,STATUTE,STATE-RATES,2026-01-01,HIGH,",
			"unknown jurisdiction US-TX-M-nowhere",
		},
		"an unknown place": {
			"places.csv", "99999,Nowhere,TX,48201,Harris County,US-TX|US-XX,Y,N,POSTAL_CITY,COMPLETE,",
			`unknown jurisdiction "US-XX"`,
		},
		"a row with a missing column": {"places.csv", "99999,Nowhere", "wrong number of fields"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := tax.ReadContent(with(t, test.file, test.line))
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, err, test.file)
		})
	}
}

// with is the folder of tables with one line added to one of them.
func with(t *testing.T, file, line string) fstest.MapFS {
	folder := fstest.MapFS{}
	entries, err := os.ReadDir("content/data")
	require.NoError(t, err)
	for _, e := range entries {
		text, err := os.ReadFile("content/data/" + e.Name())
		require.NoError(t, err)
		if e.Name() == file {
			text = append(text, strings.TrimSpace(line)+"\n"...)
		}
		folder[e.Name()] = &fstest.MapFile{Data: text}
	}
	return folder
}

func TestCatalogueOfTheContract(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	var names []string
	for _, cat := range c.Categories() {
		names = append(names, cat.Name)
		class, how, ok := c.Classify(cat.Name, cat.DefaultSubcategory)
		require.True(t, ok)
		require.Equal(t, tax.ClassificationSubcategory, how)
		byCategory, _, _ := c.Classify(cat.Name, "")
		require.Equal(t, byCategory, class, "the default subcategory of %s has the default class", cat.Name)
		for _, s := range cat.Subcategories {
			require.NotEmpty(t, s.Description)
			require.NotEmpty(t, s.Example)
		}
	}
	require.Equal(t, []string{
		"PHYSICAL", "CLOTHING", "FOOD", "DIGITAL", "SOFTWARE", "SERVICE", "MISCELLANEOUS", "UNKNOWN",
	}, names)
	for _, test := range []struct {
		category, subcategory string
		class                 tax.TaxClass
		how                   tax.Classification
	}{
		{"PHYSICAL", "", tax.ClassPhysical, tax.ClassificationCategoryDefault},
		{"Physical", "general clothing", tax.ClassClothing, tax.ClassificationSubcategory},
		{"physical", "Childrens-Clothing", tax.ClassClothingChild, tax.ClassificationSubcategory},
		{"PHYSICAL", "MEDICINES", tax.ClassDrugsRx, tax.ClassificationSubcategory},
		{"PHYSICAL", "BOOKS", tax.ClassBook, tax.ClassificationSubcategory},
		{"PHYSICAL", "MACHINERY", tax.ClassPhysical, tax.ClassificationSubcategory},
		{"FOOD", "CATERING", tax.ClassPreparedFood, tax.ClassificationSubcategory},
		{"FOOD", "SUPPLEMENTS", tax.ClassSupplement, tax.ClassificationSubcategory},
		{"DIGITAL", "IAAS", tax.ClassIaaS, tax.ClassificationSubcategory},
		{"DIGITAL", "B2B SaaS", tax.ClassSaaSB2B, tax.ClassificationSubcategory},
		{"SERVICE", "SECURITY_SERVICES_ELECTRONIC_MONITORING", tax.ClassSecurity, tax.ClassificationSubcategory},
		{"SOFTWARE", "", tax.ClassSoftwareDownload, tax.ClassificationCategoryDefault},
		{"SOFTWARE", "SOFTWARE_ON_PERSONAL_PROPERTY", tax.ClassPhysical, tax.ClassificationSubcategory},
		{"SERVICE", "AMUSEMENT_SERVICE", tax.ClassAdmission, tax.ClassificationSubcategory},
		{"SERVICE", "an unknown category", tax.ClassService, tax.ClassificationCategoryDefault},
		{"MISCELLANEOUS", "HANDLING", tax.ClassHandling, tax.ClassificationSubcategory},
		{"miscellaneous", "gift card", tax.ClassNotTaxable, tax.ClassificationSubcategory},
		{"MISCELLANEOUS", "", tax.ClassPhysical, tax.ClassificationCategoryDefault},
		{"UNKNOWN", "UNKNOWN", tax.ClassPhysical, tax.ClassificationSubcategory},
	} {
		class, how, ok := c.Classify(test.category, test.subcategory)
		require.True(t, ok)
		require.Equal(t, test.class, class, "%s %s", test.category, test.subcategory)
		require.Equal(t, test.how, how, "%s %s", test.category, test.subcategory)
	}
	_, _, ok := c.Classify("SPACESHIPS", "")
	require.False(t, ok)
}

func TestJurisdictionsAreFoundById(t *testing.T) {
	t.Parallel()
	j, ok := loaded(t).Jurisdiction("US-NY-D-mctd")
	require.True(t, ok)
	require.Equal(t, tax.Jurisdiction{
		ID: "US-NY-D-mctd", Type: tax.TypeSpecial, Name: "MCTD", Country: "US", State: "NY", Parent: "US-NY",
		Code: "US-NY-D-mctd",
	}, j)
	_, ok = loaded(t).Jurisdiction("US-NY-D-none")
	require.False(t, ok)
}
