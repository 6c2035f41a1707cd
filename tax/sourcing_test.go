package tax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// An answer is no surer than the rule that says which place taxes it. Where both places have the same taxes
// it rests on no such rule.
func TestAnAnswerIsAsSureAsItsSourcing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		from, to string
		want     tax.Confidence
	}{
		{"Philadelphia, PA 19103", "Pittsburgh, PA 15222", tax.ConfidenceMedium},
		{"Philadelphia, PA 19103", "Philadelphia, PA 19104", tax.ConfidenceHigh},
		{"New York, NY 10118", "Pittsburgh, PA 15222", tax.ConfidenceHigh},
		{"Columbus, OH 43215", "Cleveland, OH 44113", tax.ConfidenceHigh},
	} {
		req := sale{test.to, "PHYSICAL", "100.00", "", ""}.request(t)
		origin := loaded(t).Resolve(address(test.from))
		req.Origin = &origin
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, test.want, r.Confidence, test.from+" to "+test.to)
	}
}
