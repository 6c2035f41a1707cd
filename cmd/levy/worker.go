package main

import (
	"context"
	"errors"
	"io"
)

type workerCmd struct{}

// Run works until the program is told to end.
func (workerCmd) Run(p *program) error {
	if err := p.config.validate(needDatabase, needTemporal, needMasterKeys); err != nil {
		return err
	}
	return runWorker(p.ctx, p.config, p.stderr)
}

// runWorker runs workflows and activities, with /readyz on cfg.PrivateAddr,
// until ctx ends; then it finishes what is in progress and returns.
func runWorker(ctx context.Context, cfg Config, log io.Writer) error {
	return errors.New("the worker is not wired")
}
