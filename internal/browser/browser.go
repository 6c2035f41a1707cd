// Package browser has what doors that read cookies know of browsers. It builds the cookie of a session, and says which
// requests come from a page of this service.
package browser

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"
)

// Names of cookies: of a person's session, of a device that has signed in, and of the token of an onboarding link.
const (
	SessionCookie = "levy_session"
	DeviceCookie  = "levy_device"
	LinkCookie    = "levy_onboarding"
)

// Session returns the cookie of a session for a time. An empty token deletes it.
func Session(r *http.Request, token string, longest time.Duration) *http.Cookie {
	cookie := &http.Cookie{
		Name: SessionCookie, Value: token, Path: "/", HttpOnly: true, Secure: Secure(r), SameSite: http.SameSiteLaxMode,
		MaxAge: int(longest / time.Second),
	}
	if token == "" {
		cookie.MaxAge = -1
	}
	return cookie
}

// Device returns the cookie of a device for a time.
func Device(r *http.Request, value string, longest time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: DeviceCookie, Value: value, Path: "/", HttpOnly: true, Secure: Secure(r), SameSite: http.SameSiteLaxMode,
		MaxAge: int(longest / time.Second),
	}
}

// DeviceOf returns the value of the cookie of a device; empty for none.
func DeviceOf(r *http.Request) string {
	cookie, err := r.Cookie(DeviceCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// Secure reports whether the cookies of an answer need TLS. They need it unless the client is on the same machine.
func Secure(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	address, err := netip.ParseAddr(host)
	return host != "localhost" && (err != nil || !address.IsLoopback())
}

// Changes reports whether a request may change something.
func Changes(r *http.Request) bool { return r.Method != http.MethodGet && r.Method != http.MethodHead }

// SameOrigin reports whether a request comes from a page of this service. Browsers name the site of the page in
// Sec-Fetch-Site; older ones send only Origin. A request without both is from an unknown page.
func SameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && origin.Host != "" && origin.Host == r.Host
}
