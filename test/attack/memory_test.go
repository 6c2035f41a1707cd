package attack_test

import (
	"bytes"
	"context"
	"io"
	"mime/multipart"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// mostHeld is the most that a single request may hold, in bytes, beyond what the process holds without it.
const mostHeld = 64 << 20

// largeRequests: the largest request of each kind, one at a time. What the process holds is what a collection of
// garbage leaves, so that the pace of the collector says nothing.
func largeRequests(b *attackRun) {
	count, lines, file := 30, 100, 4<<20
	if b.long {
		count, lines, file = 100, 700, 64<<20
	}
	b.fill(count - 1)
	b.bed.Exec(copiedLines(b.bed), b.attacker.organization, lines)
	row, line := saleBody("LARGE", 1)+",", `{"external_product_id":"P-1","amount":"10.00"},`
	document, form := largeDocument(b)
	const head = "external_id,type,date,customer_external_id,external_product_id,amount\n"
	for _, request := range []struct {
		kind, method, target, contentType string
		body                              io.Reader
	}{
		{"a list of large sales", http.MethodGet, sales + "?size=100", "", http.NoBody},
		{"an export", http.MethodGet, sales + "/export?format=csv", "", http.NoBody},
		{
			"a batch", http.MethodPost, sales + "/batch", "application/json",
			strings.NewReader(`{"transactions":[` + strings.Repeat(row, 10<<20/len(row)-1) + "{}]}"),
		},
		{
			"an estimate", http.MethodPost, "/v1/tax/estimate", "application/json",
			strings.NewReader(`{"transaction_items":[` + strings.Repeat(line, 1<<20/len(line)-1) + "{}]}"),
		},
		{
			"a change", http.MethodPut, sales + "/" + models.NewID(models.PrefixTransaction), "application/json",
			strings.NewReader(`{"transaction_items":[` + strings.Repeat(line, 4<<20/len(line)-1) + "{}]}"),
		},
		{
			"a file of an import", http.MethodPost, sales + "/imports", "text/csv",
			io.MultiReader(strings.NewReader(head+`A,"`), io.LimitReader(spaces{}, int64(file))),
		},
		{
			"a document", http.MethodPost, "/v1/exemptions/" + models.NewID(models.PrefixExemption) + "/attachments", form,
			bytes.NewReader(document),
		},
	} {
		before := b.live()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			answer, err := b.attacker.sendFrom(b.Context(), request.method, request.target, request.body,
				"Content-Type", request.contentType)
			b.ended(answer, err)
		}()
		most := b.live()
		for under := true; under; {
			select {
			case <-ended:
				under = false
			default:
				most = max(most, b.live())
			}
		}
		b.Logf("%s: at most %s held", request.kind, megabytes(most-before))
		require.Less(b, most-before, int64(mostHeld), request.kind)
	}
	b.only("200", "202", "400 validation_failed", "404 exemption_not_found", "404 resource_not_found")
}

// largeDocument is a form with a document of the largest size, and its type.
func largeDocument(b *attackRun) (form []byte, contentType string) {
	var text bytes.Buffer
	w := multipart.NewWriter(&text)
	part, err := w.CreateFormFile("file", "certificate.pdf")
	require.NoError(b, err)
	_, err = io.WriteString(part, "%PDF-1.7\n"+strings.Repeat("x", 10<<20-2048))
	require.NoError(b, err)
	require.NoError(b, w.Close())
	return text.Bytes(), w.FormDataContentType()
}

var heapAlloc = regexp.MustCompile(`# HeapAlloc = (\d+)`)

// live is what the API holds just after a collection of its garbage, in bytes.
func (b *attackRun) live() int64 {
	b.Helper()
	request, err := http.NewRequestWithContext(context.WithoutCancel(b.Context()), http.MethodGet,
		b.private+"/debug/pprof/heap?gc=1&debug=1", http.NoBody)
	require.NoError(b, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(b, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(b, err)
	found := heapAlloc.FindSubmatch(text)
	require.NotNil(b, found, "%.200s", text)
	n, err := strconv.ParseInt(string(found[1]), 10, 64)
	require.NoError(b, err)
	return n
}
