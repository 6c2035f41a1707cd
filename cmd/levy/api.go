package main

import (
	"context"
	"errors"
	"io"
)

type apiCmd struct{}

// Run serves the API until the program is told to end.
func (apiCmd) Run(p *program) error {
	if err := p.config.validate(needHTTP, needDatabase, needTemporal, needMasterKeys); err != nil {
		return err
	}
	return serveAPI(p.ctx, p.config, p.stderr)
}

// serveAPI serves HTTP on cfg.HTTPAddr, with /readyz there and on
// cfg.PrivateAddr, until ctx ends; then it drains and returns.
func serveAPI(ctx context.Context, cfg Config, log io.Writer) error {
	return errors.New("the API is not wired")
}
