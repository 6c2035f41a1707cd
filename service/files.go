package service

import (
	"context"
	"encoding/hex"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
)

// FileField is the field of a form that carries the file. Others are ignored.
const FileField = "file"

// FileTypes are the kinds of files that are accepted, with the endings of their names.
var FileTypes = map[string]string{"application/pdf": ".pdf", "image/png": ".png", "image/jpeg": ".jpg"}

// CheckFile accepts a file of a form by its type, and makes its name safe.
func CheckFile(file *contract.File) (*contract.File, *problem.Problem) {
	if FileTypes[file.Type] == "" {
		return RefusedForm(models.FieldInvalidFormat, FileField, "The file must be a PDF, PNG or JPEG.")
	}
	file.Name = safeName(file.Name, "document"+FileTypes[file.Type])
	return file, nil
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

func RefusedForm(code, field, message string) (*contract.File, *problem.Problem) {
	return nil, problem.ValidationFailed(models.Fault{Code: code, Path: field, Message: message})
}

// receiveUpload stores a file while it arrives. The body of the input is the hash of the file then: so the same file is
// the same request. end must be called when the operation has been carried out. Errors: those of storeUpload.
func (s *Service) ReceiveUpload(
	ctx context.Context, file *contract.File, limit int64, in *Input,
) (end func(), err error) {
	if in.upload, end, err = s.subjects.StoreUpload(ctx, file, limit); err != nil {
		return end, err
	}
	in.Body = []byte(hex.EncodeToString(in.upload.Im.SHA256))
	return end, nil
}
