// Package browser has what doors that read cookies know of browsers. It builds the cookie of a session, and says which
// requests come from a page of this service.
package browser

import (
	"net"
	"net/http"
	"net/url"
	"time"

	"levy/internal/webhook"
)

// Names of cookies: of a person's session, of a device that has signed in, and of the token of an onboarding link.
const (
	// SessionCookie is the name on the same machine, where there is no TLS.
	SessionCookie = "levy_session"
	// HostSessionCookie can be set by this host alone, by TLS: browsers refuse one of another host of the domain.
	HostSessionCookie = "__Host-levy_session"

	DeviceCookie = "levy_device"
	LinkCookie   = "levy_onboarding"
)

// SetSession sets the cookie of a session for a time, under the name for the host of the request. An empty token deletes
// it.
func SetSession(w http.ResponseWriter, r *http.Request, token string, longest time.Duration) {
	http.SetCookie(w, session(r, sessionName(r), token, longest))
}

// sessionName returns the name of the cookie of a session for the host of a request.
func sessionName(r *http.Request) string {
	// guard: cookies: a new session is not taken from the name that other hosts can set
	if Secure(r) {
		return HostSessionCookie
	}
	return SessionCookie
}

func session(r *http.Request, name, token string, longest time.Duration) *http.Cookie {
	cookie := &http.Cookie{
		Name: name, Value: token, Path: "/", HttpOnly: true, Secure: Secure(r), SameSite: http.SameSiteLaxMode,
		MaxAge: int(longest / time.Second),
	}
	if token == "" {
		cookie.MaxAge = -1
	}
	return cookie
}

// SessionOf returns the token of a session; ok is false for none. By TLS only the name of the host counts. So another host
// of the domain cannot put its own session in its place.
func SessionOf(r *http.Request) (token string, ok bool) {
	cookie, err := r.Cookie(sessionName(r))
	if err != nil {
		return "", false
	}
	return cookie.Value, true
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
	return !webhook.OfThisMachine(host)
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
