package hmrc

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"levy/models"
)

// Headers for fraud prevention, which the authority wants with each call (SI 2019/360 and its directions). The names and forms
// are those of its pages at developer.service.hmrc.gov.uk/guides/fraud-prevention, version 3.3 of 27 January 2025.
const (
	connectionMethod = "Gov-Client-Connection-Method"
	browserAgent     = "Gov-Client-Browser-JS-User-Agent"
	deviceID         = "Gov-Client-Device-ID"
	localIPs         = "Gov-Client-Local-IPs"
	localIPsAt       = "Gov-Client-Local-IPs-Timestamp"
	macAddresses     = "Gov-Client-MAC-Addresses"
	multiFactor      = "Gov-Client-Multi-Factor"
	publicIP         = "Gov-Client-Public-IP"
	publicIPAt       = "Gov-Client-Public-IP-Timestamp"
	publicPort       = "Gov-Client-Public-Port"
	screens          = "Gov-Client-Screens"
	timeZone         = "Gov-Client-Timezone"
	clientAgent      = "Gov-Client-User-Agent"
	userIDs          = "Gov-Client-User-IDs"
	windowSize       = "Gov-Client-Window-Size"
	vendorForwarded  = "Gov-Vendor-Forwarded"
	vendorLicenses   = "Gov-Vendor-License-IDs"
	vendorProduct    = "Gov-Vendor-Product-Name"
	vendorIP         = "Gov-Vendor-Public-IP"
	vendorVersion    = "Gov-Vendor-Version"
)

// Connection methods: a person at a browser, a program that calls the server, and the server by its timer.
const (
	byBrowser = "WEB_APP_VIA_SERVER"
	byProgram = "OTHER_VIA_SERVER"
	byTimer   = "BATCH_PROCESS_DIRECT"
)

// wanted are the headers that the authority wants, by the connection method.
var wanted = map[string][]string{
	byBrowser: {
		connectionMethod, browserAgent, deviceID, multiFactor, publicIP, publicIPAt, publicPort, screens, timeZone, userIDs,
		windowSize, vendorForwarded, vendorLicenses, vendorProduct, vendorIP, vendorVersion,
	},
	byProgram: {
		connectionMethod, deviceID, localIPs, localIPsAt, multiFactor, publicIP, publicIPAt, publicPort, screens, timeZone,
		clientAgent, userIDs, windowSize, vendorForwarded, vendorLicenses, vendorProduct, vendorIP, vendorVersion,
	},
	byTimer: {
		connectionMethod, deviceID, localIPs, localIPsAt, macAddresses, timeZone, clientAgent, userIDs, vendorLicenses,
		vendorProduct, vendorVersion,
	},
}

// namesOf returns the names of the headers that are wanted for a connection method. For another one they are those that each
// program knows.
func namesOf(method string) []string {
	if names, ok := wanted[method]; ok {
		return names
	}
	return always
}

// always are the headers that each program knows.
var always = []string{connectionMethod, vendorProduct, vendorVersion}

// headersOf returns the headers for fraud prevention of a program in a version, by the call that has a return filed; nil if the timer
// of the program calls, and no client. Nothing is invented: left are the names of wanted ones that are not known.
func headersOf(version string, c *models.ClientConnection) (header http.Header, left []string) {
	known := map[string]string{vendorProduct: "Levy", connectionMethod: byTimer}
	if version != "" {
		known[vendorVersion] = "levy=" + percent(version)
	}
	if c != nil {
		addConnection(known, c)
	}
	header = http.Header{}
	for _, name := range namesOf(known[connectionMethod]) {
		if known[name] == "" {
			left = append(left, name)
			continue
		}
		header.Set(name, known[name])
	}
	return header, left
}

// addConnection adds what is known of a call.
func addConnection(known map[string]string, c *models.ClientConnection) {
	known[connectionMethod] = byProgram
	if c.Browser {
		known[connectionMethod] = byBrowser
	}
	if c.UserID != "" {
		known[userIDs] = "levy=" + percent(c.UserID)
	}
	if c.Address != "" {
		known[publicIP], known[publicIPAt] = c.Address, c.At.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	if c.Port != 0 {
		known[publicPort] = strconv.Itoa(c.Port)
	}
	known[deviceID], known[browserAgent] = c.Device, asPrinted(c.UserAgent)
	if c.Offset != nil {
		known[timeZone] = offset(*c.Offset)
	}
	if kind, ok := factors[c.Factor]; ok {
		known[multiFactor] = "type=" + kind + "&timestamp=" + percent(c.FactorAt.UTC().Format("2006-01-02T15:04Z")) +
			"&unique-reference=" + percent(referenceOf(c))
	}
}

// factors are the words for second proofs. The authority knows codes of an app, codes that were sent, and others.
var factors = map[models.ProofKind]string{
	models.ProofCode: "TOTP", models.ProofRecoveryCode: "OTHER", models.ProofPasskey: "OTHER",
}

// referenceOf returns the same text for the same factor of the same person, from which neither can be read.
func referenceOf(c *models.ClientConnection) string {
	return fmt.Sprintf("%x", sumOf([]string{"factor", c.UserID, string(c.Factor)}))
}

// offset returns a time zone in minutes east of UTC, such as "UTC-03:30".
func offset(minutes int) string {
	sign := '+'
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	return fmt.Sprintf("UTC%c%02d:%02d", sign, minutes/60, minutes%60)
}

// percent encodes a key or a value as RFC 3986 says. Separators between them stay as they are.
func percent(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

// asPrinted encodes the bytes of a text that are no printable ASCII. The name of a browser is passed on otherwise as it is.
func asPrinted(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			fmt.Fprintf(&b, "%%%02X", text[i])
			continue
		}
		b.WriteByte(text[i])
	}
	return strings.TrimSpace(b.String())
}

// saidOfLeft says which headers were left out.
func saidOfLeft(left []string) string {
	if len(left) == 0 {
		return ""
	}
	return " Headers for fraud prevention that are not known, and that were left out: " + strings.Join(left, ", ") + "."
}
