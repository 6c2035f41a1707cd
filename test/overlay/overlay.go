// Package overlay gives the compiler other versions of files, for builds in which a part is missing or different. The
// tree stays as it is.
package overlay

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Edit is what is different: New stands in File where Old stands once.
type Edit struct {
	File, Old, New string
}

// Content is the file as edited. Errors: those of a text that is not there exactly once.
func (e Edit) Content() ([]byte, error) {
	content, err := os.ReadFile(e.File)
	if err != nil {
		return nil, err
	}
	if n := strings.Count(string(content), e.Old); n != 1 {
		return nil, fmt.Errorf("this stands %d times in %s, not once: %s", n, e.File, e.Old)
	}
	return []byte(strings.Replace(string(content), e.Old, e.New, 1)), nil
}

// Write writes the edited files to a folder. It returns the file for the flag -overlay of the go command. Each file has
// one edit.
func Write(dir string, edits ...Edit) (path string, err error) {
	contents := map[string]string{}
	for _, e := range edits {
		content, err := e.Content()
		if err != nil {
			return "", err
		}
		contents[e.File] = string(content)
	}
	return Put(dir, contents)
}

// Put is Write for files whose contents are given.
func Put(dir string, contents map[string]string) (path string, err error) {
	replace := map[string]string{}
	for name, content := range contents {
		file, err := filepath.Abs(name)
		if err != nil {
			return "", err
		}
		replace[file] = filepath.Join(dir, strconv.Itoa(len(replace))+"-"+filepath.Base(name))
		if err := os.WriteFile(replace[file], []byte(content), 0o600); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, text, 0o600)
}
