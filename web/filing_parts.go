package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// part is the amount of a return for one jurisdiction.
type part struct {
	Code    string `json:"code"`
	Name    string `json:"jurisdiction_name"`
	Type    string `json:"jurisdiction_type"`
	Taxable string `json:"taxable_amount"`
	Tax     string `json:"tax_amount"`
}

// parts reads the amounts by jurisdiction from the report of a return. Members of the report are sorted by name, so
// that they precede the transactions, which are not read.
func (c *Console) parts(v *pageRequest, base string) (parts []part, err error) {
	ctx, enough := context.WithCancel(v.Context())
	defer enough()
	call, err := inner(v.WithContext(ctx), http.MethodGet, base+"/report?format=json", v.org, nil)
	if err != nil {
		return nil, err
	}
	reader, writer := io.Pipe()
	defer reader.Close()
	p := &pipe{PipeWriter: writer, header: http.Header{}, status: http.StatusOK}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if recover() != nil { // the API aborts an answer that no one reads
				_ = writer.CloseWithError(io.ErrUnexpectedEOF)
			}
		}()
		c.api().ServeHTTP(p, call)
		_ = writer.Close()
	}()
	defer func() {
		_ = reader.Close()
		enough()
		<-done
	}()
	decoder := json.NewDecoder(reader)
	for {
		token, err := decoder.Token()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil, p.late()
			}
			return nil, err
		}
		if token == "jurisdictions" {
			return parts, decoder.Decode(&parts)
		}
	}
}

// pipe is a ResponseWriter that writes into a pipe.
type pipe struct {
	*io.PipeWriter
	header http.Header
	status int
}

func (p *pipe) Header() http.Header { return p.header }

// late returns a *problem if the report could not be computed in time. After other refusals the page has no amounts by
// jurisdiction.
func (p *pipe) late() error {
	if p.status == http.StatusServiceUnavailable {
		return &problem{Status: p.status}
	}
	return nil
}

func (p *pipe) WriteHeader(status int) { p.status = status }
