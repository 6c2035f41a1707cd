package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// A routing number has nine digits, of which the last checks the others.
func TestRoutingNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"021000021": true, "122235821": true, "011000015": true, "021000022": false, "02100002": false, "": false, "000000000": false,
		"02100002a": false,
	} {
		require.Equal(t, want, models.IsRoutingNumber(text), text)
	}
}
