package service

import (
	"context"
	"encoding/hex"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/limit"
)

// documentBytes are the bytes of the files of typed calls in memory. HTTP bounds its own bodies.
var documentBytes = limit.Sizes{Total: 64 << 20, Partner: 32 << 20, Alone: 48 << 20, Organization: 20 << 20}

// FileField is the field of a form that carries the file. Levy ignores other fields.
const FileField = "file"

// FileTypes are the media types of accepted files, with the endings of their names.
var FileTypes = map[string]string{"application/pdf": ".pdf", "image/png": ".png", "image/jpeg": ".jpg"}

// CheckFile returns the file of a form with a safe name if its type is accepted, else a problem.
func CheckFile(file *contract.File) (*contract.File, *problem.Problem) {
	if FileTypes[file.Type] == "" {
		return RefusedForm(models.FieldInvalidFormat, FileField, "The file must be a PDF, PNG or JPEG.")
	}
	file.Name = safeName(file.Name, "document"+FileTypes[file.Type])
	return file, nil
}

// safeName returns the name of a file without its path and without characters that could disguise it. otherwise is the
// name of a file without one.
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

// maxFileName bounds names, in code points.
const maxFileName = 255

// RefusedForm returns no file and the problem of a form with one fault.
func RefusedForm(code, field, message string) (*contract.File, *problem.Problem) {
	return nil, problem.ValidationFailed(models.Fault{Code: code, Path: field, Message: message})
}

// ReceiveUpload stores a file while it arrives and sets the body of the input to the hash of the file.
// A repeat with the same file is therefore the same request. The caller calls end after the operation. Errors: those
// of StoreUpload.
func (s *Service) ReceiveUpload(
	ctx context.Context, file *contract.File, limit int64, in *Input,
) (end func(), err error) {
	query, _ := url.ParseQuery(in.Query) // the validator refuses what cannot be read
	if in.upload, end, err = s.subjects.StoreUpload(ctx, file, query.Get("columns"), limit); err != nil {
		return end, err
	}
	in.Body = []byte(hex.EncodeToString(in.upload.Im.SHA256))
	return end, nil
}
