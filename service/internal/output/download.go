package output

import (
	"bufio"
	"context"

	"levy/contract"
	"levy/contract/problem"
	"levy/service/internal/call"
)

const (
	// ExportPiece is what of a file is held at a time, in bytes.
	ExportPiece = 64 << 10
	// maxExports is how many files are under way at once, and maxExportsOfOne how many of
	// one partner: each holds what is read of it at a time.
	maxExports, maxExportsOfOne = 16, 2
)

// Download answers with a file while write writes it. Errors: a *problem.Problem when too many files are under way, and
// those of write.
func (o *Outputs) Download(
	ctx context.Context, out contract.Stream, file contract.Content,
	write func(ctx context.Context, to *bufio.Writer) error,
) error {
	release, ok := o.exports.TryAcquire(call.Of(ctx).Principal.PartnerID(), 1)
	if !ok {
		return problem.New(problem.CodeRateLimited, "Too many exports are under way.").With("limit_type", "concurrency")
	}
	defer release()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-o.Stopping:
			cancel() // it would keep the server from ending
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
