package console_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
	"levy/web"
)

// feed is an API with a return and a feed of events, and the pages over it.
type feed struct {
	http.Handler
	mu      sync.Mutex
	newest  string         // event; empty where it is unknown
	pages   int            // how often the page was asked for
	streams map[string]int // how many began, by Last-Event-ID
	happens chan string    // messages for the stream
}

// followed are the pages over such an API, for somebody who is signed in.
func followed(t *testing.T, newest string) (f *feed, address string) {
	t.Helper()
	f = &feed{newest: newest, streams: map[string]int{}, happens: make(chan string)}
	console, err := web.NewConsole(gateTo(f), "", "")
	require.NoError(t, err)
	pages, err := console.Handler()
	require.NoError(t, err)
	api := http.NewServeMux()
	api.HandleFunc("/v1/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{}`) })
	api.HandleFunc("/v1/session", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"user":{"name":"Ada"},"organizations":[{"organization_id":"org_1","role":"admin"}]}`)
	})
	api.HandleFunc("/v1/events", func(w http.ResponseWriter, _ *http.Request) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.newest == "" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_, _ = fmt.Fprintf(w, `{"status":503,"next_cursor":%q}`, f.newest)
	})
	api.HandleFunc("/v1/events/stream", f.stream)
	api.Handle("/", pages)
	api.HandleFunc("/o/org_1/filings", func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		f.pages++
		f.mu.Unlock()
		pages.ServeHTTP(w, r)
	})
	f.Handler = api
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.AddCookie(&http.Cookie{Name: "levy_session", Value: "of somebody"})
		api.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	return f, server.URL
}

func (f *feed) stream(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.streams[r.Header.Get("Last-Event-ID")]++
	f.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	_ = http.NewResponseController(w).Flush()
	select {
	case message := <-f.happens:
		_, _ = io.WriteString(w, message)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	case <-r.Context().Done():
	}
}

// counts returns how often the page was requested, and how many streams began after an event.
func (f *feed) counts(event string) (pages, streams int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pages, f.streams[event]
}

func (f *feed) awaits(t *testing.T, event string, pages int) {
	t.Helper()
	require.Eventually(t, func() bool {
		asked, streams := f.counts(event)
		return streams > 0 && asked >= pages
	}, testbed.WaitLimit, 20*time.Millisecond)
	require.Never(t, func() bool {
		asked, _ := f.counts(event)
		return asked != pages
	}, 500*time.Millisecond, 20*time.Millisecond)
}

// A page is read once: its stream begins behind the event that was the newest when it was made. If that event is
// unknown, the page is read a second time to compare.
func TestAPageThatFollowsEventsIsReadOnce(t *testing.T) {
	t.Parallel()
	b := open(t, 1280, 900)
	f, address := followed(t, "evnt_1")
	b.do(chromedp.Navigate(address + "/o/org_1/filings"))
	f.awaits(t, "evnt_1", 1)
	f.mu.Lock()
	f.newest = "evnt_2"
	f.mu.Unlock()
	f.happens <- "id: evnt_2\nevent: filing.filed\ndata: {\"data\":{\"object\":{\"id\":\"file_1\"}}}\n\n"
	f.awaits(t, "evnt_2", 2)

	f, address = followed(t, "")
	b.do(chromedp.Navigate(address + "/o/org_1/filings"))
	f.awaits(t, "", 2)
}
