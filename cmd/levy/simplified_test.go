package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/returns"
)

// A state is reached only where it is named. All faults are named at once, and no password is.
func TestServicesOfStates(t *testing.T) {
	t.Parallel()
	const first, second = "org_01jexample0000000000000001", "org_01jexample0000000000000002"
	require.Less(t, realPause, 6*time.Hour, "each run of the schedule asks")
	require.Equal(t, returns.AdapterAuthorities{}, Config{}.sentTo())
	require.NoError(t, Config{}.validateSimplified())
	c := Config{
		SimplifiedReturns: []string{"MI"}, VATReturns: true, SimplifiedServices: []string{"OH=https://ohio.example/sst", "TN=UPLOAD"},
		SimplifiedPasswords: "S00004711@" + first + ":a:b\n S00004711@" + second + ":c",
	}
	require.NoError(t, c.validateSimplified())
	require.Equal(t,
		returns.AdapterAuthorities{Tests: []string{"MI", "GB"}, Live: []string{"OH"}, Upload: []string{"TN"}}, c.sentTo())
	passwords, err := c.simplifiedPasswords()
	require.NoError(t, err)
	require.Equal(t, map[string]string{first + "/S00004711": "a:b", second + "/S00004711": "c"}, passwords)

	c.SimplifiedServices = []string{"OH", "ohio=UPLOAD", "MI=http://elsewhere.example", "TN=UPLOAD", "TN=UPLOAD", "KY=https://a.example?b=c"}
	c.SimplifiedPasswords, c.SimplifiedCert = "S00004711@"+first+":canary S00004711:canary", []string{"a.pem"}
	err = c.validateSimplified()
	for _, said := range []string{
		`"OH" is not of the form`, `"ohio" is not of the form`, "LEVY_SIMPLIFIED_SERVICES of MI must begin with https://",
		"TN is there twice", "LEVY_SIMPLIFIED_SERVICES of KY must be an address", "LEVY_SIMPLIFIED_PASSWORDS: entry 2",
		"LEVY_SIMPLIFIED_CERT and LEVY_SIMPLIFIED_KEY go together",
	} {
		require.ErrorContains(t, err, said)
	}
	require.NotContains(t, err.Error(), "canary")
	c.SimplifiedPasswords = "S00004711@" + first + ":canary S00004711@" + first + ":canary"
	require.ErrorContains(t, c.validateSimplified(), first+" is there twice")
	require.NotContains(t, c.validateSimplified().Error(), "canary")
}

// A state has the files that name it, and otherwise those of every state. A certificate never goes with the key of another.
func TestFilesOfStates(t *testing.T) {
	t.Parallel()
	services := []simplifiedService{{"MI", "https://mi.example"}, {"OH", "https://oh.example"}, {"TN", ""}}
	c := Config{
		SimplifiedCA: []string{"all.pem", "MI=mi.pem"}, SimplifiedCert: []string{"OH=oh.pem", "own.pem"},
		SimplifiedKey: []string{"own.key", "OH=oh.key"},
	}
	files, err := c.simplifiedFiles(services)
	require.NoError(t, err)
	require.Equal(t, tlsFiles{"mi.pem", "own.pem", "own.key"}, filesOf(files, "MI"))
	require.Equal(t, tlsFiles{"all.pem", "oh.pem", "oh.key"}, filesOf(files, "OH"))
	require.Equal(t, []certificateOf{
		{"LEVY_TLS_CERT", ""}, {"LEVY_TEMPORAL_CERT", ""}, {"LEVY_SIMPLIFIED_CERT OH", "oh.pem"}, {"LEVY_SIMPLIFIED_CERT", "own.pem"},
	}, c.certificates())

	_, err = Config{
		SimplifiedCA: []string{"a.pem", "b.pem", "TN=c.pem", "KY=d.pem", "MI="}, SimplifiedCert: []string{"OH=oh.pem"},
		SimplifiedKey: []string{"own.key"},
	}.simplifiedFiles(services)
	for _, said := range []string{
		"LEVY_SIMPLIFIED_CA: every state has two files", "LEVY_SIMPLIFIED_CA: TN has no web service", "LEVY_SIMPLIFIED_CA: KY has no web service",
		`LEVY_SIMPLIFIED_CA: "MI=" names no file`, "LEVY_SIMPLIFIED_CERT and LEVY_SIMPLIFIED_KEY go together, for OH",
		"LEVY_SIMPLIFIED_CERT and LEVY_SIMPLIFIED_KEY go together, for every state",
	} {
		require.ErrorContains(t, err, said)
	}
	_, err = simplifiedTLS(map[string]tlsFiles{"MI": {ca: "/nowhere/mi.pem"}}, "MI")
	require.ErrorContains(t, err, "MI: LEVY_SIMPLIFIED_CA: open /nowhere/mi.pem")
}
