package api

import (
	"net/http"
	"strconv"
	"time"
)

// timed adds Server-Timing to every answer. No answer waits for the rest of its request.
func timed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Context().Err() != nil {
			panic(http.ErrAbortHandler) // the stream was reset before it was served
		}
		r, body := trackBody(r)
		next.ServeHTTP(&timedWriter{ResponseWriter: w, start: time.Now(), body: body}, r)
	})
}

type timedWriter struct {
	http.ResponseWriter
	start time.Time
	body  *requestBody
}

func (w *timedWriter) WriteHeader(status int) {
	ms := float64(time.Since(w.start).Microseconds()) / 1000
	w.Header().Set("Server-Timing", "app;dur="+strconv.FormatFloat(ms, 'f', -1, 64))
	w.body.drain(w.ResponseWriter)
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap gives http.ResponseController access to the connection.
func (w *timedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush sends the written part of the answer.
func (w *timedWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }
