package download

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/pace"
)

// piece is the size of a part of a file.
const piece = 64 << 10

// reader is a client that reads each piece slowly.
type reader struct {
	*httptest.ResponseRecorder
	takes time.Duration
	fast  int // pieces before
}

func (r *reader) Write(part []byte) (int, error) {
	if r.fast--; r.fast < 0 {
		<-time.After(r.takes)
	}
	return r.ResponseRecorder.Write(part)
}

// A download that is read so slowly that it seems to occupy its place on purpose is ended, and no other one.
func TestADownloadThatIsReadTooSlowlyIsEnded(t *testing.T) {
	t.Parallel()
	const pieceTakes = piece * time.Second / pace.Least // at the least rate
	for name, test := range map[string]struct {
		takes  time.Duration
		fast   int // pieces that it reads at once, before it becomes slow
		pieces int // that it gets, of a hundred
	}{
		"a line of 20 kB a second":         {piece * time.Second / 20_000, 0, 100},
		"one that keeps to the least rate": {pieceTakes, 0, 100},
		"one that is slower":               {pieceTakes + time.Second, 0, int(window / (pieceTakes + time.Second))},
		"one that stops almost":            {window / 2, 0, 2},
		"one that stops after a while":     {window, 60, 61},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				out := New(&reader{httptest.NewRecorder(), test.takes, test.fast}, nil, http.StatusOK, time.Second)
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
