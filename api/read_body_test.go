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

// A few of the largest bodies may be read at a time. One organization has two, and a partner with its clients six while
// another partner asks. The next request must be repeated later.
func TestLargeBodiesAreBounded(t *testing.T) {
	t.Parallel()
	in := install(t)
	partner := func(name string) credentials {
		other := in.client(name)
		storetest.Execute(t, in.address, "UPDATE organizations SET parent_organization_id = NULL WHERE id = $1",
			other.organizationID)
		return other
	}
	const size, room = 10 << 20, 9 // Of 96 MiB
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
	twice := func(as credentials) {
		begin(as)
		begin(as)
	}
	twice(in.root)
	refused(in.root)
	first, second, third := in.client("First"), in.client("Second"), in.client("Third")
	send(first, large).expect(400, "validation_failed") // the other clients have their own
	twice(first)
	other := partner("Other")
	twice(other)
	refused(other)
	twice(second)
	refused(third) // the share of its partner, because others ask
	last := partner("Last")
	begin(last)
	refused(last) // all are taken
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
