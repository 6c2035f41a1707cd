package main

import (
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// ours are files with the terms of what is embedded in the programs besides modules.
var ours = []struct{ what, path string }{
	{"Tax content, from official publications", "tax/content/data/NOTICE.md"},
	{"The outlines of the states on the map of nexus, from us-atlas", "web/data/states.LICENSE"},
	{"The renderer of /docs, with the packages that it is made of", "api/docs/renderer/LICENSES.txt"},
}

// writeNotices writes the notices of the programs of all systems, packed, into the file that the program embeds.
func writeNotices(root, to string) error {
	programs, err := listed(targets)
	if err != nil {
		return err
	}
	parts, err := partsOf(programs)
	if err != nil {
		return err
	}
	text, err := noticesOf(root, parts)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	packed, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := packed.Write(text); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return os.WriteFile(to, b.Bytes(), 0o644)
}

// listed returns the modules of the programs for some systems, without building them.
func listed(targets []target) (programs []*buildinfo.BuildInfo, err error) {
	for _, t := range targets {
		cmd := exec.Command("go", "list", "-deps",
			"-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", "levy/cmd/levy")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=", "GOOS="+t.os, "GOARCH="+t.arch)
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("list the modules for %s/%s: %w", t.os, t.arch, err)
		}
		info := &buildinfo.BuildInfo{}
		for line := range strings.Lines(string(out)) {
			if path, version, found := strings.Cut(strings.TrimSpace(line), " "); found {
				info.Deps = append(info.Deps, &debug.Module{Path: path, Version: version})
			}
		}
		programs = append(programs, info)
	}
	return programs, nil
}

// noticesOf is the text that has to be passed on together with the programs.
func noticesOf(root string, parts []part) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("Levy contains the software below. Each part is under its own licence, whose text follows its name.\n")
	section := func(title string, content []byte) {
		fmt.Fprintf(&b, "\n%s\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), title, strings.Repeat("=", 80),
			bytes.TrimSpace(content))
	}
	standard, err := os.ReadFile(filepath.Join(goroot(), "LICENSE"))
	if err != nil {
		return nil, err
	}
	section("Go and its standard library (BSD-3-Clause)", standard)
	for _, p := range parts {
		if len(p.texts) == 0 {
			section(p.path+" "+p.version, []byte(withoutTerms[p.path]))
		}
		for _, t := range p.texts {
			section(fmt.Sprintf("%s %s (%s): %s", p.path, p.version, p.licence, t.name), t.content)
		}
	}
	for _, o := range ours {
		content, err := os.ReadFile(filepath.Join(root, o.path))
		if err != nil {
			return nil, err
		}
		section(o.what, content)
	}
	return b.Bytes(), nil
}

// goroot is where the Go that builds has its files.
func goroot() string {
	if out, err := exec.Command("go", "env", "GOROOT").Output(); err == nil {
		return strings.TrimSpace(string(out))
	}
	return runtime.GOROOT() //nolint:staticcheck // without a go command there is nothing better
}
