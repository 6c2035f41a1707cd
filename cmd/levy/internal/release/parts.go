package main

import (
	"bytes"
	"cmp"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// part is a module that is in at least one of the programs.
type part struct {
	path, version, sum string // sum is that of go.sum: h1 and the SHA-256 of its files
	licence            string // the SPDX identifier
	texts              []text // its licence, and the notices that have to go with it
}

type text struct {
	name    string
	content []byte
}

// partsOf returns the modules that the programs list as their parts, with their licences. A module whose licence is not
// known is an error: a person has to read it first.
func partsOf(programs []*buildinfo.BuildInfo) ([]part, error) {
	found := map[string]part{}
	for _, program := range programs {
		for _, module := range program.Deps {
			if strings.HasPrefix(module.Path, "levy/") { // a module of this repository
				continue
			}
			if module.Replace != nil {
				module = module.Replace
			}
			found[module.Path] = part{path: module.Path, version: module.Version, sum: module.Sum}
		}
	}
	var parts []part
	var errs []error
	for _, p := range found {
		if err := p.read(); err != nil {
			errs = append(errs, err)
		}
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.path, b.path) })
	return parts, errors.Join(errs...)
}

// legal are the files of a module that say under which terms it may be passed on.
var legal = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// read finds the legal files of a module in the module cache, and its licence.
func (p *part) read() error {
	folder, err := folderOf(p.path, p.version)
	if err != nil {
		return err
	}
	if p.texts, err = legalTexts(folder); err != nil {
		return err
	}
	for _, t := range p.texts {
		if name := licenceOf(t.content); name != "" && p.licence == "" {
			p.licence = name
		}
	}
	if _, known := withoutTerms[p.path]; p.licence == "" && !known {
		return fmt.Errorf("%s %s: none of its files is a licence that is known", p.path, p.version)
	}
	return nil
}

// withoutTerms are parts without a licence in their files, and the reason why they may be used. Before you add one, ask
// its authors.
var withoutTerms = map[string]string{
	"github.com/nexus-rpc/nexus-proto-annotations": "Descriptions that go.temporal.io/api (MIT), of the same authors, " +
		"needs. Its files name no licence.",
}

func folderOf(path, version string) (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", path).Output()
	folder := strings.TrimSpace(string(out))
	if err != nil || folder == "" {
		return "", fmt.Errorf("%s %s is not in the module cache", path, version)
	}
	return folder, nil
}

func legalTexts(folder string) ([]text, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var texts []text
	for _, entry := range entries {
		if entry.IsDir() || !legal.MatchString(entry.Name()) {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		texts = append(texts, text{entry.Name(), bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))})
	}
	return texts, nil
}

// licences are those under which parts may be, by words that only their texts have. All of them let a
// program be passed on with their text.
var licences = []struct{ name, words string }{
	{"Apache-2.0", "apache license version 2.0"},
	{"MPL-2.0", "mozilla public license version 2.0"},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose"},
	{"ISC", "permission to use, copy, modify, and distribute this software for any purpose"},
	{"BSD-3-Clause", "endorse or promote products derived from"},
	{"BSD-2-Clause", "redistributions in binary form must reproduce the above copyright"},
}

// licenceOf is the licence that a text is; empty when it is none that is known.
func licenceOf(content []byte) string {
	words := strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(string(content), ",", ", ")), " "))
	words = strings.NewReplacer(" ,", ",", "license, version", "license version").Replace(words)
	for _, l := range licences {
		if strings.Contains(words, l.words) {
			return l.name
		}
	}
	return ""
}
