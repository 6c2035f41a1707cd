package api

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"levy/service"
)

// reader is a client that reads each piece slowly.
type reader struct {
	*httptest.ResponseRecorder
	takes time.Duration
}

func (r reader) Write(piece []byte) (int, error) {
	<-time.After(r.takes)
	return r.ResponseRecorder.Write(piece)
}

// A download that is read so slowly that it seems to occupy its place on purpose is ended, and no other one.
func TestADownloadThatIsReadTooSlowlyIsEnded(t *testing.T) {
	t.Parallel()
	const pieceTakes = service.ExportPiece * time.Second / leastRate // at the least rate
	for name, test := range map[string]struct {
		takes  time.Duration
		pieces int // that it gets, of a hundred
	}{
		"one that is faster":                   {pieceTakes - time.Second, 100},
		"one that keeps to the least rate":     {pieceTakes, 100},
		"one that is slower, after 30 seconds": {pieceTakes + time.Second, int(leastRateAfter/(pieceTakes+time.Second)) + 1},
		"one that stops almost":                {exportWriteTimeout, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c, _ := gin.CreateTestContext(reader{httptest.NewRecorder(), test.takes})
				out := (&Server{service: emptyService(t)}).newStream(c, http.StatusOK)
				written, err := 0, error(nil)
				for written < 100 && err == nil {
					if _, err = out.Write(make([]byte, service.ExportPiece)); err == nil {
						written++
					}
				}
				require.Equal(t, test.pieces, written)
				require.Equal(t, test.pieces < 100, errors.Is(err, errSlow))
			})
		})
	}
}
