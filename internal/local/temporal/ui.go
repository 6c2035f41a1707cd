package temporal

import (
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"time"

	"levy/internal/local"
	"levy/internal/webhook"
)

// CodecTokenHeader carries to the codec the token that only Config and the API know.
const CodecTokenHeader = "X-Levy-Codec-Token"

// UI serves the web UI of a development server to people of this machine. The server knows no codec, so UI adds one to
// its settings, without any credential. UI passes requests for it on to the codec of the API. It passes the cookies of
// the browser, for a person who is signed in to the console. It adds the token, by which the API decrypts for a browser
// without a session. Only a browser with the cookie of a page reaches the codec.
type UI struct {
	cookie string // its value
	pages  http.Handler
	codec  http.Handler
}

// NewUI serves the UI at server with the codec of the API at api, both host:port.
func NewUI(server, api, codecToken string) *UI {
	u := &UI{cookie: rand.Text()}
	u.pages = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: server})
			r.Out.Host = r.In.Host
			if r.In.URL.Path == settingsPath {
				r.Out.Header.Del("Accept-Encoding") // to read the answer
			}
		},
		ModifyResponse: u.completePage, ErrorHandler: notThere,
	}
	u.codec = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: api})
			r.Out.Header.Set(CodecTokenHeader, codecToken)
		},
		ErrorHandler: notThere,
	}
	return u
}

const (
	settingsPath = "/api/v1/settings"
	uiCodecPath  = "/codec"
)

// ServeHTTP refuses other names of this machine (421), because a page of another site could read the UI by them. At the
// codec it refuses other origins (403) and browsers without a page of this UI (401).
func (u *UI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !ofThisMachine(r.Host) {
		http.Error(w, "this is served as localhost and 127.0.0.1 only", http.StatusMisdirectedRequest)
		return
	}
	if !strings.HasPrefix(r.URL.Path, uiCodecPath+"/") {
		u.pages.ServeHTTP(w, r)
		return
	}
	if r.Header.Get("Origin") != "http://"+r.Host {
		http.Error(w, "origin not allowed", http.StatusForbidden)
		return
	}
	cookie, err := r.Cookie(uiCookie(r.Host))
	if err != nil || subtle.ConstantTimeCompare([]byte(cookie.Value), []byte(u.cookie)) != 1 {
		http.Error(w, "load a page of the Temporal UI again: levy dev was started since", http.StatusUnauthorized)
		return
	}
	u.codec.ServeHTTP(w, r)
}

// ofThisMachine reports whether the host of a request is this machine by a name that no other machine can have.
func ofThisMachine(host string) bool {
	return webhook.OfThisMachine((&url.URL{Host: host}).Hostname())
}

// uiCookie is the name of the cookie: cookies know no ports, and several levy dev may run side by side.
func uiCookie(host string) string { return "levy_temporal_ui_" + (&url.URL{Host: host}).Port() }

// completePage adds the codec to the settings and the cookie to pages.
func (u *UI) completePage(resp *http.Response) error {
	if resp.Request.URL.Path == settingsPath && resp.StatusCode == http.StatusOK {
		return nameCodec(resp)
	}
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind == "text/html" {
		cookie := http.Cookie{
			Name: uiCookie(resp.Request.Host), Value: u.cookie, Path: uiCodecPath, HttpOnly: true,
			SameSite: http.SameSiteStrictMode,
		}
		resp.Header.Add("Set-Cookie", cookie.String())
	}
	return nil
}

func nameCodec(resp *http.Response) error {
	settings := map[string]any{}
	if err := json.NewDecoder(resp.Body).Decode(&settings); err != nil {
		return fmt.Errorf("the settings of the Temporal UI: %w", err)
	}
	settings["Codec"] = map[string]any{
		"Endpoint": "http://" + resp.Request.Host + uiCodecPath, "IncludeCredentials": true,
	}
	content, err := json.Marshal(settings)
	if err != nil {
		return err
	}
	if err := resp.Body.Close(); err != nil {
		return err
	}
	resp.Body = io.NopCloser(bytes.NewReader(content))
	resp.ContentLength = int64(len(content))
	resp.Header.Set("Content-Length", strconv.Itoa(len(content)))
	return nil
}

// notThere answers while the server or the API starts again.
func notThere(w http.ResponseWriter, _ *http.Request, err error) {
	http.Error(w, "try again: "+err.Error(), http.StatusBadGateway)
}

// serveUI serves the web UI on its port, and gives the server's own another one.
func (t *Server) serveUI(c *Config) (err error) {
	listener, err := net.Listen("tcp", local.OnLoopback(c.UIPort))
	if err != nil {
		return err
	}
	if c.UIPort, err = local.FreePort(); err != nil {
		return errors.Join(err, listener.Close())
	}
	t.ui = &http.Server{
		Handler: NewUI(local.OnLoopback(c.UIPort), c.CodecAPI, c.CodecToken), ReadHeaderTimeout: 10 * time.Second,
	}
	go func(ui *http.Server) { _ = ui.Serve(listener) }(t.ui) // ends when it is closed
	return nil
}
