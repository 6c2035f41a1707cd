package tax_test

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/content"
)

func BenchmarkResolve(b *testing.B) {
	c, err := tax.LoadContent()
	require.NoError(b, err)
	a := tax.Address{Street1: "350 5th Ave", City: "New York", State: "NY", PostalCode: "10118", Country: "US"}
	b.ReportAllocs()
	for b.Loop() {
		c.Resolve(a)
	}
}

// BenchmarkLine resolves the address and calculates a sale of one line.
func BenchmarkLine(b *testing.B) { benchmarkLines(b, 1, tax.AllReasons) }

// BenchmarkLineInWords is the line of an estimate, BenchmarkLineAlone without an explanation.
func BenchmarkLineInWords(b *testing.B) { benchmarkLines(b, 1, tax.Sentences) }
func BenchmarkLineAlone(b *testing.B)   { benchmarkLines(b, 1, tax.NoReasons) }

// BenchmarkLines100 calculates a sale of 100 lines; divide by 100 per line.
func BenchmarkLines100(b *testing.B) { benchmarkLines(b, 100, tax.AllReasons) }

func benchmarkLines(b *testing.B, n int, reasons tax.Reasons) {
	c, err := tax.LoadContent()
	require.NoError(b, err)
	a := tax.Address{Street1: "350 5th Ave", City: "New York", State: "NY", PostalCode: "10118", Country: "US"}
	lines := make([]tax.Line, n)
	for i := range lines {
		lines[i] = tax.Line{
			ID: "txi_1", Class: tax.ClassPhysical, Classification: tax.ClassificationSubcategory,
			Amount: decimal.MustNew(12345, 2), Quantity: decimal.One,
		}
	}
	req := tax.Request{TaxDate: calendar.MustDate("2026-05-15"), Currency: "USD", Lines: lines, Reasons: reasons}
	b.ReportAllocs()
	for b.Loop() {
		req.Destination = c.Resolve(a)
		if _, err := c.Calculate(req); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tax.ParseContent(content.Packed()); err != nil {
			b.Fatal(err)
		}
	}
}
