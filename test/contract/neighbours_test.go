package contract_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// A client whose bodies never arrive holds its own share, and refuses no file and no batch of its partner's other
// clients: counted, not timed.
func TestIdleBodiesOfAClientRefuseNoNeighbour(t *testing.T) {
	t.Parallel()
	in := install(t)
	greedy := in.client()
	held, release := in.held(greedy, "/v1/transactions/imports", "text/csv", "external_id,", 60_000)
	defer release()
	require.Equal(t, 2, held, "the client has its own share")
	batches, releaseBatches := in.held(greedy, "/v1/transactions/batch", "application/json", `{"transactions":[`, 10_000_000)
	defer releaseBatches()
	require.Equal(t, 2, batches)
	for range 5 {
		neighbour := in.client()
		a := in.send(t, request{as: neighbour, method: "POST", target: "/v1/transactions/imports", body: in.fileBody()})
		require.Equal(t, 202, a.status, "%s", a.body)
		sale := saleBody(in.next("ORDER"), "P-1", 1)
		a = in.send(t, request{as: neighbour, method: "POST", target: "/v1/transactions/batch",
			body: `{"transactions":[` + strings.Repeat(" ", 2<<20) + sale + `]}`})
		require.Equal(t, 200, a.status, "%s", a.body)
	}
}

// held begins requests whose bodies of a size never arrive, and returns how many wait for theirs.
func (in *installation) held(as credentials, target, media, begin string, size int64) (held int, release func()) {
	in.t.Helper()
	ctx, leave := context.WithCancel(in.t.Context())
	var waiting sync.WaitGroup
	for range 6 {
		from, to := io.Pipe()
		sent := httptest.NewRequestWithContext(ctx, http.MethodPost, target, from)
		sent.ContentLength = size
		sent.Header.Set("X-API-KEY", as.key)
		sent.Header.Set("x-organization-id", as.organization)
		sent.Header.Set("Content-Type", media)
		waiting.Go(func() {
			in.handler.ServeHTTP(reader{httptest.NewRecorder(), leave}, sent)
			_ = from.Close() // a refusal reads nothing
		})
		if _, err := io.WriteString(to, begin); err == nil {
			held++
		}
		context.AfterFunc(ctx, func() { _ = to.CloseWithError(context.Canceled) })
	}
	return held, func() {
		leave()
		waiting.Wait()
	}
}
