package download

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// piece is the size of a part of a file.
const piece = 64 << 10

// reader is a client that reads each piece slowly.
type reader struct {
	*httptest.ResponseRecorder
	takes time.Duration
}

func (r reader) Write(part []byte) (int, error) {
	<-time.After(r.takes)
	return r.ResponseRecorder.Write(part)
}

// A download that is read so slowly that it seems to occupy its place on purpose is ended, and no other one.
func TestADownloadThatIsReadTooSlowlyIsEnded(t *testing.T) {
	t.Parallel()
	const pieceTakes = piece * time.Second / leastRate // at the least rate
	for name, test := range map[string]struct {
		takes  time.Duration
		pieces int // that it gets, of a hundred
	}{
		"one that is faster":                   {pieceTakes - time.Second, 100},
		"one that keeps to the least rate":     {pieceTakes, 100},
		"one that is slower, after 30 seconds": {pieceTakes + time.Second, int(leastRateAfter/(pieceTakes+time.Second)) + 1},
		"one that stops almost":                {writeTimeout, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				out := New(reader{httptest.NewRecorder(), test.takes}, nil, http.StatusOK, time.Second)
				out.Describe("text/csv", "all.csv")
				written, err := 0, error(nil)
				for written < 100 && err == nil {
					if _, err = out.Write(make([]byte, piece)); err == nil {
						written++
					}
				}
				require.Equal(t, test.pieces, written)
				require.Equal(t, test.pieces < 100, errors.Is(err, ErrSlow))
			})
		})
	}
}
