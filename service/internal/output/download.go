package output

import (
	"bufio"
	"context"

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

// Download sends a file while write writes it. Errors: *problem.Problem if too many files are under way, and those
// of write.
func (o *Outputs) Download(
	ctx context.Context, out contract.Stream, file contract.Content,
	write func(ctx context.Context, to *bufio.Writer) error,
) error {
	c := call.Of(ctx)
	release, ok := o.exports.TryAcquire(c.Principal.PartnerID(), c.Scope.OrganizationID, 1)
	if !ok {
		return problem.New(problem.CodeRateLimited, "Too many exports are under way.").With("limit_type", "concurrency")
	}
	defer release()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-o.Stopping:
			cancel() // a long file must not delay the end of the process
		case <-ctx.Done():
		}
	}()
	out.Begin(file)
	to := bufio.NewWriterSize(out, ExportPiece)
	if err := write(ctx, to); err != nil {
		return err
	}
	return to.Flush()
}
