// Package browser has what doors that read cookies know of browsers. It builds the cookie of a session, and says which
// requests come from a page of this service.
package browser

import (
	"net"
	"net/http"
	"net/url"
	"time"

	"levy/internal/secret"
	"levy/internal/webhook"
)

// Names of cookies: of a person's session, of a device that has signed in, and of the token of an onboarding link.
const (
	// SessionCookie is the name on the same machine, where there is no TLS, and of sessions from before HostSessionCookie.
	SessionCookie = "levy_session"
	// HostSessionCookie can be set by this host alone, by TLS: browsers refuse one of another host of the domain.
	HostSessionCookie = "__Host-levy_session"

	DeviceCookie = "levy_device"
	LinkCookie   = "levy_onboarding"
)

// SetSession sets the cookie of a session for a time, under the name for the host of the request. An empty token deletes
// it. A cookie under the older name is deleted.
func SetSession(w http.ResponseWriter, r *http.Request, token string, longest time.Duration) {
	name := SessionCookie
	if Secure(r) {
		name = HostSessionCookie
		if _, err := r.Cookie(SessionCookie); err == nil {
			http.SetCookie(w, session(r, SessionCookie, "", longest))
		}
	}
	http.SetCookie(w, session(r, name, token, longest))
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

// SessionOf returns the token of a session; ok is false for none. A session that began under the name of the host goes on
// under that name alone. So another host of the domain cannot put its own session in its place. Older sessions go on
// under the older name.
func SessionOf(r *http.Request) (token string, ok bool) {
	if Secure(r) {
		if cookie, err := r.Cookie(HostSessionCookie); err == nil {
			return cookie.Value, true
		}
	}
	cookie, err := r.Cookie(SessionCookie)
	// guard: cookies: a new session is not taken from the name that other hosts can set
	if err != nil || Secure(r) && secret.IsSession(cookie.Value) {
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
