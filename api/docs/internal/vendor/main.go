// Command vendor copies the renderer of the documentation from its installed npm package, with the licences
// of all packages in its file. make vendor-docs runs it.
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const renderer = "node_modules/@scalar/api-reference"

// The arguments are the folder in which npm installed the package, and the target of the copy.
func main() {
	if err := vendor(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func vendor(installed, target string) error {
	var lock struct {
		Packages map[string]struct{ Version, Integrity string }
	}
	if err := readJSON(filepath.Join(installed, "package-lock.json"), &lock); err != nil {
		return err
	}
	script, err := os.ReadFile(filepath.Join(installed, renderer, "dist/browser/standalone.js"))
	if err != nil {
		return err
	}
	licences, err := licences(installed)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(script)
	origin, err := json.MarshalIndent(map[string]string{
		"package":   strings.TrimPrefix(renderer, "node_modules/"),
		"version":   lock.Packages[renderer].Version,
		"integrity": lock.Packages[renderer].Integrity, // npm has checked it
		"sha256":    hex.EncodeToString(sum[:]),        // of the uncompressed file
	}, "", "  ")
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(script); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	for name, body := range map[string][]byte{
		"renderer.js.gz": packed.Bytes(), "origin.json": append(origin, '\n'), "LICENSES.txt": licences,
	} {
		if err := os.WriteFile(filepath.Join(target, name), body, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// licences returns the texts for every package in the file, by its source map. The renderer's package has no text,
// but that of its sister package applies to the whole repository.
func licences(installed string) ([]byte, error) {
	var sourceMap struct{ Sources []string }
	if err := readJSON(filepath.Join(installed, renderer, "dist/browser/standalone.js.map"), &sourceMap); err != nil {
		return nil, err
	}
	folders, err := packages(installed)
	if err != nil {
		return nil, err
	}
	holders := map[string][]string{} // by text
	inPackage := regexp.MustCompile(`.*node_modules/((?:@[^/]+/)?[^/]+)/`)
	names := map[string]bool{"@scalar/types": true}
	for _, source := range sourceMap.Sources {
		if found := inPackage.FindStringSubmatch(source); found != nil {
			names[found[1]] = true
		}
	}
	for name := range names {
		text, version, err := licence(folders[name])
		if err != nil {
			return nil, err
		}
		holders[text] = append(holders[text], strings.TrimSpace(name+" "+version))
	}
	for _, who := range holders {
		slices.Sort(who)
	}
	var b bytes.Buffer
	b.WriteString("renderer.js.gz is made of the packages below, each under the licence that follows its name.\n")
	b.WriteString("The licence of @scalar/types is that of @scalar/api-reference and of all packages of its repository.\n")
	for _, text := range slices.SortedFunc(maps.Keys(holders), func(x, y string) int {
		return cmp.Compare(holders[x][0], holders[y][0])
	}) {
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("-", 80), strings.Join(holders[text], "\n"), text)
	}
	return b.Bytes(), nil
}

// packages returns the folders of all installed packages by name.
func packages(installed string) (map[string]string, error) {
	folders := map[string]string{}
	err := filepath.WalkDir(filepath.Join(installed, "node_modules"),
		func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Name() == "package.json" {
				folder := filepath.Dir(path)
				name := folder[strings.LastIndex(folder, "node_modules/")+len("node_modules/"):]
				folders[name] = cmp.Or(folders[name], folder)
			}
			return err
		})
	return folders, err
}

// licence returns the licence text of a package, or else its declared licence.
func licence(folder string) (text, version string, err error) {
	if folder == "" {
		return "The text is not in an installed package.", "", nil
	}
	var about struct{ Version, License string }
	if err := readJSON(filepath.Join(folder, "package.json"), &about); err != nil {
		return "", "", err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", "", err
	}
	for _, entry := range entries {
		if name := strings.ToLower(entry.Name()); strings.HasPrefix(name, "licen") {
			body, err := os.ReadFile(filepath.Join(folder, entry.Name()))
			return strings.TrimSpace(strings.ReplaceAll(string(body), "\r\n", "\n")), about.Version, err
		}
	}
	return about.License + " (the package brings no text)", about.Version, nil
}

func readJSON(path string, into any) error {
	body, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
