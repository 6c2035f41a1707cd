package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// texts returns what the program prints about its command line, by the paths where systems look for it, and the
// licences.
func (r release) texts() (map[string][]byte, error) {
	if _, err := os.Stat(r.program); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", filepath.Base(r.program), errNoProgram)
	}
	texts := map[string][]byte{}
	for path, args := range map[string][]string{
		"/usr/share/man/man1/levy.1.gz":                  {"man"},
		"/usr/share/bash-completion/completions/levy":    {"completion", "bash"},
		"/usr/share/zsh/vendor-completions/_levy":        {"completion", "zsh"},
		"/usr/share/fish/vendor_completions.d/levy.fish": {"completion", "fish"},
		"/usr/share/doc/levy/THIRD_PARTY_NOTICES.txt.gz": {"licences"},
	} {
		command := exec.Command(r.program, args...)
		command.Env = []string{}
		text, err := command.Output()
		if err != nil {
			return nil, fmt.Errorf("levy %v: %w", args, err)
		}
		if filepath.Ext(path) == ".gz" {
			if text, err = packed(text); err != nil {
				return nil, err
			}
		}
		texts[path] = text
	}
	// Debian and others look for completions of zsh at different places.
	texts["/usr/share/zsh/site-functions/_levy"] = texts["/usr/share/zsh/vendor-completions/_levy"]
	return texts, nil
}

// packed compresses a text, without a name and a time of its own.
func packed(text []byte) ([]byte, error) {
	var b bytes.Buffer
	writer, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := writer.Write(text); err != nil {
		return nil, err
	}
	err = writer.Close()
	return b.Bytes(), err
}

// of says to which kind of package a path belongs; "" to each.
var of = map[string]string{
	"/usr/share/zsh/vendor-completions/_levy": "deb",
	"/usr/share/zsh/site-functions/_levy":     "rpm",
}

// packages writes the packages for one architecture.
func (r release) packages(architecture string, texts map[string][]byte) error {
	scratch, err := os.MkdirTemp("", "levy-packages-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	var contents files.Contents
	add := func(source, path string, mode fs.FileMode) {
		contents = append(contents, &files.Content{
			Source: source, Destination: path, Type: files.TypeFile, Packager: of[path],
			FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: mode, MTime: r.time},
		})
	}
	add(r.at(r.programFor(architecture)), "/usr/bin/levy", 0o755)
	for path, text := range texts {
		source := filepath.Join(scratch, filepath.Base(path)+of[path])
		if err := os.WriteFile(source, text, 0o600); err != nil {
			return err
		}
		add(source, path, 0o644)
	}
	add(filepath.Join(r.root, "LICENSE"), "/usr/share/doc/levy/copyright", 0o644)
	for pattern, folder := range map[string]string{
		"*.service": "/usr/lib/systemd/system", "*.socket": "/usr/lib/systemd/system", "*.timer": "/usr/lib/systemd/system",
		"hardening.conf": "/usr/lib/systemd/system/levy-.service.d",
		"examples/*.env": "/usr/share/doc/levy/examples",
	} {
		found, err := filepath.Glob(r.linux(pattern))
		if err != nil || len(found) == 0 {
			return errors.Join(err, fmt.Errorf("no %s", pattern))
		}
		for _, source := range found {
			add(source, folder+"/"+filepath.Base(source), 0o644)
		}
	}
	add(r.linux("levy.sysusers"), "/usr/lib/sysusers.d/levy.conf", 0o644)

	for _, kind := range []string{"deb", "rpm"} {
		if err := r.pack(kind, architecture, contents); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
	}
	return nil
}

// linux is the path of a file that packages have for systemd and their installation.
func (r release) linux(name string) string { return filepath.Join(r.root, "deploy", "linux", name) }

func (r release) pack(kind, architecture string, contents files.Contents) error {
	version, metadata := r.numbers()
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "levy", Arch: architecture, Platform: "linux", Version: version, VersionMetadata: metadata, Release: "1",
		Section: "net", Priority: "optional", License: "Apache-2.0", Maintainer: r.maintainer, Vendor: r.maintainer, MTime: r.time,
		Description: "Self-hosted sales-tax compliance engine\n" +
			"API, console and workers, with units for systemd. It needs PostgreSQL and Temporal,\nand starts nothing before it is configured.",
		DisableGlobbing: true,
		Overridables: nfpm.Overridables{
			Recommends: []string{"ca-certificates"},
			Contents:   contents,
			Scripts: nfpm.Scripts{
				PostInstall: r.linux("postinstall.sh"), PreRemove: r.linux("preremove.sh"), PostRemove: r.linux("postremove.sh"),
			},
			RPM: nfpm.RPM{BuildHost: "localhost", Summary: "Self-hosted sales-tax compliance engine", Packager: r.maintainer},
		},
	})
	if err := nfpm.PrepareForPackager(info, kind); err != nil {
		return err
	}
	packager, err := nfpm.Get(kind)
	if err != nil {
		return err
	}
	file, err := os.Create(r.at(packager.ConventionalFileName(info)))
	if err != nil {
		return err
	}
	return errors.Join(packager.Package(info, file), file.Close())
}
