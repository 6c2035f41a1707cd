package client

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// CreateTransactionImport sends a CSV file of transactions and returns the import,
// which goes on by itself (POST /v1/transactions/imports). The content is read from
// its beginning, again for each repeat; the same file is never imported twice. name is
// what people see; it may be empty.
func (c *Client) CreateTransactionImport(
	ctx context.Context, content io.ReadSeeker, name string, options ...CallOption,
) (TransactionImport, error) {
	var answer TransactionImport
	size, err := content.Seek(0, io.SeekEnd)
	if err != nil {
		return answer, fmt.Errorf("levy: size of the file: %w", err)
	}
	target, once := "/v1/transactions/imports", rand.Text()
	if name != "" {
		target += "?" + url.Values{"name": {name}}.Encode()
	}
	unbounded := *c
	unbounded.http = withoutTimeout(c.http)
	err = c.retry.do(ctx, func() (time.Duration, error) {
		if _, err := content.Seek(0, io.SeekStart); err != nil {
			return 0, fmt.Errorf("levy: read the file: %w", err)
		}
		request, err := c.request(ctx, http.MethodPost, target, io.NopCloser(content))
		if err != nil {
			return 0, err
		}
		request.ContentLength = size
		request.Header.Set("Content-Type", "text/csv")
		request.Header.Set("Idempotency-Key", once)
		for _, option := range options {
			option(request)
		}
		return unbounded.send(request, &answer)
	})
	return answer, err
}

// WithColumns names the columns of the file of CreateTransactionImport in their order, with commas between them, such as
// "external_id,,type,date". They take the place of its header row. A column with an empty name is not read.
func WithColumns(names string) CallOption {
	return func(r *http.Request) {
		query := r.URL.Query()
		query.Set("columns", names)
		r.URL.RawQuery = query.Encode()
	}
}

// ExportRejectedRows writes the rows of an import that were not taken in to out, as
// CSV (GET /v1/transactions/imports/{import_id}/rejected_rows).
func (c *Client) ExportRejectedRows(ctx context.Context, importID string, out io.Writer) error {
	request, err := c.request(ctx, http.MethodGet,
		path("/v1/transactions/imports/{import_id}/rejected_rows", importID), nil)
	if err != nil {
		return err
	}
	response, err := withoutTimeout(c.http).Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		failure := &Error{StatusCode: response.StatusCode}
		if json.NewDecoder(response.Body).Decode(&failure.Problem) != nil {
			failure.Problem = Problem{Detail: http.StatusText(response.StatusCode)}
		}
		return failure
	}
	_, err = io.Copy(out, response.Body)
	return err
}

// request is a call as this client makes it.
func (c *Client) request(ctx context.Context, method, target string, body io.Reader) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.baseURL+target, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("X-API-KEY", c.apiKey)
	request.Header.Set("x-organization-id", c.organization)
	return request, nil
}

// withoutTimeout is the same HTTP client without a limit on one attempt: files take long.
func withoutTimeout(h *http.Client) *http.Client {
	unbounded := *h
	unbounded.Timeout = 0
	return &unbounded
}
