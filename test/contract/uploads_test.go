package contract_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A file that is refused releases its slot: a partner has two.
func TestRefusedFilesReleaseTheirSlots(t *testing.T) {
	t.Parallel()
	in := install(t)
	for range 3 {
		a := in.send(t, request{
			as: in.root, method: "POST", target: "/v1/transactions/imports", body: "unknown,columns\n1,2\n",
			header: map[string][]string{"Content-Type": {"text/csv"}},
		})
		require.Equal(t, 400, a.status, "%s", a.body)
	}
	in.call(in.root, "POST", "/v1/transactions/imports", in.fileBody(), 202)
	require.EqualValues(t, 1, in.call(in.root, "GET", "/v1/transactions/imports", "", 200).member(t, "total"))
	require.NotContains(t, in.log.String(), `"level":"ERROR"`)
}
