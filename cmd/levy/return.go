package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"levy/models"
	"levy/service"
)

// returnCmd writes the files of returns.
type returnCmd struct {
	Export returnExportCmd `cmd:"" help:"Write worksheet, figures, findings and payment of a return into a folder, and the file for its authority if there is one."`
	Proof  returnProofCmd  `cmd:"" help:"Write one archive of a filed return: the file that its authority got, approval, answers, confirmations and hashes."`
}

// namedReturn is the return of a command.
type namedReturn struct {
	Organization string `arg:"" help:"Id of the organization, org_…"`
	Filing       string `arg:"" help:"Id of the filing, file_…"`
}

// with opens the files of the return.
func (n namedReturn) with(p *program, write func(files *service.ReturnFiles, scope models.Scope) error) error {
	s, err := p.openStore(needDatabase, needMasterKeys)
	if err != nil {
		return err
	}
	defer s.Close()
	law, err := s.Content.OpenCache(p.ctx)
	if err != nil {
		return err
	}
	files := service.NewReturnFiles(&service.Deps{
		Filings: s.Filings, Reports: s.Filings, Registrations: s.Registrations, Onboardings: s.Organizations, Audit: s.Audit, Law: law,
		SentTo: p.config.sentTo(),
	}, time.Now)
	if err := write(files, models.Scope{OrganizationID: n.Organization}); err != nil {
		return fmt.Errorf("filing %s of %s: %w", n.Filing, n.Organization, err)
	}
	return nil
}

// returnExportCmd writes what people need to file a return.
type returnExportCmd struct {
	namedReturn
	To string `help:"Folder; it is made if it is missing." default:"." placeholder:"DIR"`
}

// Run names the files that it has written.
func (c returnExportCmd) Run(p *program) error {
	return c.with(p, func(files *service.ReturnFiles, scope models.Scope) error {
		made, err := files.Export(p.ctx, scope, c.Filing)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(c.To, 0o700); err != nil {
			return err
		}
		for _, file := range made {
			if err := writeNew(p, filepath.Join(c.To, c.Filing+"-"+file.Name), file.Content); err != nil {
				return err
			}
		}
		return nil
	})
}

// returnProofCmd writes the proof of a filed return.
type returnProofCmd struct {
	namedReturn
	To string `help:"The archive. Default: the id of the filing with .zip." placeholder:"FILE"`
}

// Run names the archive that it has written.
func (c returnProofCmd) Run(p *program) error {
	return c.with(p, func(files *service.ReturnFiles, scope models.Scope) error {
		archive, err := files.Proof(p.ctx, scope, c.Filing)
		if err != nil {
			return err
		}
		to := c.To
		if to == "" {
			to = c.Filing + ".zip"
		}
		return writeNew(p, to, archive)
	})
}

// writeNew writes a file that only its owner reads, because it has numbers and names of the taxpayer.
func writeNew(p *program, path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600) //nolint:gosec // the operator names the path
	if err != nil {
		return err
	}
	err = file.Chmod(0o600) // a file that was there keeps its mode else
	if err == nil {
		_, err = file.Write(content)
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.stdout, path)
	return err
}
