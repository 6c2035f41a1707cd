package api_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/store/storetest"
)

// A few of the largest bodies may be read at a time, half of them of one partner. The next request must be repeated
// later.
func TestLargeBodiesAreBounded(t *testing.T) {
	t.Parallel()
	in := install(t)
	other := in.client("Other")
	storetest.Execute(t, in.address, "UPDATE organizations SET parent_organization_id = NULL WHERE id = $1",
		other.organizationID)
	const size, room = 10 << 20, 6 // Of 64 MiB
	read, finish := make(chan struct{}, room), make(chan struct{})
	var held sync.WaitGroup
	begin := func(as credentials) {
		held.Go(func() {
			in.do(as, "POST", "/v1/transactions/batch", "", func(r *http.Request) {
				r.Body, r.ContentLength = io.NopCloser(&heldBody{read: read, finish: finish}), size
			}).expect(400, "invalid_json")
		})
		<-read
	}
	send := func(as credentials, change func(*http.Request)) answer {
		return in.do(as, "POST", "/v1/transactions/batch", `{"transactions":[]}`, change)
	}
	unannounced := func(r *http.Request) { r.ContentLength = -1 }
	large := func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(strings.Repeat(" ", 2<<20)+"{}")), -1
	}
	refused := func(as credentials) {
		for _, change := range []func(*http.Request){large, func(r *http.Request) { r.ContentLength = size }} {
			busy := send(as, change).expect(503, "service_unavailable")
			require.Equal(t, "not_applied", busy.text("outcome"))
			require.Equal(t, "1", busy.Header().Get("Retry-After"))
		}
	}
	for range room / 2 {
		begin(in.root)
	}
	refused(in.root) // its half is taken
	refused(in.client("Client"))
	for range room / 2 {
		begin(other)
	}
	refused(in.client("Third"))
	batch := func(change func(*http.Request)) answer { return send(in.root, change) }
	batch(func(r *http.Request) { r.ContentLength = size + 1 }).expect(413, "payload_too_large")
	batch(func(*http.Request) {}).expect(400, "validation_failed") // a small one does not count
	batch(unannounced).expect(400, "validation_failed")
	close(finish)
	held.Wait()
	batch(large).expect(400, "validation_failed")
}

// heldBody reports its first read, and then waits.
type heldBody struct {
	read, finish chan struct{}
}

func (b *heldBody) Read([]byte) (int, error) {
	select {
	case b.read <- struct{}{}:
	case <-b.finish:
		return 0, io.EOF
	}
	<-b.finish
	return 0, io.EOF
}
