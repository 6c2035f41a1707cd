package tax_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/content"
)

// The cost of a sale depends on the sale and not on the size of the content: both contents give the same figures.
func BenchmarkSaleInMoreContent(b *testing.B) {
	small, err := tax.LoadContent()
	require.NoError(b, err)
	tables, err := content.Unpack(content.Packed())
	require.NoError(b, err)
	var places, jurisdictions, rates bytes.Buffer
	for i := range 40_000 {
		primary := "N"
		if i%1100 == 0 { // the first of its ZIP
			primary = "Y"
		}
		fmt.Fprintf(
			&places, "%05d,Newtown %d,TX,48201,Harris County,US-TX|US-TX-D-new%d,%s,N,POSTAL_CITY,COMPLETE,\n",
			99951+i/1100, i, i/10, primary,
		)
	}
	for i := range 5_000 {
		fmt.Fprintf(&jurisdictions, "US-TX-D-new%d,US,TX,DISTRICT,New %[1]d,,,US-TX,N%[1]d,LOCAL,SPECIAL,,\n", i)
		for year := 2010; year < 2020; year++ {
			fmt.Fprintf(
				&rates,
				"US-TX-D-new%d,SALES,*,0.01,%d-01-01,%[2]d-12-31,PUBLICATION,LAW-TX,2026-01-01,HIGH,\n", i,
				year,
			)
		}
	}
	tables["places.csv"] = append(tables["places.csv"], places.Bytes()...)
	tables["jurisdictions.csv"] = append(tables["jurisdictions.csv"], jurisdictions.Bytes()...)
	tables["rates.csv"] = append(tables["rates.csv"], rates.Bytes()...)
	pack, err := tables.Pack()
	require.NoError(b, err)
	large, err := tax.ParseContent(pack)
	require.NoError(b, err)

	addresses := []tax.Address{
		{City: "New York", State: "NY", PostalCode: "10118", Country: "US"}, // its state did not grow
		{City: "Austin", State: "TX", PostalCode: "78701", Country: "US"},   // its state did
	}
	for _, a := range addresses {
		for name, c := range map[string]*tax.Content{"small": small, "large": large} {
			b.Run(a.City+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				request := tax.Request{TaxDate: calendar.MustDate("2026-05-15"), Currency: "USD", Lines: []tax.Line{{
					Class: tax.ClassPhysical, Amount: decimal.MustNew(12345, 2), Quantity: decimal.One,
				}}}
				for b.Loop() {
					request.Destination = c.Resolve(a)
					_, err := c.Calculate(request)
					require.NoError(b, err)
				}
			})
		}
	}
}
