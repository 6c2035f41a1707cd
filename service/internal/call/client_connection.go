package call

import (
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"strings"
	"time"

	"levy/internal/webhook"
	"levy/models"
)

// longestUserAgent is how many bytes of the name of a browser are of use. A longer one is left out.
const longestUserAgent = 500

// Connection describes the call for an authority that requires it. now is the time of the call. Parts that are not known stay empty.
func (c *Call) Connection(now time.Time) models.ClientConnection {
	x := models.ClientConnection{At: now.UTC(), UserID: c.Principal.APIKeyID, Port: c.Port}
	if at, err := netip.ParseAddrPort(c.Address); err == nil {
		// guard: connections: the address of a private network is no public one
		if address := at.Addr().Unmap().WithZone(""); webhook.IsPublic(address) {
			x.Address = address.String()
		}
	}
	if x.Address == "" {
		x.Port = 0
	}
	if c.Person == nil {
		return x
	}
	x.Browser, x.UserID, x.Device = true, c.Person.ID, deviceID(c.Device)
	if len(c.UserAgent) <= longestUserAgent {
		x.UserAgent = c.UserAgent
	}
	if c.Person.ProvenLastAt != nil && c.Person.SecondProof != "" {
		x.Factor, x.FactorAt = c.Person.SecondProof, c.Person.ProvenLastAt.UTC()
	}
	// The zone of a person without a choice says nothing of the browser.
	if p := c.Person.Preferences; p != nil && p.ZoneChosen() {
		if zone, err := time.LoadLocation(p.TimeZone); err == nil {
			_, east := now.In(zone).Zone()
			x.Offset = new(east / secondsOfMinute)
		}
	}
	return x
}

const secondsOfMinute = 60

// deviceID returns the UUID of a device by its cookie, which people with a password or a passkey get when they sign in; "" for
// none. It follows from the random token of the cookie and not from its signature, so that a new master key changes no device.
func deviceID(cookie string) string {
	token, _, signed := strings.Cut(cookie, ".")
	if token == "" || !signed {
		return ""
	}
	sum := sha256.Sum256([]byte("device of connections " + token))
	id := sum[:16]
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80 // version 8 and variant of RFC 9562
	digits := hex.EncodeToString(id)
	return strings.Join([]string{digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]}, "-")
}
