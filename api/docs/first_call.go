package docs

import (
	"bytes"
	"embed"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"strings"

	"github.com/gin-gonic/gin"
)

//go:embed samples
var samples embed.FS

// writtenBase is the base address that samples and pages are written with. The reader's own takes its place.
const writtenBase = "http://127.0.0.1:8080"

// language is a language of the samples on the page "First call".
type language struct {
	ID, Name string
	File     string // the name of the whole program below /docs
	Run      string // how the program is run
	source   string
}

var languages = []language{
	{ID: "curl", Name: "curl", File: "first-call.sh", Run: "sh first-call.sh", source: "first-call.sh"},
	{ID: "python", Name: "Python", File: "first-call.py", Run: "python3 first-call.py", source: "first-call.py"},
	{ID: "javascript", Name: "JavaScript", File: "first-call.mjs", Run: "node first-call.mjs", source: "first-call.mjs"},
	{ID: "go", Name: "Go", File: "first-call.go", Run: "go run first-call.go", source: "first-call.go.txt"},
}

// sample is a part of the program of a language.
type sample struct{ Language, Name, Code string }

// stepLine begins the part of a sample for a step of the page.
var stepLine = regexp.MustCompile(`(?m)^\t?(?:#|//) step: (\w+)\n`)

// renderFirstCall returns the page "First call" and the programs that it consists of, by their paths.
func (r *renderer) renderFirstCall() (map[string]document, error) {
	steps := map[string][]sample{}
	pages := map[string]document{}
	for _, l := range languages {
		program, err := samples.ReadFile(path.Join("samples", l.source))
		if err != nil {
			return nil, fmt.Errorf("samples of /docs: %w", err)
		}
		pages["/docs/"+l.File] = document{contentType: typeText, body: stepLine.ReplaceAll(program, []byte("\n"))}
		begins := stepLine.FindAllSubmatchIndex(program, -1)
		for i, at := range begins {
			end := len(program)
			if i+1 < len(begins) {
				end = begins[i+1][0]
			}
			step, code := string(program[at[2]:at[3]]), string(program[at[1]:end])
			steps[step] = append(steps[step], sample{l.ID, l.Name, strings.TrimSpace(outdented(code))})
		}
	}
	page, err := r.render("first_call.html", map[string]any{"Languages": languages, "Steps": steps})
	pages["/docs"] = page
	return pages, err
}

// outdented removes the tab with which all lines of a part begin.
func outdented(code string) string {
	if !strings.HasPrefix(code, "\t") {
		return code
	}
	return strings.ReplaceAll(code[1:], "\n\t", "\n")
}

// at returns the document with the reader's base address.
func (d document) at(base string) document {
	d.body = bytes.ReplaceAll(d.body, []byte(writtenBase), []byte(base))
	return d
}

// plainHost matches hosts that are text in each of the languages and in HTML.
var plainHost = regexp.MustCompile(`^[A-Za-z0-9.:\[\]-]{1,255}$`)

// baseOf returns the address at which the reader reaches the service.
func baseOf(r *http.Request) string {
	if !plainHost.MatchString(r.Host) {
		return writtenBase
	}
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// handlerAtBase answers with the document for the address at which the reader reaches the service.
func (d document) handlerAtBase() gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Header("Vary", "X-Forwarded-Proto") // a proxy writes it
		d.at(baseOf(c.Request)).handler()(c)
	}
}
