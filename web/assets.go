package web

import (
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

//go:embed assets
var assets embed.FS

// assetsPath is the path below which stylesheets, scripts and pictures are.
const assetsPath = "/assets/"

// contentTypes are the content types of assets, by file extension.
var contentTypes = map[string]string{
	".js":  "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
	".csv": "text/csv; charset=utf-8",
}

// forAYear lets browsers store an asset whose address has the hash of its content.
const forAYear = "public, max-age=31536000, immutable"

// asset is a stylesheet, script or picture of the pages, or a file that they offer. Its address has a hash of its content.
type asset struct {
	address, contentType string
	body                 []byte
}

// assetSet is all assets by the name of their file.
type assetSet map[string]asset

// importPattern matches an import of another script. The scripts are in one folder.
var importPattern = regexp.MustCompile(`from '\./([a-z_]+\.js)'`)

// loadAssets reads all assets. Errors: a file without a content type, an import of a script that does not exist.
func loadAssets() (assetSet, error) {
	entries, err := assets.ReadDir("assets")
	if err != nil {
		return nil, fmt.Errorf("assets: %w", err)
	}
	all := assetSet{}
	for _, entry := range entries {
		if err := all.load(entry.Name()); err != nil {
			return nil, fmt.Errorf("assets: %w", err)
		}
	}
	return all, nil
}

// load reads an asset, and before it the scripts that it imports. Its imports then name their addresses, so a change of
// an imported script also changes the address of the script that imports it.
func (all assetSet) load(name string) error {
	if _, known := all[name]; known {
		return nil
	}
	contentType, ok := contentTypes[path.Ext(name)]
	if !ok {
		return fmt.Errorf("%s has no content type", name)
	}
	body, err := assets.ReadFile("assets/" + name)
	if err != nil {
		return err
	}
	for _, found := range importPattern.FindAllSubmatch(body, -1) {
		if err := all.load(string(found[1])); err != nil {
			return err
		}
	}
	body = importPattern.ReplaceAllFunc(body, func(found []byte) []byte {
		other := all[string(importPattern.FindSubmatch(found)[1])]
		return []byte("from '" + other.address + "'")
	})
	sum := sha256.Sum256(body)
	extension := path.Ext(name)
	all[name] = asset{
		address:     assetsPath + strings.TrimSuffix(name, extension) + "." + hex.EncodeToString(sum[:8]) + extension,
		contentType: contentType, body: body,
	}
	return nil
}

// address returns the address of an asset. Errors: there is no such file.
func (all assetSet) address(name string) (string, error) {
	found, ok := all[name]
	if !ok {
		return "", fmt.Errorf("there is no asset %s", name)
	}
	return found.address, nil
}

// serve answers with an asset. During an upgrade, a page of one release may ask a process of another: it gets the asset
// of that name as it is here, and no browser stores it.
func (all assetSet) serve(w http.ResponseWriter, r *http.Request) {
	file := r.PathValue("file")
	extension := path.Ext(file)
	stem, _, _ := strings.Cut(strings.TrimSuffix(file, extension), ".")
	found, ok := all[stem+extension]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", found.contentType)
	// guard: assets: only an address with the hash of its content may be stored
	if assetsPath+file == found.address {
		w.Header().Set("Cache-Control", forAYear)
	}
	_, _ = w.Write(found.body) // the client may be gone
}

// jitter is the largest number of random bytes that are added to a compressed page. They hide its length, from which
// a page that also shows what was typed into a search could be guessed (BREACH).
const jitter = 32

// compress compresses pages and assets for clients that accept it. Files pass as they are: their writer gives slow
// clients time for each part. Errors: an option that the library refuses.
func compress(next http.Handler) (http.Handler, error) {
	wrap, err := gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.CompressionLevel(gzip.DefaultCompression),
		gzhttp.RandomJitter(jitter, 0, false),
		gzhttp.ContentTypes([]string{"text/html", "text/css", "text/javascript", "image/svg+xml"}))
	if err != nil {
		return nil, fmt.Errorf("compression: %w", err)
	}
	return wrap(next), nil
}
