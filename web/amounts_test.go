package web

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAmountsAreReadInThousands(t *testing.T) {
	t.Parallel()
	for amount, shown := range map[any]string{
		"": "", "0.00": "0.00", "999.99": "999.99", "1000": "1,000", "1234567.891234": "1,234,567.891234",
		"-45718.61": "-45,718.61", "+1234.50": "+1,234.50", "-999": "-999", 100000: "100,000", int64(-1): "-1",
		json.Number("500000"): "500,000", "2026-05-15": "2026-05-15", "none": "none", ".5": ".5", "1e6": "1e6",
	} {
		require.Equal(t, shown, plainText(grouped(amount)), "%v", amount)
	}
}
