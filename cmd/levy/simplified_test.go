package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/returns"
)

// A state is reached only where it is named. All faults are named at once, and no password is.
func TestServicesOfStates(t *testing.T) {
	t.Parallel()
	require.Equal(t, returns.SentTo{}, Config{}.sentTo())
	require.NoError(t, Config{}.validateSimplified())
	c := Config{
		SimplifiedReturns: []string{"MI"}, VATReturns: true, SimplifiedServices: []string{"OH=https://ohio.example/sst", "TN=UPLOAD"},
		SimplifiedPasswords: "S00004711:a:b\n S00004712:c",
	}
	require.NoError(t, c.validateSimplified())
	require.Equal(t, returns.SentTo{Tests: []string{"MI", "GB"}, Live: []string{"OH"}, Upload: []string{"TN"}}, c.sentTo())
	passwords, security, err := c.simplifiedSecurity()
	require.NoError(t, err)
	require.Equal(t, map[string]string{"S00004711": "a:b", "S00004712": "c"}, passwords)
	require.NotNil(t, security)

	c.SimplifiedServices = []string{"OH", "ohio=UPLOAD", "MI=http://elsewhere.example", "TN=UPLOAD", "TN=UPLOAD", "KY=https://a.example?b=c"}
	c.SimplifiedPasswords, c.SimplifiedCert = "S00004711:canary canary", "a.pem"
	err = c.validateSimplified()
	for _, said := range []string{
		`"OH" is not of the form`, `"ohio" is not of the form`, "LEVY_SIMPLIFIED_SERVICES of MI must begin with https://",
		"TN is there twice", "LEVY_SIMPLIFIED_SERVICES of KY must be an address", "LEVY_SIMPLIFIED_PASSWORDS: entry 2",
		"LEVY_SIMPLIFIED_CERT and LEVY_SIMPLIFIED_KEY go together",
	} {
		require.ErrorContains(t, err, said)
	}
	require.NotContains(t, err.Error(), "canary")
	c.SimplifiedPasswords = "S00004711:canary S00004711:canary"
	require.ErrorContains(t, c.validateSimplified(), "S00004711 is there twice")
	require.NotContains(t, c.validateSimplified().Error(), "canary")
}
