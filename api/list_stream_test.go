package api_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/models"
	"levy/service"
)

// oneException is a list of exceptions with one that a test sets.
type oneException struct {
	service.Work
	mu   sync.Mutex
	name string
}

func (o *oneException) ListExceptions(
	context.Context, models.Visibility, models.ExceptionFilter, models.Page,
) (models.ExceptionList, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := models.ExceptionList{Counts: []models.ExceptionCount{{Type: models.ExceptionTransaction, Count: 1}}}
	list.Total, list.Items = 1, []models.Exception{{Type: models.ExceptionTransaction, Name: o.name, Code: "ADDRESS"}}
	return list, nil
}

func (o *oneException) becomes(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.name = name
}

// nextMark returns the id of the next message of a stream of a list.
func (e *eventStream) nextMark(kind string) string {
	e.t.Helper()
	for {
		block, ok := e.block()
		require.True(e.t, ok, "the stream has ended")
		if lines := strings.Split(block, "\n"); lines[0] == "event: "+kind {
			require.Contains(e.t, lines[2], `"mark":"`+strings.TrimPrefix(lines[1], "id: ")+`"`)
			return strings.TrimPrefix(lines[1], "id: ")
		}
	}
}

// The first mark of a stream is that of the answer with the same list, so a page made from the answer misses no change.
// The list is read again after an event and with every heartbeat.
func TestTheStreamOfAListBeginsWithTheMarkOfItsAnswer(t *testing.T) {
	t.Parallel()
	for name, beat := range map[string]time.Duration{"after an event": time.Minute,
		"with time alone": 20 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			work := &oneException{name: "ORDER-1"}
			in := install(t, withStreams(service.StreamTimes{Heartbeat: beat, Lifetime: time.Hour, WriteTimeout: time.Minute}),
				func(d *service.Deps, _ *api.Options) { d.Work = work })
			address, _, _ := in.serve()
			shown := func() string {
				a := in.do(in.root, http.MethodGet, "/v1/exceptions", "")
				require.Equal(t, http.StatusOK, a.Code, a.Body.String())
				sum := sha256.Sum256(a.Body.Bytes())
				return hex.EncodeToString(sum[:8])
			}
			first := shown()
			require.Equal(t, first, followPath(t, address, in.root, "/v1/exceptions/stream", "", nil).nextMark("exceptions"))
			e := followPath(t, address, in.root, "/v1/exceptions/stream", first, nil)
			require.Equal(t, http.StatusOK, e.status)
			work.becomes("ORDER-2")
			if beat == time.Minute {
				in.client("Acme")
			}
			require.Equal(t, shown(), e.nextMark("exceptions"), "an unchanged mark is not sent again")
			require.NotEqual(t, first, shown())
		})
	}
}
