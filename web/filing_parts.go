package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"levy/contract"
	"levy/models/report"
)

// parts reads the amounts by jurisdiction from the report of a return. Members of the report are sorted by name, so
// that they precede the transactions, which are not read.
func (v *pageRequest) parts() (parts []report.Jurisdiction, err error) {
	ctx, enough := context.WithCancel(v.Context())
	reader, writer := io.Pipe()
	out := &pipe{PipeWriter: writer}
	done := make(chan struct{})
	go func() {
		defer close(done)
		request := contract.GetFilingReportRequest{FilingID: v.PathValue("id")}
		request.Params.Format = "json"
		_ = writer.CloseWithError(v.session.GetFilingReport(ctx, request, out))
	}()
	defer func() {
		_ = reader.Close()
		enough()
		<-done
	}()
	decoder := json.NewDecoder(reader)
	for {
		token, err := decoder.Token()
		switch {
		case errors.Is(err, io.EOF):
			return nil, nil
		case err != nil && out.begun:
			return nil, err
		case err != nil:
			return nil, v.late(err)
		case token == "jurisdictions":
			return parts, decoder.Decode(&parts)
		}
	}
}

// late returns a *problem if the report could not be computed in time. After other refusals the page has no amounts by
// jurisdiction.
func (v *pageRequest) late(err error) error {
	if refused := v.refusalOf(err); refused.Status == http.StatusServiceUnavailable {
		return refused
	}
	return nil
}

// pipe passes a report to its reader. It implements contract.Stream.
type pipe struct {
	*io.PipeWriter
	begun bool
}

// Begin notes that the report was not refused.
func (p *pipe) Begin(contract.Content) { p.begun = true }

// Flush does nothing: the reader gets each part at once.
func (p *pipe) Flush() {}

// LastEventID returns "": a report has no events.
func (p *pipe) LastEventID() string { return "" }
