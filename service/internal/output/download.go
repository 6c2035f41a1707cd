package output

import (
	"bufio"
	"context"
	"time"

	"levy/contract"
	"levy/contract/problem"
	"levy/service/internal/call"
	"levy/service/limit"
)

const (
	// ExportPiece is the size of the buffer of a file, in bytes.
	ExportPiece = 64 << 10
)

// exports are the files under way. Each buffers the rows that it reads at a time.
var exports = limit.Sizes{Total: 24, Partner: 16, Alone: 20, Organization: 2}

// reports are the reports that are read. Each holds a connection to the database for up to minutes, so a partner has fewer
// than its share of the connections.
var reports = limit.Sizes{Total: 6, Partner: 2, Alone: 4, Organization: 2}

// Download sends a file while write writes it. Errors: *problem.Problem if too many files are under way, and those
// of write.
func (o *Outputs) Download(
	ctx context.Context, out contract.Stream, file contract.Content,
	write func(ctx context.Context, to *bufio.Writer) error,
) error {
	release, err := acquire(ctx, o.exports)
	if err != nil {
		return err
	}
	defer release()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go o.watch(ctx, cancel)
	out.Begin(file)
	to := bufio.NewWriterSize(out, ExportPiece)
	if err := write(ctx, to); err != nil {
		return err
	}
	return to.Flush()
}

// Acquire takes a slot of a file for an answer that costs as much, until release is called. Errors: *problem.Problem if
// none is free.
func (o *Outputs) Acquire(ctx context.Context) (release func(), err error) {
	return acquire(ctx, o.exports)
}

// AcquireReport takes a slot of a report that is read, until release is called. Errors: *problem.Problem if none is free.
func (o *Outputs) AcquireReport(ctx context.Context) (release func(), err error) {
	return acquire(ctx, o.reports)
}

// acquire takes a slot for a file of the caller until release is called. Errors: *problem.Problem if none is free.
func acquire(ctx context.Context, slots *limit.Shares) (release func(), err error) {
	c := call.Of(ctx)
	release, ok := slots.TryAcquire(c.Principal.PartnerID(), c.Scope.OrganizationID, 1)
	if !ok {
		return nil, problem.New(problem.CodeRateLimited, "Too many exports are under way.").With("limit_type", "concurrency")
	}
	return release, nil
}

// watch cancels a file when its caller is no longer admitted, and when the process stops, whose end a long file must not
// delay.
func (o *Outputs) watch(ctx context.Context, cancel func()) {
	again := time.NewTicker(o.Times.Heartbeat)
	defer again.Stop()
	for {
		select {
		case <-o.Stopping:
			cancel()
			return
		case <-ctx.Done():
			return
		case <-again.C:
		}
		// guard: grants: a file ends with the right of its caller
		if c := call.Of(ctx); !c.StillAdmitted(ctx, c.Scope) && ctx.Err() == nil {
			cancel()
			return
		}
	}
}
