package main

import (
	"path/filepath"

	"levy/local"
)

type prepareCmd struct {
	Home string `name:"home" var:"LEVY_HOME" default:".levy" placeholder:"FOLDER" help:"State folder."`
}

// Run obtains what is missing on this machine.
func (c *prepareCmd) Run(p *program) error {
	if err := local.EnsurePostgres(p.ctx, local.PostgresConfig{BinariesDir: filepath.Join(c.Home, "postgres-binaries"), Out: p.stdout}); err != nil {
		return err
	}
	_, err := local.EnsureTemporal(p.ctx, filepath.Join(c.Home, "bin"), p.stdout)
	return err
}
