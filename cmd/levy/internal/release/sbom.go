package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// The parts of a list in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/) that are used here.
type bom struct {
	Format       string       `json:"bomFormat"`
	Version      string       `json:"specVersion"`
	Serial       string       `json:"serialNumber"`
	Number       int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Ref        string     `json:"bom-ref"`
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl,omitempty"`
	Licences   []licence  `json:"licenses,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type licence struct {
	Licence struct {
		ID string `json:"id"`
	} `json:"license"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// licensed is the licence of an SPDX identifier; none without one.
func licensed(id string) []licence {
	if id == "" {
		return nil
	}
	l := licence{}
	l.Licence.ID = id
	return []licence{l}
}

// sbomOf lists the parts of a release. The time is that of the commit, and the serial number follows
// from the content: the same release has the same list.
func sbomOf(version string, at time.Time, goVersion string, parts []part) ([]byte, error) {
	levy := component{
		Ref: "levy", Type: "application", Name: "levy", Version: version, Licences: licensed("Apache-2.0"),
	}
	compiler := strings.TrimPrefix(goVersion, "go")
	standard := component{
		Ref: "std", Type: "library", Name: "std", Version: compiler, PURL: "pkg:golang/std@" + compiler,
		Licences: licensed("BSD-3-Clause"),
	}
	b := bom{
		Format: "CycloneDX", Version: "1.6", Number: 1,
		Metadata:   metadata{Timestamp: at.Format(time.RFC3339), Component: levy},
		Components: []component{standard},
	}
	refs := []string{standard.Ref}
	for _, p := range parts {
		purl := "pkg:golang/" + p.path + "@" + url.QueryEscape(p.version)
		b.Components = append(b.Components, component{
			Ref: purl, Type: "library", Name: p.path, Version: p.version, PURL: purl, Licences: licensed(p.licence),
			Properties: []property{{"levy:go.sum", p.sum}},
		})
		refs = append(refs, purl)
	}
	b.Dependencies = []dependency{{levy.Ref, refs}}
	content, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	b.Serial = serial(content)
	content, err = json.MarshalIndent(b, "", "  ")
	return append(content, '\n'), err
}

// serial is a UUID (version 8) that follows from content.
func serial(content []byte) string {
	sum := sha256.Sum256(content)
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
