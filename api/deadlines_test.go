package api

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/iotest"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"levy/contract/problem"
)

// deadlineWriter records the deadlines of a request and its answer.
type deadlineWriter struct {
	*httptest.ResponseRecorder
	read, write time.Time
}

func (w *deadlineWriter) SetReadDeadline(t time.Time) error {
	w.read = t
	return nil
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
		engine.POST("/", func(c *gin.Context) { allowAnswer(c, limit, false) })
		engine.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", http.NoBody))
		require.Equal(t, given, !w.write.IsZero(), limit)
	}
}

func TestAnUploadThatStopsIsAnswered(t *testing.T) {
	t.Parallel()
	w := &deadlineWriter{ResponseRecorder: httptest.NewRecorder()}
	c, _ := gin.CreateTestContext(w)
	c.Request = httptest.NewRequestWithContext(
		t.Context(), http.MethodPost, "/", iotest.ErrReader(os.ErrDeadlineExceeded),
	)
	_, err := newUploadBody(c, 100, time.Now).Read(make([]byte, 100))
	var refusal *problem.Problem
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, problem.CodeRequestTimeout, refusal.Code)
	require.True(t, w.write.After(w.read), "read until %s, written until %s", w.read, w.write)
}
