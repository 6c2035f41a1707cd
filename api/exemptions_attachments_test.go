package api_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// form is a form with files: names and contents in turn.
func form(t *testing.T, field string, files ...string) (body string, header func(*http.Request)) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		part, err := w.CreateFormFile(field, files[i])
		require.NoError(t, err)
		_, err = part.Write([]byte(files[i+1]))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.String(), func(r *http.Request) { r.Header.Set("Content-Type", w.FormDataContentType()) }
}

func (in *installation) exemption(as credentials) string {
	in.t.Helper()
	return in.do(
		as, "POST", "/v1/exemptions",
		`{"exemption_type":"customer","customer_id":"`+in.customer(
			as, models.NewID("x"),
		)+`","start_date":"2026-01-01"}`,
	).expect(200).text("id")
}

const (
	pdf  = "%PDF-1.7\n"
	png  = "\x89PNG\r\n\x1a\n"
	jpeg = "\xff\xd8\xff\xe0"
)

func TestDocumentsOfAnExemption(t *testing.T) {
	t.Parallel()
	in := install(t)
	id := in.exemption(in.root)
	path := "/v1/exemptions/" + id + "/attachments"
	large := pdf + strings.Repeat("0123456789abcdef", 3<<16) // more than one piece
	body, typed := form(t, "file", "certificate.pdf", large)
	once := header("Idempotency-Key", "one")
	a := in.do(in.root, "POST", path, body, typed, once).expect(200)
	sum := sha256.Sum256([]byte(large))
	for name, want := range map[string]any{
		"related_entity_id": id, "related_entity_type": "EXEMPTION", "filename": "certificate.pdf",
		"content_type": "application/pdf",
		"size":         float64(len(large)), "sha256": hex.EncodeToString(sum[:]),
	} {
		require.Equal(t, want, a.member(name), name)
	}
	again := in.do(in.root, "POST", path, body, typed, once).expect(200)
	require.JSONEq(t, a.Body.String(), again.Body.String())
	require.Equal(t, "true", again.Header().Get("Idempotency-Replayed"))
	other, _ := form(t, "file", "certificate.pdf", pdf)
	in.do(in.root, "POST", path, other, typed, once).expect(409, "idempotency_key_reused")

	for content, want := range map[string]string{png: "image/png", jpeg: "image/jpeg"} {
		body, typed := form(t, "file", "scan.pdf", content)
		require.Equal(
			t, want, in.do(in.root, "POST", path, body, typed).expect(200).text("content_type"),
			"the content decides, not the name",
		)
	}
	list := in.do(in.root, "GET", path, "").expect(200)
	require.True(t, strings.HasPrefix(list.Body.String(), "["), "a plain list")
	require.Len(t, list.list("id"), 3)
	require.Equal(t, a.text("id"), list.list("id")[0], "the oldest first")
	shown, _ := in.do(in.root, "GET", "/v1/exemptions/"+id, "").expect(200).member("attachments").([]any)
	require.Len(t, shown, 3)

	read := in.do(in.root, "GET", path+"/"+a.text("id"), "").expect(200)
	require.Equal(t, large, read.Body.String())
	require.Equal(t, []string{"application/pdf", `attachment; filename="certificate.pdf"`},
		[]string{read.Header().Get("Content-Type"), read.Header().Get("Content-Disposition")})
	foreign, typedForeign := form(t, "file", "Bestätigung; x.pdf", pdf)
	named := in.do(in.root, "POST", path, foreign, typedForeign).expect(200).text("id")
	require.Equal(t, "attachment; filename*=utf-8''Best%C3%A4tigung%3B%20x.pdf",
		in.do(in.root, "GET", path+"/"+named, "").expect(200).Header().Get("Content-Disposition"))

	stranger := in.client("Client")
	in.do(stranger, "POST", path, body, typed).expect(404, "resource_not_found")
	in.do(stranger, "GET", path+"/"+named, "").expect(404, "resource_not_found")
	elsewhere := "/v1/exemptions/" + in.exemption(in.root) + "/attachments/" + named
	in.do(in.root, "GET", elsewhere, "").expect(404, "resource_not_found")
	in.do(stranger, "GET", path, "").expect(404, "resource_not_found")
}

func TestDocumentsThatAreRefused(t *testing.T) {
	t.Parallel()
	in := install(t)
	path := "/v1/exemptions/" + in.exemption(in.root) + "/attachments"
	for name, c := range map[string]struct {
		field    string
		files    []string
		location string
		code     string
	}{
		"a picture of another kind":    {"file", []string{"a.pdf", "GIF89a"}, "body.file", "invalid_format"},
		"a page that says it is a PDF": {"file", []string{"a.pdf", "<html>%PDF-1.7"}, "body.file", "invalid_format"},
		"an empty file":                {"file", []string{"a.pdf", ""}, "body.file", "missing_field"},
		"a form without a file":        {"other", []string{"a.pdf", pdf}, "body.file", "missing_field"},
		"two files":                    {"file", []string{"a.pdf", pdf, "b.pdf", pdf}, "body.file", "duplicate_value"},
	} {
		body, typed := form(t, c.field, c.files...)
		refused := in.do(in.root, "POST", path, body, typed).expect(400, "validation_failed").Body.String()
		require.Contains(t, refused, `{"code":"`+c.code+`","location":"`+c.location+`"`, name)
	}
	body, typed := form(t, "file", "a.pdf", pdf)
	in.do(in.root, "POST", path, body[:len(body)-8], typed).expect(400, "validation_failed")
	in.do(in.root, "POST", path, "", typed).expect(400, "validation_failed")
	in.do(in.root, "POST", path, `{}`).expect(415)
	in.do(in.root, "POST", path, body, header("Content-Type")).expect(415)
	in.do(in.root, "POST", path, body, header("Content-Type", "multipart/form-data")).expect(415)
	in.do(in.root, "POST", path, body, typed, header("Content-Encoding", "gzip")).expect(415)
	in.do(in.root, "POST", "/v1/products", body, typed).expect(415)

	room := 10<<20 - len(body)
	fitting, typed := form(t, "file", "a.pdf", pdf+strings.Repeat("x", room))
	require.Len(t, fitting, 10<<20)
	in.do(in.root, "POST", path, fitting, typed).expect(200)
	over, typed := form(t, "file", "a.pdf", pdf+strings.Repeat("x", room+1))
	in.do(in.root, "POST", path, over, typed).expect(413, "payload_too_large")
	require.Len(t, in.do(in.root, "GET", path, "").expect(200).list("id"), 1, "what was refused is not stored")
}

func TestNamesOfFilesAreSafe(t *testing.T) {
	t.Parallel()
	in := install(t)
	path := "/v1/exemptions/" + in.exemption(in.root) + "/attachments"
	for sent, want := range map[string]string{
		"Zertifikat für NY.pdf":           "Zertifikat für NY.pdf",
		"../../etc/passwd":                "passwd",
		`C:\Users\ada\form.pdf`:           "form.pdf",
		"a\u202efdp.exe":                  "afdp.exe",
		"<script>.pdf":                    "script.pdf",
		"..":                              "document.pdf",
		"":                                "document.pdf",
		".htaccess":                       "htaccess",
		strings.Repeat("é", 300) + ".pdf": strings.Repeat("é", 251) + ".pdf",
	} {
		body := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + strings.ReplaceAll(
			sent, `\`, `\\`,
		) + "\"\r\n\r\n" + pdf + "\r\n--b--\r\n"
		a := in.do(in.root, "POST", path, body, header("Content-Type", "multipart/form-data; boundary=b")).expect(200)
		require.Equal(t, want, a.text("filename"), sent)
	}
}
