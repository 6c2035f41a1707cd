package api

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service"
)

// boundaryOf is the line that parts a form, "" for a body of another type.
func boundaryOf(h http.Header) string {
	types := h.Values("Content-Type")
	if len(types) != 1 {
		return ""
	}
	media, params, err := mime.ParseMediaType(types[0])
	if err != nil || media != "multipart/form-data" {
		return ""
	}
	return params["boundary"]
}

// readForm finds the file of a form, or reports what is wrong with it.
func readForm(boundary string, body []byte) (*contract.File, *problem.Problem) {
	var file *contract.File
	var content []byte
	for parts := multipart.NewReader(bytes.NewReader(body), boundary); len(body) > 0; {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return service.RefusedForm(models.FieldInvalidFormat, "", "The form cannot be read.")
		}
		if part.FormName() != service.FileField {
			continue
		}
		if file != nil {
			return service.RefusedForm(models.FieldDuplicateValue, service.FileField, "Only one file may be sent.")
		}
		content, err = readAll(make([]byte, 0, len(body)), part, int64(len(body)))
		if err != nil {
			return service.RefusedForm(models.FieldInvalidFormat, "", "The form cannot be read.")
		}
		file = &contract.File{Type: http.DetectContentType(content), Content: bytes.NewBuffer(content)}
		file.Name = safeName(part.FileName(), "document"+service.FileTypes[file.Type])
	}
	if file == nil || len(content) == 0 {
		return service.RefusedForm(models.FieldMissing, service.FileField, "file is required.")
	}
	return service.CheckFile(file)
}

// safeName takes from a file's name whatever could lead to another place or look
// like another name. otherwise is the name of a file without one.
func safeName(sent, otherwise string) string {
	name := path.Base(strings.ReplaceAll(strings.ToValidUTF8(sent, ""), `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || strings.ContainsRune(`/\"<>|:*?`, r) {
			return -1
		}
		return r
	}, name)
	if name = strings.Trim(name, ". "); name == "" {
		return otherwise
	}
	if utf8.RuneCountInString(name) > maxFileName {
		ending := []rune(path.Ext(name))
		ending = ending[:min(len(ending), maxFileName/2)]
		name = string(slices.Concat([]rune(name)[:maxFileName-len(ending)], ending))
	}
	return name
}

// maxFileName is the length of names in code points.
const maxFileName = 255
