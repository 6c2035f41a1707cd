package hmrc

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// Each kind of call has the headers that are known of it. The name of a browser is passed on, and other letters than those of ASCII
// are encoded. Keys and values of pairs are encoded, and their separators are not.
func TestHeadersForFraudPrevention(t *testing.T) {
	t.Parallel()
	header, left := headersOf("1.2 beta", byPerson())
	require.Equal(t, map[string]string{
		"Gov-Client-Connection-Method":     "WEB_APP_VIA_SERVER",
		"Gov-Client-Browser-Js-User-Agent": "Mozilla/5.0 (X11; Linux x86_64) %C3%9Cn%C3%AF/1",
		"Gov-Client-Device-Id":             "beec798b-b366-47fa-b1f8-92cede14a1ce",
		"Gov-Client-Multi-Factor":          "type=TOTP&timestamp=2026-07-10T08%3A05Z&unique-reference=" + referenceOf(byPerson()),
		"Gov-Client-Public-Ip":             "81.2.69.142",
		"Gov-Client-Public-Ip-Timestamp":   "2026-07-10T11:59:58.007Z",
		"Gov-Client-Public-Port":           "47138",
		"Gov-Client-Timezone":              "UTC+01:00",
		"Gov-Client-User-Ids":              "levy=user_1",
		"Gov-Vendor-Product-Name":          "Levy",
		"Gov-Vendor-Version":               "levy=1.2%20beta",
	}, flat(header))
	require.Equal(t, []string{screens, windowSize, vendorForwarded, vendorLicenses, vendorIP}, left)

	program := models.ClientConnection{At: byPerson().At, UserID: "apik_1", Address: "2a00:23c5::1"}
	header, left = headersOf("1", &program)
	require.Equal(t, "OTHER_VIA_SERVER", header.Get(connectionMethod))
	require.Equal(t, "levy=apik_1", header.Get(userIDs))
	require.Equal(t, "2a00:23c5::1", header.Get(publicIP))
	require.Subset(t, left, []string{deviceID, multiFactor, publicPort, timeZone, clientAgent})

	header, left = headersOf("1", nil)
	require.Equal(t, "BATCH_PROCESS_DIRECT", header.Get(connectionMethod))
	require.Contains(t, left, userIDs, "a timer is no person")
}

func flat(h http.Header) map[string]string {
	one := map[string]string{}
	for name, values := range h {
		one[name] = strings.Join(values, "|")
	}
	return one
}

func TestTimeZonesOfHeaders(t *testing.T) {
	t.Parallel()
	for minutes, want := range map[int]string{0: "UTC+00:00", 60: "UTC+01:00", -210: "UTC-03:30", 345: "UTC+05:45", -720: "UTC-12:00"} {
		require.Equal(t, want, offset(minutes))
	}
}

// The reference of a factor is that of the same factor and person, and says neither.
func TestTheReferenceOfAFactor(t *testing.T) {
	t.Parallel()
	one, later, other, passkey := byPerson(), byPerson(), byPerson(), byPerson()
	later.At, other.UserID, passkey.Factor = later.At.AddDate(1, 0, 0), "user_2", models.ProofPasskey
	require.Equal(t, referenceOf(one), referenceOf(later))
	require.NotEqual(t, referenceOf(one), referenceOf(other))
	require.NotEqual(t, referenceOf(one), referenceOf(passkey))
	require.NotContains(t, referenceOf(one), "user_1")
	header, _ := headersOf("1", passkey)
	require.Contains(t, header.Get(multiFactor), "type=OTHER&")
}

// The sandbox judges headers as the authority's check does, and refuses a request with one that it cannot read.
func TestTheSandboxChecksHeaders(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	judge := func(change func(h http.Header)) judged {
		header, _ := headersOf("1.2", byPerson())
		change(header)
		answer, err := o.client.do(t.Context(), call{
			method: http.MethodGet, path: "/test/fraud-prevention-headers/validate", header: header,
		})
		require.NoError(t, err)
		var said judged
		require.NoError(t, json.Unmarshal(answer.body, &said))
		return said
	}
	said := judge(func(http.Header) {})
	require.Equal(t, codeHeadersDoubtful, said.Code)
	require.Empty(t, said.Errors)
	require.Len(t, said.Warnings, 5)
	require.Equal(t, codeHeadersValid, judge(func(h http.Header) {
		for _, name := range []string{screens, windowSize, vendorForwarded, vendorLicenses, vendorIP} {
			h.Set(name, "x")
		}
	}).Code)
	for name, value := range map[string]string{
		connectionMethod: "BY_POST", browserAgent: "Ünï", deviceID: "device 1",
		multiFactor: "type=TOTP&timestamp=2026-07-10T08:05Z&unique-reference=1", publicIP: "10.0.0.1",
		publicIPAt: "2026-07-10T11:59:58Z", publicPort: "0", timeZone: "Europe/London", userIDs: "levy=Ada Lovelace",
		vendorProduct: "Le vy", vendorVersion: "1.2",
	} {
		said := judge(func(h http.Header) { h.Set(name, value) })
		require.Equal(t, codeHeadersInvalid, said.Code, name)
		require.Equal(t, []string{strings.ToLower(name)}, said.Errors[0].Headers)
		require.Equal(t, codeHeaderInvalid, said.Errors[0].Code)
	}
	for _, name := range always {
		said := judge(func(h http.Header) { h.Del(name) })
		require.Equal(t, codeHeadersInvalid, said.Code, name)
		require.Equal(t, codeHeaderMissing, said.Errors[0].Code)
	}
}

// The receipt names the headers that were left out. A return whose approving call was not recorded is not sent, until a person
// retries it, unless the authority has it already.
func TestReturnsCarryTheConnectionOfTheirCall(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.connection = nil
	a, err := o.Submit(t.Context(), o.submission(t, 1, toClaim, ""))
	require.NoError(t, err)
	require.Equal(t, rejected(ReasonCallUnknown), a)
	require.Contains(t, a.Message, "retry the return in the console")
	posts, _ := o.posts()
	require.Zero(t, posts)
	automatic := o.submission(t, 1, toClaim, "SIMULATE_TIMEOUT")
	automatic.Automatic = true
	_, err = o.Submit(t.Context(), automatic)
	require.ErrorIs(t, err, models.ErrOutcomeUnknown)
	require.Equal(t, byTimer, o.header(connectionMethod))
	a, err = o.Check(t.Context(), automatic.Key)
	require.NoError(t, err)
	require.Equal(t, models.AuthorityAccepted, a.Outcome, "the timer asks")
	a, err = o.Submit(t.Context(), o.submission(t, 1, toClaim, ""))
	require.NoError(t, err)
	require.Equal(t, models.AuthorityAccepted, a.Outcome, "a release before has sent it, and its answer was lost")
	posts, _ = o.posts()
	require.Equal(t, 1, posts)

	o = newOffice(t)
	a, err = o.Submit(t.Context(), o.submission(t, 1, toClaim, ""))
	require.NoError(t, err)
	require.Equal(t, models.AuthorityAccepted, a.Outcome)
	require.Equal(t, byBrowser, o.header(connectionMethod))
	require.Equal(t, "81.2.69.142", o.header(publicIP))
	require.Contains(t, a.Message, "left out: Gov-Client-Screens, Gov-Client-Window-Size, Gov-Vendor-Forwarded")
	for _, canary := range []string{"81.2.69.142", "user_1", "beec798b"} {
		require.NotContains(t, a.Message, canary)
	}
}
