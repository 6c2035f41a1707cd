package models_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestHasTaxID(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]bool{
		`{"tax_id":"1"}`: true, `[{"a":{"FEIN" :	"1"}}]`: true, `{"tax_id":"","ein":"1"}`: true,
		`{"tax_id":null,"x":{"tax_id":"1"}}`: true,
		`{"registration_number":7}`:          true, `{"sales_tax_id": "1"}`: true, `{"fein":"1"}`: true,
		`{}`: false, `{"tax_id":""}`: false, `{"tax_id" : null}`: false, `{"name":"tax_id"}`: false,
		`{"xtax_id":"1"}`: false, ``: false,
		`{"note":"\"tax_id\":\"1\""}`: false, `{"ein"`: false,
	} {
		require.Equal(t, want, models.HasTaxID([]byte(document)), document)
	}
}

// It runs before every answer that is stored.
func BenchmarkHasTaxID(b *testing.B) {
	document := []byte(strings.Repeat(`{"id":"txi_01jx4m9a2bfqv8m1x0c5t7hkde","amount":"100.00","product_name":"Widget",`+
		`"tax_code":null},`, 30))
	b.SetBytes(int64(len(document)))
	for b.Loop() {
		if models.HasTaxID(document) {
			b.Fatal("none is there")
		}
	}
}
