package api

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"
)

// deadlineWriter remembers until when an answer may be written.
type deadlineWriter struct {
	*httptest.ResponseRecorder
	write time.Time
}

func (w *deadlineWriter) SetWriteDeadline(t time.Time) error {
	w.write = t
	return nil
}

func TestALongAnswerHasItsTimeWithoutABodyToo(t *testing.T) {
	t.Parallel()
	for limit, given := range map[time.Duration]bool{responseTimeout: false, time.Minute: true} {
		w := &deadlineWriter{ResponseRecorder: httptest.NewRecorder()}
		engine := gin.New()
		engine.POST("/", limitTime(limit), func(*gin.Context) {})
		engine.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", http.NoBody))
		require.Equal(t, given, !w.write.IsZero(), limit)
	}
}
